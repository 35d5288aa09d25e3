extension JSON {
  package struct Limits: Sendable {
    package var depth = 32
    package var size = 1 << 20
    /// All of them, within each other too: two bytes of text can become a hundred of memory.
    package var values = 600_000

    package init(depth: Int = 32, size: Int = 1 << 20, values: Int = 600_000) {
      (self.depth, self.size, self.values) = (depth, size, values)
    }
  }

  /// One value and nothing behind it, as RFC 8259 has it. Stricter in two things: no key twice in an object, and a
  /// lone surrogate only where it stands for one byte of a file's name.
  package init(parsing bytes: [UInt8], limits: Limits = Limits()) throws(Fault) {
    guard bytes.count <= limits.size else {
      throw Fault(.malformed, "R-130", "the JSON is \(bytes.count) bytes long; at most \(limits.size) are taken")
    }
    var parser = JSONParser(bytes: bytes, limits: limits)
    self = try parser.whole()
  }

  package init(parsing text: String, limits: Limits = Limits()) throws(Fault) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }
}

/// Goes over the bytes once. Every complaint names the byte, counted from 1, at which it could not go on.
struct JSONParser {
  private let bytes: [UInt8]
  private let limits: JSON.Limits
  private var place = 0
  private var values = 0

  init(bytes: [UInt8], limits: JSON.Limits) { (self.bytes, self.limits) = (bytes, limits) }

  mutating func whole() throws(Fault) -> JSON {
    let value = try value(depth: 1)
    skipSpace()
    guard place == bytes.count else { throw wrong("expected nothing behind the value") }
    return value
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func wrong(_ what: String) -> Fault {
    let stands: String
    switch next {
    case nil: stands = "the end"
    case .some(let byte) where 0x21..<0x7F ~= byte: stands = "'\(Character(UnicodeScalar(byte)))'"
    case .some(let byte): stands = "byte 0x\(String(byte, radix: 16))"
    }
    return Fault(.malformed, "R-131", "JSON, byte \(place + 1): \(what), found \(stands)")
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { place += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func expect(_ character: Unicode.Scalar) throws(Fault) {
    guard take(character) else { throw wrong("expected '\(character)'") }
  }

  private mutating func value(depth: Int) throws(Fault) -> JSON {
    skipSpace()
    values += 1
    guard values <= limits.values else { throw wrong("expected no more than \(limits.values) values") }
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try list(depth: depth)
    case UInt8(ascii: "\""): return JSON(textBytes: try textBytes())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default: throw wrong("expected a value")
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(Fault) -> JSON {
    guard bytes[place...].starts(with: word.utf8) else { throw wrong("expected \(word)") }
    place += word.utf8.count
    return value
  }

  private mutating func list(depth: Int) throws(Fault) -> JSON {
    guard depth <= limits.depth else { throw wrong("expected no more than \(limits.depth) levels") }
    try expect("[")
    var items: [JSON] = []
    skipSpace()
    if take("]") { return .list(items) }
    while true {
      items.append(try value(depth: depth + 1))
      skipSpace()
      if take("]") { return .list(items) }
      guard take(",") else { throw wrong("expected ',' or ']'") }
    }
  }

  private mutating func object(depth: Int) throws(Fault) -> JSON {
    guard depth <= limits.depth else { throw wrong("expected no more than \(limits.depth) levels") }
    try expect("{")
    var members: [JSON.Object.Member] = []
    var keys: Set<ExactText> = []
    skipSpace()
    if take("}") { return .object(JSON.Object()) }
    while true {
      skipSpace()
      let start = place
      guard next == UInt8(ascii: "\"") else { throw wrong("expected a key in quotes") }
      guard let key = String(validating: try textBytes(), as: UTF8.self), keys.insert(ExactText(key)).inserted else {
        place = start
        throw wrong("expected a key in Unicode that is not there already")
      }
      skipSpace()
      try expect(":")
      members.append(JSON.Object.Member(key: key, value: try value(depth: depth + 1)))
      skipSpace()
      if take("}") { return .object(JSON.Object(distinct: members)) }
      guard take(",") else { throw wrong("expected ',' or '}'") }
    }
  }

  private mutating func number() throws(Fault) -> JSON {
    let start = place
    let negative = take("-")
    var whole = true
    if !take("0") { try digits() }
    if take(".") {
      whole = false
      try digits()
    }
    if take("e") || take("E") {
      whole = false
      if !take("+") { _ = take("-") }
      try digits()
    }
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    // "-0" is a number of its own and no integer.
    if whole, let integer = Int64(text), !(negative && integer == 0) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      place = start
      throw wrong("expected a number below 1.8e308")
    }
    return .number(number)
  }

  private mutating func digits() throws(Fault) {
    let start = place
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { place += 1 }
    guard place > start else { throw wrong("expected a digit") }
  }

  private mutating func textBytes() throws(Fault) -> [UInt8] {
    try expect("\"")
    var text: [UInt8] = []
    while true {
      guard let byte = next, byte >= 0x20 else { throw wrong("expected text up to a quote") }
      if take("\"") { return text }
      if take("\\") {
        try escape(onto: &text)
        continue
      }
      let length = JSON.scalarLength(in: bytes, at: place)
      guard length > 0 else { throw wrong("expected UTF-8") }
      text += bytes[place..<place + length]
      place += length
    }
  }

  private mutating func escape(onto text: inout [UInt8]) throws(Fault) {
    guard let letter = next else { throw wrong("expected an escape") }
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(letter)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      place += 1
      return try unicode(onto: &text)
    default: throw wrong("expected one of \"\\/bfnrtu")
    }
    place += 1
  }

  private mutating func unicode(onto text: inout [UInt8]) throws(Fault) {
    let start = place
    let unit = try fourDigits()
    if 0xDC80...0xDCFF ~= unit {
      text.append(UInt8(unit - 0xDC00))
      return
    }
    var value = UInt32(unit)
    if 0xD800...0xDBFF ~= unit, take("\\"), take("u"), case let low = try fourDigits(), 0xDC00...0xDFFF ~= low {
      value = 0x10000 + (UInt32(unit - 0xD800) << 10) + UInt32(low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else {
      place = start
      throw wrong("expected a character, not half of one")
    }
    text += Character(scalar).utf8
  }

  private mutating func fourDigits() throws(Fault) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(UnicodeScalar(byte)).hexDigitValue else {
        throw wrong("expected four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
      place += 1
    }
    return unit
  }
}
