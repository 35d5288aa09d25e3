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
    let cell = max(measure.letters(38), 14)
    let strip = Rect(x: 0, y: measure.room.y, width: measure.room.width, height: min(cell * 5 / 4, measure.room.height))
    if wheel.isLoading && wheel.choices.isEmpty {
      return drawStripWords(words[.looking], strip, on: canvas, measure)
    }
    guard !wheel.choices.isEmpty else { return drawStripWords(words[.nothingHere], strip, on: canvas, measure) }
    let middle = canvas.size.width / 2
    let beside = min((middle - cell / 2) / cell, (wheel.choices.count - 1) / 2)
    let face = type.bold.at(measure.letters(27))
    for step in -beside...beside {
      let count = wheel.choices.count
      let choice = wheel.choices[((wheel.focus + step) % count + count) % count]
      let rect = Rect(x: middle - cell / 2 + step * cell, y: strip.y + 2, width: cell, height: strip.height - 4)
      if step == 0 { canvas.fillRounded(rect, radius: measure.length(7), PanelColours.accent) }
      let colour = step == 0 ? PanelColours.standingText : PanelColours.text
      canvas.draw(Self.sign(of: choice), in: rect, font: face, colour: colour, align: .centre)
    }
    drawFound(wheel.found, below: strip, on: canvas, measure)
  }

  private func drawStripWords(_ text: String, _ strip: Rect, on canvas: Canvas, _ measure: ListMeasure) {
    let face = type.regular.at(measure.letters(19))
    canvas.draw(text, in: strip, font: face, colour: PanelColours.quiet, align: .centre)
  }

  private func drawFound(_ rows: [MenuRow], below strip: Rect, on canvas: Canvas, _ measure: ListMeasure) {
    let face = type.regular.at(measure.letters(17))
    let step = face.lineHeight + measure.length(5)
    var y = strip.bottom + measure.length(6)
    for row in rows where y + step <= measure.room.bottom {
      let text = row.detail.isEmpty ? row.title : "\(row.title) – \(row.detail)"
      let place = Rect(x: measure.bar.x, y: y, width: measure.bar.width, height: step)
      canvas.draw(text, in: place, font: face, colour: PanelColours.text)
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
    canvas.draw(text, in: place, font: face, colour: PanelColours.title, align: .centre)
    let groove = Rect(x: measure.bar.x, y: place.bottom, width: measure.bar.width, height: bar)
    guard groove.bottom <= measure.room.bottom else { return }
    canvas.fillRounded(groove, radius: bar / 2, PanelColours.groove)
    let all = dial.range.upperBound - dial.range.lowerBound
    guard all > 0, dial.value > dial.range.lowerBound else { return }
    let width = bar + (groove.width - bar) * (dial.value - dial.range.lowerBound) / all
    canvas.fillRounded(
      Rect(x: groove.x, y: groove.y, width: width, height: bar), radius: bar / 2, PanelColours.accent)
  }
}
