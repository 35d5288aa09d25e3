import Runtime
import Store

/// Writes batches of files into the catalogue: their rows, whose they are, counts, letters and the words they are found
/// by, all in the one transaction that its caller has open. Ids are given in the order in which things come, so the
/// same files in the same order make the same catalogue, also when it was broken off between two batches.
///
/// It remembers ids of names and folders between batches; after a fault its caller lets it go with what it remembers.
final class Writer {
  struct FolderFacts {
    let source: Int64
    let albumFolder: Int64
    /// The number of the disc that it is called for.
    let disc: Int?
    let sort: [UInt8]
    /// What was fetched lies in folders that mean nothing.
    let isStore: Bool
  }

  let connection: Connection
  let freed: FreedNumbers
  var tally = Tally()
  var words = WordChanges()
  var touched: [Int64: TouchedAlbum] = [:]
  private var artists = Remembered<Int64>()
  private var genres = Remembered<Int64>()
  var albums = Remembered<(id: Int64, artists: [Int64])>()
  private var folders: [Int64: FolderFacts] = [:]
  /// Names and folders that are remembered; a library of any size must not grow us.
  private static let mostRemembered = 4_096

  init(_ connection: Connection, _ freed: FreedNumbers) { (self.connection, self.freed) = (connection, freed) }

  /// By identity, forgotten all at once when they are too many.
  struct Remembered<What> {
    private var known: [String: What] = [:]

    subscript(identity: String) -> What? {
      get { known[identity] }
      set {
        if known.count >= Writer.mostRemembered { known.removeAll(keepingCapacity: true) }
        known[identity] = newValue
      }
    }
  }

  struct TouchedAlbum {
    var lostFiles = false
    /// Of the files that came; two are as good as many.
    var artists: Set<String> = []
  }

  func folder(_ id: Int64) throws(Fault) -> FolderFacts {
    if let known = folders[id] { return known }
    let sql = """
      SELECT source, album_folder, (SELECT kind FROM source WHERE source.id = folder.source), name, sort FROM folder
      WHERE id = ?
      """
    let found = try connection.first(sql, [.integer(id)]) { row in
      let albumFolder = row.integer(1) ?? 0
      let name = albumFolder == id ? nil : row.bytes(3)
      return FolderFacts(
        source: row.integer(0) ?? 0, albumFolder: albumFolder,
        disc: name.flatMap { AlbumIdentity.disc(in: String(decoding: $0, as: UTF8.self)) },
        sort: row.bytes(4) ?? [], isStore: row.integer(2) == Source.Kind.store.rawValue)
    }
    guard let found else { throw Fault(.missing, "L-301", "the library knows no folder \(id)") }
    if folders.count >= Self.mostRemembered { folders.removeAll(keepingCapacity: true) }
    folders[id] = found
    return found
  }

  func forgetFolder(_ id: Int64) { folders[id] = nil }
  func forgetArtist(_ identity: String) { artists[identity] = nil }
  func forgetGenre(_ identity: String) { genres[identity] = nil }

  // MARK: Names

  func artist(_ name: String, sortName: String?) throws(Fault) -> Int64 {
    let name = Words.bounded(name)
    let identity = Words.identity(name)
    if let known = artists[identity] { return known }
    let id: Int64
    let found = try connection.first("SELECT id FROM artist WHERE identity = ?", [.text(identity)]) { $0.integer(0) }
    if let found {
      id = found
    } else {
      let sortName = sortName.map(Words.bounded)
      id = try insert(
        """
        INSERT INTO artist (id, identity, name, name_sort, sort, files, albums) VALUES (?, ?, ?, ?, ?, 0, 0) RETURNING id
        """,
        [
          SQLValue(try freed.next(in: .artist, connection)), .text(identity), .text(name), SQLValue(sortName),
          .blob(Words.sort(sortName ?? name)),
        ])
    }
    artists[identity] = id
    return id
  }

  func genre(_ name: String) throws(Fault) -> Int64 {
    let name = Words.bounded(name)
    let identity = Words.identity(name)
    if let known = genres[identity] { return known }
    let id: Int64
    let found = try connection.first("SELECT id FROM genre WHERE identity = ?", [.text(identity)]) { $0.integer(0) }
    if let found {
      id = found
    } else {
      id = try insert(
        "INSERT INTO genre (id, identity, name, sort, files, albums) VALUES (?, ?, ?, ?, 0, 0) RETURNING id",
        [
          SQLValue(try freed.next(in: .genre, connection)), .text(identity), .text(name), .blob(Words.sort(name)),
        ])
    }
    genres[identity] = id
    return id
  }

  func album(
    _ album: AlbumIdentity, _ metadata: Metadata, artists: [Int64]
  ) throws(Fault) -> (id: Int64, artists: [Int64]) {
    if let known = albums[album.identity] { return known }
    let found = try connection.first("SELECT id, artists FROM album WHERE identity = ?", [.text(album.identity)]) {
      row in
      row.integer(0).map { (id: $0, artists: Words.ids(row.text(1))) }
    }
    let known: (id: Int64, artists: [Int64])
    if let found {
      known = found
    } else {
      let sortTitle = metadata.albumSort.map(Words.bounded)
      let id = try insert(
        """
        INSERT INTO album (id, identity, title, title_sort, sort, artists, kind, year, files)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0) RETURNING id
        """,
        [
          SQLValue(try freed.next(in: .album, connection)), .text(album.identity), .text(album.title),
          SQLValue(sortTitle), .blob(Words.sort(sortTitle ?? album.title)), .text(Words.list(artists)),
          .integer(Int64(metadata.kind.rawValue)), SQLValue(metadata.year.map { Int64($0) }),
        ])
      known = (id, artists)
    }
    albums[album.identity] = known
    return known
  }

  /// With `RETURNING id`.
  func insert(_ sql: String, _ values: [SQLValue]) throws(Fault) -> Int64 {
    let statement = try connection.prepare(sql)
    try statement.bind(values)
    guard try statement.step(), let id = statement.integer(0) else {
      throw Fault(.damaged, "L-302", "\(connection.file) took a row and gave no number for it")
    }
    // Stepped to its end: a row that is only half read keeps the transaction from committing.
    while try statement.step() {}
    return id
  }
}

extension Writer {
  /// Finds or adds a folder, and tells what was said of its undeclared texts. `parent` is nil, and the name empty, for
  /// the root of a source.
  func enter(
    _ name: [UInt8], in parent: Int64?, of source: Int64
  ) throws(Fault) -> (id: Int64, encoding: TextEncoding?) {
    let key: [SQLValue] = [.integer(parent ?? 0), .integer(source), .blob(name)]
    let known = try connection.first(
      "SELECT id, encoding FROM folder WHERE parent = ? AND source = ? AND name = ?", key
    ) { row in row.integer(0).map { (id: $0, encoding: row.text(1)) } }
    if let known { return (known.id, known.encoding.flatMap { TextEncoding(rawValue: $0) }) }
    let text = String(decoding: name, as: UTF8.self)
    let id = try insert(
      "INSERT INTO folder (parent, source, name, sort, album_folder) VALUES (?, ?, ?, ?, 0) RETURNING id",
      key + [.blob(NaturalOrder.key(name))])
    let albums = parent.map { AlbumIdentity.isDiscFolder(text) ? $0 : id } ?? id
    try connection.run("UPDATE folder SET album_folder = ? WHERE id = ?", [.integer(albums), .integer(id)])
    return (id, nil)
  }
}
