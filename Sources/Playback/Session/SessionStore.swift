import Glibc
import Runtime
import Store

/// The player's state at the end of the last run.
package struct SavedSession: Equatable, Sendable {
  package var queue = PlayQueue()
  package var place = SavedPlace()
  package var history: [History.PlayedEntry] = []
  package var bookmarks: [Bookmarks.Mark] = []
  package var former: FormerQueue?
  package var notices: [Notice] = []
  /// Why nothing can be saved for now, though it could be read (a full disk); nil normally.
  package var unsaved: Fault?
  /// Nothing was ever saved here.
  package var isFresh = true

  package init() {}
}

/// Owns `state.db` and the file `position`. It lives on the store loop. The queue is in the database; the place in the
/// music is in the file, because it changes all the time and must not wait for transactions. When `save` or `savePlace`
/// has returned, the data survives a power cut. Each change of the queue is stored with the place at that moment, which
/// is used if the power is cut before the file is written.
package actor SessionStore {
  let loop: EventLoop
  private let folder: FilePath
  private(set) var connection: Connection?
  var places: PlaceFile?
  /// Tells how far the music has come since the last saved place; `clock` is the task that saves it every few seconds.
  var course: Course?
  var lastPlace = SavedPlace()
  var clock: Task<Void, Never>?
  /// The version of the schema. It may be an older one, if a migration failed; the queue is saved all the same.
  private var version: Int64 = 0
  /// Whether the schema has shuffled orders, history and bookmarks, which came together.
  private var knowsOrders: Bool { version >= 2 }
  private var knowsOrigins: Bool { version >= 4 }
  private let seed: UInt64
  private let ballast: Ballast
  private var isBallastLaid = false
  /// Set when a full disk had no room for what `open` writes: with these arguments it is opened at the next save.
  private var later: (afterUncleanStop: Bool, today: String)?

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// `seed` of shuffling is used for a new session; afterwards the saved one counts.
  package init(in folder: FilePath, on loop: EventLoop, seed: UInt64 = 1) {
    self.folder = folder
    self.loop = loop
    self.seed = seed
    ballast = Ballast(in: folder)
  }

  /// Opens both and gives what was saved. A damaged database is set aside, with a notice.
  package func open(afterUncleanStop: Bool, today: String) throws(Fault) -> SavedSession {
    let wasEmpty = isDatabaseEmpty
    do throws(Fault) {
      var (connection, notices) = try Database.open(
        in: folder, name: "state.db", migrations: StateSchema.migrations, durability: .full,
        afterUncleanStop: afterUncleanStop, today: today)
      let places = try PlaceFile(in: folder)
      if wasEmpty, notices.isEmpty, places.saved?.entry != nil { notices.append(lost) }
      let saved = try load(from: connection, place: places.saved, isBlank: places.isBlank, notices)
      self.connection = connection
      self.places = consume places
      later = nil
      return saved
    } catch {
      if error.kind == .full { later = (afterUncleanStop, today) }
      throw error
    }
  }

  /// It was never made, or somebody has emptied it.
  private var isDatabaseEmpty: Bool {
    var status = stat()
    return (folder / "state.db").withCString { stat($0, &status) } != 0 || status.st_size == 0
  }

  /// `position` speaks of a queue that is nowhere.
  private var lost: Notice {
    let fault = Fault(.damaged, "P-122", "\(folder / "state.db") is missing or empty, though something was played")
    return Notice(fault, instead: "queue, playlists and history begin anew")
  }

  /// The open connection. If a full disk prevented opening, this tries again; what it reads then is not needed, since
  /// the player has it already.
  private func ready() throws(Fault) -> Connection {
    if connection == nil, let later {
      for notice in try open(afterUncleanStop: later.afterUncleanStop, today: later.today).notices {
        Log("player").warning("the session was opened late", ["notice": notice.message])
      }
    }
    guard let connection else { throw Self.notOpen }
    return connection
  }

  /// Reads what was saved, on a disk that cannot be written.
  package func peek() throws(Fault) -> SavedSession {
    let connection = try Connection(open: folder / "state.db", as: .readerWithoutLocks)
    return try load(from: connection, place: try PlaceFile.read(in: folder), isBlank: false, [])
  }

  /// Closes both. False when damage was met: then the next start must check the database.
  @discardableResult
  package func close() -> Bool {
    hold()
    later = nil
    let isWhole = connection?.hasFoundDamage != true
    connection = nil
    places = nil
    return isWhole
  }

  private func load(
    from connection: Connection, place: SavedPlace?, isBlank: Bool, _ notices: [Notice]
  ) throws(Fault) -> SavedSession {
    version = try Migrations.version(of: connection)
    var saved = SavedSession()
    saved.notices = notices
    var entries: [PlayQueue.Entry] = []
    let rows = try connection.prepare("SELECT id, path FROM queue_entry ORDER BY place LIMIT \(PlayQueue.limit)")
    while try rows.step() {
      guard let id = rows.integer(0), let path = rows.path(1), path.bytes.count <= FilePath.limit else { continue }
      entries.append(PlayQueue.Entry(id: EntryID(number: UInt64(bitPattern: id)), path: path))
    }
    // The position file may be newer than the database. A new entry must not get the id that it names.
    let placed = place?.entry.map { $0.number < PlayQueue.lastID ? $0.number + 1 : 1 } ?? 1
    let nextID = try Self.value(of: "next_id", in: connection).flatMap { UInt64(exactly: $0) } ?? 1
    saved.place = place ?? SavedPlace()
    saved.isFresh = place == nil
    saved.queue = PlayQueue(
      entries: entries, nextID: max(nextID, placed), repeats: saved.place.repeats,
      shuffled: try shuffledOrder(in: connection),
      round: try Self.value(of: "round", in: connection).map { UInt64(bitPattern: $0) } ?? 0,
      seed: try Self.value(of: "seed", in: connection).map { UInt64(bitPattern: $0) } ?? seed)
    if knowsOrders {
      saved.history = try Self.history(in: connection)
      saved.bookmarks = try Self.bookmarks(in: connection)
    }
    saved.former = try Self.former(in: connection)
    if !saved.queue.contains(saved.place.entry) {
      let current = try Self.value(of: "current", in: connection).map { EntryID(number: UInt64(bitPattern: $0)) }
      let written = try Self.bytes(of: "place", in: connection).flatMap { PlaceSlot(bytes: $0)?.place }
      let speaksOfAnother = place.map { $0.entry != current } ?? isBlank
      if speaksOfAnother, let written, written.entry == current {
        // The power was cut after the queue was saved and before the file was, so the place in the database is newer.
        saved.place = written
        saved.queue.repeats = written.repeats
        saved.isFresh = false
      } else {
        // Nothing was playing, or both slots are damaged: the entry in the database is older, but it is in the queue.
        saved.place.entry = current
        saved.place.frame = 0
      }
    }
    return saved
  }

  /// Saves all changes in one transaction.
  package func save(_ changes: [Player.Change], of queue: PlayQueue, at place: SavedPlace) throws(Fault) {
    let connection = try ready()
    Steps.reach("queue.begun")
    try connection.transaction { () throws(Fault) in
      for change in changes { try write(change, to: connection) }
      try Self.set("next_id", Int64(bitPattern: queue.nextID), in: connection)
      try Self.set("current", place.entry?.sqlValue, in: connection)
      try Self.set("place", bytes: PlaceSlot(sequence: 0, place: place).bytes, in: connection)
      Steps.reach("queue.written")
    }
    Steps.reach("queue.committed")

    func write(_ change: Player.Change, to connection: Connection) throws(Fault) {
      switch change {
      case .queue(let change):
        try Self.save(change, to: connection)
        guard knowsOrders else { return }
        try Self.saveOrder(change, of: queue, to: connection)
      case .heard(let heard): if knowsOrders { try Self.save(heard, to: connection) }
      case .bookmark(let path, let place): if knowsOrders { try Self.save(path, place, to: connection) }
      case .noBookmark(let path):
        if knowsOrders { try connection.run("DELETE FROM bookmark WHERE path = ?", [SQLValue(path)]) }
      case .origin(let origin, let count, let first):
        if knowsOrigins { try OriginTable(connection: connection).note(origin, of: count, from: first) }
      case .former(let former): try Self.save(former, to: connection)
      }
    }
  }

  private func shuffledOrder(in connection: Connection) throws(Fault) -> [EntryID]? {
    guard knowsOrders, try Self.value(of: "shuffled", in: connection) == 1 else { return nil }
    return try connection.rows("SELECT id FROM shuffled_entry ORDER BY place LIMIT \(PlayQueue.limit)") {
      EntryID(number: UInt64(bitPattern: $0.integer(0) ?? 0))
    }
  }

  static let notOpen = Fault(.missing, "P-120", "nothing can be saved: the state folder is not open")

  static func value(of name: String, in connection: Connection) throws(Fault) -> Int64? {
    try connection.first("SELECT value FROM session WHERE name = ?", [.text(name)]) { $0.integer(0) }
  }

  static func set(_ name: String, _ value: Int64?, in connection: Connection) throws(Fault) {
    try connection.run("INSERT OR REPLACE INTO session (name, value) VALUES (?, ?)", [.text(name), SQLValue(value)])
  }

  static func bytes(of name: String, in connection: Connection) throws(Fault) -> [UInt8]? {
    try connection.first("SELECT value FROM session WHERE name = ?", [.text(name)]) { $0.bytes(0) }
  }

  static func set(_ name: String, bytes: [UInt8], in connection: Connection) throws(Fault) {
    try connection.run("INSERT OR REPLACE INTO session (name, value) VALUES (?, ?)", [.text(name), .blob(bytes)])
  }
}

/// Lends the one writing connection of `state.db` to other rooms, which have tables of their own in it.
extension SessionStore {
  package func lend<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try body(ready())
  }

  /// For what frees room on the disk: where that is full, with the room that was set aside for this.
  package func lendToFree<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    do throws(Fault) { return try lend(body) } catch {
      guard error.kind == .full, ballast.give() else { throw error }
      isBallastLaid = false
      return try lend(body)
    }
  }

  /// Called when something could be saved.
  func layBallast() {
    if !isBallastLaid { isBallastLaid = ballast.lay() }
  }
}

/// Saving the place every few seconds. The store asks the sound path itself, which answers on any thread, so that the
/// main loop need not wake up.
extension SessionStore {
  /// With the time a save takes, a power cut costs less than five seconds of position.
  package static let savesEvery: Duration = .milliseconds(4_400)

  /// How a saved place goes on.
  package struct Course: Sendable {
    /// The present place, from the last saved one; nil when something else is heard by now, whose place the player
    /// saves.
    package var now: @Sendable (SavedPlace) -> SavedPlace?
    /// Called when such a save fails (with the reason), and when one succeeds again (with nil).
    package var told: @Sendable (Fault?) -> Void

    package init(now: @escaping @Sendable (SavedPlace) -> SavedPlace?, told: @escaping @Sendable (Fault?) -> Void) {
      self.now = now
      self.told = told
    }
  }

  /// Saves `place`, and from then on every few seconds where `course` has come to. Without a course nothing moves.
  package func savePlace(_ place: SavedPlace, course: Course? = nil) throws(Fault) {
    _ = try ready()
    self.course = course
    if course == nil {
      hold()
    } else if clock == nil {
      clock = Task(executorPreference: loop) { await self.saveNowAndThen() }
    }
    lastPlace = place
    try places?.save(place)
    layBallast()
  }

  /// Ends the saving every few seconds.
  func hold() {
    course = nil
    clock?.cancel()
    clock = nil
  }

  private func saveNowAndThen() async {
    var hasFailed = false
    while await loop.sleep(for: Self.savesEvery) {
      // A place that has not moved is saved already, unless that save failed.
      guard let course, let place = course.now(lastPlace), place != lastPlace || hasFailed else { continue }
      do throws(Fault) {
        try places?.save(place)
        lastPlace = place
        if hasFailed { course.told(nil) }
        hasFailed = false
      } catch {
        if !hasFailed { course.told(error) }
        hasFailed = true
      }
    }
  }
}
