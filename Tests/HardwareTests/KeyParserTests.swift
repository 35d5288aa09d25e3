import Hardware
import TestSupport
import Testing

@Suite("Keys from a terminal's bytes")
struct KeyParserTests {
  private static let escape = "\u{1B}"

  static let table: [(bytes: String, keys: [Key])] = [
    ("a", [.character("a")]),
    ("q ?", [.character("q"), .character(" "), .character("?")]),
    ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}\u{08}", [.backspace, .backspace]),
    ("\u{03}", [.control("c")]), ("\u{01}", [.control("a")]), ("\u{00}", []),
    ("\(escape)[A\(escape)[B\(escape)[C\(escape)[D", [.up, .down, .right, .left]),
    ("\(escape)OA\(escape)OB\(escape)OC\(escape)OD", [.up, .down, .right, .left]),
    ("\(escape)[H\(escape)[F\(escape)[1~\(escape)[4~", [.home, .end, .home, .end]),
    ("\(escape)[7~\(escape)[8~\(escape)[3~", [.home, .end, .delete]),
    ("\(escape)[5~\(escape)[6~", [.pageUp, .pageDown]),
    ("\(escape)[1;5A\(escape)[5;2~", [.up, .pageUp]),
    ("\(escape)OM", [.enter]),
    // Nobody's key: function keys, of the Linux console too; answers; focus; a mouse report in SGR form.
    ("\(escape)[15~\(escape)OP\(escape)[[Ax", [.character("x")]),
    ("\(escape)[?62;4cx\(escape)[Ix\(escape)[<0;3;4Mx", [.character("x"), .character("x"), .character("x")]),
    ("\(escape)]11;rgb:00/00/00\u{07}x", [.character("x")]),
    ("\(escape)]11;rgb:00/00/00\(escape)\\x", [.character("x")]),
    ("\(escape)P1$r0m\(escape)\\x", [.character("x")]),
    // Letters beyond ASCII, and letters held with Alt.
    ("é日🎵x", [.character("x")]), ("\(escape)qx", [.character("x")]),
    // ESC pressed, then a cursor key.
    ("\(escape)\(escape)[A", [.escape, .up]),
    // Sequences that break off.
    ("\(escape)[1\(escape)[A", [.up]), ("\(escape)[1\rx", [.enter, .character("x")]),
    ("\(escape)[\u{03}", [.control("c")]), ("\(escape)]x\u{03}", [.control("c")]), ("\(escape)\u{03}", [.control("c")]),
    ("\(escape)[12\u{18}A", [.character("A")]),
    // Longer than any key's, and yet only one sequence.
    ("\(escape)[" + String(repeating: "1", count: 100_000) + "Ax", [.character("x")]),
  ]

  @Test("each sequence is the key that terminals mean by it", arguments: table.indices)
  func meaning(row: Int) {
    var parser = KeyParser()
    #expect(parser.take(Self.table[row].bytes.utf8) == Self.table[row].keys)
    #expect(!parser.isWaiting)
  }

  @Test("ESC alone is a key only after a pause")
  func loneEscape() {
    var parser = KeyParser()
    #expect(parser.take([0x1B]) == [])
    #expect(parser.isWaiting)
    #expect(parser.pause() == .escape)
    #expect(!parser.isWaiting && parser.pause() == nil)
    #expect(parser.take("[A".utf8) == [.character("["), .character("A")])
  }

  @Test("a sequence that never ends is forgotten after a pause", arguments: ["[", "[1;", "O", "]11;rgb", "[["])
  func broken(rest: String) {
    var parser = KeyParser()
    #expect(parser.take([0x1B] + rest.utf8) == [])
    #expect(parser.pause() == nil)
    #expect(parser.take("n".utf8) == [.character("n")])
  }

  @Test("a message of the terminal that has no end does not swallow keys for ever")
  func endlessMessage() {
    var parser = KeyParser()
    _ = parser.take([0x1B] + "]".utf8 + [UInt8](repeating: 0x61, count: 5000))
    #expect(parser.take("n".utf8) == [.character("n")])
  }

  /// Bytes of which many belong to sequences.
  private static func noise(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    let likely = Array("\u{1B}\u{1B}[[O];~1A5CDq\u{03}\u{07}\\P\u{18}".utf8)
    return (0..<count).map { _ in
      Bool.random(using: &generator)
        ? likely[Int.random(in: likely.indices, using: &generator)]
        : UInt8.random(in: 0...255, using: &generator)
    }
  }

  @Test("however bytes are cut into reads, the keys are the same, and never more than bytes")
  func splits() {
    for seed in UInt64(1)...300 {
      var generator = SeededGenerator(seed: seed)
      let bytes = Self.noise(Int.random(in: 0...200, using: &generator), &generator)
      var whole = KeyParser()
      let keys = whole.take(bytes)
      #expect(keys.count <= bytes.count, "seed \(seed)")
      for cut in 0...bytes.count {
        var parser = KeyParser()
        #expect(parser.take(bytes[..<cut]) + parser.take(bytes[cut...]) == keys, "seed \(seed), cut at \(cut)")
      }
    }
  }

  @Test("Ctrl-C gets out of whatever came before, and a plain key works after it")
  func wayOut() {
    for seed in UInt64(1)...1000 {
      var generator = SeededGenerator(seed: seed)
      var parser = KeyParser()
      _ = parser.take(Self.noise(Int.random(in: 0...50, using: &generator), &generator))
      #expect(parser.take([0x03]) == [.control("c")], "seed \(seed)")
      #expect(parser.take("n".utf8) == [.character("n")], "seed \(seed)")
    }
  }
}

@Suite("The desk's keys")
struct DeskKeysTests {
  @Test("no key stands in two rows")
  func distinct() {
    let keys = DeskKeys.rows.flatMap(\.keys)
    #expect(Set(keys).count == keys.count)
    for row in DeskKeys.rows { for key in row.keys { #expect(DeskKeys.input(for: key) == row.input) } }
  }

  @Test("the knob turns both ways, and there is a way out")
  func knob() {
    #expect(DeskKeys.input(for: .right) == .turn(1) && DeskKeys.input(for: .left) == .turn(-1))
    #expect(DeskKeys.input(for: .character("q")) == .quit && DeskKeys.input(for: .control("c")) == .quit)
    #expect(DeskKeys.input(for: .character("z")) == nil)
  }

  @Test("each button is found by its name, whatever the case")
  func names() {
    for button in Button.allCases {
      #expect(Button(named: button.name) == button && Button(named: button.name.uppercased()) == button)
    }
    #expect(Button(named: "nonsense") == nil && Button(named: "") == nil)
  }
}
