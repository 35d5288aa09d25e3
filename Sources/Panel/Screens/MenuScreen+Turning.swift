import Canvas

/// What is turned: the wheel of letters, and a number.
extension MenuScreen {
  static func sign(of choice: LetterWheel.Choice, isRightToLeft: Bool = false) -> String {
    switch choice {
    case .results: "✓"
    case .letter(let letter): letter.uppercased()
    case .space: "␣"
    case .delete: isRightToLeft ? "⌦" : "⌫"
    }
  }

  /// The letter that is looked at in the middle, its neighbours beside it; below it what is found with what was written.
  func drawWheel(_ wheel: LetterWheel, on canvas: Canvas, _ layout: ListLayout) {
    let strip = strip(layout)
    if wheel.isLoading && wheel.choices.isEmpty {
      return drawStripWords(words[.looking], strip, on: canvas, layout)
    }
    guard !wheel.choices.isEmpty else { return drawStripWords(words[.nothingHere], strip, on: canvas, layout) }
    for cell in cells(wheel, layout) {
      let rect = Rect(x: cell.rect.x + 1, y: cell.rect.y + 2, width: cell.rect.width - 2, height: cell.rect.height - 4)
      let isLookedAt = cell.step == 0
      if isLookedAt || look.isTouched {
        canvas.fillRounded(rect, radius: layout.radius, isLookedAt ? colours.accent : colours.groove)
      }
      let colour = cell.step == 0 ? colours.standingText : colours.text
      let sign = Self.sign(of: cell.choice, isRightToLeft: words.isRightToLeft)
      canvas.draw(
        sign, in: cell.rect, font: letterFace(sign, cell.rect.width, layout), colour: colour, align: .centre)
    }
    let bottom = cells(wheel, layout).map(\.rect.bottom).max() ?? strip.bottom
    drawFound(wheel.found.rows, below: max(strip.bottom, bottom), on: canvas, layout)
  }

  /// Some scripts have letters that are wider than a place.
  private func letterFace(_ sign: String, _ width: Int, _ layout: ListLayout) -> Face {
    let faces = [70, 60, 50, 40].map { type.bold.at(max(ScreenScale.smallestType, layout.cell * $0 / 100)) }
    return faces.first { $0.width(of: sign) <= width } ?? faces[3]
  }

  /// One line of letters.
  private func strip(_ layout: ListLayout) -> Rect {
    let cell = layout.cell
    let height = look.isTouched ? cell : cell * 5 / 4
    return Rect(x: 0, y: layout.room.y, width: layout.room.width, height: min(height, layout.room.height))
  }

  /// The letters that there is room for, by how many steps they are from the one that is looked at.
  func cells(_ wheel: LetterWheel, _ layout: ListLayout) -> [WheelCell] {
    guard !wheel.choices.isEmpty else { return [] }
    guard look.isTouched else { return line(wheel, layout) }
    return keypad(wheel, layout) ?? grid(wheel, layout)
  }

  struct WheelCell {
    let step: Int
    let choice: LetterWheel.Choice
    let rect: Rect
  }

  /// Round and round, with the one that is looked at in the middle.
  private func line(_ wheel: LetterWheel, _ layout: ListLayout) -> [WheelCell] {
    let count = wheel.choices.count
    let (cell, strip) = (layout.cell, strip(layout))
    let middle = strip.width / 2
    let room = max((middle - cell / 2) / cell, 0)
    // Of a few each is there; an odd one more stands to the right.
    let (left, right) = (min(room, (count - 1) / 2), min(room, count / 2))
    return (-left...right).map { step in
      let choice = wheel.choices[((wheel.focus + step) % count + count) % count]
      let rect = Rect(x: middle - cell / 2 + step * cell, y: strip.y, width: cell, height: strip.height)
      return WheelCell(step: step, choice: choice, rect: rect)
    }
  }

  /// Digits stand where a finger knows them from a telephone. The second pad is for panels that are too low for the first.
  private static let keypads: [[[LetterWheel.Choice]]] = [
    [digits("123"), digits("456"), digits("789"), [.delete, .letter("0"), .results]],
    [digits("123") + [.delete], digits("456") + [.letter("0")], digits("789") + [.results]],
  ]

  private static func digits(_ digits: String) -> [LetterWheel.Choice] { digits.map { .letter(String($0)) } }

  /// Nil if letters are written as well, or if neither pad fits into the room.
  private func keypad(_ wheel: LetterWheel, _ layout: ListLayout) -> [WheelCell]? {
    guard wheel.writing?.isOfDigits == true else { return nil }
    let (room, cell) = (layout.room, layout.cell)
    let fitting = Self.keypads.first { pad in
      pad.count * cell <= room.height && pad[0].count * cell <= room.width
    }
    guard let pad = fitting else { return nil }
    let key = Size(
      width: min(cell * 3 / 2, room.width / pad[0].count), height: min(cell * 5 / 4, room.height / pad.count))
    let left = room.x + (room.width - pad[0].count * key.width) / 2
    let top = room.y + (room.height - pad.count * key.height) / 2
    var cells: [WheelCell] = []
    for (y, line) in pad.enumerated() {
      for (x, choice) in line.enumerated() {
        guard let place = wheel.choices.firstIndex(of: choice) else { continue }
        let rect = Rect(x: left + x * key.width, y: top + y * key.height, width: key.width, height: key.height)
        cells.append(WheelCell(step: place - wheel.focus, choice: choice, rect: rect))
      }
    }
    return cells
  }

  /// As keys of a keyboard: the lines around the one that is looked at.
  private func grid(_ wheel: LetterWheel, _ layout: ListLayout) -> [WheelCell] {
    let cell = layout.cell
    let perLine = max(layout.room.width / cell, 1)
    let lines = (wheel.choices.count + perLine - 1) / perLine
    // A search lists its hits below the keys; a name or a PIN that is written has none, so its keys get all of the room.
    let room = wheel.writing == nil ? layout.room.height * 2 / 3 : layout.room.height
    let visible = max(min(lines, room / cell), 1)
    let order = inOrder(wheel)
    let focus = order.firstIndex(of: wheel.focus) ?? 0
    let first = min(max(focus / perLine - visible / 2, 0), lines - visible)
    let shown = (first * perLine)..<min((first + visible) * perLine, order.count)
    let gap = (layout.room.width - perLine * cell) / 2
    return shown.map { place in
      let rect = Rect(
        x: gap + place % perLine * cell, y: layout.room.y + (place / perLine - first) * cell, width: cell, height: cell
      )
      return WheelCell(step: order[place] - wheel.focus, choice: wheel.choices[order[place]], rect: rect)
    }
  }

  /// A finger finds what takes a letter back beside what ends it; on the wheel these are neighbours too.
  private func inOrder(_ wheel: LetterWheel) -> [Int] {
    let all = Array(wheel.choices.indices)
    guard wheel.choices.first == .results, wheel.choices.last == .delete else { return all }
    return [0, all.count - 1] + all.dropFirst().dropLast()
  }

  private func drawStripWords(_ text: String, _ strip: Rect, on canvas: Canvas, _ layout: ListLayout) {
    let face = type.regular.at(layout.type.middle)
    canvas.draw(text, in: strip, font: face, colour: colours.quiet, align: .centre)
  }

  private func drawFound(_ rows: [MenuRow], below top: Int, on canvas: Canvas, _ layout: ListLayout) {
    let face = type.regular.at(layout.type.middle)
    let step = face.lineHeight + layout.unit
    var y = top + layout.unit + layout.unit / 2
    for row in rows where y + step <= layout.room.bottom {
      let text = row.detail.isEmpty ? row.title : "\(row.title) – \(row.detail)"
      let place = Rect(x: layout.bar.x, y: y, width: layout.bar.width, height: step)
      canvas.draw(text, in: place, font: face, colour: colours.text)
      y += step
    }
  }

  /// The number in the middle, and below it how much of the whole way that is.
  func drawDial(_ dial: Dial, on canvas: Canvas, _ layout: ListLayout) {
    let face = type.bold.at(layout.number)
    let groove = dialLine(layout)
    let bar = groove.height
    let height = min(face.lineHeight, layout.room.height)
    let place = Rect(x: layout.bar.x, y: groove.y - height, width: layout.bar.width, height: height)
    canvas.draw(dial.text(words), in: place, font: face, colour: colours.title, align: .centre)
    guard groove.bottom <= layout.room.bottom else { return }
    canvas.fillRounded(groove, radius: bar / 2, colours.groove)
    let progress = dial.progress
    guard progress.at > 0 else { return }
    let width = bar + (groove.width - bar) * progress.at / progress.of
    canvas.fillRounded(
      Rect(x: groove.x, y: groove.y, width: width, height: bar), radius: bar / 2, colours.accent)
  }

  /// Below the number.
  func dialLine(_ layout: ListLayout) -> Rect {
    let height = min(type.bold.at(layout.number).lineHeight, layout.room.height)
    let bar = max(3 * layout.unit, 3)
    let y = layout.room.y + max(0, layout.room.height - height - 2 * bar) / 2
    return Rect(x: layout.bar.x, y: y + height, width: layout.bar.width, height: bar)
  }

  /// What hands are asked for in the middle, and below it how far that is.
  func draw(_ heard: InputProgress, on canvas: Canvas, _ layout: ListLayout) {
    drawWords(heard.text, on: canvas, layout)
    guard let progress = heard.progress, progress.of > 0 else { return }
    let bar = max(3 * layout.unit, 3)
    let groove = Rect(
      x: layout.bar.x, y: layout.room.bottom - 2 * bar, width: layout.bar.width, height: bar)
    // It goes where the hand turns.
    let wasMirrored = canvas.isMirrored
    canvas.isMirrored = false
    defer { canvas.isMirrored = wasMirrored }
    canvas.fillRounded(groove, radius: bar / 2, colours.groove)
    let part = min(max(progress.part, 0), progress.of)
    guard part > 0 else { return }
    let width = bar + (groove.width - bar) * part / progress.of
    canvas.fillRounded(
      Rect(x: groove.x, y: groove.y, width: width, height: bar), radius: bar / 2, colours.accent)
  }

  /// Dark on white whatever the theme: cameras expect it so. Where there is no room for two pixels a square, what it says
  /// is written out.
  func draw(_ code: Code, beside lines: [String], on canvas: Canvas, _ layout: ListLayout) {
    let sides = code.width + 2 * Code.margin
    guard let places = places(ofCode: sides, beside: lines, layout) else {
      guard !lines.isEmpty else { return drawWords(code.text, on: canvas, layout) }
      let (bar, room) = (layout.bar, layout.room)
      return draw(
        lines, in: Rect(x: bar.x, y: room.y, width: bar.width, height: room.height), on: canvas, layout)
    }
    if let place = places.lines { draw(lines, in: place, on: canvas, layout) }
    canvas.fill(places.code, .white)
    let square = places.code.width / sides
    for y in 0..<code.width {
      for x in 0..<code.width where code.squares[y * code.width + x] {
        let place = Rect(
          x: places.code.x + (x + Code.margin) * square, y: places.code.y + (y + Code.margin) * square, width: square,
          height: square)
        canvas.fill(place, .black)
      }
    }
  }

  /// The largest squares of whole pixels with which each line has room, as a whole and in no smaller letters than a
  /// list's: beside the code, or else below it. Where none leave that room, the largest there are.
  private func places(ofCode sides: Int, beside lines: [String], _ layout: ListLayout) -> (code: Rect, lines: Rect?)? {
    let (bar, room) = (layout.bar, layout.room)
    // On a large screen it stands clear of the line below the title.
    let clear = layout.screen == .large || layout.screen == .largeTall ? 2 * layout.unit : 0
    let largest = min(room.width, room.height - clear) / sides
    guard largest >= 2 else { return nil }
    let side = largest * sides
    let alone = Rect(
      x: room.x + (room.width - side) / 2, y: room.y + (room.height - side) / 2, width: side, height: side)
    guard !lines.isEmpty else { return (alone, nil) }
    var all: [(code: Rect, lines: Rect)] = []
    for square in (2...largest).reversed() {
      let side = square * sides
      let (left, below) = (bar.x + side + layout.margin, room.y + side)
      if room.width > room.height, left < bar.right {
        let code = Rect(x: bar.x, y: room.y + (room.height - side) / 2, width: side, height: side)
        all.append((code, Rect(x: left, y: room.y, width: bar.right - left, height: room.height)))
      }
      if below < room.bottom {
        let code = Rect(x: alone.x + (alone.width - side) / 2, y: room.y, width: side, height: side)
        all.append((code, Rect(x: bar.x, y: below, width: bar.width, height: room.bottom - below)))
      }
    }
    return all.first { face(of: lines, in: $0.lines, layout, least: layout.type.small) != nil } ?? all.first
      ?? (alone, nil)
  }

  /// The largest letters in which each of them is a line, one below the other.
  private func face(of lines: [String], in room: Rect, _ layout: ListLayout, least: Int) -> Face? {
    let sizes = [layout.type.large, layout.type.middle, layout.type.small, ScreenScale.smallestType]
    return sizes.filter { $0 >= least }.map { type.regular.at($0) }.first { face in
      face.lineHeight * lines.count <= room.height
        && lines.allSatisfy { face.lines(of: $0, width: room.width, atMost: 2).count < 2 }
    }
  }

  /// In the middle, one below the other. Where the smallest letters are too large for one of them, its words go into a
  /// second line.
  private func draw(_ lines: [String], in room: Rect, on canvas: Canvas, _ layout: ListLayout) {
    let face =
      face(of: lines, in: room, layout, least: ScreenScale.smallestType) ?? type.regular.at(ScreenScale.smallestType)
    let texts = lines.flatMap { face.lines(of: $0, width: room.width, atMost: 2, balanced: true) }
    var y = room.y + max(0, room.height - face.lineHeight * texts.count) / 2
    for text in texts {
      guard y + face.lineHeight <= room.bottom else { return }
      let place = Rect(x: room.x, y: y, width: room.width, height: face.lineHeight)
      canvas.draw(text, in: place, colour: colours.title, align: .centre, hanging: layout.unit)
      y += face.lineHeight
    }
  }
}
