import Runtime
import TestSupport
import Testing

@Suite("JSON")
struct JSONTests {
  @Test(
    "a text and its value",
    arguments: [
      ("null", nil), (" true ", true), ("false", false), ("0", 0), ("-12", -12),
      ("9223372036854775807", 9_223_372_036_854_775_807),
      ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.0", 1.0), ("-2.5e-3", -0.0025), ("1E2", 100.0),
      ("-0", .number(-0.0)), (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9é""#, "éé"),
      (#""\ud83d\udc80""#, "💀"), (#""\u0000""#, "\0"), ("[]", []), ("[1,[2 , \"3\"]]", [1, [2, "3"]]), ("{}", [:]),
      (#"{"b":1 , "a":{"c":null}}"#, ["b": 1, "a": ["c": nil]]), (#""\udcff""#, .bytes([0xFF])),
      (#""\udcc3\udca9""#, "é"),
    ] as [(String, JSON)])
  func parses(text: String, value: JSON) throws {
    #expect(try JSON(parsing: text) == value)
    #expect(try JSON(parsing: value.bytes) == value)
  }

  @Test("keys and texts are compared by their bytes, which costs what other bytes cost")
  func bytes() throws {
    let both = try JSON(parsing: #"{"\#u{E9}":1,"e\#u{301}":2}"#)
    #expect(both["\u{E9}"] == 1 && both["e\u{301}"] == 2)
    #expect(JSON("\u{E9}") != JSON("e\u{301}"))
    func ask(_ key: String) throws {
      let json = try JSON(parsing: #"{"\#(key)":"\#(key)"}"#)
      for _ in 0..<20 where json["format"] != nil || json.members?[0].value == "format" { Issue.record("it is not") }
    }
    let marks = combiningMarks(bytes: 200_000)
    let plain = String(repeating: "a", count: marks.utf8.count)
    #expect(try timesAsLong({ try ask(marks) }, as: { try ask(plain) }) < 20)
  }

  @Test(
    "what RFC 8259 does not allow is refused, and the place is named",
    arguments: [
      ("", 1), (" ", 2), ("nul", 1), ("[1,]", 4), ("[1 2]", 4), ("{\"a\"}", 5), ("{\"a\":1,}", 8), ("{a:1}", 2),
      ("01", 2),
      ("+1", 1), ("1.", 3), (".5", 1), ("1e", 3), ("-", 2), ("1e999", 1), ("\"", 2), ("\"\n\"", 2), (#""\x""#, 3),
      (#""\u12g4""#, 6), (#""\ud83d""#, 4), (#""\udc7f""#, 4), (#""\ud83d\u0041""#, 4), ("1 1", 3), ("NaN", 1),
      ("\u{FEFF}1", 1), (#"{"a":1,"a":2}"#, 8), (#"{"\udcff":1}"#, 2), ("[\"a\"", 5), ("'a'", 1), ("[1]]", 4),
      ("//\n1", 1),
    ])
  func refuses(text: String, byte: Int) throws {
    let fault = try faultOf { try JSON(parsing: text) }
    #expect(fault.kind == .malformed)
    #expect(fault.message.hasPrefix("JSON, byte \(byte): "), "\(fault.message)")
  }

  @Test("bytes that are not UTF-8 are refused in the text itself")
  func refusesBytes() {
    for bytes: [UInt8] in [
      [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22],
    ] {
      #expect(throws: Fault.self) { try JSON(parsing: bytes) }
    }
  }

  @Test("values are counted wherever they stand, whatever they are")
  func count() throws {
    let five = JSON.Limits(values: 5)
    for text in ["[1,2,3,4]", "[[[[[]]]]]", #"{"a":1,"b":2,"c":3,"d":4}"#, #"[{"a":[]},{"a":""}]"#] {
      #expect(throws: Never.self, "\(text)") { try JSON(parsing: text, limits: five) }
    }
    for text in ["[1,2,3,4,5]", "[[[[[[]]]]]]", #"{"a":1,"b":2,"c":3,"d":4,"e":5}"#, #"[{"a":[]},{"a":""},0]"#] {
      #expect(try faultOf { try JSON(parsing: text, limits: five) }.message.contains("5 values"), "\(text)")
    }
  }

  @Test("depth and size are bounded")
  func bounds() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    _ = try JSON(parsing: nested(32))
    #expect(throws: Fault.self) { try JSON(parsing: nested(33)) }
    #expect(throws: Fault.self) { try JSON(parsing: String(repeating: "{\"a\":", count: 100_000)) }
    #expect(throws: Fault.self) { try JSON(parsing: "[\(String(repeating: " ", count: 1 << 20))]") }
  }

  @Test("every path comes back, byte for byte, and is written as UTF-8 for others to read")
  func paths() throws {
    let seed: UInt64 = 20_261_121
    var generator = SeededGenerator(seed: seed)
    let pieces: [[UInt8]] = [
      [0xED, 0xB2, 0x80], [0xF4, 0x90, 0x80, 0x80], Array("é💀".utf8), [0xE2, 0x82], [0x5C, 0x22, 0x1F],
    ]
    for round in 0..<5_000 {
      var bytes: [UInt8] = [0x2F]
      for _ in 0..<Int.random(in: 0..<24, using: &generator) {
        if Bool.random(using: &generator) {
          bytes.append(.random(in: 1...255, using: &generator))
        } else {
          bytes += pieces.randomElement(using: &generator) ?? []
        }
      }
      let path = try #require(FilePath(bytes: bytes))
      let written = JSON(path: path).bytes
      #expect(String(validating: written, as: UTF8.self) != nil)
      #expect(try JSON(parsing: written).path == path, "seed \(seed), round \(round), bytes \(bytes)")
    }
    #expect(JSON(path: FilePath("/é")).description == #""/é""#)
    #expect(JSON.bytes([0x2F, 0xE9, 0x41]).description == #""/\udce9A""#)
  }

  @Test("every value comes back as it was written")
  func roundTrips() throws {
    let seed: UInt64 = 99
    var generator = SeededGenerator(seed: seed)
    for round in 0..<2_000 {
      let value = random(depth: 0, using: &generator)
      #expect(try JSON(parsing: value.bytes) == value, "seed \(seed), round \(round)")
    }
  }

  @Test("mutilated texts never crash the parser")
  func mutilated() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<5_000 {
      var bytes = random(depth: 0, using: &generator).bytes
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
      }
      if let value = try? JSON(parsing: bytes) { #expect(try JSON(parsing: value.bytes) == value) }
    }
  }

  @Test("infinity is written as null, members are found by key and keep their order")
  func members() {
    #expect(JSON.number(.infinity).description == "null")
    var object = JSON.Object([("b", 1), ("a", 2)])
    object["b"] = 3
    object["c"] = [true]
    #expect(JSON.object(object).description == #"{"b":3,"a":2,"c":[true]}"#)
    #expect(JSON.object(object)["a"]?.whole == 2)
    #expect(JSON.object(object)["x"] == nil)
  }

  private func random(depth: Int, using generator: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth < 4 ? 9 : 7), using: &generator) {
    case 0: return .null
    case 1: return .bool(.random(using: &generator))
    case 2: return .integer(Int64(bitPattern: generator.next()))
    case 3:
      let number = Double(bitPattern: generator.next())
      return .number(number.isFinite ? number : 0.1)
    case 4, 5:
      return JSON(textBytes: (0..<6).map { _ in .random(in: 0...255, using: &generator) })
    case 6:
      return .text(String((0..<5).map { _ in Character(Unicode.Scalar(.random(in: 0...127, using: &generator))) }))
    case 7: return .list((0..<3).map { _ in random(depth: depth + 1, using: &generator) })
    default:
      let members = (0..<3).map { ("k\($0)", random(depth: depth + 1, using: &generator)) }
      return .object(JSON.Object(members))
    }
  }
}
