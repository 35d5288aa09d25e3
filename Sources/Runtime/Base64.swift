/// Bytes in a line of text (RFC 4648, with padding).
package enum Base64 {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? letters[Int(bits >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil when it is not what `encode` writes.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    guard characters.count % 4 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.count / 4 * 3)
    for start in stride(from: 0, to: characters.count, by: 4) {
      let group = characters[start..<start + 4]
      let data = group.prefix { $0 != UInt8(ascii: "=") }
      let values = data.compactMap { value(of: $0) }
      guard values.count == data.count, data.count >= 2, data.count == 4 || start + 4 == characters.count,
        group[(start + data.count)...].allSatisfy({ $0 == UInt8(ascii: "=") })
      else { return nil }
      let bits = values.reduce(0) { $0 << 6 | UInt32($1) } << UInt32(6 * (4 - values.count))
      // Bits that belong to no byte are zero, or two texts would mean the same.
      guard bits & (1 << UInt32(8 * (4 - values.count)) - 1) == 0 else { return nil }
      for place in 0..<values.count - 1 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(16 - 8 * place))) }
    }
    return bytes
  }

  /// For web addresses and signed documents (RFC 4648, 5): `-` and `_` in place of `+` and `/`, and nothing at the end.
  package static func encodeURL(_ bytes: [UInt8]) -> String {
    let plain = encode(bytes).utf8.compactMap { byte -> UInt8? in
      switch byte {
      case UInt8(ascii: "+"): UInt8(ascii: "-")
      case UInt8(ascii: "/"): UInt8(ascii: "_")
      case UInt8(ascii: "="): nil
      default: byte
      }
    }
    return String(decoding: plain, as: UTF8.self)
  }

  /// Nil when it is not what `encodeURL` writes.
  package static func decodeURL(_ text: String) -> [UInt8]? { decodeURL(Array(text.utf8)[...]) }

  package static func decodeURL(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    var plain: [UInt8] = []
    for byte in text {
      switch byte {
      case UInt8(ascii: "-"): plain.append(UInt8(ascii: "+"))
      case UInt8(ascii: "_"): plain.append(UInt8(ascii: "/"))
      case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
      default: plain.append(byte)
      }
    }
    while plain.count % 4 != 0 { plain.append(UInt8(ascii: "=")) }
    return decode(String(decoding: plain, as: UTF8.self))
  }

  /// What the letters stand for, up to the first that is none: of a file that may end too early, what there is.
  package static func append(_ letters: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
    var bits: UInt32 = 0
    var count = 0
    for letter in letters {
      guard let value = value(of: letter) else { break }
      bits = bits << 6 | UInt32(value)
      count += 1
      if count % 4 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
      }
    }
    if count % 4 >= 2 { bytes.append(UInt8(truncatingIfNeeded: bits >> (count % 4 == 2 ? 4 : 10))) }
    if count % 4 == 3 { bytes.append(UInt8(truncatingIfNeeded: bits >> 2)) }
  }

  private static func value(of character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
