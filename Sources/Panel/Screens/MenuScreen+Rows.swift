import Canvas

extension MenuScreen {
  /// Where a row is drawn, and in which lines.
  struct Laid {
    let index: Int
    let rect: Rect
    let lines: TextLines
  }

  func drawRows(
    _ rows: [MenuRow], _ focus: Int, gone: Int, _ goesOn: Bool, _ goesBack: Bool, on canvas: Canvas,
    _ measure: ListMeasure
  ) {
    let laid = laidOut(rows, focus, measure)
    for one in laid {
      let isFocused = one.index == focus
      draw(rows[one.index], one, isFocused: isFocused, gone: isFocused ? gone : 0, on: canvas, measure)
    }
    let isMoreBelow = goesOn || (laid.last?.index ?? 0) < rows.count - 1
    let isMoreAbove = goesBack || (laid.first?.index ?? 0) > 0
    drawMore(above: isMoreAbove, below: isMoreBelow, on: canvas, measure)
  }

  private func face(_ measure: ListMeasure) -> Face { type.bold.at(measure.letters(18)) }
  private func detailFace(_ measure: ListMeasure) -> Face { type.regular.at(measure.letters(13)) }

  /// What of the row that is looked at has no room; nothing in a car, where nothing moves that need not.
  func overrun(_ shown: ShownMenu, _ size: Size) -> Marquee.Overrun? {
    guard !look.isForCars, case .rows(let rows, let focus, _, _) = shown.content, rows.indices.contains(focus) else {
      return nil
    }
    let measure = measure(shown, size)
    let width = textWidth(rows[focus], measure)
    guard let last = focusedLines(rows[focus], measure).last, last.width > width else { return nil }
    return Marquee.Overrun(rows[focus].title, pixels: last.width - width, letters: last.face.size)
  }

  private func focusedLines(_ row: MenuRow, _ measure: ListMeasure) -> TextLines {
    let face = face(measure)
    let most = max(1, min(4, (measure.room.height - measure.length(8)) / face.lineHeight))
    return face.lines(of: row.title, width: textWidth(row, measure), atMost: most)
  }

  /// The row that is looked at first, and around it as many as there is room for: it stands in the middle, but at the
  /// ends of the list, where it goes to the edge.
  func laidOut(_ rows: [MenuRow], _ focus: Int, _ measure: ListMeasure) -> [Laid] {
    guard rows.indices.contains(focus) else { return [] }
    let face = face(measure)
    let lines = focusedLines(rows[focus], measure)
    let extra = max(lines.count - 1, 0) * face.lineHeight
    let height = min(measure.row + extra, measure.room.height)
    let others = max(0, (measure.room.height - height) / measure.row)
    let before = max(min(others / 2, focus), others - (rows.count - 1 - focus))
    let first = max(focus - min(before, focus), 0)
    var laid: [Laid] = []
    var y = measure.room.y
    for index in first..<rows.count {
      let isFocused = index == focus
      let tall = isFocused ? height : measure.row
      guard y + tall <= measure.room.bottom else { break }
      let rect = Rect(x: 0, y: y, width: measure.room.width, height: tall)
      // The others have one line, however long they are.
      let width = textWidth(rows[index], measure)
      let own = isFocused ? lines : face.lines(of: rows[index].title, width: width, atMost: 1)
      laid.append(Laid(index: index, rect: rect, lines: own))
      y += tall
    }
    return laid
  }

  /// What the sign and the value leave of a line.
  private func textWidth(_ row: MenuRow, _ measure: ListMeasure) -> Int {
    let value = row.value.isEmpty ? 0 : min(valueFace(measure).width(of: row.value), measure.bar.width / 2)
    let sign = row.sign == .leadsOn || row.sign == .current ? measure.length(14) : 0
    let gaps = (value > 0 ? measure.length(8) : 0) + (sign > 0 ? measure.length(6) : 0)
    return max(measure.bar.width - value - sign - gaps, 1)
  }

  private func valueFace(_ measure: ListMeasure) -> Face { type.regular.at(measure.letters(16)) }

  private func draw(
    _ row: MenuRow, _ laid: Laid, isFocused: Bool, gone: Int, on canvas: Canvas, _ measure: ListMeasure
  ) {
    let rect = laid.rect
    drawGround(row, rect, isFocused, on: canvas, measure)
    // One bit has no surface that is a little brighter: there what is looked at is turned round.
    let isTurnedRound = isFocused && colours.isInk
    let title = isTurnedRound ? colours.standingText : row.isDim ? colours.resting : colours.title
    let quiet = isTurnedRound ? colours.standingText : isFocused ? colours.text : colours.quiet
    let width = textWidth(row, measure)
    let (face, small) = (face(measure), detailFace(measure))
    // On a small panel there is room for the name alone.
    let isTall = rect.height >= laid.lines.count * face.lineHeight + small.lineHeight
    let hasDetail = !row.detail.isEmpty && isTall
    let textHeight = laid.lines.count * face.lineHeight + (hasDetail ? small.lineHeight : 0)
    let hanging = measure.length(2)
    var y = rect.y + max(0, rect.height - textHeight) / 2
    for index in laid.lines.indices {
      let place = Rect(x: measure.bar.x, y: y, width: width, height: min(face.lineHeight, rect.height))
      let isPassing = gone > 0 && index == laid.lines.count - 1
      canvas.draw(
        laid.lines[index], in: place, colour: title, tooWide: isPassing ? .passing(gone) : .ellipsis, hanging: hanging)
      y += face.lineHeight
    }
    if hasDetail {
      let place = Rect(x: measure.bar.x, y: y, width: width, height: small.lineHeight)
      canvas.draw(row.detail, in: place, font: small, colour: quiet, hanging: hanging)
    }
    drawEnd(row, rect, title, quiet, on: canvas, measure)
  }

  /// What is looked at lies on a brighter surface with a bar of the accent where reading begins. How far along a row is,
  /// is how much of its ground is brighter still.
  private func drawGround(
    _ row: MenuRow, _ rect: Rect, _ isFocused: Bool, on canvas: Canvas, _ measure: ListMeasure
  ) {
    let inset = measure.length(3)
    let mark = Rect(x: inset, y: rect.y + 1, width: rect.width - 2 * inset, height: rect.height - 2)
    let radius = measure.length(8)
    if isFocused { canvas.fillRounded(mark, radius: radius, colours.isInk ? colours.accent : colours.groove) }
    if case .progress(let part, let whole) = row.sign, whole > 0 {
      var done = mark
      done.width = Int(Double(mark.width) * Double(min(max(part, 0), whole)) / Double(whole))
      let lit = colours.isInk ? colours.accent : colours.lit
      canvas.fillRounded(done, radius: radius, isFocused ? lit : colours.groove)
    }
    guard isFocused, !colours.isInk else { return }
    let bar = Rect(x: mark.x, y: mark.y + mark.height / 6, width: measure.length(4), height: mark.height * 2 / 3)
    canvas.fillRounded(bar, radius: bar.width / 2, colours.accent)
  }

  private func drawEnd(
    _ row: MenuRow, _ rect: Rect, _ bright: Pixel, _ quiet: Pixel, on canvas: Canvas, _ measure: ListMeasure
  ) {
    var right = measure.bar.right
    let side = measure.length(12)
    let sign = Rect(x: right - side, y: rect.y + (rect.height - side) / 2, width: side, height: side)
    switch row.sign {
    case .leadsOn:
      Sign.chevron.draw(in: sign, on: canvas, quiet)
      right = sign.x - measure.length(6)
    case .current:
      Sign.dot.draw(in: sign, on: canvas, bright)
      right = sign.x - measure.length(6)
    case .progress, .none: break
    }
    let place = Rect(x: right - measure.bar.width / 2, y: rect.y, width: measure.bar.width / 2, height: rect.height)
    canvas.draw(row.value, in: place, font: valueFace(measure), colour: quiet, align: .trailing)
  }

  private func drawMore(above: Bool, below: Bool, on canvas: Canvas, _ measure: ListMeasure) {
    let side = measure.length(8)
    let x = measure.room.right - side - 1
    if above {
      Sign.up.draw(in: Rect(x: x, y: measure.room.y, width: side, height: side), on: canvas, colours.quiet)
    }
    if below {
      let rect = Rect(x: x, y: measure.room.bottom - side, width: side, height: side)
      Sign.down.draw(in: rect, on: canvas, colours.quiet)
    }
  }
}
