/// A server's name for one version of a file. Only a strong one says that two versions are the same byte for byte; a weak
/// one says that they look alike, which is not enough to put one's end to the other's beginning.
package struct EntityTag: Equatable, Sendable {
  /// With its quotes, as it is sent back.
  package let text: String
  package let isWeak: Bool

  /// Nil for what is no tag in due form: some servers leave the quotes away, and then nothing is certain.
  package init?(_ value: String) {
    var bytes = value.utf8[...]
    let weak = bytes.starts(with: "W/".utf8)
    if weak { bytes = bytes.dropFirst(2) }
    guard (2...Self.longest).contains(bytes.count), bytes.first == Self.quote, bytes.last == Self.quote else {
      return nil
    }
    for byte in bytes.dropFirst().dropLast() {
      guard byte > 0x20, byte != Self.quote, byte != 0x7F else { return nil }
    }
    text = String(Substring(bytes))
    isWeak = weak
  }

  private static let quote = UInt8(ascii: "\"")
  /// Nobody needs more to tell versions apart.
  private static let longest = 512
}
