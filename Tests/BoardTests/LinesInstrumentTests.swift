import Runtime
import Testing
import VirtualBoard

/// The hands are no part of what is tested, so Debian's own gpiomon says what they do.
@Suite("Hands, seen by gpiomon", .enabled(if: Board.isWanted, Board.whyNot))
struct LinesInstrumentTests {
  /// Writes an edge a line, until so many have come: when it was, the offset and whether it rose.
  private static func watch(_ board: VirtualBoard, _ lines: String, edges: Int) throws {
    try board.start(
      // It has to be as quick as the hands, or the kernel drops what it does not take.
      "exec chrt --fifo 5 gpiomon -b -n \(edges) -F '%s %n %o %e' $(gpiofind ENC_A | cut -d' ' -f1) \(lines)",
      into: "/tmp/edges")
    try board.waitUntil("gpiomon holds its lines") { () throws(Fault) in
      try board.shell("gpioinfo | grep -c 'used'").line != "0"
    }
  }

  private static func offset(_ board: VirtualBoard, _ name: String) throws -> String {
    try board.says("gpiofind \(name) | cut -d' ' -f2")
  }

  /// In the order of their times: of several lines, version 1 of the library reads one before the other.
  private static func edges(_ board: VirtualBoard) throws -> [String] {
    try board.says("sort -k1,1n -k2,2n /tmp/edges | cut -d' ' -f3-").split(separator: "\n").map(String.init)
  }

  @Test("a press is one falling and one rising edge of its line")
  func press() async throws {
    try await Board.with(.ready) { board in
      let line = try Self.offset(board, "BTN_PLAY")
      try Self.watch(board, line, edges: 2)
      try board.press(.play)
      try board.waitUntil("both edges are seen") { () throws(Fault) in
        try board.says("wc -l < /tmp/edges") == "2"
      }
      #expect(try Self.edges(board) == ["\(line) 0", "\(line) 1"])
    }
  }

  @Test("without a press there is no edge")
  func noPress() async throws {
    try await Board.with(.ready) { board in
      try Self.watch(board, try Self.offset(board, "BTN_PLAY"), edges: 2)
      try board.press(.next)
      try board.says("sleep 1")
      #expect(try board.says("wc -l < /tmp/edges") == "0")
    }
  }

  @Test("a thousand edges of the knob arrive, all of them and in order", arguments: [2_000, 500])
  func turns(pace: Int) async throws {
    try await Board.with(.ready) { board in
      let first = try Self.offset(board, "ENC_A")
      let second = try Self.offset(board, "ENC_B")
      try Self.watch(board, "\(first) \(second)", edges: 1_000)
      try board.make(Hands.spin(250, microseconds: pace))
      try board.waitUntil("all edges are seen") { () throws(Fault) in
        try board.says("wc -l < /tmp/edges") == "1000"
      }
      let seen = try Self.edges(board)
      let took = try board.says(
        "sort -k1,1n -k2,2n /tmp/edges | awk 'NR == 1 { s = $1 + $2 / 1e9 } END { print ($1 + $2 / 1e9 - s) }'")
      print("a thousand edges, \(pace) microseconds asked for between two: \(took) s")
      let detent = ["\(first) 0", "\(second) 0", "\(first) 1", "\(second) 1"]
      let expected = (0..<250).flatMap { _ in detent }
      let wrong = zip(seen, expected).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        seen.count == 1_000 && wrong == nil, "\(seen.count) edges, the first wrong one: \(String(describing: wrong))")
    }
  }
}
