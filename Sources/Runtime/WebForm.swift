/// `name=value&name=value`, as forms send it and addresses have it behind a `?`.
package struct WebForm: Sendable {
  private let fields: [ExactText: String]

  package static let mostFields = 40

  /// Nil when it is not UTF-8, has a broken `%XX` or a control character, or says a thing twice.
  package init?(_ text: String) {
    var fields: [ExactText: String] = [:]
    let parts = Array(text.utf8).split(separator: UInt8(ascii: "&"))
    guard parts.count <= Self.mostFields else { return nil }
    for part in parts {
      let halves = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decode(halves[0], plusIsSpace: true),
        let value = halves.count > 1 ? Self.decode(halves[1], plusIsSpace: true) : "",
        fields.updateValue(value, forKey: ExactText(name)) == nil
      else { return nil }
    }
    self.fields = fields
  }

  package subscript(name: String) -> String? { fields[ExactText(name)] }

  package var names: [String] { fields.keys.map(\.text) }

  /// Nil when it is not UTF-8, or has a broken `%XX` or a control character.
  package static func decode(_ text: some Collection<UInt8>, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(0x20)
      default: bytes.append(byte)
      }
    }
    guard !bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x37
    case 0x61...0x66: byte - 0x57
    default: nil
    }
  }
}
