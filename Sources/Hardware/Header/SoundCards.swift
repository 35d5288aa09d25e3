import Runtime

/// The sound cards that the kernel has, as far as a Raspberry Pi tells them apart.
package struct SoundCards: Equatable, Sendable {
  struct Card: Equatable, Sendable {
    /// ALSA's word for it, which stays the same in whatever order cards come: `hw:CARD=...`.
    let id: String
    let isUSB: Bool
  }

  private let cards: [Card]
  /// HDMI sockets with a screen in them, from 1 on.
  private let screens: Set<Int>

  private static let headphones = "Headphones"
  private static let hdmi = "vc4hdmi"
  private static let most = 32

  /// From the kernel's own files; what cannot be read is not there.
  package init(sound: FilePath, graphics: FilePath) {
    cards = (0..<Self.most).compactMap { number in
      let card = sound / "card\(number)"
      guard let id = Self.word(card / "id") else { return nil }
      return Card(id: id, isUSB: Self.word(card / "usbid") != nil)
    }
    var screens: Set<Int> = []
    for card in 0..<4 {
      for socket in 1...2 where Self.word(graphics / "card\(card)-HDMI-A-\(socket)/status") == "connected" {
        screens.insert(socket)
      }
    }
    self.screens = screens
  }

  private static func word(_ file: FilePath) -> String? {
    // What goes away while it is looked at is not there.
    guard let bytes = try? AtomicFile.read(file, limit: 256) else { return nil }
    let text = String(trimmed(String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)))
    let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ",") }
    return text.isEmpty || !isPlain ? nil : text
  }

  /// What board.conf has as `[audio] output`. A card that is not there yet is named as it will be called, so that the
  /// player waits for it.
  func output(for place: SoundPlace) -> String {
    if let name = place.cardName { return Self.direct(name) }
    return switch place {
    case .usb: Self.direct(usb ?? "usb")
    case .hdmi: Self.throughPlug(screen ?? anyHDMI ?? Self.hdmi)
    case .headphones: Self.direct(Self.headphones)
    case .auto, .pcm5102a, .hifiberry, .max98357a, .wm8960: automatic
    }
  }

  /// USB, else a screen, else the headphones' socket; a Zero 2 W has no socket, so HDMI is the last.
  private var automatic: String {
    if let usb { return Self.direct(usb) }
    if let screen { return Self.throughPlug(screen) }
    if cards.contains(where: { $0.id == Self.headphones }) { return Self.direct(Self.headphones) }
    if let anyHDMI { return Self.throughPlug(anyHDMI) }
    return Self.direct(Self.headphones)
  }

  private var usb: String? { cards.first(where: \.isUSB)?.id }
  private var anyHDMI: String? { cards.first { $0.id.hasPrefix(Self.hdmi) }?.id }

  /// A Pi 3 has one socket, whose card is vc4hdmi; a Pi 4 has vc4hdmi0 and vc4hdmi1.
  private var screen: String? {
    cards.first { card in
      switch card.id {
      case "vc4hdmi", "vc4hdmi0": screens.contains(1)
      case "vc4hdmi1": screens.contains(2)
      default: false
      }
    }?.id
  }

  private static func direct(_ id: String) -> String { "alsa:hw:CARD=\(id)" }
  /// HDMI takes frames of a form of its own, which alsa-lib's settings for that card make.
  private static func throughPlug(_ id: String) -> String { "alsa:default:CARD=\(id)" }
}
