import Canvas
import Pictures

extension MenuScreen {
  /// Where a row is drawn, and in which lines. At an end of the room there may be no more than a part of one.
  struct Laid {
    let index: Int
    let rect: Rect
    /// What of it lies in the room.
    let visible: Rect
    let lines: TextLines
    var isWhole: Bool { rect == visible }
  }

  func drawRows(
    _ rows: [MenuRow], _ focus: Int, covers: [MenuArt: Picture], gone: Int, _ goesOn: Bool, _ goesBack: Bool,
    on canvas: Canvas, _ layout: ListLayout
  ) {
    let laid = laidOut(rows, focus, layout)
    for one in laid {
      let isFocused = one.index == focus
      draw(rows[one.index], one, isFocused: isFocused, gone: isFocused ? gone : 0, on: canvas, layout)
      drawCover(of: rows[one.index], covers, one, on: canvas, layout)
    }
    let isMoreBelow = goesOn || (laid.last.map { $0.index < rows.count - 1 || !$0.isWhole } ?? false)
    let isMoreAbove = goesBack || (laid.first.map { $0.index > 0 || !$0.isWhole } ?? false)
    drawMore(above: isMoreAbove, below: isMoreBelow, on: canvas, layout)
  }

  private func face(_ layout: ListLayout) -> Face { type.regular.at(layout.type.middle) }
  private func smallFace(_ layout: ListLayout) -> Face { type.regular.at(layout.type.small) }

  /// What of the row that is looked at has no room; nothing in a car, where nothing moves that need not.
  func overrun(_ shown: ShownMenu, _ size: Size) -> Marquee.Overrun? {
    guard !look.isForCars, case .rows(let rows, let focus, _, _) = shown.content, rows.indices.contains(focus) else {
      return nil
    }
    let layout = layout(shown, size)
    let width = textWidth(whole(rows[focus], layout), layout)
    guard let last = lines(of: rows[focus], isFocused: true, layout).last, last.width > width else { return nil }
    return Marquee.Overrun(rows[focus].title, pixels: last.width - width, letters: last.face.size)
  }

  /// A name has one line, however long it is, until it is looked at; then it has as many as it needs. What the panel says
  /// itself always has them. All rows of a list are of one size, but for a text, whose pieces are all of the small one.
  private func lines(of row: MenuRow, isFocused: Bool, _ layout: ListLayout) -> TextLines {
    let row = isFocused ? whole(row, layout) : row
    let (face, width) = (face(layout), textWidth(row, layout))
    if row.isText {
      let most = max(layout.room.height / smallFace(layout).lineHeight, 1)
      let heavy = type.bold.at(layout.type.small).lines(of: row.title, width: width, atMost: most)
      if isFocused, colours.isInk, heavy.fit(width) { return heavy }
      return smallFace(layout).lines(of: row.title, width: width, atMost: most)
    }
    let one = face.lines(of: row.title, width: width, atMost: 1)
    // Dark letters on a bright ground look thinner than they are.
    let heavy = type.bold.at(layout.type.middle).lines(of: row.title, width: width, atMost: 1)
    if isFocused, colours.isInk, heavy.fit(width) { return heavy }
    if one.fit(width) { return one }
    guard isFocused || row.key == nil && layout.screen != .tiny else { return one }
    func all(_ face: Face) -> TextLines {
      let most = max(1, min(Self.mostLines, (layout.room.height - 2 * layout.unit) / face.lineHeight))
      return face.lines(of: row.title, width: width, atMost: most, balanced: row.key == nil)
    }
    let heavyLines = all(type.bold.at(layout.type.middle))
    if isFocused, colours.isInk, heavyLines.fit(width) { return heavyLines }
    let lines = all(face)
    guard row.key == nil, !lines.fit(width) else { return lines }
    // Rather in other letters than cut.
    let small = all(smallFace(layout))
    return small.fit(width) ? small : lines
  }

  private static let mostLines = 4

  /// The row that is looked at. Where its value would be cut, or a word of its name or its detail beside the value, which is
  /// so on the smallest panel alone, the value stands behind the name, in as many lines as both need.
  private func whole(_ row: MenuRow, _ layout: ListLayout) -> MenuRow {
    guard layout.screen == .tiny, !row.value.isEmpty else { return row }
    let isTooWide = smallFace(layout).width(of: row.value) > layout.bar.width / 2
    let (face, width) = (type.bold.at(layout.type.middle), textWidth(row, layout))
    let isBesideDetail = smallFace(layout).width(of: detail(of: row, layout)) > width
    let breaksWord = row.title.split(separator: " ").contains { face.width(of: String($0)) > width }
    guard isTooWide || isBesideDetail || breaksWord else { return row }
    var whole = row
    (whole.title, whole.value) = ("\(row.title)\(words[.colon])\(words.isolated(row.value))", "")
    return whole
  }

  /// What somebody else named has one line; what the panel says about it is read to its end.
  private func detailLines(
    of row: MenuRow, below title: TextLines, isFocused: Bool, _ layout: ListLayout
  ) -> TextLines? {
    let detail = detail(of: row, layout)
    if detail.isEmpty { return nil }
    let small = smallFace(layout)
    var most = row.key == nil && (isFocused || layout.screen != .tiny) ? Self.mostLines : 1
    if layout.screen == .tiny {
      most = min(most, max((layout.room.height - title.count * title.face.lineHeight) / small.lineHeight, 1))
    }
    return small.lines(of: detail, width: textWidth(row, layout), atMost: most, balanced: true)
  }

  private func height(_ row: MenuRow, isFocused: Bool, _ lines: TextLines, _ layout: ListLayout) -> Int {
    if row.head != nil, layout.screen != .tiny { return min(headHeight(row, layout), layout.room.height) }
    let row = isFocused ? whole(row, layout) : row
    let details = detailLines(of: row, below: lines, isFocused: isFocused, layout)?.count ?? 0
    let text = lines.count * lines.face.lineHeight + details * smallFace(layout).lineHeight
    let least = details > 0 || coverSide(row, layout) > 0 ? layout.tallRow : layout.row
    // A row of the smallest panel is as high as one line.
    let isRead = layout.screen == .tiny && isFocused && row.key == nil && details > 0
    let isTall = lines.count > 1 || details > 1 || isRead
    return min(max(least, isTall ? text + 2 * layout.unit : 0), layout.room.height)
  }

  /// The row that is looked at first, and around it as many as there is room for: it stands in the middle, but at the
  /// ends of the list, where it goes to the edge. Where most of one more has room, that is drawn too, unless fingers
  /// would aim at it.
  func laidOut(_ rows: [MenuRow], _ focus: Int, _ layout: ListLayout) -> [Laid] {
    guard rows.indices.contains(focus) else { return [] }
    let room = layout.room
    func measured(_ index: Int) -> (lines: TextLines, height: Int) {
      let lines = lines(of: rows[index], isFocused: index == focus, layout)
      return (lines, height(rows[index], isFocused: index == focus, lines, layout))
    }
    let middle = measured(focus)
    var (before, after) = ([(lines: TextLines, height: Int)](), [(lines: TextLines, height: Int)]())
    var left = room.height - middle.height
    var (up, down) = (focus > 0, focus + 1 < rows.count)
    let isAboutThePage = rows[0].action == .none && rows[focus].action != .none
    while up || down {
      // What a page is about stands above its first row, before any that comes after.
      let isAboutIt = before.isEmpty && up && (rows[focus - 1].head != nil || focus == 1 && isAboutThePage)
      let isAbove = up && (!down || before.count < after.count || isAboutIt)
      let next = measured(isAbove ? focus - before.count - 1 : focus + after.count + 1)
      if next.height > left {
        if isAbove { up = false } else { down = false }
        continue
      }
      left -= next.height
      if isAbove {
        before.append(next)
        up = focus - before.count > 0
      } else {
        after.append(next)
        down = focus + after.count + 1 < rows.count
      }
    }
    var first = focus - before.count
    let last = focus + after.count
    var all = before.reversed() + [middle] + after
    var y = room.y
    // Below all is the rule; at the end of a list it is above.
    let isAtEnd = last == rows.count - 1
    if !look.isTouched, isAtEnd ? first > 0 : true {
      let index = isAtEnd ? first - 1 : last + 1
      let part = measured(index)
      // What it says stands in its middle, and has room.
      let details = detail(of: rows[index], layout).isEmpty ? 0 : smallFace(layout).lineHeight
      let text = part.lines.face.lineHeight + details
      if left >= (part.height + text) / 2, part.lines.count == 1, part.height <= layout.tallRow {
        if isAtEnd {
          all.insert(part, at: 0)
          (first, y) = (first - 1, room.bottom - all.reduce(0) { $0 + $1.height })
        } else {
          all.append(part)
        }
      }
    }
    return all.enumerated().map { offset, one in
      defer { y += one.height }
      let rect = Rect(x: 0, y: y, width: room.width, height: one.height)
      return Laid(index: first + offset, rect: rect, visible: rect.intersection(room), lines: one.lines)
    }
  }

  /// What a row says besides its name. A value that would leave the name no room stands below it.
  private func detail(of row: MenuRow, _ layout: ListLayout) -> String {
    guard standsBelow(row, layout) else { return row.detail }
    return row.detail.isEmpty ? row.value : "\(row.value) · \(row.detail)"
  }

  private func standsBelow(_ row: MenuRow, _ layout: ListLayout) -> Bool {
    guard layout.screen != .tiny, !row.value.isEmpty else { return false }
    let small = smallFace(layout)
    if small.width(of: row.value) * 5 > (layout.bar.right - textLeft(row, layout)) * 2 { return true }
    // No word of ours is broken for it.
    let face = row.isText ? small : face(layout)
    return row.key == nil && !face.keepsWords(of: row.title, width: textWidth(row, beside: row.value, layout))
  }

  private func value(of row: MenuRow, _ layout: ListLayout) -> String { standsBelow(row, layout) ? "" : row.value }

  /// What the sign and the value leave of a line.
  private func textWidth(_ row: MenuRow, _ layout: ListLayout) -> Int {
    textWidth(row, beside: value(of: row, layout), layout)
  }

  private func textWidth(_ row: MenuRow, beside text: String, _ layout: ListLayout) -> Int {
    let value = text.isEmpty ? 0 : min(smallFace(layout).width(of: text), layout.bar.width / 2)
    let signs = [row.leadsOn || row.sign == .current, row.hasSecondPress, row.mark != nil].count { $0 }
    let ends = signs * (signSide(layout) + layout.unit + layout.unit / 2) + (value > 0 ? 2 * layout.unit : 0)
    return max(layout.bar.right - textLeft(row, layout) - value - ends, 1)
  }

  // MARK: Covers

  /// One bit has none.
  private func coverSide(_ row: MenuRow, _ layout: ListLayout) -> Int {
    row.art == nil || colours.isInk ? 0 : row.head != nil ? layout.headCover : layout.cover
  }

  private func textLeft(_ row: MenuRow, _ layout: ListLayout) -> Int {
    let side = coverSide(row, layout)
    return layout.bar.x + (side > 0 ? side + 2 * layout.unit : 0)
  }

  /// Where there is none, or it has not come, a quiet square keeps its place.
  private func drawCover(
    of row: MenuRow, _ covers: [MenuArt: Picture], _ laid: Laid, on canvas: Canvas, _ layout: ListLayout
  ) {
    let side = coverSide(row, layout)
    guard side > 0, let art = row.art else { return }
    let place = Rect(x: layout.bar.x, y: laid.rect.y + (laid.rect.height - side) / 2, width: side, height: side)
    if let cover = covers[art], cover.size.width <= side, cover.size.height <= side {
      return canvas.draw(cover, amid: place, colours)
    }
    canvas.fill(place, colours.lit)
    let inset = side * 3 / 10
    Sign.note.draw(
      in: Rect(x: place.x + inset, y: place.y + inset, width: side - 2 * inset, height: side - 2 * inset), on: canvas,
      colours.resting)
  }

  /// First of the rows that are shown, then of those below, then of those above.
  func covers(of shown: ShownMenu, _ size: Size) -> [ListCovers.Wish] {
    guard case .rows(let rows, let focus, _, _) = shown.content else { return [] }
    let layout = layout(shown, size)
    let laid = laidOut(rows, focus, layout)
    guard let first = laid.first?.index, let last = laid.last?.index else { return [] }
    let around = laid.count
    let order =
      Array(first...last) + Array((last + 1)..<max(last + 1, min(last + 1 + around, rows.count)))
      + Array(max(first - around, 0)..<first)
    var seen: Set<MenuArt> = []
    return order.compactMap { index in
      let side = coverSide(rows[index], layout)
      guard side > 0, let art = rows[index].art, seen.insert(art).inserted else { return nil }
      return ListCovers.Wish(art: art, side: side)
    }
  }

  private func signSide(_ layout: ListLayout) -> Int { layout.type.small * 6 / 7 }

  private func draw(
    _ row: MenuRow, _ laid: Laid, isFocused: Bool, gone: Int, on canvas: Canvas, _ layout: ListLayout
  ) {
    let rect = laid.rect
    let row = isFocused ? whole(row, layout) : row
    if let head = row.head, layout.screen != .tiny {
      if laid.isWhole { drawGround(row, rect, isFocused, on: canvas, layout) }
      return drawHead(row, head, laid, isFocused: isFocused, on: canvas, layout)
    }
    if laid.isWhole { drawGround(row, rect, isFocused, on: canvas, layout) }
    // One bit has no surface that is a little brighter: there what is looked at is turned round.
    let isTurnedRound = isFocused && colours.isInk
    let title = isTurnedRound ? colours.standingText : row.isDim ? colours.resting : colours.title
    let quiet = isTurnedRound ? colours.standingText : isFocused ? colours.text : colours.quiet
    let (left, width) = (textLeft(row, layout), textWidth(row, layout))
    let (face, small) = (laid.lines.face, smallFace(layout))
    // On a small panel there is room for the name alone.
    let details = detailLines(of: row, below: laid.lines, isFocused: isFocused, layout).flatMap { lines in
      rect.height >= laid.lines.count * face.lineHeight + lines.count * small.lineHeight ? lines : nil
    }
    let textHeight = laid.lines.count * face.lineHeight + (details?.count ?? 0) * small.lineHeight
    // Some scripts have marks far below the line. On the smallest panel the next line stands there.
    let hanging = layout.screen == .tiny ? max(1, layout.unit / 2) : face.lineHeight / 2
    let isLast = layout.screen == .tiny && !isFocused && rect.bottom >= layout.room.bottom
    // The line at its foot is none below the letters.
    let hasLine = if case .progress = row.sign { !colours.isInk && details != nil } else { false }
    // Below the last row of the smallest panel there is nothing for what hangs below a line.
    var y = rect.y + max(0, rect.height - textHeight) / 2 - (isLast ? 1 : 0) - (hasLine ? layout.unit / 2 : 0)
    for index in laid.lines.indices {
      let place = Rect(x: left, y: y, width: width, height: min(face.lineHeight, rect.height))
      let isPassing = gone > 0 && index == laid.lines.count - 1
      if laid.isWhole || laid.visible.contains(place) {
        canvas.draw(
          laid.lines[index], in: place, colour: title, tooWide: isPassing ? .passing(gone) : .ellipsis,
          hanging: hanging)
      }
      y += face.lineHeight
    }
    for line in details.map(Array.init) ?? [] {
      let place = Rect(x: left, y: y, width: width, height: small.lineHeight)
      if laid.visible.contains(place) { canvas.draw(line, in: place, colour: quiet, hanging: hanging) }
      y += small.lineHeight
    }
    drawEnd(row, laid, isFocused: isFocused, title, quiet, on: canvas, layout)
  }

  /// What is looked at lies on a brighter surface with a bar of the accent where reading begins. How far along a row is,
  /// is a line at its foot; of one bit, how much of its ground is turned round.
  private func drawGround(
    _ row: MenuRow, _ rect: Rect, _ isFocused: Bool, on canvas: Canvas, _ layout: ListLayout
  ) {
    let inset = colours.isInk ? 0 : layout.unit
    let mark = Rect(
      x: inset, y: rect.y + (inset > 0 ? 1 : 0), width: rect.width - 2 * inset,
      height: rect.height - (inset > 0 ? 2 : 0))
    if isFocused { canvas.fillRounded(mark, radius: layout.radius, colours.isInk ? colours.accent : colours.groove) }
    if case .progress(let part, let whole) = row.sign, whole > 0 {
      let share = Double(min(max(part, 0), whole)) / Double(whole)
      let height = max(layout.unit * 3 / 8, 2)
      let line = Rect(x: layout.bar.x, y: mark.bottom - height, width: layout.bar.width, height: height)
      var done = colours.isInk ? mark : line
      done.width = Int(Double(done.width) * share)
      if colours.isInk {
        canvas.fillRounded(done, radius: layout.radius, isFocused ? colours.accent : colours.groove)
      } else {
        canvas.fillRounded(line, radius: line.height / 2, isFocused ? colours.lit : colours.groove)
        canvas.fillRounded(done, radius: line.height / 2, colours.accent)
      }
    }
    guard isFocused, !colours.isInk else { return }
    let bar = Rect(x: mark.x, y: mark.y + layout.radius, width: 4, height: mark.height - 2 * layout.radius)
    canvas.fillRounded(bar, radius: 2, colours.accent)
  }

  private func drawEnd(
    _ row: MenuRow, _ laid: Laid, isFocused: Bool, _ bright: Pixel, _ quiet: Pixel, on canvas: Canvas,
    _ layout: ListLayout
  ) {
    let rect = laid.rect
    var right = layout.bar.right
    let side = signSide(layout)
    let top = rect.y + (rect.height - side) / 2
    guard laid.visible.contains(Rect(x: right - side, y: top, width: side, height: side)) else { return }
    func next() -> Rect {
      defer { right -= side + layout.unit + layout.unit / 2 }
      return Rect(x: right - side, y: top, width: side, height: side)
    }
    // A press leads on, or it is the one that counts; two presses lead to what else can be done.
    if row.leadsOn { Sign.chevron.draw(in: next(), on: canvas, quiet) }
    if row.sign == .current { Sign.dot.draw(in: next(), on: canvas, bright) }
    if row.hasSecondPress {
      let place = next()
      if isFocused { Sign.dots.draw(in: place, on: canvas, quiet) }
    }
    if let mark = row.mark { mark.sign.draw(in: next(), on: canvas, quiet) }
    let text = value(of: row, layout)
    guard !text.isEmpty else { return }
    let small = smallFace(layout)
    let line = min(small.lineHeight, rect.height)
    let place = Rect(
      x: right - layout.bar.width / 2, y: rect.y + (rect.height - line) / 2, width: layout.bar.width / 2, height: line)
    guard laid.visible.contains(place) else { return }
    canvas.draw(text, in: place, font: small, colour: quiet, align: .trailing, hanging: max(1, layout.unit / 2))
  }

  // MARK: What a page is about

  /// Name, artist and facts, below them what a press leads to.
  private func headLines(_ row: MenuRow, _ head: MenuHead, _ layout: ListLayout)
    -> [(line: TextLine, colour: Pixel)]
  {
    let width = layout.bar.right - textLeft(row, layout)
    let name = type.bold.at(layout.type.middle).lines(of: head.name, width: width, atMost: 2)
    var lines = name.map { (line: $0, colour: colours.title) }
    if !head.artist.isEmpty { lines.append((smallFace(layout).line(of: head.artist), colours.quiet)) }
    lines += factLines(head, width, layout).map { (line: $0, colour: colours.quiet) }
    // Behind it stands that a press leads on.
    let left = width - signSide(layout) - layout.unit
    let way = type.bold.at(layout.type.small).lines(of: row.title, width: left, atMost: 2)
    return lines + way.map { (line: $0, colour: colours.accentText) }
  }

  /// What the panel says itself is read to its end, and no fact is cut in two where it has room in one line.
  private func factLines(_ head: MenuHead, _ width: Int, _ layout: ListLayout) -> [TextLine] {
    let face = smallFace(layout)
    var lines: [[String]] = []
    for fact in head.facts {
      if let last = lines.last, face.width(of: words.joined(last + [fact])) <= width {
        lines[lines.count - 1].append(fact)
      } else {
        lines.append([fact])
      }
    }
    return lines.flatMap { Array(face.lines(of: words.joined($0), width: width, atMost: 2)) }
  }

  private func headHeight(_ row: MenuRow, _ layout: ListLayout) -> Int {
    guard let head = row.head else { return layout.row }
    let text = headLines(row, head, layout).reduce(0) { $0 + $1.line.face.lineHeight }
    return max(layout.tallRow, max(text, coverSide(row, layout)) + 4 * layout.unit)
  }

  private func drawHead(
    _ row: MenuRow, _ head: MenuHead, _ laid: Laid, isFocused: Bool, on canvas: Canvas, _ layout: ListLayout
  ) {
    let lines = headLines(row, head, layout)
    var y = laid.rect.y + max(0, laid.rect.height - lines.reduce(0) { $0 + $1.line.face.lineHeight }) / 2
    for (line, colour) in lines {
      let left = textLeft(row, layout)
      let place = Rect(x: left, y: y, width: layout.bar.right - left, height: line.face.lineHeight)
      let ink =
        !isFocused
        ? colour : colours.isInk ? colours.standingText : colour == colours.quiet ? colours.text : colours.title
      if laid.visible.contains(place) { canvas.draw(line, in: place, colour: ink, hanging: max(1, layout.unit / 2)) }
      y += line.face.lineHeight
    }
    guard row.sign == .leadsOn, let last = lines.last else { return }
    let (side, height) = (signSide(layout), last.line.face.lineHeight)
    let sign = Rect(
      x: textLeft(row, layout) + last.line.width + layout.unit, y: y - height + (height - side) / 2, width: side,
      height: side)
    guard laid.visible.contains(sign) else { return }
    let ink = !isFocused ? last.colour : colours.isInk ? colours.standingText : colours.title
    Sign.chevron.draw(in: sign, on: canvas, ink)
  }

  private func drawMore(above: Bool, below: Bool, on canvas: Canvas, _ layout: ListLayout) {
    let side = 2 * layout.unit
    let x = layout.room.right - side - 1
    if above {
      Sign.up.draw(in: Rect(x: x, y: layout.room.y, width: side, height: side), on: canvas, colours.quiet)
    }
    if below {
      let rect = Rect(x: x, y: layout.room.bottom - side, width: side, height: side)
      Sign.down.draw(in: rect, on: canvas, colours.quiet)
    }
  }
}

extension MenuRow {
  /// Also of what is so far along.
  fileprivate var leadsOn: Bool {
    switch (sign, action) {
    case (.leadsOn, _), (.progress, .open): true
    case (.none, _), (.current, _), (.progress, _): false
    }
  }
}
