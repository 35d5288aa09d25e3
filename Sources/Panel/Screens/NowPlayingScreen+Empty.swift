import Canvas

/// The picture when there is nothing to play: calm, and with a word on what can be done about it.
extension NowPlayingScreen {
  func drawNothing(_ now: NowPlaying, on canvas: Canvas, _ room: Rect, _ measure: Measure) {
    let note = measure.length(look.isForCars ? 48 : 64)
    // Before it is known what there is, nothing is said of it.
    let isStarting = now.state == .starting
    let words = self.words[isStarting ? .starting : .nothingToPlay]
    let hint = isStarting ? "" : now.emptyHint
    let large = fit(words, type.bold, [30, 28, 26, 24, 20], width: room.width, measure)
    let small = fit(hint, type.regular, [19, 17], width: room.width, measure)
    let lines = small.lines(of: hint, width: room.width, atMost: 2, balanced: true)
    let gap = measure.length(12)
    let titles = large.lines(of: words, width: room.width, atMost: 2)
    let height = note + gap + titles.count * large.lineHeight + lines.count * small.lineHeight
    var y = room.y + max(0, room.height - height) / 2
    Sign.note.draw(in: Rect(x: room.x, y: y, width: room.width, height: note), on: canvas, colours.accentText)
    y += note + gap
    func draw(_ lines: TextLines, _ face: Face, _ colour: Pixel) {
      for line in lines {
        let row = Rect(x: room.x, y: y, width: room.width, height: face.lineHeight)
        canvas.draw(line, in: row, colour: colour, align: .centre, hanging: measure.length(3))
        y += face.lineHeight
      }
    }
    draw(titles, large, colours.title)
    draw(lines, small, colours.quiet)
  }
}
