import Runtime
import Store

extension Catalogue {
  /// More than a panel shows at once; a list that is longer comes in pages.
  package static let largestPage = 500

  /// The rows behind a place, or the first ones.
  package func page(of list: List, after key: PageKey? = nil, count: Int) throws(Fault) -> Page {
    let count = min(max(count, 1), Self.largestPage)
    var rows: [Row] = []
    for plan in ListPlan.parts(of: list) where plan.part >= key?.part ?? 0 && rows.count <= count {
      let start = plan.part == key?.part ?? 0 ? key : nil
      rows += try self.rows(plan, from: start, backwards: false, count: count + 1 - rows.count)
    }
    let isMore = rows.count > count
    if isMore { rows.removeLast() }
    return Page(rows: rows, next: isMore ? rows.last?.place : nil)
  }

  /// The row of an album, as lists have it; nil when there is no album with this id.
  package func album(_ id: Int64) throws(Fault) -> Row? {
    let connection = try opened()
    let statement = try connection.prepare("SELECT \(RowReader.columns(.albums)) FROM album t WHERE t.id = ?")
    try statement.bind([.integer(id)])
    guard try statement.step() else { return nil }
    var reader = RowReader(connection)
    return try reader.row(.albums, statement, from: 0)
  }

  /// Of the tracks of a list; nil of one that is longer than the largest page, or holds other lists.
  package func total(of list: List) throws(Fault) -> ListTotal? {
    let page = try page(of: list, count: Self.largestPage)
    guard page.next == nil, page.rows.allSatisfy({ $0.kind == .track || $0.kind == .missing }) else { return nil }
    let length = page.rows.reduce(Duration?.some(.zero)) { sum, row in
      row.duration.flatMap { length in sum.map { $0 + length } }
    }
    return ListTotal(count: page.rows.count, length: length)
  }

  /// One of its files, the first that is present.
  package func file(ofAlbum id: Int64) throws(Fault) -> FilePath? {
    let file = try opened().first(
      """
      SELECT f.id FROM file f JOIN folder o ON o.id = f.folder JOIN source s ON s.id = o.source
      WHERE f.album = ? ORDER BY s.is_present DESC, f.place LIMIT 1
      """, [.integer(id)]
    ) { $0.integer(0) }
    guard let file else { return nil }
    return try path(of: file)
  }

  /// The file of each track, and one of each album, for a page in one go; nil for other rows, and for what is gone.
  package func files(of rows: [Row]) throws(Fault) -> [FilePath?] {
    var files: [FilePath?] = []
    for row in rows {
      switch row.kind {
      case .album: files.append(try file(ofAlbum: row.id))
      case .track: files.append(try path(of: row.id))
      case .artist, .genre, .unreadable, .folder, .playlist, .missing: files.append(nil)
      }
    }
    return files
  }

  /// The first artist of a track, and its album.
  package func links(ofTrack id: Int64) throws(Fault) -> TrackLinks {
    let found = try opened().first(
      "SELECT artists, album, (SELECT title FROM album WHERE id = t.album) FROM file t WHERE id = ?", [.integer(id)]
    ) { (artists: $0.text(0), album: $0.integer(1), title: $0.text(2)) }
    guard let found else { return TrackLinks() }
    return TrackLinks(
      artist: try artist(first: found.artists),
      album: found.album.map { TrackLinks.Place(id: $0, name: found.title ?? "") })
  }

  /// The first of an album.
  package func artist(ofAlbum id: Int64) throws(Fault) -> TrackLinks.Place? {
    let artists = try opened().first("SELECT artists FROM album WHERE id = ?", [.integer(id)]) { $0.text(0) ?? "" }
    return try artist(first: artists)
  }

  private func artist(first list: String?) throws(Fault) -> TrackLinks.Place? {
    guard let id = Words.ids(list).first else { return nil }
    let name = try opened().first("SELECT name FROM artist WHERE id = ?", [.integer(id)]) { $0.text(0) ?? "" }
    return name.map { TrackLinks.Place(id: id, name: $0) }
  }

  /// The rows before a place, in the order of the list: for who turns back.
  package func page(of list: List, before key: PageKey, count: Int) throws(Fault) -> [Row] {
    let count = min(max(count, 1), Self.largestPage)
    var rows: [Row] = []
    for plan in ListPlan.parts(of: list).reversed() where plan.part <= key.part && rows.count < count {
      let start = plan.part == key.part ? key : nil
      rows = try self.rows(plan, from: start, backwards: true, count: count - rows.count).reversed() + rows
    }
    return rows
  }

  /// With counts, in the order of the list. Empty for lists that have none.
  package func letters(of list: List) throws(Fault) -> [Letter] {
    let number: Int64
    switch list {
    case .artists: number = LetterList.artists
    case .albums(let kind): number = LetterList.albums(kind)
    case .tracks(let kind): number = LetterList.tracks(kind)
    default: return []
    }
    return try opened().rows(
      "SELECT letter, count, first FROM letter WHERE list = ? ORDER BY first", [.integer(number)]
    ) { row in
      // No row has the number 0, so behind this comes the letter's own first.
      Letter(letter: row.text(0) ?? "", count: row.integer(1) ?? 0, start: PageKey(sort: row.bytes(2) ?? []))
    }
  }

  private func rows(
    _ plan: ListPlan, from key: PageKey?, backwards: Bool, count: Int
  ) throws(Fault) -> [Row] {
    let connection = try opened()
    let descending = plan.isDescending != backwards
    let direction = descending ? " DESC" : ""
    let order = [plan.first, plan.second, plan.id].compactMap { $0 }
    let columns = order.joined(separator: ", ")
    var sql = "SELECT \(columns), \(RowReader.columns(plan.rows)) FROM \(plan.from) WHERE \(plan.fixed)"
    var values = plan.values
    if let key {
      sql += " AND (\(columns)) \(descending ? "<" : ">") (\(order.map { _ in "?" }.joined(separator: ", ")))"
      values.append(plan.isNumber ? .integer(key.number) : .blob(key.sort))
      if plan.second != nil { values.append(.blob(key.sort)) }
      values.append(.integer(key.id))
    }
    sql += " ORDER BY \(order.map { $0 + direction }.joined(separator: ", ")) LIMIT ?"
    let statement = try connection.prepare(sql)
    try statement.bind(values + [.integer(Int64(count))])
    var reader = RowReader(connection)
    var rows: [Row] = []
    while try statement.step() {
      let count = Int32(order.count)
      var row = try reader.row(plan.rows, statement, from: count)
      row.place = PageKey(
        part: plan.part, number: statement.integer(0) ?? 0, sort: statement.bytes(count - 2) ?? [],
        id: statement.integer(count - 1) ?? 0)
      rows.append(row)
    }
    return rows
  }
}
