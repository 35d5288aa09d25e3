import Canvas

/// What is turned: the wheel of letters, and a number.
extension MenuScreen {
  static func sign(of choice: LetterWheel.Choice) -> String {
    switch choice {
    case .results: "✓"
    case .letter(let letter): letter.uppercased()
    case .space: "␣"
    case .delete: "⌫"
    }
  }

  /// The letter that is looked at in the middle, its neighbours beside it; below it what is found with what was written.
  func drawWheel(_ wheel: LetterWheel, on canvas: Canvas, _ measure: ListMeasure) {
    let strip = strip(measure)
    if wheel.isLoading && wheel.choices.isEmpty {
      return drawStripWords(words[.looking], strip, on: canvas, measure)
    }
    guard !wheel.choices.isEmpty else { return drawStripWords(words[.nothingHere], strip, on: canvas, measure) }
    for cell in cells(wheel, measure) {
      let rect = Rect(x: cell.rect.x + 1, y: cell.rect.y + 2, width: cell.rect.width - 2, height: cell.rect.height - 4)
      let isLookedAt = cell.step == 0
      if isLookedAt || look.isTouched {
        canvas.fillRounded(rect, radius: measure.length(7), isLookedAt ? colours.accent : colours.groove)
      }
      let colour = cell.step == 0 ? colours.standingText : colours.text
      let sign = Self.sign(of: cell.choice)
      canvas.draw(
        sign, in: cell.rect, font: letterFace(sign, cell.rect.width, measure), colour: colour, align: .centre)
    }
    let bottom = cells(wheel, measure).map(\.rect.bottom).max() ?? strip.bottom
    drawFound(wheel.found, below: max(strip.bottom, bottom), on: canvas, measure)
  }

  /// Some scripts have letters that are wider than a place.
  private func letterFace(_ sign: String, _ width: Int, _ measure: ListMeasure) -> Face {
    let faces = [27, 23, 19, 15].map { type.bold.at(measure.letters($0)) }
    return faces.first { $0.width(of: sign) <= width } ?? faces[3]
  }

  private func cell(_ measure: ListMeasure) -> Int { max(measure.letters(38), 14) }

  /// One line of letters.
  private func strip(_ measure: ListMeasure) -> Rect {
    let cell = cell(measure)
    let height = look.isTouched ? cell : cell * 5 / 4
    return Rect(x: 0, y: measure.room.y, width: measure.room.width, height: min(height, measure.room.height))
  }

  /// The letters that there is room for, by how many steps they are from the one that is looked at.
  func cells(_ wheel: LetterWheel, _ measure: ListMeasure) -> [WheelCell] {
    guard !wheel.choices.isEmpty else { return [] }
    return look.isTouched ? grid(wheel, measure) : line(wheel, measure)
  }

  struct WheelCell {
    let step: Int
    let choice: LetterWheel.Choice
    let rect: Rect
  }

  /// Round and round, with the one that is looked at in the middle.
  private func line(_ wheel: LetterWheel, _ measure: ListMeasure) -> [WheelCell] {
    let count = wheel.choices.count
    let (cell, strip) = (cell(measure), strip(measure))
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

  /// As keys of a keyboard: the lines around the one that is looked at.
  private func grid(_ wheel: LetterWheel, _ measure: ListMeasure) -> [WheelCell] {
    let cell = cell(measure)
    let perLine = lettersALine(measure)
    let lines = (wheel.choices.count + perLine - 1) / perLine
    let visible = max(min(lines, measure.room.height * 2 / 3 / cell), 1)
    let first = min(max(wheel.focus / perLine - visible / 2, 0), lines - visible)
    let shown = (first * perLine)..<min((first + visible) * perLine, wheel.choices.count)
    let gap = (measure.room.width - perLine * cell) / 2
    return shown.map { index in
      let rect = Rect(
        x: gap + index % perLine * cell, y: measure.room.y + (index / perLine - first) * cell, width: cell, height: cell
      )
      return WheelCell(step: index - wheel.focus, choice: wheel.choices[index], rect: rect)
    }
  }

  /// In the grid.
  func lettersALine(_ measure: ListMeasure) -> Int { max(measure.room.width / cell(measure), 1) }

  private func drawStripWords(_ text: String, _ strip: Rect, on canvas: Canvas, _ measure: ListMeasure) {
    let face = type.regular.at(measure.letters(19))
    canvas.draw(text, in: strip, font: face, colour: colours.quiet, align: .centre)
  }

  private func drawFound(_ rows: [MenuRow], below top: Int, on canvas: Canvas, _ measure: ListMeasure) {
    let face = type.regular.at(measure.letters(17))
    let step = face.lineHeight + measure.length(5)
    var y = top + measure.length(6)
    for row in rows where y + step <= measure.room.bottom {
      let text = row.detail.isEmpty ? row.title : "\(row.title) – \(row.detail)"
      let place = Rect(x: measure.bar.x, y: y, width: measure.bar.width, height: step)
      canvas.draw(text, in: place, font: face, colour: colours.text)
      y += step
    }
  }

  /// The number in the middle, and below it how much of the whole way that is.
  func drawDial(_ dial: Dial, on canvas: Canvas, _ measure: ListMeasure) {
    let face = type.bold.at(measure.letters(64))
    let height = min(face.lineHeight, measure.room.height)
    let bar = max(measure.length(12), 3)
    let y = measure.room.y + max(0, measure.room.height - height - 2 * bar) / 2
    let text = "\(dial.value) \(dial.subject.unit(words))"
    let place = Rect(x: measure.bar.x, y: y, width: measure.bar.width, height: height)
    canvas.draw(text, in: place, font: face, colour: colours.title, align: .centre)
    let groove = Rect(x: measure.bar.x, y: place.bottom, width: measure.bar.width, height: bar)
    guard groove.bottom <= measure.room.bottom else { return }
    canvas.fillRounded(groove, radius: bar / 2, colours.groove)
    let all = dial.range.upperBound - dial.range.lowerBound
    guard all > 0, dial.value > dial.range.lowerBound else { return }
    let width = bar + (groove.width - bar) * (dial.value - dial.range.lowerBound) / all
    canvas.fillRounded(
      Rect(x: groove.x, y: groove.y, width: width, height: bar), radius: bar / 2, colours.accent)
  }

  /// What hands are asked for in the middle, and below it how far that is.
  func draw(_ heard: InputProgress, on canvas: Canvas, _ measure: ListMeasure) {
    drawWords(heard.text, on: canvas, measure)
    guard let progress = heard.progress, progress.of > 0 else { return }
    let bar = max(measure.length(12), 3)
    let groove = Rect(
      x: measure.bar.x, y: measure.room.bottom - 2 * bar, width: measure.bar.width, height: bar)
    canvas.fillRounded(groove, radius: bar / 2, colours.groove)
    let part = min(max(progress.part, 0), progress.of)
    guard part > 0 else { return }
    let width = bar + (groove.width - bar) * part / progress.of
    canvas.fillRounded(
      Rect(x: groove.x, y: groove.y, width: width, height: bar), radius: bar / 2, colours.accent)
  }

  /// As large as whole pixels allow, dark on white whatever the theme: cameras expect it so. Where there is no room for
  /// two pixels a square, what it says is written out.
  func draw(_ code: Code, on canvas: Canvas, _ measure: ListMeasure) {
    let sides = code.width + 2 * Code.margin
    let square = min(measure.room.width, measure.room.height) / sides
    guard square >= 2 else { return drawWords(code.text, on: canvas, measure) }
    let side = square * sides
    let left = measure.room.x + (measure.room.width - side) / 2
    let top = measure.room.y + (measure.room.height - side) / 2
    canvas.fill(Rect(x: left, y: top, width: side, height: side), .white)
    for y in 0..<code.width {
      for x in 0..<code.width where code.squares[y * code.width + x] {
        let place = Rect(
          x: left + (x + Code.margin) * square, y: top + (y + Code.margin) * square, width: square, height: square)
        canvas.fill(place, .black)
      }
    }
  }
}
