import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("A USB DAC", .enabled(if: Board.isWanted, Board.whyNot))
struct UnpluggedDACTests {
  /// By then the player has tried again at least twice.
  private static let patience: Duration = .seconds(60)

  private static func plays(_ board: VirtualBoard) throws(Fault) -> Bool {
    // The position goes on only when the device takes frames.
    let first = try board.status()["frame"]?.whole
    try board.says("sleep 1")
    return try board.status()["frame"]?.whole != first
  }

  @Test("that is pulled out and put back is survived: the music waits where it was, and goes on")
  func pulled() async throws {
    try await Board.with(.ready) { board in
      let device = try board.plugDAC()
      try board.editBoardConf("s/^output = .*/output = alsa:\(device)/")
      try board.startLayby()
      try board.waitUntilItPlays()
      let pid = try board.says("systemctl show -P MainPID layby")
      for _ in 0..<2 {
        try board.waitUntil("it plays to the DAC", within: Self.patience) { () throws(Fault) in try Self.plays(board) }
        // Far from the track's end, behind which positions begin anew.
        try board.layby("seek", "1")
        let before = try board.status()["position_s"]?.double ?? 0
        try board.pullDAC()
        try board.waitUntil("it stands still", within: Self.patience) { () throws(Fault) in try !Self.plays(board) }
        let waiting = try board.status()["position_s"]?.double ?? 0
        #expect(waiting >= before && waiting < before + 10, "\(before) s, then \(waiting) s")
        _ = try board.plugDAC()
        try board.waitUntil("it goes on", within: Self.patience) { () throws(Fault) in try Self.plays(board) }
        let after = try board.status()["position_s"]?.double ?? 0
        #expect(after >= waiting - 1 && after < waiting + 60, "\(waiting) s, then \(after) s")
      }
      #expect(try board.says("systemctl show -P MainPID layby") == pid)
      let log = try board.journal(5_000)
      #expect(log.contains("A-155") || log.contains("A-152"), "\(log.suffix(2_000))")
    }
  }

  @Test("that is not there at the start is played to when it comes")
  func late() async throws {
    try await Board.with(.ready) { board in
      try board.editBoardConf("s/^output = .*/output = alsa:hw:1,0/")
      try board.startLayby()
      try board.waitUntil("it says that there is none", within: Self.patience) { () throws(Fault) in
        try board.journal().contains("A-152")
      }
      _ = try board.plugDAC()
      try board.waitUntil("it plays to the DAC", within: Self.patience) { () throws(Fault) in try Self.plays(board) }
    }
  }
}
