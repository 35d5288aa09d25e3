import Canvas

/// Draws a menu: where one is at the top, below it the lines, the one that is looked at bright and, when its words are
/// too long for one line, in as many as they need. A pure function of the value and the canvas's size.
package struct MenuScreen {
  let look: PanelLook
  var words: PanelWords { look.words }
  var type: PanelType { look.type }
  var colours: Theme { look.theme }

  package init(_ look: PanelLook) { self.look = look }

  func measure(_ shown: ShownMenu, _ size: Size) -> ListMeasure {
    ListMeasure(size, look.style, foot: shown.notice != nil ? .notice : shown.hint.isEmpty ? .none : .hint)
  }

  /// `gone` pixels of a row that has no room have gone by; see `Marquee`.
  package func draw(_ shown: ShownMenu, gone: Int = 0, on canvas: Canvas) {
    canvas.isMirrored = words.isRightToLeft
    defer { canvas.isMirrored = false }
    let measure = measure(shown, canvas.size)
    canvas.fill(canvas.bounds, colours.ground)
    drawBar(shown, on: canvas, measure)
    switch shown.content {
    case .rows(let rows, let focus, let goesOn, let goesBack):
      drawRows(rows, focus, gone: gone, goesOn, goesBack, on: canvas, measure)
    case .wheel(let wheel): drawWheel(wheel, on: canvas, measure)
    case .dial(let dial): drawDial(dial, on: canvas, measure)
    case .place(let shown): draw(shown, on: canvas, measure)
    case .code(let code): draw(code, on: canvas, measure)
    case .heard(let heard): draw(heard, on: canvas, measure)
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
      case .place(let shown): "\(shown.place.clock)/\(shown.whole.clock)"
      case .code(let code): code.text
      case .heard(let heard): heard.text
      case .words(let words): words
      }
    return ([shown.title, inside] + (shown.notice.map { [$0] } ?? [])).joined(separator: " · ")
  }

  private func drawBar(_ shown: ShownMenu, on canvas: Canvas, _ measure: ListMeasure) {
    let small = type.regular.at(measure.letters(15))
    let width = small.width(of: shown.place)
    canvas.draw(shown.place, in: measure.bar, font: small, colour: colours.quiet, align: .trailing)
    var place = measure.bar
    place.width -= width + (width > 0 ? measure.length(8) : 0)
    let face = type.bold.at(measure.letters(18))
    canvas.draw(shown.title, in: place, font: face, colour: colours.accentText)
    let line = Rect(x: 0, y: measure.bar.bottom - 1, width: canvas.size.width, height: 1)
    canvas.fill(line, colours.groove)
  }

  func drawWords(_ text: String, on canvas: Canvas, _ measure: ListMeasure) {
    let face = type.regular.at(measure.letters(19))
    let width = measure.bar.width
    let lines = face.lines(of: text, width: width, atMost: max(1, measure.room.height / max(1, face.lineHeight)))
    var y = measure.room.y + max(0, measure.room.height - lines.count * face.lineHeight) / 2
    for line in lines {
      let rect = Rect(x: measure.bar.x, y: y, width: width, height: face.lineHeight)
      canvas.draw(line, in: rect, colour: colours.quiet, align: .centre, hanging: measure.length(2))
      y += face.lineHeight
    }
  }

  private func drawFoot(_ shown: ShownMenu, on canvas: Canvas, _ measure: ListMeasure) {
    guard let foot = measure.foot else { return }
    let inside = Rect(x: measure.margin, y: foot.y, width: foot.width - 2 * measure.margin, height: foot.height)
    guard let notice = shown.notice else {
      let face = type.regular.at(measure.letters(15))
      return canvas.draw(shown.hint, in: inside, font: face, colour: colours.quiet, tooWide: .fade)
    }
    canvas.fill(foot, shown.noticeStands ? colours.standingGround : colours.noticeGround)
    let colour = shown.noticeStands ? colours.standingText : colours.noticeText
    var face = type.bold.at(measure.letters(16))
    let isLong = face.width(of: notice) > inside.width && foot.height >= 2 * ListMeasure.smallest + 4
    if isLong, !look.isForCars { face = type.regular.at(max(ListMeasure.smallest, foot.height * 2 / 5)) }
    let lines = face.lines(of: notice, width: inside.width, atMost: isLong ? 2 : 1)
    let height = foot.height / max(lines.count, 1)
    for (index, line) in lines.enumerated() {
      let rect = Rect(x: inside.x, y: foot.y + index * height, width: inside.width, height: height)
      canvas.draw(line, in: rect, colour: colour)
    }
  }
}
