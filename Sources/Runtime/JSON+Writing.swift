/// The compact form: one line, no spaces, every character as itself but those that RFC 8259 wants escaped.
extension JSON: CustomStringConvertible {
  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package var bytes: [UInt8] {
    var line: [UInt8] = []
    write(to: &line)
    return line
  }

  private func write(to line: inout [UInt8]) {
    switch self {
    case .null: line += "null".utf8
    case .bool(let flag): line += (flag ? "true" : "false").utf8
    case .integer(let whole): line += whole.description.utf8
    // RFC 8259 knows no infinity. The shortest digits that give the same number back are Swift's own.
    case .number(let number): line += (number.isFinite ? number.description : "null").utf8
    case .text(let text): Self.write(text: text, to: &line)
    case .bytes(let bytes): Self.write(textBytes: bytes, to: &line)
    case .list(let items):
      line.append(UInt8(ascii: "["))
      for (place, item) in items.enumerated() {
        if place > 0 { line.append(UInt8(ascii: ",")) }
        item.write(to: &line)
      }
      line.append(UInt8(ascii: "]"))
    case .object(let object):
      line.append(UInt8(ascii: "{"))
      for (place, member) in object.members.enumerated() {
        if place > 0 { line.append(UInt8(ascii: ",")) }
        Self.write(text: member.key, to: &line)
        line.append(UInt8(ascii: ":"))
        member.value.write(to: &line)
      }
      line.append(UInt8(ascii: "}"))
    }
  }

  private static func write(text: String, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\""))
    for byte in text.utf8 { write(byte, to: &line) }
    line.append(UInt8(ascii: "\""))
  }

  private static func write(textBytes: [UInt8], to line: inout [UInt8]) {
    line.append(UInt8(ascii: "\""))
    var place = 0
    while place < textBytes.count {
      let length = scalarLength(in: textBytes, at: place)
      if length == 0 {
        line += "\\udc\(String(textBytes[place], radix: 16))".utf8
        place += 1
      } else {
        for byte in textBytes[place..<place + length] { write(byte, to: &line) }
        place += length
      }
    }
    line.append(UInt8(ascii: "\""))
  }

  private static func write(_ byte: UInt8, to line: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
    case UInt8(ascii: "\n"): line += "\\n".utf8
    case UInt8(ascii: "\r"): line += "\\r".utf8
    case UInt8(ascii: "\t"): line += "\\t".utf8
    case 0..<0x20: line += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
    default: line.append(byte)
    }
  }

  /// How many bytes the UTF-8 scalar at `place` has; 0 when what stands there is none (Unicode 15, table 3-7).
  static func scalarLength(in bytes: [UInt8], at place: Int) -> Int {
    let rest = bytes[place...].prefix(4)
    guard let first = rest.first else { return 0 }
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: length = 4
    default: return 0
    }
    guard rest.count >= length, second.contains(rest[place + 1]) else { return 0 }
    return rest[place..<place + length].dropFirst(2).allSatisfy { 0x80...0xBF ~= $0 } ? length : 0
  }
}
