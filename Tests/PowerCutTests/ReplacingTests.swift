import Glibc
import Playback
import Remote
import Runtime
import Store
import TestSupport
import Testing

/// Somebody has other music played, by a command and at the panel, and the power goes after each single thing that the
/// program does to its disk meanwhile.
@Suite(
  "A queue that is replaced", .enabled(if: !Sanitizer.isThere, "a preloaded library and a sanitizer do not go together")
)
struct ReplacingTests {
  enum Door: String, CaseIterable, Sendable { case command, panel }

  /// What the disk was told, from before the wish until it was fulfilled.
  struct Session: Sendable {
    let folder: TempFolder
    let (old, new): ([FilePath], [FilePath])
    let log: DiskLog
    let wished: Range<Int>

    /// Writes that were made durable in the write-ahead log: of a log that was begun before, one for each transaction.
    var commits: Int {
      var logs: Set<UInt64> = []
      for operation in log.operations {
        if case .opened("state.db-wal", let file, _) = operation { logs.insert(file) }
      }
      return log.operations[wished].count { if case .synced(let file) = $0 { logs.contains(file) } else { false } }
    }
  }

  /// What a start would go on with, and where the entries were chosen.
  struct Found: Equatable, Sendable {
    var saved: SavedSession
    var origins: [String]

    var seconds: Double { Double(saved.place.frame) / Double(saved.place.rate) }

    /// The same, but for how far the track was heard; its rate is known when it was opened.
    func goesOnLike(_ other: Found) -> Bool {
      var other = other
      (other.saved.place.frame, other.saved.place.rate) = (saved.place.frame, saved.place.rate)
      return self == other
    }
  }

  @Test(
    "is saved in one transaction, and a cut leaves the old one with its place or the new one", arguments: Door.allCases)
  func cuts(door: Door) async throws {
    let session = try await Lanes.aside { try Self.session(door, isPlaying: false) }
    #expect(session.commits == 1)
    let states = try await Self.states(session)
    let (old, new) = (try #require(states.first), try #require(states.last))
    #expect(old.saved.queue.entries.map(\.path) == session.old)
    #expect(old.saved.place.entry == old.saved.queue.entries[1].id && old.saved.place.frame == 44_100)
    #expect(old.saved.place.wish == .stopped && old.saved.former == nil && old.origins.count == 1)

    #expect(new.saved.queue.entries.map(\.path) == session.new && new.saved.place.wish == .playing)
    #expect(new.origins == old.origins + ["Road"] && new.saved.queue.isShuffled == (door == .panel))
    let current = new.saved.queue.entry(new.saved.place.entry)
    #expect(current == new.saved.queue.first)
    switch door {
    case .command: #expect(current?.path == session.new[0])
    case .panel: #expect(current?.path == session.new[2])
    }
    #expect(new.saved.former?.files == session.old && new.saved.former?.index == 1)
    #expect(new.saved.former?.place == .seconds(1))
    let complaints = states.enumerated().filter { _, state in
      state != old && !(state.goesOnLike(new) && state.seconds <= new.seconds)
    }
    #expect(Self.told(complaints).isEmpty)
    #expect(states.count > 40)
  }

  @Test("while the old one plays: what was heard is history together with it")
  func cutsWhilePlaying() async throws {
    let states = try await Self.states(try await Lanes.aside { try Self.session(.panel, isPlaying: true) })
    let (old, new) = (try #require(states.first), try #require(states.last))
    #expect(new.saved.history.count == old.saved.history.count + 1)
    let complaints = states.enumerated().filter { _, state in !state.goesOnLike(old) && !state.goesOnLike(new) }
    #expect(Self.told(complaints).isEmpty)
  }

  private static func told(_ complaints: [(offset: Int, element: Found)]) -> [String] {
    complaints.prefix(5).map { index, state in
      let (saved, place) = (state.saved, state.saved.place)
      return "cut \(index): \(saved.queue.count) entries, \(place.wish) at \(state.seconds) s of "
        + "\(place.entry?.description ?? "nothing"), chosen in \(state.origins), \(saved.history.count) heard, "
        + "former \(saved.former?.files.count ?? 0)"
    }
  }

  @Test("at the panel can be had back there, also after a power cut")
  func back() async throws {
    try await Lanes.aside {
      let session = try Self.session(.panel, isPlaying: false)
      var dice = SeededGenerator(seed: 1)
      let image = try Round.image(DiskImage(), session.log.prefix(session.wished.upperBound), .promisesOnly, &dice)
      let home = RunningLayby.Home(folder: session.folder.path, life: 2)
      try Folder.make(home.state)
      try image.write(to: home.state)
      var layby = try RunningLayby(home)
      try layby.waitUntilReady()
      try layby.press("Queue", "Previous queue")
      try layby.waits { layby throws in try layby.status["path"]?.path == session.old[1] }
      // As it was left: in its shuffled order, and a second on in the one that plays.
      #expect(try (layby.status["position_s"]?.double ?? 0) >= 1)
      let queue = try layby.ask("queue")
      let played = queue["entries"]?.items?.compactMap { $0["path"]?.path }
      #expect(played == [1, 0, 2].map { session.old[$0] } && queue["shuffle"] == true)
      _ = try layby.ask("shuffle", "off")
      let paths = try layby.ask("queue")["entries"]?.items?.compactMap { $0["path"]?.path }
      #expect(paths == session.old)
      #expect(layby.stop() == 0)
    }
  }

  // MARK: A session

  private static func session(_ door: Door, isPlaying: Bool) throws -> Session {
    let music = try Music.made.get()
    let folder = TempFolder()
    let (long, short) = (FilePath(music.long.path), music.short.map { FilePath($0.path) })
    // Long too, so that it plays until the end of the session.
    let third = folder.path / "third.flac"
    _ = long.withCString { long in third.withCString { symlink(long, $0) } }
    let old = [long] + short.prefix(2)
    let new = [long, short[0], third, short[1], short[2], long]

    let home = RunningLayby.Home(folder: folder.path, life: 1)
    try Folder.make(home.state)
    var layby = try RunningLayby(home)
    try layby.waitUntilReady()
    // The library is opened when the music plays already, and playlists with it.
    try layby.waits { layby throws in
      do { _ = try layby.ask("playlist") } catch RunningLayby.Ending.refused { return false }
      return true
    }
    _ = try layby.ask("playlist", "make", "Road")
    _ = try layby.ask(Request(verb: "playlist", arguments: ["add", "Road"] + new.map { JSON(path: $0) }))
    _ = try layby.ask(Request(verb: "queue", arguments: ["add"] + old.map { JSON(path: $0) }))
    _ = try layby.ask("next")
    _ = try layby.ask("seek", "1")
    if door == .panel {
      // The second of those that were put together is the first that is played.
      _ = try layby.ask("shuffle", "on")
      _ = try layby.ask("move", "2", "1")
      try layby.show("Playlists", "Road", "third")
    }
    if isPlaying {
      _ = try layby.ask("queue", "jump", "2")
      try layby.waits { layby throws in try (layby.status["position_s"]?.double ?? 0) > 0.2 }
      _ = try layby.ask("volume", "50")
    }
    let begin = layby.logLength()
    switch door {
    case .command: _ = try layby.ask("playlist", "play", "Road")
    case .panel:
      _ = try layby.ask("press", "knob")
      try layby.waits { layby throws in try layby.status["path"]?.path == third }
      // As it is; answered when all that was changed before is durable.
      _ = try layby.ask("volume", "50")
    }
    let end = layby.logLength()
    _ = layby.kill()
    let log = try layby.log()
    func operations(_ length: Int) -> Int { log.ends.firstIndex { $0 > length } ?? log.ends.count }
    return Session(folder: folder, old: old, new: new, log: log, wished: operations(begin)..<operations(end))
  }

  /// What each cut leaves, before the wish, after each thing that was done for it, and in the end; each kind of cut.
  private static func states(_ session: Session) async throws -> [Found] {
    var model = DiskModel()
    try model.perform(session.log.prefix(session.wished.lowerBound))
    var states: [Found] = []
    var last: [Cut: (image: DiskImage, found: Found)] = [:]
    let rest = session.log.operations[session.wished]
    for (index, operation) in ([nil] + rest.map(Optional.some)).enumerated() {
      if let operation { try model.perform(operation) }
      // The last one is whole, whatever is not promised yet.
      let cuts: [Cut] = index == rest.count ? [.nothingLost] : Cut.allCases
      for cut in cuts {
        var dice = SeededGenerator(seed: UInt64(index))
        let image = model.image(cut, &dice)
        if let known = last[cut], known.image == image {
          states.append(known.found)
          continue
        }
        let found = try await reopened(image)
        last[cut] = (image, found)
        states.append(found)
      }
    }
    return states
  }

  private static func reopened(_ image: DiskImage) async throws -> Found {
    let temp = TempFolder()
    try image.write(to: temp.path)
    let loop = try EventLoop("store")
    try loop.start()
    let store = SessionStore(in: temp.path, on: loop)
    let saved = try await store.open(afterUncleanStop: true, today: "2026-11-25")
    await store.close()
    let connection = try Connection(open: temp.path / "state.db", as: .writer(durability: .full))
    let origins = try connection.rows("SELECT name FROM queue_origin ORDER BY first") { $0.text(0) ?? "" }
    return Found(saved: saved, origins: origins)
  }
}

extension RunningLayby {
  fileprivate mutating func ask(_ verb: String, _ arguments: String...) throws -> JSON {
    try ask(Request(verb: verb, arguments: arguments.map { JSON($0) }))
  }

  private var words: String {
    mutating get throws { try ask("screen")["words"]?.string ?? "" }
  }

  fileprivate var status: JSON {
    mutating get throws { try ask("status")["status"] ?? .null }
  }

  fileprivate mutating func waits(until isSo: (inout RunningLayby) throws -> Bool) throws {
    let end = Moment.now + .seconds(60)
    while try !isSo(&self) {
      guard Moment.now < end, !endsBefore(.now + .milliseconds(10)) else {
        let (status, words) = (try status, try words)
        throw Ending.refused("it never came to that: \(status), \(words)")
      }
    }
  }

  fileprivate mutating func press(_ rows: String...) throws {
    try show(rows)
    _ = try ask("press", "knob")
  }

  fileprivate mutating func show(_ rows: String...) throws { try show(rows) }

  /// Through the menu to the last of these rows.
  private mutating func show(_ rows: [String]) throws {
    _ = try ask("press", "long knob")
    for (depth, row) in rows.enumerated() {
      if depth > 0 { _ = try ask("press", "knob") }
      var steps = 0
      try waits { layby throws in
        if try layby.words.contains(row) { return true }
        // A list may still be on its way when it is gone through for the first time.
        _ = try layby.ask("turn", steps % 20 == 19 ? "-30" : "1")
        steps += 1
        return false
      }
    }
  }
}
