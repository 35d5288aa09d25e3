import FaultServer
import Runtime
import TestSupport
import Testing
import VirtualBoard

/// Power cuts while music comes over the air, on a disk that loses what was not flushed. One undisturbed transfer is
/// recorded, write by write, and how much the server had sent by then; the board starts again and again on what may be
/// left at one of its moments.
@Suite(
  "A power cut inside a transfer on the board",
  .enabled(if: Board.isWanted && Board.isLong, "LAYBY_BOARD=1 LAYBY_LONG=1 not set"))
struct CutTransferTests {
  private static let cuts = 30
  private static let atOnce = 3

  @Test("is made up for: all is whole afterwards, little of it came twice, and nothing else lies there")
  func cuts() async throws {
    let seed: UInt64 = 13
    // Slower than the emulated board takes it, so that next to nothing is on the line.
    let folder = try KeptFolder(pieces: 5, of: 2_500_000, pace: Pace(bytesASecond: 250_000))
    try await Board.with(.ready, logged: true) { board in
      var dice = SeededGenerator(seed: seed)
      try board.wantsAll(of: folder, "settling = 0s")
      try board.wayUp(toPort: folder.server.port)
      try board.joinWay()
      try board.layby("offline", "resume")
      var moments: [(writes: Int, sent: Int)] = []
      try board.waitUntil("all of it has left", within: .seconds(400)) { () throws(Fault) in
        moments.append((try board.writesSoFar(), folder.sent))
        return folder.sent >= folder.size
      }
      try board.waitUntilFetched(folder)
      try board.says("sync; sleep 1")
      moments.append((try board.writesSoFar(), folder.sent))
      let first = try #require(moments.first { $0.sent > 0 })
      let last = try #require(moments.last)
      board.cutPower()
      let log = try board.writeLog()
      folder.server.setPace(Pace())
      var twice: [Int] = []
      var lost = 0
      for cut in 0..<Self.cuts {
        let point = Int.random(in: first.writes...last.writes, using: &dice)
        // What had left by the first look after it had certainly left before the next write.
        let sent = moments.first { $0.writes > point }?.sent ?? last.sent
        let crash = CrashImage(of: log, after: point, using: &dice)
        lost += crash.lost
        let before = folder.sent
        try board.boot(fromCrash: crash)
        try board.wayUp(toPort: folder.server.port)
        try board.joinWay()
        try board.waitUntilFetched(folder)
        let place = "seed \(seed), cut \(cut) after write \(point) of \(first.writes) to \(last.writes)"
        let again = folder.sent - before - (folder.size - sent)
        twice.append(again)
        print("\(place): \(sent) of \(folder.size) bytes had left, \(again) left twice")
        #expect(again <= Self.atOnce << 20, "\(place)")
        #expect(try !board.journal().contains("damaged"), "\(place)")
        board.cutPower()
      }
      print("\(Self.cuts) cuts in \(last.writes - first.writes) writes, \(lost) lost or torn; left twice: \(twice)")
    }
  }
}
