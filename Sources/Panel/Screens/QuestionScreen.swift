import Canvas

/// All that a question's screen shows. Two equal values are the same picture.
package struct ShownQuestion: Equatable, Sendable {
  package var text = ""
  package var details: [String] = []
  package var answers: [String] = []
  package var chosen = 0
  /// How many more wait behind it.
  package var waiting = 0
  /// What else is to be seen meanwhile: it takes the place of the hint.
  package var notice: String?
  var noticeInShort: String?
  package var noticeStands = false

  package init(_ set: (inout ShownQuestion) -> Void) { set(&self) }
}

/// Draws a question over all of the panel: what is asked, what it is about, the answers one below the other with the
/// chosen one bright, and below them how to answer. The answers always have their room; the letters of the rest are as
/// large as what is left allows.
package struct QuestionScreen {
  private let nowPlaying: NowPlayingScreen
  private let isTouched: Bool
  private var look: PanelLook { nowPlaying.look }
  private var type: PanelType { look.type }
  private var colours: Theme { look.theme }

  /// A question stands instead of what else could be touched.
  package init(_ look: PanelLook) {
    var untouched = look
    untouched.style.isTouched = false
    nowPlaying = NowPlayingScreen(untouched)
    isTouched = look.isTouched
  }

  func layout(_ shown: ShownQuestion, _ size: Size) -> QuestionLayout {
    var style = look.style
    style.isTouched = isTouched
    return QuestionLayout(size, style, answers: shown.answers.count, hasNotice: shown.notice != nil)
  }

  package func draw(_ shown: ShownQuestion, on canvas: Canvas) {
    let layout = layout(shown, canvas.size)
    canvas.isMirrored = look.words.isRightToLeft
    defer { canvas.isMirrored = false }
    canvas.fill(canvas.bounds, colours.ground)
    drawText(shown, on: canvas, textRoom(shown, layout), layout)
    for (index, (text, row)) in zip(shown.answers, answerRows(shown, layout)).enumerated() where row.height > 0 {
      drawAnswer(text, isChosen: index == shown.chosen, on: canvas, row, layout)
    }
    drawFoot(shown, on: canvas, layout)
  }

  /// In one line, for terminals in which the picture is too small.
  package func caption(of shown: ShownQuestion) -> String {
    let answers = shown.answers.enumerated().map { $0.offset == shown.chosen ? "[\($0.element)]" : $0.element }
    return (["? \(shown.text)"] + shown.details + [answers.joined(separator: " ")]).joined(separator: " · ")
  }

  /// What the answers leave.
  func textRoom(_ shown: ShownQuestion, _ layout: QuestionLayout) -> Rect {
    let room = layout.room
    let end = answerRows(shown, layout).first { $0.height > 0 }.map { $0.y - layout.unit } ?? room.bottom
    return Rect(x: room.x, y: room.y, width: room.width, height: max(0, end - room.y))
  }

  /// From top to bottom, right above the foot. On the smallest panel two have room below the question: the chosen one
  /// and one beside it; the others have no height.
  func answerRows(_ shown: ShownQuestion, _ layout: QuestionLayout) -> [Rect] {
    let count = shown.answers.count
    let room = layout.room
    let height = answerHeight(shown, layout)
    let most = layout.screen == .tiny ? min(max(room.height / height - 1, 1), 2) : count
    let first = min(max(shown.chosen - most + 1, 0), max(count - most, 0))
    let last = min(first + most, count)
    return (0..<count).map { index in
      guard (first..<last).contains(index) else { return Rect(x: room.x, y: room.bottom, width: room.width, height: 0) }
      let y = room.bottom - (last - index) * (height + layout.gap) + layout.gap
      return Rect(x: room.x, y: y, width: room.width, height: height)
    }
  }

  /// What is too long for a line has two.
  private func answerHeight(_ shown: ShownQuestion, _ layout: QuestionLayout) -> Int {
    let width = layout.room.width - 2 * inset(layout)
    let isLong =
      layout.screen != .tiny && shown.answers.contains { answerFace($0, width, layout).width(of: $0) > width }
    return isLong ? layout.tallAnswer : layout.answer
  }

  private func inset(_ layout: QuestionLayout) -> Int { layout.screen == .tiny ? 2 : 2 * layout.unit + 2 }

  /// The larger one in which it fits a line; else the smaller one.
  private func answerFace(_ text: String, _ width: Int, _ layout: QuestionLayout) -> Face {
    let middle = type.bold.at(layout.type.middle)
    return middle.width(of: text) <= width ? middle : type.bold.at(layout.type.small)
  }

  private func drawAnswer(
    _ text: String, isChosen: Bool, on canvas: Canvas, _ row: Rect, _ layout: QuestionLayout
  ) {
    let inset = inset(layout)
    let inside = Rect(x: row.x + inset, y: row.y, width: max(1, row.width - 2 * inset), height: row.height)
    canvas.fillRounded(row, radius: layout.radius, isChosen ? colours.accent : colours.groove)
    let face = answerFace(text, inside.width, layout)
    let colour = isChosen ? colours.standingText : colours.text
    let lines = face.lines(
      of: text, width: inside.width, atMost: max(1, inside.height / face.lineHeight), balanced: true)
    let top = inside.y + max(0, inside.height - lines.count * face.lineHeight) / 2
    for (index, line) in lines.enumerated() {
      let place = Rect(x: inside.x, y: top + index * face.lineHeight, width: inside.width, height: face.lineHeight)
      canvas.draw(line, in: lines.count == 1 ? inside : place, colour: colour, hanging: max(1, layout.unit / 2))
    }
  }

  private func drawText(_ shown: ShownQuestion, on canvas: Canvas, _ room: Rect, _ layout: QuestionLayout) {
    let lines = laidOut(shown, room, layout)
    var y = room.y + max(0, room.height - lines.reduce(0) { $0 + $1.step }) / 2
    for line in lines {
      // What has no room is not drawn over the answers.
      guard y + line.step <= room.bottom else { return }
      canvas.draw(
        line.line, in: Rect(x: room.x, y: y, width: room.width, height: line.step),
        colour: line.isDetail ? colours.accentText : colours.title, hanging: max(1, layout.unit))
      y += line.step
    }
  }

  struct Line {
    let line: TextLine
    let isDetail: Bool
    var text: String { line.text }
    var face: Face { line.face }
    var step: Int { face.size * 9 / 8 }
  }

  /// In the largest letters in which all of it can be read; in the smallest ends what is too long in an ellipsis. In a
  /// car they do not get smaller than the rule allows.
  func laidOut(_ shown: ShownQuestion, _ room: Rect, _ layout: QuestionLayout) -> [Line] {
    let (large, middle, small) = (layout.type.large, layout.type.middle, layout.type.small)
    var sizes = [(large, middle), (large, small), (middle, small), (small, small)]
    if !look.isForCars, layout.screen != .tiny {
      sizes += [(small, small * 6 / 7), (small, small * 11 / 14), (small * 6 / 7, small * 10 / 14)]
    }
    if layout.screen == .tiny { sizes = [(small, small)] }
    let most = layout.screen == .tiny ? max(1, room.height / (small * 9 / 8)) : 4
    var lines: [Line] = []
    for (size, detailSize) in sizes {
      let face = type.bold.at(max(size, ScreenScale.smallestType))
      let detailFace = type.regular.at(max(detailSize, ScreenScale.smallestType))
      let text = face.lines(of: shown.text, width: room.width, atMost: most, balanced: true)
      lines = text.map { Line(line: $0, isDetail: false) }
      for detail in shown.details {
        lines += detailFace.lines(of: detail, width: room.width, atMost: 5, balanced: true).map {
          Line(line: $0, isDetail: true)
        }
      }
      let fits = lines.allSatisfy { $0.line.width <= room.width }
      if fits, lines.reduce(0, { $0 + $1.step }) <= room.height { break }
    }
    return lines
  }

  private func drawFoot(_ shown: ShownQuestion, on canvas: Canvas, _ layout: QuestionLayout) {
    if let notice = shown.notice {
      let face = type.bold.at(layout.type.small)
      return nowPlaying.draw(
        ToldNotice(notice, inShort: shown.noticeInShort, stands: shown.noticeStands), in: layout.notice,
        margin: layout.room.x, side: NowPlayingScreen.signSide(layout.notice, face), face, on: canvas)
    }
    guard !look.isForCars, layout.foot.height > 0 else { return }
    let face = type.regular.at(layout.type.small)
    let more = shown.waiting > 0 ? "\(shown.waiting) \(nowPlaying.words[.more])" : ""
    canvas.draw(more, in: layout.foot, font: face, colour: colours.quiet, align: .trailing)
    var place = layout.foot
    place.width = max(1, place.width - face.width(of: more) - 2 * layout.unit)
    let hint = nowPlaying.words[isTouched ? .tapAnswer : .turnThenPress]
    canvas.draw(hint, in: place, font: face, colour: colours.quiet, tooWide: .fade)
  }
}
