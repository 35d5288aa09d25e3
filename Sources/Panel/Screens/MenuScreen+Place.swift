import Canvas
import Runtime

/// The page that turns the knob into time: where one is in large digits, below it how far that is of the whole, with a
/// mark where the music was before.
extension MenuScreen {
  /// The line, and the times below it where there is room for them.
  struct PlaceLayout {
    var title: Rect?
    var time: Rect
    /// How far the next detent leads.
    var step: Rect?
    var bar: Rect
    var ends: Rect?
  }

  func placeLayout(_ shown: PlaceDial.Shown, _ layout: ListLayout) -> PlaceLayout {
    let (room, bar) = (layout.room, layout.bar)
    let (digits, small) = (placeFace(shown, layout), type.regular.at(layout.type.small))
    let thickness = max(3 * layout.unit, 3)
    let gap = 2 * layout.unit
    func height(_ hasTitle: Bool, _ hasEnds: Bool, _ hasStep: Bool) -> Int {
      let lines = [hasTitle, hasStep].count { $0 } * small.lineHeight
      return digits.lineHeight + gap + thickness + lines + (hasStep ? gap : 0) + (hasEnds ? gap + small.lineHeight : 0)
    }
    let hasStep = saysStep(layout) && height(false, false, true) <= room.height
    let hasEnds = height(false, true, hasStep) <= room.height
    let hasTitle = hasEnds && height(true, true, hasStep) <= room.height
    var y = room.y + max(0, room.height - height(hasTitle, hasEnds, hasStep)) / 2
    func next(_ height: Int, gap: Int = 0) -> Rect {
      defer { y += height + gap }
      return Rect(x: bar.x, y: y, width: bar.width, height: height)
    }
    let title = hasTitle ? next(small.lineHeight) : nil
    let time = next(min(digits.lineHeight, max(1, room.height - thickness - gap)), gap: gap)
    let step = hasStep ? next(small.lineHeight, gap: gap) : nil
    let line = next(thickness, gap: gap)
    return PlaceLayout(title: title, time: time, step: step, bar: line, ends: hasEnds ? next(small.lineHeight) : nil)
  }

  /// Fingers go by no steps, and on the smallest panel the step stands in the bar.
  private func saysStep(_ layout: ListLayout) -> Bool { layout.screen != .tiny && !look.isTouched }

  /// The largest in which the longest time of this piece has room, so that no digit changes its size on the way.
  private func placeFace(_ shown: PlaceDial.Shown, _ layout: ListLayout) -> Face {
    let faces = [6, 5, 4, 3, 2].map { type.bold.at(max(layout.number * $0 / 6, ScreenScale.smallestType)) }
    let music = NowPlayingScreen(look)
    let step = saysStep(layout) ? type.regular.at(layout.type.small).lineHeight + 2 * layout.unit : 0
    let fits = faces.first {
      music.digitsWidth(of: shown.whole.clock, $0) <= layout.bar.width
        && $0.lineHeight + step + 5 * layout.unit <= layout.room.height
    }
    return fits ?? faces[faces.count - 1]
  }

  func draw(_ shown: PlaceDial.Shown, on canvas: Canvas, _ layout: ListLayout) {
    let parts = placeLayout(shown, layout)
    let small = type.regular.at(layout.type.small)
    if let title = parts.title {
      canvas.draw(shown.title, in: title, font: small, colour: colours.quiet, align: .centre)
    }
    let music = NowPlayingScreen(look)
    let face = placeFace(shown, layout)
    let width = music.digitsWidth(of: shown.place.clock, face)
    let time = Rect(
      x: (canvas.size.width - width) / 2, y: parts.time.y, width: width, height: parts.time.height)
    music.drawDigits(shown.place.clock, in: time, face, colours.title, on: canvas)
    if let step = parts.step {
      drawStep(shown, in: step, small, on: canvas)
    }
    // Time runs to the right everywhere.
    let wasMirrored = canvas.isMirrored
    canvas.isMirrored = false
    defer { canvas.isMirrored = wasMirrored }
    drawLine(shown, parts.bar, on: canvas)
    guard let ends = parts.ends else { return }
    let whole = shown.whole.clock
    let wholeWidth = music.digitsWidth(of: whole, small)
    let place = Rect(x: ends.right - wholeWidth, y: ends.y, width: wholeWidth, height: ends.height)
    music.drawDigits(whole, in: place, small, colours.quiet, on: canvas)
    let start = shown.start.clock
    let startWidth = music.digitsWidth(of: start, small)
    // Below its mark, as long as that leaves the end alone.
    let x = min(
      max(mark(shown, parts.bar).x - startWidth / 2, ends.x), ends.right - wholeWidth - startWidth - 2 * layout.unit)
    guard shown.isTurned, x >= ends.x else { return }
    music.drawDigits(
      start, in: Rect(x: x, y: ends.y, width: startWidth, height: ends.height), small, colours.quiet, on: canvas)
  }

  /// How far a click leads; behind it, where that has room, how far quick ones would.
  private func drawStep(_ shown: PlaceDial.Shown, in place: Rect, _ face: Face, on canvas: Canvas) {
    let step = words.step(shown)
    let both = words.quickStep(shown).map { words.joined([step, $0]) }
    let text = both.flatMap { face.width(of: $0) <= place.width ? $0 : nil } ?? step
    canvas.draw(text, in: place, font: face, colour: colours.accentText, align: .centre)
  }

  private func drawLine(_ shown: PlaceDial.Shown, _ bar: Rect, on canvas: Canvas) {
    let filled = bar.width * Self.thousandths(shown.place, shown.whole) / 1_000
    let done = Rect(x: bar.x, y: bar.y, width: filled, height: bar.height)
    if colours.isInk {
      canvas.fill(bar, colours.accent)
      canvas.fill(Rect(x: bar.x + 1, y: bar.y + 1, width: bar.width - 2, height: bar.height - 2), colours.ground)
      return canvas.fill(done, colours.accent)
    }
    canvas.fillRounded(bar, radius: bar.height / 2, colours.groove)
    canvas.fillRounded(done, radius: bar.height / 2, colours.accent)
    guard shown.isTurned else { return }
    canvas.fill(mark(shown, bar), colours.title)
  }

  /// Where the music was.
  private func mark(_ shown: PlaceDial.Shown, _ bar: Rect) -> Rect {
    let width = max(2, bar.height / 4)
    let x = bar.x + (bar.width - width) * Self.thousandths(shown.start, shown.whole) / 1_000
    return Rect(x: x, y: bar.y - bar.height / 3, width: width, height: bar.height + 2 * (bar.height / 3))
  }

  private static func thousandths(_ part: Duration, _ whole: Duration) -> Int {
    let all = whole.milliseconds
    return all > 0 ? Int(min(max(Double(part.milliseconds) / Double(all), 0), 1) * 1_000) : 0
  }
}
