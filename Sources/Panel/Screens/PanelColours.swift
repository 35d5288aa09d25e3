import Canvas

/// A dark ground that does not dazzle at night, one warm accent, and greys that a cheap panel still tells apart.
enum PanelColours {
  static let groundTop = Pixel(0x161B22)
  static let groundBottom = Pixel(0x090B0E)
  static let title = Pixel(0xFFFFFF)
  static let text = Pixel(0xE2E8EE)
  static let quiet = Pixel(0x98A5B3)
  static let groove = Pixel(0x2C353F)
  static let accent = Pixel(0xFFB648)
  /// The accent of what has not come yet.
  static let accentToCome = Pixel(0xB98534)
  /// The accent while nothing moves.
  static let resting = Pixel(0x8C96A1)
  /// Laid over the cover where names run over it.
  static let coverShade = Pixel(0x0C0F13)
  static let noticeGround = Pixel(0x4A3410)
  static let noticeText = Pixel(0xFFDDA6)
  /// For what stands: as bright as the accent, with dark letters on it.
  static let standingGround = Pixel(0xFFB648)
  static let standingText = Pixel(0x201503)
}
