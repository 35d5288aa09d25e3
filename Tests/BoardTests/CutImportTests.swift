import Runtime
import TestSupport
import Testing
import VirtualBoard

/// What a drive's cache loses is lost here as in `CrashImageTests`, and then the whole board starts on what is left.
/// A sample of it, on this computer and by the program alone, is in PowerCutTests.
@Suite(
  "A power cut inside an import on the board",
  .enabled(if: Board.isWanted && Board.isLong, "LAYBY_BOARD=1 LAYBY_LONG=1 not set"))
struct CutImportTests {
  private static let cuts = 20
  private static let folder = "/data/music"

  @Test("is made up for by the next start alone, and the library is row by row what an undisturbed one is")
  func cuts() async throws {
    let seed: UInt64 = 11
    try await Board.with(.ready, logged: true) { board in
      var dice = SeededGenerator(seed: seed)
      let tree = TempFolder()
      try MusicOnStick.write(below: tree.path)
      try board.layTree(tree.path, at: Self.folder)
      try board.startLayby()
      try board.waitUntilItPlays()
      try board.beginImport(of: Self.folder)
      // From now on somebody was told that it is under way.
      let begun = try board.writesSoFar()
      try board.waitUntilImported()
      let undisturbed = try board.libraryDump()
      #expect(undisturbed.count > MusicOnStick.files * 10)
      // What is on its way to the disk comes to it.
      try board.says("sync; sleep 1")
      let ended = try board.writesSoFar()
      board.cutPower()
      let log = try board.writeLog()
      var read: [Int64] = []
      var lost = 0
      for cut in 0..<Self.cuts {
        let point = Int.random(in: begun...ended, using: &dice)
        let crash = CrashImage(of: log, after: point, using: &dice)
        lost += crash.lost
        try board.boot(fromCrash: crash)
        try board.waitUntilItPlays()
        try board.waitUntilImported()
        let place = "seed \(seed), cut \(cut) after write \(point) of \(begun) to \(ended)"
        let differences = Differences(between: undisturbed, and: try board.libraryDump())
        #expect(differences.isNone, "\(place): \(differences)")
        #expect(try !board.journal().contains("damaged"), "\(place)")
        read.append(try board.importState()["import"]?["read"]?.whole ?? -1)
        print("\(place): \(read[cut]) files read afterwards")
        board.cutPower()
      }
      print("\(Self.cuts) cuts in \(ended - begun) writes, \(lost) writes lost or torn; files read afterwards: \(read)")
    }
  }
}
