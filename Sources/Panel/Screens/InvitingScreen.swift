import Canvas
import Pictures

/// All that is shown to whoever passes a kiosk by. Two equal values are the same picture.
package struct ShownInvitation: Equatable, Sendable {
  package var words = ""
  /// What is heard meanwhile, if anything.
  package var title = ""
  package var artist = ""
  /// What to do first; when it opens.
  package var hint = ""
  package var cover: Picture?
  /// Another place for all of it, so that no pixel is bright for days.
  package var shift = 0

  package init(_ set: (inout ShownInvitation) -> Void = { _ in }) { set(&self) }

  static let shifts = 9
}

/// Draws an invitation, or that the place is closed: few words, large, with the cover of what plays beside them. Nothing
/// moves while somebody looks; once a minute all of it stands a little elsewhere.
package struct InvitingScreen {
  let look: PanelLook
  private var type: PanelType { look.type }
  private var colours: Theme { look.theme }

  package init(_ look: PanelLook) { self.look = look }

  /// A square that as good as fills the height, on panels that are wide enough for words beside it.
  func coverSide(_ size: Size) -> Int? {
    let side = size.height * 6 / 10
    return size.width >= size.height * 5 / 4 && side >= 72 ? side : nil
  }

  package func draw(_ shown: ShownInvitation, on canvas: Canvas) {
    canvas.isMirrored = look.words.isRightToLeft
    defer { canvas.isMirrored = false }
    let size = canvas.size
    canvas.fill(canvas.bounds, colours.ground)
    let layout = QuestionLayout(size, look.style)
    let step = max(1, layout.unit)
    let (across, down) = ((shown.shift % 3 - 1) * step, (shown.shift / 3 % 3 - 1) * step)
    let margin = layout.room.x + step
    var room = Rect(
      x: margin + across, y: margin + down, width: max(size.width - 2 * margin, 1),
      height: max(size.height - 2 * margin, 1)
    )
    if let cover = shown.cover, let side = coverSide(size) {
      let place = Rect(x: room.x, y: room.y + (room.height - side) / 2, width: side, height: side)
      canvas.draw(cover, amid: place, colours)
      room = Rect(x: place.right + margin, y: room.y, width: room.right - place.right - margin, height: room.height)
    }
    draw(lines(shown, room, layout), in: room, on: canvas, hanging: max(2, layout.unit))
  }

  struct Line {
    let text: TextLine
    let colour: Pixel
    /// Above it.
    var gap = 0
    var step: Int { text.face.size * 9 / 8 }
  }

  /// How large words are that are read from across a room, in 22nds of the class's large letters.
  private static let sizes = [40, 36, 32, 28, 24, 20, 16, 13]

  /// In the largest letters in which all of it has room.
  func lines(_ shown: ShownInvitation, _ room: Rect, _ layout: QuestionLayout) -> [Line] {
    var lines: [Line] = []
    for part in Self.sizes {
      let size = max(ScreenScale.smallestType, layout.type.large * part / 22)
      let large = type.bold.at(size)
      let small = type.regular.at(max(size * 5 / 8, min(layout.type.small, size)))
      lines = large.lines(of: shown.words, width: room.width, atMost: 4, balanced: true).map {
        Line(text: $0, colour: colours.title)
      }
      func add(_ text: String, _ colour: Pixel, most: Int, gap: Int) {
        guard !text.isEmpty else { return }
        for (index, line) in small.lines(of: text, width: room.width, atMost: most, balanced: true).enumerated() {
          lines.append(Line(text: line, colour: colour, gap: index == 0 ? gap : 0))
        }
      }
      let gap = size / 3
      add(shown.title, colours.accentText, most: 2, gap: gap)
      add(shown.artist, colours.quiet, most: 1, gap: 0)
      add(shown.hint, colours.quiet, most: 2, gap: gap)
      let height = lines.reduce(0) { $0 + $1.step + $1.gap }
      let isWhole =
        lines.allSatisfy { $0.text.width <= room.width } && large.keepsWords(of: shown.words, width: room.width)
      if height <= room.height, isWhole { break }
    }
    return lines
  }

  private func draw(_ lines: [Line], in room: Rect, on canvas: Canvas, hanging: Int) {
    var y = room.y + max(0, room.height - lines.reduce(0) { $0 + $1.step + $1.gap }) / 2
    for line in lines {
      y += line.gap
      guard y + line.step <= room.bottom else { return }
      canvas.draw(
        line.text, in: Rect(x: room.x, y: y, width: room.width, height: line.step), colour: line.colour,
        hanging: hanging)
      y += line.step
    }
  }

  /// In one line, for terminals in which the picture is too small.
  package func caption(of shown: ShownInvitation) -> String {
    [shown.words, shown.title, shown.artist, shown.hint].filter { !$0.isEmpty }.joined(separator: " · ")
  }
}
