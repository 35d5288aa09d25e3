import Runtime
import Testing
import VirtualBoard

@Suite("A program that crashes again and again", .enabled(if: Board.isWanted, Board.whyNot))
struct CrashLoopTests {
  static func crash(_ board: VirtualBoard) throws {
    let before = try board.says("systemctl show -P NRestarts layby")
    try board.says("systemctl kill -s SEGV layby")
    try board.waitUntil("it is started again") { () throws(Fault) in
      try board.says("systemctl show -P NRestarts layby") != before
    }
    try board.waitUntil("it answers") { () throws(Fault) in try board.state() != nil }
  }

  private static func isSafe(_ board: VirtualBoard) throws -> Bool {
    try board.status()["safe_mode"]?.truth == true
  }

  /// When the present run began, in seconds of the board's own clock.
  private static func began(_ board: VirtualBoard) throws -> Double {
    let text = try board.says("systemctl show -P ExecMainStartTimestampMonotonic layby")
    return try #require(Double(text), "no moment: \(text)") / 1_000_000
  }

  @Test("is in safe mode from its third crash within a minute on, and out of it when it was switched off and on")
  func safeMode() async throws {
    try await Board.with(.playing) { board in
      #expect(try !Self.isSafe(board))
      var starts: [Double] = []
      while try !Self.isSafe(board), starts.count < 10 {
        if starts.count >= 3 {
          // A crash counts from the start after it. The minute is the board's, and a slow one has fewer crashes in it.
          let span = starts[starts.count - 1] - starts[starts.count - 3]
          #expect(span > 55, "three crashes within \(span) s, and no safe mode")
          print("three crashes took the board \(span) s: one more")
        }
        try Self.crash(board)
        starts.append(try Self.began(board))
      }
      #expect(try Self.isSafe(board), "not after \(starts.count) crashes: \(starts)")
      #expect(starts.count >= 3, "fewer than three crashes are no loop: \(starts)")

      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      #expect(try !Self.isSafe(board))
    }
  }

  @Test("is not taken for one when it crashed once")
  func once() async throws {
    try await Board.with(.playing) { board in
      try Self.crash(board)
      try board.waitUntilItPlays()
      #expect(try !Self.isSafe(board))
    }
  }
}
