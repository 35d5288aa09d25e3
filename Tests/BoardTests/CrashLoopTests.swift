import Runtime
import Testing
import VirtualBoard

@Suite("A program that crashes again and again", .enabled(if: Board.isWanted, Board.whyNot))
struct CrashLoopTests {
  private static func crash(_ board: VirtualBoard) throws {
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

  @Test("ends in safe mode, and is out of it when it was switched off and on")
  func safeMode() async throws {
    try await Board.with(.playing) { board in
      #expect(try !Self.isSafe(board))
      var crashes = 0
      while try !Self.isSafe(board), crashes < 10 {
        try Self.crash(board)
        crashes += 1
      }
      #expect(try Self.isSafe(board), "not after \(crashes) crashes")
      #expect(crashes > 1, "one crash is no loop")
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
