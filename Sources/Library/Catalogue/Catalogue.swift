import Formats
import Glibc
import Runtime
import Store

/// What is known of the music files, in `library.db`. It lives on the library's loop. Everything in it can be read
/// again from the files, so a power cut may cost the last entries, and no commit waits for the disk.
package actor Catalogue {
  nonisolated package let loop: EventLoop
  nonisolated let folder: FilePath
  private(set) var connection: Connection?
  /// Made at the first write. It is dropped when a transaction fails, because it remembers ids that were rolled back.
  private var writer: Writer?
  private let freed = FreedNumbers()
  /// The index of words is ready for searching on this connection.
  var hasTerms = false

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package init(in folder: FilePath, on loop: EventLoop) {
    self.folder = folder
    self.loop = loop
  }

  package func open(afterUncleanStop: Bool, today: String) throws(Fault) -> [Notice] {
    let (connection, notices) = try Database.open(
      in: folder, name: "library.db", migrations: LibrarySchema.migrations, durability: .normal,
      afterUncleanStop: afterUncleanStop, today: today)
    // The stick that was in when the power went may be another one by now, so nothing of any counts as present before it
    // was recognised.
    try connection.run(
      "UPDATE source SET is_present = 0 WHERE kind = ? AND is_present = 1", [.integer(Source.Kind.stick.rawValue)])
    // Before this it may have been open for reading alone.
    writer = nil
    hasTerms = false
    self.connection = connection
    return notices
  }

  /// Opens it on a full disk, which has no room for what `open` writes. It can be browsed, and writing fails.
  package func openForReading() throws(Fault) {
    connection = try Connection(open: folder / "library.db", as: .readerWithoutLocks)
  }

  /// False when damage was met: then the next start must check it.
  @discardableResult
  package func close() -> Bool {
    writer = nil
    hasTerms = false
    let isWhole = connection?.hasFoundDamage != true
    connection = nil
    return isWhole
  }

  static let notOpen = Fault(.missing, "L-300", "the library is not open")

  func opened() throws(Fault) -> Connection {
    guard let connection else { throw Self.notOpen }
    return connection
  }

  /// One transaction. It also brings the counts, letters and search words up to date.
  func write<Result>(_ body: (Writer) throws(Fault) -> Result) throws(Fault) -> Result {
    let connection = try opened()
    // Within `??` Swift 6.0, which compiles for the boards, calls it a race.
    let freed = self.freed
    let writer = self.writer ?? Writer(connection, freed)
    // It is put back only after success, since it must not remember ids that were rolled back.
    self.writer = nil
    let result = try connection.transaction { () throws(Fault) in
      let result = try body(writer)
      try writer.finish()
      return result
    }
    self.writer = writer
    return result
  }

  /// The track as it was read from the file; nil when the file has changed since.
  package func track(at path: FilePath) throws(Fault) -> Track? {
    if let part = MusicPart(address: path) { return try track(of: part) }
    guard let connection, let (size, modified) = Self.identity(of: path) else { return nil }
    if let file = try file(at: path), let track = try track(of: file, at: path, size, modified) { return track }
    return try connection.first(
      """
      SELECT title, artist, album, track_number, frames, sample_rate, bits FROM track
      WHERE path = ? AND size = ? AND modified_ns = ?
      """, [SQLValue(path), .integer(size), .integer(modified)]
    ) { row in
      var info = Track(named: path)
      info.title = row.text(0) ?? info.title
      info.artist = row.text(1) ?? ""
      info.album = row.text(2) ?? ""
      info.number = row.integer(3).map { Int($0) }
      info.frames = row.integer(4)
      info.rate = row.integer(5).flatMap { Int32(exactly: $0) } ?? 0
      info.bits = row.integer(6).flatMap { Int32(exactly: $0) } ?? 0
      return info
    }
  }

  /// Notes what a decoder said of a file that lies in no source. Files of a source are read by its import.
  package func learn(_ info: Track, at path: FilePath, today seconds: Int64) throws(Fault) {
    guard let connection, let (size, modified) = Self.identity(of: path) else { return }
    if let file = try file(at: path), let known = try track(of: file, at: path, size, modified) {
      if known.frames == nil { try learnLength(of: file, from: info, rate: known.rate) }
      return
    }
    try connection.run(
      """
      INSERT INTO track (path, size, modified_ns, title, artist, album, track_number, frames, sample_rate, bits, read_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (path) DO UPDATE SET size = excluded.size, modified_ns = excluded.modified_ns,
        title = excluded.title, artist = excluded.artist, album = excluded.album,
        track_number = excluded.track_number, frames = excluded.frames, sample_rate = excluded.sample_rate,
        bits = excluded.bits, read_at = excluded.read_at
      """,
      [
        SQLValue(path), .integer(size), .integer(modified), .text(info.title), .text(info.artist), .text(info.album),
        SQLValue(info.number.map { Int64($0) }), SQLValue(info.frames), .integer(Int64(info.rate)),
        .integer(Int64(info.bits)), .integer(seconds),
      ])
  }

  /// Notes the length that the decoder found, for formats that do not say it in their header.
  private func learnLength(of file: Int64, from info: Track, rate: Int32) throws(Fault) {
    guard let frames = info.frames, frames > 0, info.rate > 0, let connection else { return }
    let own = rate > 0 ? rate : info.rate
    try connection.run(
      "UPDATE file SET frames = ?, sample_rate = ? WHERE id = ? AND frames IS NULL",
      [
        .integer(TrackPlace.spot(Spot(frame: frames, rate: info.rate)).frame(atRate: own)), .integer(Int64(own)),
        .integer(file),
      ])
  }

  static func identity(of path: FilePath) -> (size: Int64, modified: Int64)? {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    // A file can have any date. The number only tells one state of the file from another, so it may overflow.
    return (Int64(status.st_size), Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec))
  }
}

extension Catalogue {
  /// The most files in one transaction; a reader waits no longer than for these.
  package static let largestBatch = 500

  /// Stores all files of the batch or none; the ids are in the order of the batch. The same batches always give the
  /// same catalogue, also when an import was broken off in between.
  @discardableResult
  package func store(_ batch: [Found], today: Int64) throws(Fault) -> [Int64] {
    guard batch.count <= Self.largestBatch else {
      throw Fault(.malformed, "L-303", "\(batch.count) files in one batch; \(Self.largestBatch) is the limit")
    }
    return try write { writer throws(Fault) in
      var ids: [Int64] = []
      for found in batch { ids.append(try writer.store(found, today: today)) }
      return ids
    }
  }
}

/// The paths of files, for copying them.
extension Catalogue {
  package struct FilePlace: Equatable, Sendable {
    package let source: Int64
    /// The names of the folder, from the source's root.
    package let folder: [[UInt8]]
    package let name: [UInt8]
  }

  /// The places of up to a page of files; nil for a file that the library no longer has.
  package func places(of files: some Collection<Int64>) throws(Fault) -> [FilePlace?] {
    var places: [FilePlace?] = []
    for file in files.prefix(Self.largestPage) { places.append(try place("file", file)) }
    return places
  }

  /// The place of an imported playlist's file.
  package func place(ofPlaylist playlist: Int64) throws(Fault) -> FilePlace? {
    try place("imported_playlist", playlist)
  }

  private func place(_ table: String, _ id: Int64) throws(Fault) -> FilePlace? {
    let connection = try opened()
    let found = try connection.first("SELECT folder, name FROM \(table) WHERE id = ?", [.integer(id)]) { row in
      row.integer(0).map { (folder: $0, name: row.bytes(1) ?? []) }
    }
    guard let found else { return nil }
    var names: [[UInt8]] = []
    var (folder, source): (Int64, Int64?) = (found.folder, nil)
    // No path has more folders than it has bytes. So a loop in damaged rows ends too.
    for _ in 0..<FilePath.limit where folder != 0 {
      let row = try connection.first("SELECT parent, name, source FROM folder WHERE id = ?", [.integer(folder)]) {
        (parent: $0.integer(0) ?? 0, name: $0.bytes(1) ?? [], source: $0.integer(2))
      }
      guard let row else { return nil }
      if !row.name.isEmpty { names.append(row.name) }
      (folder, source) = (row.parent, row.source)
    }
    return source.map { FilePlace(source: $0, folder: names.reversed(), name: found.name) }
  }
}
