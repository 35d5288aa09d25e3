import Runtime

/// Which content key a track is sealed with. It says nothing of the key, and stands in the clear.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
  package static let length = 16

  package let bytes: [UInt8]

  package init?(_ bytes: some Collection<UInt8>) {
    guard bytes.count == Self.length else { return nil }
    self.bytes = Array(bytes)
  }

  package init?(text: String) {
    guard let bytes = Base64.decodeURL(text) else { return nil }
    self.init(bytes)
  }

  package var description: String { Base64.encodeURL(bytes) }
}
