import Playback
import Runtime
import Store
import TestSupport
import Testing
import VirtualBoard

/// A drive's own cache may keep what it says it has written, and a power cut in the emulator cannot lose that. So every
/// write is kept in order, and disks are made of them on which what was not flushed is missing, torn or there.
@Suite("A drive that loses its cache", .enabled(if: Board.isWanted, Board.whyNot))
struct CrashImageTests {
  private static let images = Board.isLong ? 20 : 5

  private struct Acknowledged {
    /// Every write before this one was made before the answer came.
    let writes: Int
    let session: Session
    let next: Session.Command
  }

  @Test("has a whole file system, a whole database and every acknowledged row")
  func images() async throws {
    let seed: UInt64 = 7
    try await Board.with(.playing, logged: true) { board in
      var dice = SeededGenerator(seed: seed)
      let told = try Self.live(board, commands: 30, &dice)
      board.cutPower()
      let log = try board.writeLog()
      let first = try #require(told.first?.writes)
      #expect(log.entries.count > first)
      var lost = 0
      for image in 0..<Self.images {
        let point = Int.random(in: first...log.entries.count, using: &dice)
        let crash = CrashImage(of: log, after: point, using: &dice)
        lost += crash.lost
        let disk = try board.crashDisk(crash, named: "crash")
        let known = try #require(told.last { $0.writes <= point })
        let complaints = try Self.complaints(about: disk, known)
        #expect(complaints.isEmpty, "seed \(seed), image \(image) after write \(point): \(complaints)")
      }
      #expect(lost > 0, "no image lost anything; this proves nothing")
      print("\(Self.images) images of \(log.entries.count) writes, \(lost) writes lost or torn in them")
    }
  }

  private static func live(
    _ board: VirtualBoard, commands: Int, _ dice: inout SeededGenerator
  ) throws -> [Acknowledged] {
    let album = try board.album
    var session = try Session.ask(board)
    var told: [Acknowledged] = []
    for _ in 0..<commands {
      // Before the command is sent: what is under way later may have been written or not.
      let command = session.next(album, &dice)
      told.append(Acknowledged(writes: try board.writesSoFar(), session: session, next: command))
      session.take(status: try board.layby(command)["status"])
      session.change(command)
    }
    return told
  }

  private static func complaints(about disk: FilePath, _ known: Acknowledged) throws -> [String] {
    let data = try DataPartition(on: disk, work: TempFolder())
    try data.mend()
    let state = try data.folder("state")
    let connection = try Connection(open: state / "state.db", as: .writer(durability: .full))
    var complaints: [String] = []
    let verdict = try connection.first("PRAGMA integrity_check") { $0.text(0) }
    if verdict != "ok" { complaints.append("the database: \(verdict ?? "no answer")") }
    var found = known.session
    found.queue = []
    let rows = try connection.prepare("SELECT path FROM queue_entry ORDER BY place")
    while try rows.step() { found.queue.append(rows.path(0)?.description ?? "") }
    if let place = try PlaceFile.read(in: state) {
      found.volume = Int64(place.volume)
    } else {
      complaints.append("the place is gone")
    }
    return complaints + known.session.complaints(about: found, underWay: known.next, played: 0)
  }
}
