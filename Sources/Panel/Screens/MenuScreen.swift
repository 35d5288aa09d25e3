import Canvas

/// Draws a menu: where one is at the top, below it the lines, the one that is looked at bright and, when its words are
/// too long for one line, in as many as they need. A pure function of the value and the canvas's size.
package struct MenuScreen {
  let nowPlaying: NowPlayingScreen
  var words: PanelWords { nowPlaying.words }
  var type: PanelType { nowPlaying.type }

  package init(type: PanelType, words: PanelWords = .english) {
    nowPlaying = NowPlayingScreen(type: type, words: words)
  }

  package func draw(_ shown: ShownMenu, on canvas: Canvas) {
    canvas.isMirrored = words.isRightToLeft
    defer { canvas.isMirrored = false }
    let hasHint = !shown.hint.isEmpty
    let measure = ListMeasure(canvas.size, hasFoot: shown.notice != nil || hasHint)
    canvas.fill(canvas.bounds, from: PanelColours.groundTop, to: PanelColours.groundBottom)
    drawBar(shown, on: canvas, measure)
    switch shown.content {
    case .rows(let rows, let focus, let goesOn, let goesBack):
      drawRows(rows, focus, goesOn, goesBack, on: canvas, measure)
    case .wheel(let wheel): drawWheel(wheel, on: canvas, measure)
    case .dial(let dial): drawDial(dial, on: canvas, measure)
    case .words(let words): drawWords(words, on: canvas, measure)
    }
    drawFoot(shown, on: canvas, measure)
  }

  /// In one line, for terminals in which the picture is too small.
  package func caption(of shown: ShownMenu) -> String {
    let inside =
      switch shown.content {
      case .rows(let rows, let focus, _, _):
        rows.indices.contains(focus)
          ? [rows[focus].title, rows[focus].value].filter { !$0.isEmpty }.joined(separator: ": ") : ""
      case .wheel(let wheel): wheel.focused.map { "[\(Self.sign(of: $0))]" } ?? ""
      case .dial(let dial): "\(dial.value)"
      case .words(let words): words
      }
    return ([shown.title, inside] + (shown.notice.map { [$0] } ?? [])).joined(separator: " · ")
  }

  private func drawBar(_ shown: ShownMenu, on canvas: Canvas, _ measure: ListMeasure) {
    let small = type.regular.at(measure.letters(15))
    let width = small.width(of: shown.place)
    canvas.draw(shown.place, in: measure.bar, font: small, colour: PanelColours.quiet, align: .trailing)
    var place = measure.bar
    place.width -= width + (width > 0 ? measure.length(8) : 0)
    let face = nowPlaying.type.bold.at(measure.letters(18))
    canvas.draw(shown.title, in: place, font: face, colour: PanelColours.accent)
    let line = Rect(x: 0, y: measure.bar.bottom - 1, width: canvas.size.width, height: 1)
    canvas.fill(line, PanelColours.groove)
  }

  private func drawWords(_ text: String, on canvas: Canvas, _ measure: ListMeasure) {
    let face = type.regular.at(measure.letters(19))
    let width = measure.bar.width
    let lines = face.lines(of: text, width: width, atMost: max(1, measure.room.height / max(1, face.lineHeight)))
    var y = measure.room.y + max(0, measure.room.height - lines.count * face.lineHeight) / 2
    for line in lines {
      let rect = Rect(x: measure.bar.x, y: y, width: width, height: face.lineHeight)
      canvas.draw(line, in: rect, font: face, colour: PanelColours.quiet, align: .centre)
      y += face.lineHeight
    }
  }

  private func drawFoot(_ shown: ShownMenu, on canvas: Canvas, _ measure: ListMeasure) {
    guard let foot = measure.foot else { return }
    let inside = Rect(x: measure.margin, y: foot.y, width: foot.width - 2 * measure.margin, height: foot.height)
    guard let notice = shown.notice else {
      let face = type.regular.at(measure.letters(15))
      return canvas.draw(shown.hint, in: inside, font: face, colour: PanelColours.quiet, tooWide: .fade)
    }
    canvas.fill(foot, shown.noticeStands ? PanelColours.standingGround : PanelColours.noticeGround)
    let colour = shown.noticeStands ? PanelColours.standingText : PanelColours.noticeText
    var face = type.bold.at(measure.letters(16))
    var lines = [notice]
    if face.width(of: notice) > inside.width, foot.height >= 2 * ListMeasure.smallest + 4 {
      face = type.regular.at(max(ListMeasure.smallest, foot.height * 2 / 5))
      lines = face.lines(of: notice, width: inside.width, atMost: 2)
    }
    let height = foot.height / max(lines.count, 1)
    for (index, line) in lines.enumerated() {
      let rect = Rect(x: inside.x, y: foot.y + index * height, width: inside.width, height: height)
      canvas.draw(line, in: rect, font: face, colour: colour)
    }
  }
}
