import Remote
import Runtime
import TestSupport
import Testing

@Suite("Request")
struct RequestTests {
  @Test("what a client writes is what is read, names that are not UTF-8 too")
  func roundTrip() throws {
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      let arguments = (0..<Int.random(in: 0...5, using: &random)).map { _ in
        JSON(
          textBytes: (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 1...255, using: &random) }
        )
      }
      let request = Request(verb: "queue \(seed)\"\\", arguments: arguments)
      #expect(request.line.last == 0x0A && !request.line.dropLast().contains(0x0A))
      #expect(try Request(line: request.line.dropLast()) == request, "seed \(seed)")
    }
  }

  @Test(
    "what is no request is refused",
    arguments: [
      "", " ", "play", "{", "{}", "[]", "null", "7", #"{"verb":}"#, #"{"verb":7}"#, #"{"verb":null}"#, #"["verb"]"#,
      #"{"verb":"play"} x"#, #"{"verb":"play""#, #"{"VERB":"play"}"#, #"{"verb":"a","arguments":[[[[[1]]]]]}"#,
    ])
  func refused(text: String) {
    #expect(throws: Fault.self) { try Request(line: Array(text.utf8)) }
  }

  @Test("arguments are bounded; what is no list of them is refused, and not taken for none")
  func bounds() throws {
    let many = Request(verb: "queue", arguments: [JSON](repeating: 1, count: Request.argumentLimit + 1))
    #expect(try faultOf { try Request(line: many.line.dropLast()) }.code == "X-102")
    #expect(try Request(line: Array(#"{"verb":"a"}"#.utf8)).arguments.isEmpty)
    for given in [#"{"b":1}"#, #""off""#, "1", "null"] {
      let line = Array(#"{"verb":"a","arguments":\#(given)}"#.utf8)
      #expect(try faultOf { try Request(line: line) }.code == "X-105", "\(given)")
    }
  }

  @Test("rubbish is refused or read, and ends nothing")
  func rubbish() throws {
    let good = Request(verb: "queue", arguments: ["add", "/music/a \"b\".flac", 1.5, true, nil]).line.dropLast()
    var read = 0
    for seed in UInt64(1)...20_000 {
      var random = SeededGenerator(seed: seed)
      var line = Array(good)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<max(line.count, 1), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where !line.isEmpty: line[place] = UInt8.random(in: 0...255, using: &random)
        case 1 where !line.isEmpty: line.remove(at: place)
        case 2: line.insert(Array("{}[]\",:\\0e-u".utf8).randomElement(using: &random) ?? 0, at: min(place, line.count))
        default: line = Array(line.prefix(place))
        }
      }
      guard let request = try? Request(line: line) else { continue }
      read += 1
      #expect(try Request(line: request.line.dropLast()) == request, "seed \(seed)")
    }
    #expect(read > 0)
  }

  @Test("a refusal comes through as the fault it was")
  func refusal() {
    let fault = Fault(.full, "S-1", "no space on \"/a\"")
    #expect(Response.fault(in: Response.refused(fault)) == fault)
    #expect(Response.fault(in: Response.done([("a", 1)])) == nil)
    #expect(Response.fault(in: [:])?.code == "X-103")
    #expect(Response.fault(in: ["ok": "yes"]) != nil)
  }
}

@Suite("Line reader")
struct LineReaderTests {
  @Test("the lines are the same however the bytes arrive, and none up to the limit is refused")
  func chunks() throws {
    for seed in UInt64(1)...500 {
      var random = SeededGenerator(seed: seed)
      var lines: [[UInt8]] = []
      for _ in 0..<8 {
        let count = [0, 1, 63, 64, Int.random(in: 0...64, using: &random)].randomElement(using: &random) ?? 0
        lines.append((0..<count).map { _ in UInt8.random(in: 11...255, using: &random) })
      }
      var bytes = Array(lines.map { $0 + [0x0A] }.joined())[...]
      var reader = LineReader(limit: 64)
      var read: [[UInt8]] = []
      while !bytes.isEmpty {
        let count = Int.random(in: 1...min(bytes.count, 100), using: &random)
        try reader.add(bytes.prefix(count))
        bytes = bytes.dropFirst(count)
        while let line = reader.next() { read.append(line) }
      }
      #expect(read == lines, "seed \(seed)")
    }
  }

  @Test("a longer one is refused before its end has come, and with it")
  func limit() {
    var growing = LineReader(limit: 10)
    #expect(throws: Fault.self) { for _ in 0..<11 { try growing.add([0x61]) } }
    var whole = LineReader(limit: 10)
    #expect(throws: Fault.self) { try whole.add(Array("12345678901\n".utf8)) }
  }
}

@Suite("Seek target")
struct SeekTargetTests {
  @Test(
    "times that people write",
    arguments: [
      ("0", SeekTarget.to(.zero)), ("90", .to(.seconds(90))), ("1:30", .to(.seconds(90))), ("0:05", .to(.seconds(5))),
      ("1:02:03.5", .to(.milliseconds(3_723_500))), ("2.25", .to(.milliseconds(2_250))),
      ("2.2509", .to(.milliseconds(2_250))), ("+10", .by(.seconds(10))), ("-1:00", .by(.seconds(-60))),
      ("100:00:00", .to(.seconds(360_000))),
    ])
  func times(text: String, expected: SeekTarget) { #expect(SeekTarget(text) == expected) }

  @Test(
    "and what is none",
    arguments: [
      "", "+", "-", "++5", "+-5", "--5", "1:+5", "1:-0", ":", "1:", ":1", "1::2", "1:60", "1:2:3:4", "1.5:00", ".5",
      "5.",
      "1.2.3", "5.x", "x", " 5", "5 ", "٣", "1e3", "99999999", "100:00:01", "1:99999999:00", "5.٣",
    ])
  func rubbish(text: String) { #expect(SeekTarget(text) == nil) }
}

@Suite("Base64")
struct Base64Tests {
  @Test(
    "the standard's examples",
    arguments: [
      ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
      ("foobar", "Zm9vYmFy"),
    ])
  func standard(plain: String, text: String) {
    #expect(Base64.encode(Array(plain.utf8)) == text)
    #expect(Base64.decode(text) == Array(plain.utf8))
  }

  @Test("there and back, whatever the bytes")
  func roundTrip() {
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      let bytes = (0..<Int(seed)).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    }
  }

  @Test("only what is written is read: each text means other bytes")
  func canonical() {
    let letters = Array("AQgwZm9v+/==-_ \n")
    var read = 0
    for seed in UInt64(1)...50_000 {
      var random = SeededGenerator(seed: seed)
      let text = String(
        (0..<Int.random(in: 1...8, using: &random)).compactMap { _ in letters.randomElement(using: &random) })
      guard let bytes = Base64.decode(text) else { continue }
      read += 1
      #expect(Base64.encode(bytes) == text)
    }
    #expect(read > 100)
  }
}
