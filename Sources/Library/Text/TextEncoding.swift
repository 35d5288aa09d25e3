/// How a text's bytes say its characters. Files of the last thirty years do not tell, or tell wrongly.
///
/// Decoding is ours because the image leaves the C library's converters out, and because a wrong guess must be told by
/// bytes that make no sense: what is not valid is no text.
package enum TextEncoding: String, CaseIterable, Sendable {
  case utf8, utf16, latin1, cp1252, cp1251, koi8r, shiftJIS, gbk, big5, eucKR

  /// Nil when the bytes are not valid in it. Control characters are left out, a line's end is a space.
  /// - Parameter cut: the bytes may have been cut off in the middle of a character, as a field of ID3v1 is; what is left
  ///   of it is left out.
  package func text(_ bytes: some Collection<UInt8>, cut: Bool = false) -> String? {
    let read = bytes.withContiguousStorageIfAvailable { decoded($0, cut) }
    return read ?? Array(bytes).withUnsafeBufferPointer { decoded($0, cut) }
  }

  private func decoded(_ bytes: UnsafeBufferPointer<UInt8>, _ cut: Bool) -> String? {
    switch self {
    case .utf8: Self.utf8(bytes, cut)
    case .utf16: Self.utf16(bytes, cut)
    case .latin1: Self.single(bytes, nil)
    case .cp1252: Self.single(bytes, .windowsWestern)
    case .cp1251: Self.single(bytes, .windowsCyrillic)
    case .koi8r: Self.single(bytes, .koi)
    case .shiftJIS: Self.double(bytes, .shiftJIS, cut, alone: Self.shiftJISAlone)
    case .gbk: Self.double(bytes, .gbk, cut) { $0 == 0x80 ? 0x20AC : nil }
    case .big5: Self.double(bytes, .big5, cut) { _ in nil }
    case .eucKR: Self.double(bytes, .korean, cut) { _ in nil }
    }
  }

  /// Half-width katakana are one byte.
  private static func shiftJISAlone(_ byte: UInt8) -> UInt32? {
    (0xA1...0xDF).contains(byte) ? 0xFF61 + UInt32(byte - 0xA1) : nil
  }

  private static func single(_ bytes: UnsafeBufferPointer<UInt8>, _ table: SingleByteTable?) -> String? {
    var text = VisibleText(reserving: 2 * bytes.count)
    for byte in bytes {
      guard byte >= 0x80, let table else {
        text.append(UInt32(byte))
        continue
      }
      let unit = table[byte]
      if unit == 0 { return nil }
      text.append(UInt32(unit))
    }
    return text.text
  }

  private static func double(
    _ bytes: UnsafeBufferPointer<UInt8>, _ table: DoubleByteTable, _ cut: Bool, alone: (UInt8) -> UInt32?
  ) -> String? {
    var text = VisibleText(reserving: 2 * bytes.count)
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte < 0x80 {
        text.append(UInt32(byte))
      } else if let value = alone(byte) {
        text.append(value)
      } else if place < bytes.count {
        let unit = table.unit(byte, bytes[place])
        place += 1
        if unit == 0 { return nil }
        text.append(UInt32(unit))
      } else if !cut || byte == 0x80 || byte == 0xFF {
        return nil
      }
    }
    return text.text
  }

  private static func utf8(_ bytes: UnsafeBufferPointer<UInt8>, _ cut: Bool) -> String? {
    var text = VisibleText(reserving: bytes.count)
    var decoder = UTF8()
    let whole = bytes.dropLast(cut ? UTF8Bytes.cutOff(bytes) : 0)
    var left = UnsafeBufferPointer(rebasing: whole).makeIterator()
    while true {
      switch decoder.decode(&left) {
      case .scalarValue(let scalar): text.append(scalar.value)
      case .emptyInput: return text.text
      case .error: return nil
      }
    }
  }

  /// Without a mark the zero bytes of spaces and Latin letters tell which comes first; where there are none the standard
  /// says the high byte.
  private static func utf16(_ bytes: UnsafeBufferPointer<UInt8>, _ cut: Bool) -> String? {
    var bytes = bytes
    // Fields end with one zero byte where there ought to be two.
    if bytes.count % 2 == 1 {
      guard cut || bytes.last == 0 else { return nil }
      bytes = UnsafeBufferPointer(rebasing: bytes.dropLast())
    }
    var zeros = (high: 0, low: 0)
    for place in stride(from: 0, to: bytes.count, by: 2) {
      if bytes[place] == 0 { zeros.high += 1 }
      if bytes[place + 1] == 0 { zeros.low += 1 }
    }
    var highFirst = zeros.high >= zeros.low
    if bytes.count >= 2, bytes[0] == 0xFE, bytes[1] == 0xFF { highFirst = true }
    if bytes.count >= 2, bytes[0] == 0xFF, bytes[1] == 0xFE { highFirst = false }
    var text = VisibleText(reserving: 2 * bytes.count)
    var lead: UInt32?
    for place in stride(from: 0, to: bytes.count, by: 2) {
      let (one, two) = (UInt32(bytes[place]), UInt32(bytes[place + 1]))
      let unit = highFirst ? one << 8 | two : two << 8 | one
      if let high = lead {
        guard (0xDC00...0xDFFF).contains(unit) else { return nil }
        text.append(0x1_0000 + (high - 0xD800) << 10 + (unit - 0xDC00))
        lead = nil
      } else if (0xD800...0xDBFF).contains(unit) {
        lead = unit
      } else if (0xDC00...0xDFFF).contains(unit) {
        return nil
      } else {
        text.append(unit)
      }
    }
    return lead == nil || cut ? text.text : nil
  }
}
