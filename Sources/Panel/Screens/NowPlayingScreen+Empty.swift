import Canvas

/// The picture when there is nothing to play: calm, and with a word on what can be done about it.
extension NowPlayingScreen {
  func drawNothing(_ now: NowPlaying, on canvas: Canvas, _ layout: NowPlayingLayout) {
    let top = max(layout.top.bottom, layout.length(2))
    let bottom = layout.keys.height > 0 && layout.keys.x == 0 ? layout.keys.y : layout.times.bottom
    let width = max(1, canvas.size.width - 2 * max(layout.margin, 1))
    let room = Rect(x: max(layout.margin, 1), y: top, width: width, height: max(1, bottom - top))
    // Before it is known what there is, nothing is said of it.
    let isStarting = now.state == .starting
    let said = words[isStarting ? .starting : .nothingToPlay]
    let hint = isStarting ? "" : now.emptyHint
    let isTiny = layout.screen == .tiny
    let (small, middle, large) = (layout.type.small, layout.type.middle, layout.type.large)
    // In smaller letters, and then without the note, where it would not fit.
    let tries = [(large, middle, true), (middle, small, true), (middle, small, false)]
    var (side, gap, y) = (0, 0, room.y)
    var titles = (face: type.bold.at(1), lines: type.bold.at(1).lines(of: "", width: 1, atMost: 1))
    var hints = titles
    for (titleSize, hintSize, hasNote) in isTiny ? [(small, small, false)] : tries {
      side = hasNote ? layout.length(large * 2) : 0
      gap = isTiny ? 1 : layout.length(10)
      titles.face = (isTiny ? type.regular : type.bold).at(layout.letters(titleSize))
      hints.face = type.regular.at(layout.letters(hintSize))
      titles.lines = titles.face.lines(of: said, width: room.width, atMost: isTiny ? 1 : 2)
      hints.lines = hints.face.lines(of: hint, width: room.width, atMost: isTiny ? 2 : 4, balanced: true)
      let text = titles.lines.count * titles.face.lineHeight + hints.lines.count * hints.face.lineHeight
      let height = side + (side > 0 ? 2 : 1) * gap + text
      y = room.y + max(0, room.height - height) / 2
      if height <= room.height { break }
    }
    if side > 0 {
      Sign.note.draw(in: Rect(x: room.x, y: y, width: room.width, height: side), on: canvas, colours.accentText)
    }
    if side > 0 { y += side + gap }
    func draw(_ lines: TextLines, _ face: Face, _ colour: Pixel) {
      for line in lines {
        let row = Rect(x: room.x, y: y, width: room.width, height: face.lineHeight)
        canvas.draw(line, in: row, colour: colour, align: .centre, hanging: layout.length(3))
        y += face.lineHeight
      }
    }
    draw(titles.lines, titles.face, colours.title)
    y += gap
    draw(hints.lines, hints.face, colours.quiet)
  }
}
