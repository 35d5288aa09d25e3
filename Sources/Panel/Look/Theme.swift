import Canvas

/// The colours of all screens, as data: a theme is a row of figures, and no screen knows which one it is drawn in.
/// Tests hold each to the rule of how much text must stand out from its ground (see `CarRule`).
package struct Theme: Equatable, Sendable {
  package let name: String
  /// One bit a pixel: no greys, nothing half.
  var isInk: Bool { name == "ink" }
  var isDark: Bool { name == "night" }
  /// Of one colour: what changes is then written in the fewest bytes.
  var ground: Pixel
  let title: Pixel
  let text: Pixel
  let quiet: Pixel
  /// A surface: what is looked at lies on it, and bars run in it.
  var groove: Pixel
  /// A part of such a surface that stands out from it.
  var lit: Pixel
  var accent: Pixel
  /// Letters in the accent's colour on the ground.
  var accentText: Pixel
  /// The accent while nothing moves.
  let resting: Pixel
  let noticeGround: Pixel
  let noticeText: Pixel
  /// For what stands: as bright as the accent, with letters on it that stand out.
  let standingGround: Pixel
  let standingText: Pixel
  /// How much of the title's colour lies over the edge of a cover, so that one that is as dark or as bright as the ground
  /// still ends somewhere.
  let coverEdge: UInt8

  /// A dark ground that does not dazzle, one warm accent, and greys that a cheap panel still tells apart.
  package static let night = Theme(
    name: "night", ground: Pixel(0x10151B), title: Pixel(0xFFFFFF),
    text: Pixel(0xE2E8EE), quiet: Pixel(0x9FACBA), groove: Pixel(0x2C353F), lit: Pixel(0x414D59),
    accent: Pixel(0xFFB648),
    accentText: Pixel(0xFFB648), resting: Pixel(0x8C96A1),
    noticeGround: Pixel(0x4A3410), noticeText: Pixel(0xFFDDA6),
    standingGround: Pixel(0xFFB648), standingText: Pixel(0x201503), coverEdge: 10)

  /// A bright ground, for a panel that competes with the sun.
  package static let day = Theme(
    name: "day", ground: Pixel(0xF4F6F8), title: Pixel(0x000000),
    text: Pixel(0x14181C), quiet: Pixel(0x434C55), groove: Pixel(0xC9D0D7), lit: Pixel(0xAEB8C2),
    accent: Pixel(0xF2A93B),
    accentText: Pixel(0x704300), resting: Pixel(0x545D66),
    noticeGround: Pixel(0xFFE3B0), noticeText: Pixel(0x3A2300),
    standingGround: Pixel(0xF2A93B), standingText: Pixel(0x1A1000), coverEdge: 64)

  /// Ink or none, for panels whose pixels have one bit: whatever is chosen is ink with letters left out of it.
  package static let ink = Theme(
    name: "ink", ground: .black, title: .white, text: .white, quiet: .white,
    groove: .black, lit: .black, accent: .white, accentText: .white, resting: .white,
    noticeGround: .white,
    noticeText: .black, standingGround: .white, standingText: .black, coverEdge: 0)

  package static let all: [Theme] = [night, day, ink]
}
