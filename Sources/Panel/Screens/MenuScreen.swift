import Canvas

/// Draws a menu: where one is at the top, below it the rows, the one that is looked at bright and, when its words are
/// too long for one line, in as many as they need. A pure function of the value and the canvas's size.
package struct MenuScreen {
  let look: PanelLook
  var words: PanelWords { look.words }
  var type: PanelType { look.type }
  var colours: Theme { look.theme }

  package init(_ look: PanelLook) { self.look = look }

  /// What is said at the top and at the foot has as many lines as it needs.
  func layout(_ shown: ShownMenu, _ size: Size) -> ListLayout {
    let one = ListLayout(size, look.style)
    guard hasBar(shown, one.screen) else {
      return ListLayout(size, look.style, titleLines: 0, footLines: shown.notice == nil ? 0 : 1)
    }
    let title =
      shown.isAsking
      ? titleFace(one).lines(of: shown.title, width: titleWidth(one), atMost: Self.mostTitleLines).count : 1
    return ListLayout(size, look.style, titleLines: max(title, 1), footLines: footLines(shown, one))
  }

  private static let mostTitleLines = 4
  private static let mostFootLines = 3

  /// The smallest panel has no room for a title, unless all rows fit below it.
  private func hasBar(_ shown: ShownMenu, _ screen: ScreenClass) -> Bool {
    guard screen == .tiny, case .rows(let rows, _, let goesOn, let goesBack) = shown.content else { return true }
    return rows.count < 4 && !goesOn && !goesBack
  }

  private func footLines(_ shown: ShownMenu, _ layout: ListLayout) -> Int {
    let text = notice(shown, layout) ?? hint(shown, layout)
    if layout.screen == .tiny { return shown.notice == nil ? 0 : 1 }
    if text.isEmpty { return 0 }
    let face = shown.notice == nil ? hintFace(layout) : noticeFace(layout)
    return max(1, face.lines(of: text, width: layout.bar.width, atMost: Self.mostFootLines).count)
  }

  private func notice(_ shown: ShownMenu, _ layout: ListLayout) -> String? {
    shown.notice.map {
      ToldNotice.fitting(
        $0, inShort: shown.noticeInShort, noticeFace(layout), width: layout.bar.width,
        lines: layout.screen == .tiny ? 1 : Self.mostFootLines)
    }
  }

  /// A short panel has no row to spare for what its rows' sign says too.
  private func hint(_ shown: ShownMenu, _ layout: ListLayout) -> String {
    if case .rows = shown.content, layout.screen == .square || layout.screen == .wide { return "" }
    return look.isTouched && !shown.touchHint.isEmpty ? shown.touchHint : shown.hint
  }

  private func titleFace(_ layout: ListLayout) -> Face { type.bold.at(layout.type.middle) }
  private func hintFace(_ layout: ListLayout) -> Face { type.regular.at(layout.type.small) }
  private func noticeFace(_ layout: ListLayout) -> Face { type.bold.at(layout.type.small) }

  /// `gone` pixels of a row that has no room have gone by; see `Marquee`.
  package func draw(_ shown: ShownMenu, gone: Int = 0, on canvas: Canvas) {
    canvas.isMirrored = words.isRightToLeft
    defer { canvas.isMirrored = false }
    let layout = layout(shown, canvas.size)
    canvas.fill(canvas.bounds, colours.ground)
    switch shown.content {
    case .rows(let rows, let focus, let goesOn, let goesBack):
      drawRows(rows, focus, covers: shown.covers, gone: gone, goesOn, goesBack, on: canvas, layout)
      if look.isTouched, let edge = letterEdge(shown, layout) { drawHandle(in: edge, on: canvas, layout) }
      if let letter = shown.letter { draw(letter: letter, on: canvas, layout) }
    case .wheel(let wheel): drawWheel(wheel, on: canvas, layout)
    case .dial(let dial): drawDial(dial, on: canvas, layout)
    case .place(let shown): draw(shown, on: canvas, layout)
    case .code(let code, let lines): draw(code, beside: lines, on: canvas, layout)
    case .heard(let heard): draw(heard, on: canvas, layout)
    case .words(let words): drawWords(words, on: canvas, layout)
    }
    // Half a row may reach below them.
    drawBar(shown, on: canvas, layout)
    drawFoot(shown, on: canvas, layout)
  }

  /// In one line, for terminals in which the picture is too small.
  package func caption(of shown: ShownMenu) -> String {
    let inside =
      switch shown.content {
      case .rows(let rows, let focus, _, _):
        rows.indices.contains(focus) ? caption(of: rows[focus]) : ""
      case .wheel(let wheel): wheel.focused.map { "[\(Self.sign(of: $0, isRightToLeft: words.isRightToLeft))]" } ?? ""
      case .dial(let dial): dial.text(words)
      case .place(let shown): "\(shown.place.clock)/\(shown.whole.clock)"
      case .code(let code, _): code.text
      case .heard(let heard): heard.text
      case .words(let words): words
      }
    return ([shown.title, inside] + (shown.notice.map { [$0] } ?? [])).joined(separator: " · ")
  }

  private func caption(of row: MenuRow) -> String {
    let end = [row.value, row.mark.map { words[$0.word] } ?? ""].filter { !$0.isEmpty }.joined(separator: ", ")
    return end.isEmpty ? row.title : "\(row.title): \(end)"
  }

  /// Before the title, where that does not crowd it: from here one goes back. A finger takes the whole bar for that.
  private func backSign(_ layout: ListLayout) -> Rect? {
    switch layout.screen {
    case .tiny, .square, .tall: return nil
    case .wide, .wider, .large, .largeTall: break
    }
    let (bar, side) = (layout.bar, layout.type.small * 6 / 7)
    return bar.height < side ? nil : Rect(x: bar.x, y: bar.y + (bar.height - side) / 2, width: side, height: side)
  }

  private func titleLeft(_ layout: ListLayout) -> Int {
    backSign(layout).map { $0.right + 2 * layout.unit } ?? layout.bar.x
  }

  private func titleWidth(_ layout: ListLayout) -> Int { max(layout.bar.right - titleLeft(layout), 1) }

  /// On the smallest panel the step of the page *Go to* has room only here.
  private func placeText(_ shown: ShownMenu, _ layout: ListLayout) -> String {
    guard case .place(let place) = shown.content, layout.screen == .tiny else { return shown.place }
    return words.shortStep(place)
  }

  private func drawBar(_ shown: ShownMenu, on canvas: Canvas, _ layout: ListLayout) {
    guard layout.bar.height > 0 else { return }
    let bar = layout.bar
    canvas.fill(Rect(x: 0, y: 0, width: canvas.size.width, height: bar.height), colours.ground)
    let small = type.regular.at(layout.type.small)
    // A title that is too long is set in smaller letters, and then without the count beside it.
    let place = placeText(shown, layout)
    let beside = small.width(of: place) + 2 * layout.unit
    let shortest = type.bold.at(layout.type.small).width(of: shown.title)
    let count = shown.isAsking || shortest > titleWidth(layout) - beside ? "" : place
    let width = small.width(of: count)
    canvas.draw(count, in: bar, font: small, colour: colours.quiet, align: .trailing)
    let left = max(titleWidth(layout) - width - (width > 0 ? 2 * layout.unit : 0), 1)
    if let sign = backSign(layout) { Sign.back.draw(in: sign, on: canvas, colours.quiet) }
    var face = titleFace(layout)
    if !shown.isAsking, face.width(of: shown.title) > left { face = type.bold.at(layout.type.small) }
    let lines = face.lines(of: shown.title, width: left, atMost: shown.isAsking ? Self.mostTitleLines : 1)
    let step = lines.count > 1 ? ListLayout.step(layout.type.middle) : bar.height
    var y = bar.y + (bar.height - lines.count * step) / 2
    for line in lines {
      let place = Rect(x: titleLeft(layout), y: y, width: left, height: step)
      canvas.draw(line, in: place, colour: colours.accentText, hanging: layout.unit)
      y += step
    }
    canvas.fill(Rect(x: 0, y: bar.bottom - 1, width: canvas.size.width, height: 1), colours.groove)
  }

  func drawWords(_ text: String, on canvas: Canvas, _ layout: ListLayout) {
    let width = layout.bar.width
    func lines(_ face: Face) -> TextLines {
      face.lines(of: text, width: width, atMost: max(1, layout.room.height / max(1, face.lineHeight)), balanced: true)
    }
    let faces = [layout.type.middle, layout.type.small, ScreenScale.smallestType].map { type.regular.at($0) }
    let face = faces.first { lines($0).fit(width) } ?? faces[0]
    let lines = lines(face)
    var y = layout.room.y + max(0, layout.room.height - lines.count * face.lineHeight) / 2
    for line in lines {
      let rect = Rect(x: layout.bar.x, y: y, width: width, height: face.lineHeight)
      canvas.draw(line, in: rect, colour: colours.quiet, align: .centre, hanging: layout.unit)
      y += face.lineHeight
    }
  }

  private func drawFoot(_ shown: ShownMenu, on canvas: Canvas, _ layout: ListLayout) {
    guard let foot = layout.foot else { return }
    let notice = notice(shown, layout)
    let ground =
      notice == nil ? colours.ground : shown.noticeStands ? colours.standingGround : colours.noticeGround
    let colour = notice == nil ? colours.quiet : shown.noticeStands ? colours.standingText : colours.noticeText
    canvas.fill(foot, ground)
    let face = notice == nil ? hintFace(layout) : noticeFace(layout)
    let step = ListLayout.step(layout.type.small)
    let lines = face.lines(
      of: notice ?? (shown.isHintLeftOut ? "" : hint(shown, layout)), width: layout.bar.width,
      atMost: max(1, min(Self.mostFootLines, foot.height / step)))
    var y = foot.y + (foot.height - lines.count * step) / 2
    for line in lines {
      let place = Rect(x: layout.bar.x, y: y, width: layout.bar.width, height: step)
      canvas.draw(line, in: place, colour: colour, hanging: layout.unit)
      y += step
    }
  }
}
