import Runtime

/// The file layby-board.conf on the first partition of a card: what is wired to this board. It is read on any computer,
/// and by U-Boot too, which takes `dac` and `panel` from it; so a line is NAME=VALUE without blanks around "=", and a
/// comment begins its line. A mistake costs only its own line.
package struct CardSettings: Equatable, Sendable {
  /// A line that does not count, and why.
  package struct Mistake: Equatable, Sendable {
    /// From 1 on; 0 is the whole file.
    let line: Int
    let words: String
  }

  /// U-Boot reads no more of it either.
  package static let limit = 65_536
  private static let mostMistakes = 50

  private(set) var sound = SoundPlace.auto
  private(set) var panel = PanelPlace.auto
  private(set) var turned: Int?
  /// The knob's two lines and its switch, by the names of the device tree.
  private(set) var knob: [String] = []
  /// In the order of the file.
  private(set) var buttons: [WiredButton] = []
  private(set) var ignition: String?
  private(set) var light: String?
  private(set) var lamp: String?
  package private(set) var name: String?
  /// Held together while it starts they erase the board.
  private(set) var eraseButtons: [String] = []
  package private(set) var mistakes: [Mistake] = []

  struct WiredButton: Equatable, Sendable {
    let name: String
    let line: String
  }

  private var holders: [Int: String] = [:]

  private static let buttonPrefix = "button_"
  private static let eraser = "erase_buttons"
  private static let others = ["dac", "panel", "panel_rotate", "knob", "ignition", "light", "lamp", "name", eraser]

  package init() {}

  /// `buttons`: the names that board.conf knows.
  package init(parsing bytes: [UInt8], buttons known: [String]) {
    guard bytes.count <= Self.limit else {
      mistakes = [Mistake(line: 0, words: "the file is longer than 64 KB, so nothing of it counts")]
      return
    }
    let names = Self.others + known.map { Self.buttonPrefix + $0 }
    var given: [(line: Int, name: String, value: String)] = []
    for (place, line) in Self.lines(of: bytes).enumerated() {
      guard let (name, value) = read(line, place + 1, names) else { continue }
      if let before = given.first(where: { $0.name == name }) {
        refuse(place + 1, "\(name) stands in line \(before.line) already")
      } else {
        given.append((place + 1, name, value))
      }
    }
    // Sound card and panel first: a knob or a button can be moved to another pin, they cannot.
    for (line, name, value) in given where name == SoundPlace.key { sound = part(value, line) ?? sound }
    for (line, name, value) in given where name == PanelPlace.key { panel = part(value, line) ?? panel }
    let last = [SoundPlace.key, PanelPlace.key, Self.eraser]
    for (line, name, value) in given where !last.contains(name) { take(name, value, line) }
    // Those that it names may stand behind it.
    for (line, name, value) in given where name == Self.eraser { takeErasers(value, line) }
    mistakes.sort { $0.line < $1.line }
  }

  /// As U-Boot reads them, with the line ends of any computer.
  private static func lines(of bytes: [UInt8]) -> [[UInt8]] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
      line.last == 0x0D ? Array(line.dropLast()) : Array(line)
    }
  }

  /// Nil when the line says nothing, or nothing that counts.
  private mutating func read(_ line: [UInt8], _ number: Int, _ names: [String]) -> (name: String, value: String)? {
    let text = String(decoding: line, as: UTF8.self)
    let plain = String(trimmed(text))
    guard !plain.isEmpty, !plain.hasPrefix("#") else { return nil }
    guard line.allSatisfy({ $0 >= 0x20 && $0 < 0x7F || $0 == 0x09 }) else {
      refuse(number, "it has letters beyond English ones, which the board's first program cannot read")
      return nil
    }
    guard let sign = plain.firstIndex(of: "=") else {
      refuse(number, "expected NAME=VALUE, or a comment that begins with #")
      return nil
    }
    let name = String(plain[..<sign])
    let value = String(plain[plain.index(after: sign)...])
    let tight = String(trimmed(name))
    guard names.contains(tight) else {
      let near = Spelling.nearest(to: tight, among: names).map { "; did you mean \($0)?" } ?? ""
      refuse(number, "there is no \(shownPlain(tight))\(near)")
      return nil
    }
    guard name == tight, value == String(trimmed(value)), text == plain else {
      refuse(number, "write \(tight)=\(trimmed(value)) without any blanks; U-Boot does not see it otherwise")
      return nil
    }
    return (name, value)
  }

  private mutating func refuse(_ line: Int, _ words: String) {
    guard mistakes.count < Self.mostMistakes else { return }
    mistakes.append(Mistake(line: line, words: words))
  }

  private mutating func part<Part: HeaderPart>(_ value: String, _ line: Int) -> Part? {
    guard let part = Part(rawValue: value) else {
      refuse(line, Self.wrong(Part.key, value, Part.allCases.map(\.rawValue)))
      return nil
    }
    for (pin, use) in part.pins { holders[pin] = "the \(Part.what) \(value) (\(use))" }
    return part
  }

  private mutating func take(_ name: String, _ value: String, _ line: Int) {
    switch name {
    case "panel_rotate":
      guard let degrees = wholeNumber(value), [0, 90, 180, 270].contains(degrees) else {
        refuse(line, Self.wrong(name, value, ["0", "90", "180", "270"]))
        return
      }
      turned = degrees
    case "name":
      guard 1...63 ~= value.utf8.count, value.unicodeScalars.allSatisfy(isPlain) else {
        refuse(line, "a name has from 1 to 63 letters, and no tab")
        return
      }
      self.name = value
    case "knob":
      let parts = value.split(separator: ",", omittingEmptySubsequences: false)
      guard 2...3 ~= parts.count else {
        refuse(line, "expected the knob's two pins and, if it has a switch, that pin: knob=11,13,15")
        return
      }
      knob = pins(parts, for: "the knob", line) ?? []
    case "ignition": ignition = pin(value, for: "the ignition", line)
    case "light": light = pin(value, for: "the panel's light", line)
    case "lamp": lamp = pin(value, for: "the lamp", line)
    default:
      let button = String(name.dropFirst(Self.buttonPrefix.count))
      guard let wire = pin(value, for: "the button \(button)", line) else { return }
      buttons.append(WiredButton(name: button, line: wire))
    }
  }

  private mutating func takeErasers(_ value: String, _ line: Int) {
    let names = value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let wired = buttons.map(\.name) + (knob.count == 3 ? ["knob"] : [])
    if let missing = names.first(where: { !wired.contains($0) }) {
      return refuse(line, "no line of this file says where the button \(shownPlain(String(missing.prefix(40)))) is")
    }
    guard 2...3 ~= Set(names).count, names.count == Set(names).count else {
      return refuse(line, "expected two or three buttons that are held together: \(Self.eraser)=back,mute")
    }
    eraseButtons = names
  }

  private mutating func pin(_ text: String, for holder: String, _ line: Int) -> String? {
    pins([Substring(text)], for: holder, line)?.first
  }

  /// All of them or none: half a knob is none.
  private mutating func pins(_ texts: [Substring], for holder: String, _ line: Int) -> [String]? {
    var found: [(pin: Int, line: String)] = []
    for text in texts {
      guard let pin = wholeNumber(text), 1...HeaderPin.highest ~= pin else {
        let shown = shownPlain(String(text.prefix(40)))
        refuse(line, "\(shown) is no pin; the header has pins 1 to \(HeaderPin.highest)")
        return nil
      }
      guard let lineName = HeaderPin.line(pin) else {
        refuse(line, "pin \(pin) is power or ground")
        return nil
      }
      if let other = HeaderPin.alwaysTaken(pin) ?? holders[pin] {
        refuse(line, "pin \(pin) is wanted by \(holder), and belongs to \(other)")
        return nil
      }
      guard !found.contains(where: { $0.pin == pin }) else {
        refuse(line, "pin \(pin) is named twice for \(holder)")
        return nil
      }
      found.append((pin, lineName))
    }
    for (pin, _) in found { holders[pin] = holder }
    return found.map(\.line)
  }

  private static func wrong(_ name: String, _ value: String, _ choices: [String]) -> String {
    let near = Spelling.nearest(to: value, among: choices).map { "did you mean \($0)? " } ?? ""
    let all = choices.joined(separator: ", ")
    return "\(name) cannot be \(shownPlain(String(value.prefix(40)))); \(near)it is one of \(all)"
  }
}
