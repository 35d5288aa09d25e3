/// One colour of a panel's pixels: what becomes of each of the canvas's 256 steps, as bits in their place.
struct ColourLevels: Sendable {
  struct Step: Sendable {
    /// The nearest level there is.
    var nearest: UInt32
    /// The two levels that it lies between.
    var low: UInt32
    var high: UInt32
    /// How many of 256 pixels have the higher one.
    var share: UInt32
  }

  let steps: [Step]

  init(_ field: FrameClaim.Field) {
    // Panels have 30 bits a pixel at most, checked before.
    let most = (1 << Int(field.length)) - 1
    steps = (0...255).map { value in
      let nearest = (value * most + 127) / 255
      let low = value * most / 255
      let rest = value * most % 255
      // What a level is written as on the canvas is that level, and never mixed.
      let isLevel = abs(value * most - nearest * 255) * 2 <= most || most >= 255
      func bits(_ level: Int) -> UInt32 { UInt32(min(level, most)) << field.offset }
      return Step(
        nearest: bits(nearest), low: bits(isLevel ? nearest : low), high: bits(low + 1),
        share: isLevel ? 0 : UInt32((rest * 256 + 127) / 255))
    }
  }
}
