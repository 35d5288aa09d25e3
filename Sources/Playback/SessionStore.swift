import Runtime
import Store

/// What the player had when it last ran.
package struct SavedSession: Equatable, Sendable {
  package var queue = PlayQueue()
  package var place = Place()
  package var notices: [Notice] = []
  /// Nothing was ever saved here.
  package var isFresh = true

  package init() {}
}

/// Owns `state.db` and the position file, on the store loop. The queue is in the database, where the music is in the
/// file: that changes all the time and must not wait for a transaction. What `save` and `savePlace` have returned
/// from survives a power cut.
package actor SessionStore {
  private let loop: EventLoop
  private let folder: FilePath
  private var connection: Connection?
  private var places: PlaceFile?
  private var lastPlace: Int64 = 0

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// So far apart, so that an entry can be moved between two others by writing its own row alone.
  private static let step: Int64 = 1 << 20

  package init(in folder: FilePath, on loop: EventLoop) {
    self.folder = folder
    self.loop = loop
  }

  /// Gives what is there; what is damaged is set aside and told.
  package func open(afterUncleanStop: Bool, today: String) throws(Fault) -> SavedSession {
    let (connection, notices) = try Database.open(
      in: folder, name: "state.db", migrations: StateSchema.migrations, durability: .full,
      afterUncleanStop: afterUncleanStop, today: today)
    let places = try PlaceFile(in: folder)
    let saved = try load(from: connection, place: places.saved, notices)
    self.connection = connection
    self.places = consume places
    return saved
  }

  /// What there is, where nothing can be written: the music goes on from there, and nothing is saved.
  package func peek() throws(Fault) -> SavedSession {
    let connection = try Connection(open: folder / "state.db", as: .frozen)
    return try load(from: connection, place: try PlaceFile.read(in: folder), [])
  }

  /// Closes both; what was saved stays.
  package func close() {
    connection = nil
    places = nil
  }

  private func load(from connection: Connection, place: Place?, _ notices: [Notice]) throws(Fault) -> SavedSession {
    var saved = SavedSession()
    saved.notices = notices
    var entries: [PlayQueue.Entry] = []
    let rows = try connection.prepare(
      "SELECT id, path, place FROM queue_entry ORDER BY place LIMIT \(PlayQueue.limit)")
    while try rows.step() {
      lastPlace = rows.integer(2) ?? lastPlace
      guard let id = rows.integer(0), let path = rows.path(1), path.bytes.count <= FilePath.limit else { continue }
      entries.append(PlayQueue.Entry(id: EntryID(number: UInt64(bitPattern: id)), path: path))
    }
    // The place may have outlived the database: no new entry may get the id that stands there.
    let placed = place?.entry.map { $0.number < PlayQueue.lastID ? $0.number + 1 : 1 } ?? 1
    let nextID = try Self.value(of: "next_id", in: connection).flatMap { UInt64(exactly: $0) } ?? 1
    saved.place = place ?? Place()
    saved.isFresh = place == nil
    saved.queue = PlayQueue(entries: entries, nextID: max(nextID, placed), repeats: saved.place.repeats)
    if saved.queue.index(of: saved.place.entry) == nil {
      // The entry has gone, or both slots are damaged: what the database remembers is older but fits the queue.
      let current = try Self.value(of: "current", in: connection)
      saved.place.entry = current.map { EntryID(number: UInt64(bitPattern: $0)) }
      saved.place.frame = 0
    }
    return saved
  }

  private static func value(of name: String, in connection: Connection) throws(Fault) -> Int64? {
    try connection.first("SELECT value FROM session WHERE name = ?", [.text(name)]) { $0.integer(0) }
  }

  /// All of them in one transaction.
  package func save(_ changes: [Player.QueueChange], nextID: UInt64, current: EntryID?) throws(Fault) {
    guard let connection else { throw Self.notOpen }
    Steps.reach("queue.begun")
    var last = lastPlace
    try connection.transaction { () throws(Fault) in
      for change in changes {
        switch change {
        case .appended(let entries): last = try Self.append(entries, to: connection, after: last)
        case .removed(let id): try connection.run("DELETE FROM queue_entry WHERE id = ?", [.integer(id.sqlValue)])
        case .cleared:
          try connection.run("DELETE FROM queue_entry")
          last = 0
        }
      }
      try Self.set("next_id", Int64(bitPattern: nextID), in: connection)
      try Self.set("current", current?.sqlValue, in: connection)
      Steps.reach("queue.written")
    }
    lastPlace = last
    Steps.reach("queue.committed")
  }

  package func savePlace(_ place: Place) throws(Fault) {
    guard places != nil else { throw Self.notOpen }
    try places?.save(place)
  }

  private static let notOpen = Fault(.missing, "P-120", "nothing can be saved: the state folder is not open")

  /// Gives the place of the last.
  private static func append(
    _ entries: [PlayQueue.Entry], to connection: Connection, after place: Int64
  ) throws(Fault) -> Int64 {
    let insert = try connection.prepare("INSERT INTO queue_entry (place, id, path) VALUES (?, ?, ?)")
    var last = place
    for entry in entries {
      let (place, overflow) = last.addingReportingOverflow(step)
      // Never by ourselves. The next save writes the queue anew, from the first place on.
      guard !overflow else { throw Fault(.damaged, "P-121", "the queue's last place makes no sense: \(last)") }
      last = place
      try insert.bind([.integer(last), .integer(entry.id.sqlValue), SQLValue(entry.path)])
      _ = try insert.step()
    }
    return last
  }

  private static func set(_ name: String, _ value: Int64?, in connection: Connection) throws(Fault) {
    try connection.run("INSERT OR REPLACE INTO session (name, value) VALUES (?, ?)", [.text(name), SQLValue(value)])
  }
}

extension EntryID {
  /// SQLite's whole numbers have a sign.
  fileprivate var sqlValue: Int64 { Int64(bitPattern: number) }
}
