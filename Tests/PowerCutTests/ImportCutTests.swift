import Glibc
import Remote
import Runtime
import TestSupport
import Testing

/// An import by the real program, cut anywhere behind the answer that it is under way, on a disk that may forget.
/// `LAYBY_LONG=1` makes 60 rounds.
@Suite(
  "A power cut inside an import",
  .enabled(if: !Sanitizer.isThere, "a preloaded library and a sanitizer do not go together"))
struct ImportCutTests {
  private static let rounds = getenv("LAYBY_LONG") != nil ? 60 : 8
  private static let files = 600

  private struct Undisturbed: Sendable {
    let folder: TempFolder
    let log: DiskLog
    /// How long the disk's log was when the import had been asked for.
    let begun: Int
    let read: Int64
    let library: [String]

    var music: FilePath { folder.path / "music" }
  }

  private struct Outcome: Sendable {
    var cut = Cut.nothingLost
    var point = 0
    /// Files that the next start had to read.
    var read: Int64 = -1
    var complaints: [String] = []
  }

  @Test("is made up for by the next start alone, and the library is row by row what an undisturbed one is")
  func cuts() async throws {
    let undisturbed = try await Lanes.aside { try Self.undisturbed() }
    #expect(undisturbed.read == Int64(Self.files) && undisturbed.library.count > Self.files * 10)
    let outcomes = await Lanes.run(Array(0..<Self.rounds), atOnce: 3) { seed in
      var outcome = Outcome()
      do { try Self.round(UInt64(seed), undisturbed, &outcome) } catch { outcome.complaints.append("\(error)") }
      return outcome
    }
    for (seed, outcome) in outcomes.enumerated() {
      #expect(
        outcome.complaints.isEmpty,
        "seed \(seed), \(outcome.cut) after write \(outcome.point): \(outcome.complaints.joined(separator: "\n"))")
    }
    let read = outcomes.map(\.read)
    #expect(read.contains { (1...Int64(Self.files)).contains($0) }, "no cut was inside the import; this proves nothing")
    print("\(Self.rounds) cuts; files read afterwards: \(read)")
  }

  private static func undisturbed() throws -> Undisturbed {
    let folder = TempFolder()
    try Folder.make(folder.path / "music")
    try TinyAlbums(files).write(below: folder.path / "music")
    let home = RunningLayby.Home(folder: folder.path, life: 1)
    try Folder.make(home.state)
    var layby = try RunningLayby(home)
    try layby.waitUntilReady()
    try openLibrary(&layby)
    let answer = try layby.ask(Request(verb: "import", arguments: [JSON(path: folder.path / "music")]))
    guard answer["running"]?.truth == true else { throw RunningLayby.Ending.refused("\(answer)") }
    let begun = layby.logLength()
    let read = try imported(&layby)
    guard layby.stop() == 0 else { throw RunningLayby.Ending.refused("it did not stop as it should") }
    let library = try DatabaseDump(of: home.state / "library.db").library()
    return Undisturbed(folder: folder, log: try layby.log(), begun: begun, read: read, library: library)
  }

  private static func round(_ seed: UInt64, _ undisturbed: Undisturbed, _ outcome: inout Outcome) throws {
    var dice = SeededGenerator(seed: seed)
    let log = undisturbed.log
    let first = log.ends.firstIndex { $0 > undisturbed.begun } ?? 0
    outcome.point = Int.random(in: first..<log.operations.count, using: &dice)
    outcome.cut = Cut.allCases[Int(seed) % Cut.allCases.count]
    let image = try Round.image(DiskImage(), log.prefix(outcome.point), outcome.cut, &dice)

    let temp = TempFolder()
    let home = RunningLayby.Home(folder: temp.path, life: 1)
    try Folder.make(home.state)
    try image.write(to: home.state)
    var layby = try RunningLayby(home)
    try layby.waitUntilReady()
    outcome.read = try imported(&layby)
    if layby.stop() != 0 { outcome.complaints.append("it did not stop as it should") }
    for name in try Folder.names(in: home.state) where "\(name)".contains("damaged") {
      outcome.complaints.append("a database was damaged: \(name)")
    }
    let library = try DatabaseDump(of: home.state / "library.db").library()
    let differences = Differences(between: undisturbed.library, and: library)
    if !differences.isNone { outcome.complaints.append("\(differences)") }
  }

  private static let patience: Duration = .seconds(60)

  /// It is opened when the music plays already.
  private static func openLibrary(_ layby: inout RunningLayby) throws {
    let end = Moment.now + patience
    while true {
      do { _ = try layby.ask(Request(verb: "library")) } catch RunningLayby.Ending.refused(let why) {
        guard Moment.now < end, !layby.endsBefore(.now + .milliseconds(20)) else {
          throw RunningLayby.Ending.refused(why)
        }
        continue
      }
      return
    }
  }

  /// Until nothing is under way any more; how many files were read.
  private static func imported(_ layby: inout RunningLayby) throws -> Int64 {
    let end = Moment.now + patience
    while true {
      let answer = try layby.ask(Request(verb: "import"))
      if answer["running"]?.truth == false, answer["import"]?["phase"] == "done" {
        return answer["import"]?["read"]?.whole ?? -1
      }
      if let fault = answer["fault"] { throw RunningLayby.Ending.refused("\(fault)") }
      guard Moment.now < end, !layby.endsBefore(.now + .milliseconds(20)) else {
        throw RunningLayby.Ending.refused("the import does not end: \(answer)")
      }
    }
  }
}
