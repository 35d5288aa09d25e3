import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("A power cut", .enabled(if: Board.isWanted, Board.whyNot))
struct PowerCutTests {
  private static let rounds = UInt64(Board.isLong ? 50 : 3)

  @Test("loses nothing acknowledged and five seconds at most", arguments: 0..<rounds)
  func cut(_ seed: UInt64) async throws {
    try await Board.with(.playing) { board in
      var dice = SeededGenerator(seed: seed)
      var (session, underWay) = (Session(), Session.Command?.none)
      try Self.live(board, &session, &underWay, &dice)
      board.cutPower()
      let played = Double((Moment.now - session.at).milliseconds) / 1_000
      try board.boot()
      try board.waitUntilItPlays()
      let found = try Session.ask(board)
      let complaints = session.complaints(
        about: found, underWay: underWay, played: played + (try board.secondsOfLayby()))
      #expect(complaints.isEmpty, "seed \(seed): \(complaints.joined(separator: "\n"))")
      let damaged = try board.journal().split(separator: "\n").filter { $0.contains("damaged") }
      #expect(damaged.isEmpty, "seed \(seed): \(damaged)")
    }
  }

  /// Does this and that for some seconds; the last of it is not waited for.
  private static func live(
    _ board: VirtualBoard, _ session: inout Session, _ underWay: inout Session.Command?, _ dice: inout SeededGenerator
  ) throws {
    let album = try board.album
    try board.layby("queue", "jump", "\(Int.random(in: 1...album.count, using: &dice))")
    session = try Session.ask(board)
    let until = Moment.now + .milliseconds(Int.random(in: 0...8_000, using: &dice))
    while Moment.now < until {
      let command = session.next(album, &dice)
      let status = try board.layby(command)
      session.change(command)
      session.take(status: status["status"])
    }
    let last = session.next(album, &dice)
    underWay = last
    try board.machine.agent.tell(last.line)
    _ = Waiting.poll(until: .now + .milliseconds(Int.random(in: 0...400, using: &dice))) { false }
  }
}

extension VirtualBoard {
  func layby(_ command: Session.Command) throws(Fault) -> JSON {
    let ran = try shell(command.line)
    guard ran.code == 0 else { throw Fault(.passing, "T-93", "\(command): \(ran.line)") }
    return try JSON(parsing: Array(ran.line.utf8))
  }
}
