/// The pins of the 40-pin header of a Raspberry Pi, which is the same on all of them since 2014.
enum HeaderPin {
  static let highest = 40

  /// What the device trees of Debian's kernel call the line of a pin. Nil for power and ground.
  static func line(_ pin: Int) -> String? { lines[pin] }

  /// What uses this pin on every board of the card, whatever is wired to it; nil when nothing does.
  static func alwaysTaken(_ pin: Int) -> String? {
    switch pin {
    case 3, 5: "the I2C bus"
    case 8, 10: "the serial console"
    case 27, 28: "the memory of add-on boards"
    default: nil
    }
  }

  private static let lines: [Int: String] = [
    3: "SDA1", 5: "SCL1", 7: "GPIO_GCLK", 8: "TXD1", 10: "RXD1", 11: "GPIO17", 12: "GPIO18", 13: "GPIO27",
    15: "GPIO22", 16: "GPIO23", 18: "GPIO24", 19: "SPI_MOSI", 21: "SPI_MISO", 22: "GPIO25", 23: "SPI_SCLK",
    24: "SPI_CE0_N", 26: "SPI_CE1_N", 27: "ID_SDA", 28: "ID_SCL", 29: "GPIO5", 31: "GPIO6", 32: "GPIO12",
    33: "GPIO13", 35: "GPIO19", 36: "GPIO16", 37: "GPIO26", 38: "GPIO20", 40: "GPIO21",
  ]
}

/// A sound card or a panel. One word in layby-board.conf says which of them is wired to the header.
protocol HeaderPart: RawRepresentable<String>, CaseIterable {
  static var key: String { get }
  static var what: String { get }
  var pins: [(pin: Int, use: String)] { get }
}

/// Where the sound of a board goes, as `dac` in layby-board.conf says. The script that U-Boot runs knows the same words:
/// those that name a chip have an overlay `dac-WORD` of the device tree.
enum SoundPlace: String, HeaderPart, Sendable {
  static let key = "dac"
  static let what = "sound card"

  case auto, usb, hdmi, headphones, pcm5102a
  case hifiberry = "hifiberry-dac"
  case max98357a, wm8960

  var pins: [(pin: Int, use: String)] {
    switch self {
    case .auto, .usb, .hdmi, .headphones: []
    case .pcm5102a, .hifiberry, .max98357a, .wm8960:
      [(12, "bit clock"), (35, "word clock"), (38, "data from the card"), (40, "data to the card")]
    }
  }

  /// What its overlay calls the card.
  var cardName: String? {
    switch self {
    case .auto, .usb, .hdmi, .headphones: nil
    case .pcm5102a: "pcm5102a"
    case .hifiberry: "hifiberry"
    case .max98357a: "max98357a"
    case .wm8960: "wm8960"
    }
  }
}

/// What shows the panel, as `panel` in layby-board.conf says; the small ones have an overlay `panel-WORD`.
enum PanelPlace: String, HeaderPart, Sendable {
  static let key = "panel"
  static let what = "panel"

  case auto, hdmi, ili9341, st7789, ssd1306, sh1106, none

  var pins: [(pin: Int, use: String)] {
    switch self {
    case .auto, .hdmi, .none, .ssd1306, .sh1106: []
    case .ili9341, .st7789:
      [
        (18, "data or command"), (19, "data"), (21, "data back"), (22, "reset"), (23, "clock"), (24, "chip select"),
        (26, "second chip select"),
      ]
    }
  }

  /// A rule of udev gives a small panel this name, whichever framebuffer it is.
  var device: String {
    switch self {
    case .auto, .hdmi: "auto"
    case .ili9341, .st7789, .ssd1306, .sh1106: "/dev/layby-panel"
    case .none: "none"
    }
  }
}
