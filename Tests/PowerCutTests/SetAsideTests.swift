import Remote
import Runtime
import TestSupport
import Testing

/// The one thing that is done to the state folder outside of a save: a damaged database gets another name.
@Suite("Setting a damaged database aside", .enabled(if: !Sanitizer.isThere, "a preloaded library and a sanitizer"))
struct SetAsideTests {
  private struct Outcome: Sendable {
    var diedAtStep = false
    var code: Int32?
    var names: [String] = []
    var isKept = false
  }

  @Test("goes on after a cut in its middle: it starts, and what was damaged is still there to be looked at")
  func cutInTheMiddle() async throws {
    let rounds = (1...3).flatMap { count in Cut.allCases.map { (count: count, cut: $0) } }
    let outcomes = await Lanes.run(rounds, atOnce: 3) { round in
      Result { try Self.outcome(of: round.count, round.cut) }
    }
    for (round, result) in zip(rounds, outcomes) {
      let outcome = try result.get()
      #expect(outcome.diedAtStep && outcome.code == 0, "died at \(round.count), \(round.cut)")
      #expect(outcome.isKept, "\(outcome.names), died at \(round.count), \(round.cut)")
    }
  }

  /// It dies when so many files have got another name.
  private static func outcome(of count: Int, _ cut: Cut) throws -> Outcome {
    let junk = [UInt8](repeating: 0x55, count: 8_192)
    let temp = TempFolder()
    var home = RunningLayby.Home(folder: temp.path, life: 1)
    var (start, outcome) = (DiskImage(), Outcome())
    for name in ["state.db", "state.db-wal"] { start.contents[name] = .file(junk) }
    start.contents["running"] = .file([])
    try Folder.make(home.state)
    try start.write(to: home.state)
    var dying = try RunningLayby(home, dieAt: "aside.renamed:\(count)")
    do { try dying.waitUntilReady() } catch RunningLayby.Ending.died { outcome.diedAtStep = true }
    _ = dying.kill()

    var dice = SeededGenerator(seed: UInt64(count))
    let image = try Round.image(start, dying.log(), cut, &dice)
    home = RunningLayby.Home(folder: temp.path, life: 2)
    try Folder.make(home.state)
    try image.write(to: home.state)
    var layby = try RunningLayby(home)
    try layby.waitUntilReady()
    _ = try layby.ask(Request(verb: "queue", arguments: ["clear"]))
    outcome.code = layby.stop()
    let end = try DiskImage(reading: home.state)
    outcome.names = end.contents.keys.sorted()
    outcome.isKept = end.contents.contains { name, content in name.contains("damaged") && content == .file(junk) }
    return outcome
  }
}
