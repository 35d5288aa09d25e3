import Glibc
import Playback
import Remote
import Runtime
import Store
import TestSupport
import Testing

/// One session of the real program, cut after each single thing that it did to its disk. Nothing plays, so what must
/// be there is known exactly.
@Suite("After every write", .enabled(if: !Sanitizer.isThere, "a preloaded library and a sanitizer do not go together"))
struct EveryWriteTests {
  private struct Session: Sendable {
    let log: DiskLog
    /// The folder as it really was at the end.
    let folder: DiskImage
    /// What was acknowledged, and how long the disk's log was by then.
    let acknowledged: [(known: Known, length: Int)]
  }

  /// One for all tests: what is looked at is its log.
  private static let made = Task { try await Lanes.aside { try session() } }

  private static func session() throws -> Session {
    let music = try Music.made.get()
    let temp = TempFolder()
    let home = RunningLayby.Home(folder: temp.path, life: 1)
    try Folder.make(home.state)
    let short = music.short.map(\.path)
    let commands: [Walk.Command] = [
      .add([music.long.path] + short), .seek(100), .volume(30), .next, .repeats("all"), .remove(2), .add(short),
      .seek(1.5), .next,
      .shuffle(true), .playNext(short), .next, .move(1, to: 4), .next, .add(short), .remove(3), .shuffle(false),
      .move(5, to: 2), .playNext([music.long.path]), .shuffle(true), .clear, .add([music.long.path]), .seek(321.5),
    ]
    var layby = try RunningLayby(home)
    try layby.waitUntilReady()
    var known = Known()
    known.take(status: try layby.ask(Request(verb: "status"))["status"])
    var acknowledged = [(known, 0)]
    for command in commands {
      known.take(status: try layby.ask(command.request)["status"])
      known.change(command)
      // By what is shown: chance has its part in it.
      known.take(list: try layby.ask(Request(verb: "queue")))
      acknowledged.append((known, layby.logLength()))
    }
    guard layby.stop() == 0 else { throw RunningLayby.Ending.refused("it did not stop as it should") }
    return Session(log: try layby.log(), folder: try DiskImage(reading: home.state), acknowledged: acknowledged)
  }

  @Test("no way to write is missed: the log played again gives the folder")
  func nothingMissed() async throws {
    let session = try await Self.made.value
    var model = DiskModel()
    try model.perform(session.log)
    var dice = SeededGenerator(seed: 1)
    let played = model.image(.nothingLost, &dice).contents.filter { !$0.key.hasSuffix("-shm") }
    let real = session.folder.contents.filter { !$0.key.hasSuffix("-shm") }
    #expect(Set(played.keys) == Set(real.keys))
    for (name, content) in real {
      let isSame = played[name] == content
      #expect(isSame, "\(name) is not as the log says")
    }
    #expect(played.keys.contains("state.db") && played.keys.contains("position"))
  }

  @Test("what was acknowledged is there, the one change under way is there or not, and every database is whole")
  func everyPrefix() async throws {
    let session = try await Self.made.value
    let complaints = try await Lanes.aside { try Self.complaints(about: session) }
    #expect(complaints.isEmpty, "\(complaints.prefix(5).joined(separator: "\n  "))")
    #expect(session.log.operations.count > 100)
  }

  private static func complaints(about session: Session) throws -> [String] {
    var model = DiskModel()
    var complaints: [String] = []
    var (checked, renamed) = (CheckedDatabases(), RenamedFiles())
    for (index, operation) in session.log.operations.enumerated() {
      renamed.hear(operation, in: model)
      try model.perform(operation)
      let end = session.log.ends[index]
      let done = session.acknowledged.lastIndex { $0.length <= end } ?? 0
      let allowed = session.acknowledged[done...].prefix(2).map(\.known)
      var dice = SeededGenerator(seed: UInt64(index))
      let cuts = getenv("LAYBY_LONG") != nil ? Cut.allCases : [.promisesOnly, Cut.allCases[index % 4]]
      for cut in Set(cuts) {
        let image = model.image(cut, &dice)
        var found = try Self.complaints(about: image, allowed, &checked)
        found += renamed.halves(in: image)
        complaints += found.map { "\($0), cut after write \(index) (\(cut))" }
      }
    }
    return complaints
  }

  private static func complaints(
    about image: DiskImage, _ allowed: [Known], _ checked: inout CheckedDatabases
  ) throws -> [String] {
    var complaints: [String] = []
    var queue: [Known.Entry] = []
    for name in ["state.db", "library.db"] where image[name] != nil {
      let found = try checked.database(name, in: image)
      if found.verdict != "ok" { complaints.append("\(name): \(found.verdict)") }
      queue = found.queue ?? queue
    }
    if !allowed.contains(where: { $0.queue == queue }) { complaints.append("the queue has \(queue.count) entries") }
    let place = SavedPlace(in: image) ?? SavedPlace()
    let isRight = allowed.contains { known in
      let position = Double(place.frame) / Double(place.rate)
      return place.entry.map { Int64($0.number) } == known.current && abs(position - known.position) < 0.01
        && place.repeats.rawValue == known.repeats
    }
    if !isRight { complaints.append("the place is \(place.frame) of \(String(describing: place.entry))") }
    return complaints
  }
}

extension SavedPlace {
  /// As the next start would read it.
  init?(in image: DiskImage) {
    guard let bytes = image["position"] else { return nil }
    let slots = stride(from: 0, to: bytes.count - PlaceSlot.size + 1, by: PlaceSlot.size)
      .compactMap { PlaceSlot(bytes: bytes[$0..<$0 + PlaceSlot.size]) }
    guard let newest = slots.max(by: { $0.sequence < $1.sequence }) else { return nil }
    self = newest.place
  }
}

/// What was found in a database: most cuts change no file of it, and then it is the same.
private struct CheckedDatabases {
  struct Found {
    var verdict: String
    var queue: [Known.Entry]?
  }

  private var last: [String: [(files: DiskImage, found: Found)]] = [:]
  /// One of each kind of cut.
  private let most = Cut.allCases.count

  mutating func database(_ name: String, in image: DiskImage) throws -> Found {
    let files = image.files(beginning: name)
    if let known = last[name]?.first(where: { $0.files == files }) { return known.found }
    let found = try open(files, name)
    last[name] = Array(([(files, found)] + (last[name] ?? [])).prefix(most))
    return found
  }

  private func open(_ files: DiskImage, _ name: String) throws -> Found {
    let temp = TempFolder()
    try files.write(to: temp.path)
    let connection = try Connection(open: temp.path / name, as: .writer(durability: .full))
    var found = Found(verdict: try connection.first("PRAGMA integrity_check") { $0.text(0) } ?? "no answer")
    let hasQueue = try connection.first("SELECT 1 FROM sqlite_master WHERE name = 'queue_entry'") { $0.integer(0) }
    guard hasQueue != nil else { return found }
    let isShuffled =
      try connection.first("SELECT value FROM session WHERE name = 'shuffled'") { $0.integer(0) } == 1
    let shuffled =
      "SELECT q.id, q.path FROM queue_entry q JOIN shuffled_entry s ON s.id = q.id ORDER BY s.place"
    let rows = isShuffled ? shuffled : "SELECT id, path FROM queue_entry ORDER BY place"
    found.queue = try connection.rows(rows) {
      Known.Entry(id: $0.integer(0) ?? 0, path: $0.path(1)?.description ?? "")
    }
    return found
  }
}
