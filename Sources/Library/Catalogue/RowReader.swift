import Runtime
import Store

/// Reads rows of lists and of what was found. Names of artists, and what is known of sources, are looked up once a page.
struct RowReader {
  private let connection: Connection
  private var artists: [Int64: String] = [:]
  private var places: [Int64: Place] = [:]

  /// Where files lie.
  private struct Place {
    var isPresent = false
    var isStore = false
  }

  init(_ connection: Connection) { self.connection = connection }

  /// Columns for each kind of row, all from the table `t`; in front of them stand those for the place.
  static func columns(_ rows: ListPlan.Rows) -> String {
    switch rows {
    case .artists: "t.id, t.name, t.albums, t.files, \(Self.sources(.artist))"
    case .genres: "t.id, t.name, t.albums, t.files, \(Self.sources(.genre))"
    case .albums: "t.id, t.title, t.files, t.year, t.artists, t.kind, \(Self.sources(.album))"
    case .files:
      """
      t.id, t.title, t.artists, (SELECT title FROM album WHERE id = t.album), t.place, t.year, t.frames,
      t.sample_rate, t.problem, (SELECT source FROM folder WHERE id = t.folder)
      """
    case .entries:
      Self.columns(.files) + """
        , e.title, e.written, e.begins_ms, (
          SELECT n.begins_ms FROM imported_entry n
          WHERE n.playlist = e.playlist AND n.place = e.place + 1 AND n.file = e.file), e.artist
        """
    case .folders:
      "t.id, t.name, t.source, t.parent, (SELECT label FROM source WHERE id = t.source), 0"
    case .playlists:
      """
      t.id, t.title, (SELECT count(*) FROM imported_entry WHERE playlist = t.id), t.problem,
      (SELECT source FROM folder WHERE id = t.folder)
      """
    }
  }

  /// Those that have something of it, as `Words.list` writes them: a column costs less than a question for each row.
  private static func sources(_ kind: Tally.Kind) -> String {
    "(SELECT group_concat(source, ' ') FROM part WHERE kind = \(kind.rawValue) AND id = t.id)"
  }

  /// From the columns that begin at `first`.
  mutating func row(_ rows: ListPlan.Rows, _ row: borrowing Statement, from first: Int32) throws(Fault) -> Row {
    let id = row.integer(first) ?? 0
    switch rows {
    case .artists, .genres:
      var found = Row(kind: rows == .artists ? .artist : .genre, id: id, title: row.text(first + 1) ?? "")
      found.count = row.integer(first + 2) ?? 0
      found.isPresent = try places(row.text(first + 4)).contains { $0.isPresent }
      return found
    case .albums:
      var found = Row(kind: .album, id: id, title: row.text(first + 1) ?? "")
      found.count = row.integer(first + 2) ?? 0
      found.year = row.integer(first + 3).map { Int($0) }
      found.detail = try names(row.text(first + 4))
      found.media = row.integer(first + 5).flatMap { Metadata.Kind(rawValue: Int($0)) } ?? .music
      let places = try places(row.text(first + 6))
      found.isPresent = places.contains { $0.isPresent }
      found.isFetched = !places.isEmpty && places.allSatisfy { $0.isStore }
      return found
    case .files: return try file(row, from: first)
    case .entries:
      if row.integer(first) != nil { return try entry(row, from: first) }
      let written = String(decoding: row.bytes(first + 11) ?? [], as: UTF8.self)
      var found = Row(kind: .missing, id: 0, title: row.text(first + 10) ?? written)
      (found.detail, found.isPresent) = (written, false)
      return found
    case .folders:
      let name = String(decoding: row.bytes(first + 1) ?? [], as: UTF8.self)
      let isRoot = row.integer(first + 3) == 0
      var found = Row(kind: .folder, id: id, title: isRoot ? row.text(first + 4) ?? name : name)
      found.isPresent = try place(row.integer(first + 2)).isPresent
      return found
    case .playlists:
      var found = Row(kind: .playlist, id: id, title: row.text(first + 1) ?? "")
      found.count = row.integer(first + 2) ?? 0
      found.detail = row.text(first + 3) ?? ""
      found.isPresent = try place(row.integer(first + 4)).isPresent
      return found
    }
  }

  private mutating func entry(_ row: borrowing Statement, from first: Int32) throws(Fault) -> Row {
    var found = try file(row, from: first)
    guard found.kind == .track, let begins = row.integer(first + 12) else { return found }
    // A part of a file: it has its own name, and ends where the next one begins.
    if let title = row.text(first + 10) { found.title = title }
    if let artist = row.text(first + 14) { found.detail = artist }
    found.begins = .milliseconds(begins)
    found.ends = row.integer(first + 13).map { .milliseconds($0) }
    let end = found.ends ?? found.duration
    found.duration = end.map { max(.zero, $0 - .milliseconds(begins)) }
    return found
  }

  private mutating func file(_ row: borrowing Statement, from first: Int32) throws(Fault) -> Row {
    let problem = row.text(first + 8)
    var found = Row(
      kind: problem == nil ? .track : .unreadable, id: row.integer(first) ?? 0, title: row.text(first + 1) ?? "")
    if let problem { found.detail = problem } else { found.detail = try names(row.text(first + 2)) }
    found.album = row.text(first + 3) ?? ""
    let order = row.integer(first + 4) ?? 0
    (found.disc, found.number) = (Int(order >> 20), Int(order & 0xF_FFFF))
    found.year = row.integer(first + 5).map { Int($0) }
    found.duration = Catalogue.duration(frames: row.integer(first + 6), rate: row.integer(first + 7))
    let place = try place(row.integer(first + 9))
    (found.isPresent, found.isFetched) = (place.isPresent, place.isStore)
    return found
  }

  private mutating func names(_ list: String?) throws(Fault) -> String {
    var names: [String] = []
    for id in Words.ids(list) {
      if let known = artists[id] {
        names.append(known)
      } else {
        let name = try connection.first("SELECT name FROM artist WHERE id = ?", [.integer(id)]) { $0.text(0) } ?? ""
        artists[id] = name
        names.append(name)
      }
    }
    return names.joined(separator: ", ")
  }

  private mutating func place(_ source: Int64?) throws(Fault) -> Place {
    guard let source else { return Place() }
    if let known = places[source] { return known }
    let found = try connection.first("SELECT is_present, kind FROM source WHERE id = ?", [.integer(source)]) {
      Place(isPresent: $0.integer(0) == 1, isStore: $0.integer(1) == Source.Kind.store.rawValue)
    }
    places[source] = found ?? Place()
    return found ?? Place()
  }

  private mutating func places(_ sources: String?) throws(Fault) -> [Place] {
    try Words.ids(sources).map { source throws(Fault) in try place(source) }
  }
}
