/// A request as it came, within its bounds. The body is empty until all of it has come.
package struct WebRequest: Sendable {
  package let method: String
  /// What stands before the `?`, not decoded.
  package let path: String
  /// What stands behind the `?`, not decoded; nil without one.
  package let query: String?
  package let headers: [(name: String, value: String)]
  /// Of whoever is connected: `192.0.2.7`, `2001:db8::1`.
  package let peer: String
  package internal(set) var body: [UInt8] = []

  init(_ method: String, address: String, headers: [(name: String, value: String)], peer: String) {
    self.method = method
    let bytes = address.utf8
    if let mark = bytes.firstIndex(of: UInt8(ascii: "?")) {
      path = String(decoding: bytes[..<mark], as: UTF8.self)
      query = String(decoding: bytes[bytes.index(after: mark)...], as: UTF8.self)
    } else {
      (path, query) = (address, nil)
    }
    (self.headers, self.peer) = (headers, peer)
  }

  /// Nil when it is not there, or is there more than once: two readers could each believe another one.
  package func header(_ name: String) -> String? {
    let found = headers.filter { Self.areAlike($0.name, name) }
    return found.count == 1 ? found.first?.value : nil
  }

  /// The media type of the body without its parameters, in small letters.
  package var mediaType: String {
    let type = (header("Content-Type") ?? "").utf8.prefix { $0 != UInt8(ascii: ";") }
    let bytes = type.filter { $0 > 0x20 }.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// As headers' names are: without regard to the case of ASCII's letters.
  private static func areAlike(_ one: String, _ other: String) -> Bool {
    guard one.utf8.count == other.utf8.count else { return false }
    return zip(one.utf8, other.utf8).allSatisfy { left, right in
      left == right || (left ^ right == 0x20 && (0x61...0x7A).contains(left | 0x20))
    }
  }
}
