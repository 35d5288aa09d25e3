import Glibc
import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("Power, clock and watchdog of the board", .enabled(if: Board.isWanted, Board.whyNot))
struct PowerInstrumentTests {
  @Test("a power cut loses what was not synced and keeps what was")
  func cut() async throws {
    try await Board.with(.ready) { board in
      try board.says("echo kept > /data/kept; sync -f /data; echo lost > /data/lost; cat /data/lost")
      board.cutPower()
      try board.boot()
      #expect(try board.shell("cat /data/kept").line == "kept")
      #expect(try board.shell("cat /data/lost").line != "lost")
    }
  }

  @Test("a crash image lacks what was not flushed, sometimes, and never what was")
  func writeLog() async throws {
    try await Board.with(.ready, logged: true) { board in
      // Straight to the disk, and no flush: as a drive's own cache would have it.
      func write(_ file: String, _ letter: Character) throws {
        try board.says(
          "head -c 4096 /dev/zero | tr '\\0' \(letter) "
            + "| dd of=/data/\(file) bs=4096 oflag=direct conv=notrunc status=none")
      }
      try board.says("for f in kept lost; do head -c 4096 /dev/zero > /data/$f; done; sync; sleep 1")
      try write("kept", "k")
      try board.says("sync /data/kept")
      let before = try board.writesSoFar()
      try write("lost", "l")
      let after = try board.writesSoFar()
      #expect(after > before)
      board.cutPower()
      let log = try board.writeLog()
      var lost: [Bool] = []
      for seed in 0..<8 as Range<UInt64> {
        var dice = SeededGenerator(seed: seed)
        let disk = try board.crashDisk(CrashImage(of: log, after: after, using: &dice), named: "crash")
        let data = try DataPartition(on: disk, work: TempFolder())
        try data.mend()
        #expect(try data.file("kept").allSatisfy { $0 == UInt8(ascii: "k") }, "seed \(seed)")
        lost.append(try !data.file("lost").allSatisfy { $0 == UInt8(ascii: "l") })
      }
      #expect(lost.contains(true), "nothing was ever lost")
      #expect(lost.contains(false), "everything was always lost")
    }
  }

  @Test("a board whose clock has no battery starts in the year 2000")
  func clock() async throws {
    try await Board.with(.off) { board in
      try board.boot(clock: .wrong("2000-01-01T00:00:00"))
      #expect(try board.says("cat /sys/class/rtc/rtc0/date").hasPrefix("2000-01-0"))
      let here = Int(time(nil))
      let there = try #require(Int(try board.says("date +%s")))
      #expect(here - there > 86_400, "the board thinks it is \(there), here it is \(here)")
      try board.boot()
      #expect(abs(try #require(Int(try board.says("date +%s"))) - Int(time(nil))) < 600)
    }
  }

  @Test("a watchdog that nobody feeds resets the board, and the kernel says so afterwards")
  func watchdog() async throws {
    try await Board.with(.ready) { board in
      #expect(try board.says("cat /sys/class/watchdog/watchdog0/bootstatus") == "0")
      try board.start("exec 3>/dev/watchdog0; sleep 600", into: "/tmp/unfed")
      try board.machine.qmp.event("WATCHDOG", within: .seconds(120))
      try board.waitUntilUpAgain()
      #expect(try board.says("cat /sys/class/watchdog/watchdog0/bootstatus") == "32")
    }
  }

  @Test("a watchdog that is fed does not")
  func fed() async throws {
    try await Board.with(.ready) { board in
      try board.start("exec 3>/dev/watchdog0; while echo >&3; do sleep 1; done", into: "/tmp/fed")
      let limit = try #require(Int(try board.says("cat /sys/class/watchdog/watchdog0/timeout")))
      try board.says("sleep \(limit + 5)", within: .seconds(limit * 4))
      #expect(try !board.machine.qmp.hasSeen("WATCHDOG"))
    }
  }
}
