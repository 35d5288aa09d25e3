import Runtime
import TestSupport
import Testing
import VirtualBoard

/// Somebody pulls a stick when it suits him least: the music goes on, and when the stick is back nothing is missing.
/// `LAYBY_LONG=1` makes 20 rounds; `LAYBY_SEED=17` repeats one.
@Suite("A stick that is pulled", .enabled(if: Board.isWanted, Board.whyNot))
struct PulledSticksTests {
  enum Moment: CaseIterable, Sendable {
    case tags, mount, song, lastSecond, copy
  }

  private static let rounds =
    Board.variable("LAYBY_SEED").flatMap { UInt64($0) }.map { [$0] } ?? Array(0..<UInt64(Board.isLong ? 20 : 1))
  private static let files = 400

  @Test("costs nothing but what played from it", arguments: rounds)
  func pulled(_ seed: UInt64) async throws {
    let moment = Moment.allCases[Int(seed) % Moment.allCases.count]
    let kinds = MadeUpStick.Kind.allCases
    let kind = kinds[Int(seed + seed / 5) % kinds.count]
    try await Board.with(.ready) { board in
      var dice = SeededGenerator(seed: seed)
      let (stick, track) = try Self.makeStick(kind, by: board)
      try Self.begin(board)
      let memory = try board.memoryDump()
      #expect(!memory.isEmpty)
      let life = try board.lifeOfLayby()
      let before = try stick.sum()

      let number = try board.plugStick(stick.image)
      let story = "seed \(seed), \(kind): " + (try Self.reach(moment, number, track, on: board, &dice))
      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      try Self.expectItGoesOn(board, without: track, after: moment, story)

      let again = try board.plugStick(stick.image)
      _ = try board.waitUntilListed(1)
      try board.waitUntilImported()
      if moment == .copy { try Self.expectItIsCopied(board, story) }
      let found = try board.libraryDump(counts: false)
      #expect(try board.lifeOfLayby() == life, "\(story)")
      let lost = Differences(between: memory, and: try board.memoryDump()).missing
      #expect(lost.isEmpty, "\(story): \(lost)")
      let differences = Differences(between: try Self.undisturbed(board, withCopies: moment == .copy), and: found)
      #expect(differences.isNone && found.count > Self.files * 10, "\(story): \(differences)")
      try board.pullStick(again)
      _ = try board.waitUntilListed(0)
      #expect(try stick.sum() == before, "\(story)")
      print(story)
    }
  }

  /// By this computer alone where that can be, which is sooner done. And where the track is that plays.
  private static func makeStick(
    _ kind: MadeUpStick.Kind, by board: VirtualBoard
  ) throws -> (stick: MadeUpStick, track: String) {
    let folder = TempFolder()
    let tree = folder.path / "tree"
    try Folder.make(tree)
    try TinyAlbums(files).write(below: tree)
    if kind == .fat32 {
      let track = folder.path / "track.flac"
      try AtomicFile.replace(track, with: try board.firstTrack())
      return (try MadeUpStick(fatFromHere: "PULLED", holding: track, and: tree), "Музыка/01.flac")
    }
    let carrier = try MadeUpStick(carrying: tree)
    return (try MadeUpStick(kind, inPartition: true, label: "Pulled", by: board, and: carrier), MadeUpStick.track)
  }

  /// What the stick that is in, and what was copied from it, make of a library that knows nothing.
  private static func undisturbed(_ board: VirtualBoard, withCopies: Bool) throws -> [String] {
    try board.says("systemctl stop layby; rm /data/state/library.db*; systemctl start layby")
    try board.waitUntilItPlays()
    try board.waitUntilImported()
    if withCopies {
      try board.beginImport(of: copies)
      try board.waitUntilImported()
    }
    return try board.libraryDump(counts: false)
  }

  /// A player that takes sticks in by itself, plays its own music, and has heard a track to its end.
  private static func begin(_ board: VirtualBoard) throws {
    try board.says("printf '[sticks]\\nimport = always\\n' > /data/layby.conf")
    try board.startLayby()
    try board.waitUntilItPlays()
    // A slow emulator takes longer than the album.
    try board.layby("repeat", "all")
    let length = try board.status()["duration_s"]?.double ?? 0
    try board.layby("seek", "\(Int(length) - 1)")
    try board.waitUntil("what was heard is remembered") { () throws(Fault) in
      try board.shell("sqlite3 'file:/data/state/state.db?mode=ro' 'SELECT count(*) FROM listening'").line == "1"
    }
  }

  // MARK: Until it is pulled

  /// Brings it to where it shall be pulled, and says where that is.
  private static func reach(
    _ moment: Moment, _ number: Int, _ track: String, on board: VirtualBoard, _ dice: inout SeededGenerator
  ) throws -> String {
    switch moment {
    case .mount: return try reachMount(number, on: board, &dice)
    case .tags:
      let root = try #require(try board.waitUntilListed(1).first?["path"]?.string)
      // So slow that it is in the middle of a file whenever it is pulled; before anything is stored, or behind it.
      let isSoon = Bool.random(using: &dice)
      try board.slowStick(number, to: isSoon ? 20 : 30)
      try board.waitUntil("it is imported", within: .seconds(120), every: .milliseconds(10)) { () throws(Fault) in
        let now = try board.importState()["import"]
        return now?["phase"] == "reading" && (isSoon || now?["read"]?.whole ?? 0 > 0)
      }
      try board.slowStick(number, to: 20)
      try board.says("sleep \(Double.random(in: 0...2, using: &dice))")
      let state = try board.importState()
      #expect(state["running"]?.truth == true && state["import"]?["phase"] == "reading", "\(state)")
      return "while tags were read below \(root), \(state["import"]?["read"]?.whole ?? -1) files known"
    case .song:
      let path = try play(track, on: board)
      try board.layby("seek", "\(Int.random(in: 1...20, using: &dice))")
      try board.says("sleep \(Double.random(in: 0...2, using: &dice))")
      let status = try board.status()
      #expect(status["path"]?.string == path && status["state"] == "playing")
      return "at \(status["position_s"]?.double ?? -1) s of a track"
    case .lastSecond:
      let path = try play(track, on: board)
      let length = try board.status()["duration_s"]?.double ?? 0
      let told = try board.layby("seek", "\(Int(length) - 4)")["status"]
      let at = Runtime.Moment.now
      #expect(told?["path"]?.string == path)
      // The music goes on in real time, however late the emulator answers.
      let left = Double.random(in: 0.1...0.8, using: &dice)
      let until = at + .milliseconds(Int((length - left - (told?["position_s"]?.double ?? 0)) * 1_000))
      _ = Waiting.poll(until: until) { false }
      return "\(left) s before the end of a track"
    case .copy:
      let root = try #require(try board.waitUntilListed(1).first?["path"]?.string)
      try board.waitUntilImported()
      _ = try board.ask("copy", [JSON(root)])
      try board.slowStick(number, to: 20)
      try board.waitUntil("it is copied", within: .seconds(120), every: .milliseconds(10)) { () throws(Fault) in
        try board.ask("copy")["copy"]?["phase"] == "copying"
      }
      try board.says("sleep \(Double.random(in: 0...3, using: &dice))")
      let state = try board.ask("copy")
      #expect(state["running"]?.truth == true && state["copy"]?["phase"] == "copying", "\(state)")
      return "while it was copied, after \(state["copy"]?["files"]?.whole ?? -1) of its files"
    }
  }

  private static func reachMount(
    _ number: Int, on board: VirtualBoard, _ dice: inout SeededGenerator
  ) throws -> String {
    try board.slowStick(number, to: 12)
    let state = "systemctl show -P ActiveState layby-stick@sda1"
    try board.says("until [ \"$(\(state))\" = activating ]; do sleep 0.02; done")
    // What it still has to read takes seconds.
    try board.slowStick(number, to: 1)
    let pause = Double.random(in: 0...1.5, using: &dice)
    try board.says("sleep \(pause)")
    #expect(try board.says(state) == "activating", "it was mounted already")
    return "\(pause) s into its mount"
  }

  /// Its music is known, and a track of it plays before one of the board's own.
  private static func play(_ track: String, on board: VirtualBoard) throws -> String {
    let root = try #require(try board.waitUntilListed(1).first?["path"]?.string)
    try board.waitUntilImported()
    let path = "\(root)/\(track)"
    try board.playAtOnce(path)
    return path
  }

  // MARK: Afterwards

  private static func expectItGoesOn(
    _ board: VirtualBoard, without track: String, after moment: Moment, _ story: String
  ) throws {
    if moment == .mount {
      try board.waitUntil("nothing is left of it") { () throws(Fault) in
        try board.shell("ls -A /run/layby-sticks").line == ""
      }
      #expect(try board.told("H-710") == 0 && board.told("H-711") == 0, "\(story)")
    } else {
      #expect(try board.told("H-710") == 1 && board.told("H-711") == 1, "\(story)")
    }
    try board.waitUntil("the board's own music plays", within: .seconds(90)) { () throws(Fault) in
      let status = try board.status()
      return status["path"]?.string?.hasPrefix("/usr/share/layby/demo/") == true && status["state"] == "playing"
    }
    try board.waitUntilItPlays()
    let state = try board.importState()
    // What was copied whole is taken in.
    if moment != .copy { #expect(state["running"]?.truth == false, "\(story): \(state)") }
    switch moment {
    case .tags: #expect(state["fault"] != nil && state["import"]?["phase"] != "done", "\(story): \(state)")
    case .song:
      // Unless all of it was in memory already.
      let isTold = try board.told(track) > 0
      #expect(try isTold || hasEnded(track, on: board), "\(story): nobody was told why it ended")
    case .lastSecond:
      // The device had all of it already.
      #expect(try hasEnded(track, on: board), "\(story)")
    case .copy:
      let copies = try board.ask("copy")
      #expect(copies["running"]?.truth == false && copies["away"]?.items?.count == 1, "\(story): \(copies)")
      #expect(try board.told("L-442") == 1, "\(story)")
    case .mount: break
    }
  }

  /// It was heard to its end.
  private static func hasEnded(_ track: String, on board: VirtualBoard) throws -> Bool {
    try board.memoryDump().contains {
      $0.hasPrefix("listening:") && $0.contains("finished=1 ") && $0.contains(DatabaseDump.hex(Array(track.utf8)))
    }
  }

  /// What was broken off goes on by itself, and ends with every byte.
  private static func expectItIsCopied(_ board: VirtualBoard, _ story: String) throws {
    var state = JSON.null
    try board.waitUntil("it is copied", within: .seconds(180), every: .milliseconds(300), progress: { "\(state)" }) {
      () throws(Fault) in
      state = try board.ask("copy")
      return state["running"]?.truth == false && state["away"] == nil && state["copy"]?["phase"] == "done"
    }
    #expect(state["copy"]?["failed"]?.whole == 0, "\(story): \(state)")
    try board.waitUntilImported()
    let root = try #require(try board.listedSticks().first?["path"]?.string)
    // All that is music, and nothing else, is there.
    let list = "find . -type f \\( -name '*.mp3' -o -name '*.flac' \\) ! -name '._*' -exec sha256sum {} + | sort"
    #expect(
      try board.asPlayer("cd \(root) && \(list)").text == board.asPlayer("cd \(Self.copies) && \(list)").text,
      "\(story)")
    #expect(try board.shell("find \(Self.copies) -path '*/.copying/*'").line == "", "\(story)")
  }

  private static let copies = "/data/state/music"
}

extension VirtualBoard {
  /// Which life of the program it is: its process, and how often it was started anew.
  func lifeOfLayby() throws(Fault) -> String { try says("systemctl show -P MainPID -P NRestarts layby") }
}
