import Runtime
import Store

extension Writer {
  /// The end of a batch: counts, letters, words. What has no file left goes away.
  func finish() throws(Fault) {
    var shelved: [Tally.Kind: [Int64: Int64]] = [:]
    for (shelf, change) in tally.shelves where change != 0 {
      let new = try countShelf(shelf, change)
      shelved[shelf.kind, default: [:]][shelf.owner, default: 0] += new
    }
    var files: [Tally.Kind: [Int64: Int64]] = [:]
    for (part, change) in tally.parts {
      files[part.kind, default: [:]][part.id, default: 0] += change
      if change != 0 { try countPart(part, change) }
    }
    func ordered(_ kind: Tally.Kind) -> [(key: Int64, value: Int64)] {
      (files[kind] ?? [:]).sorted { $0.key < $1.key }
    }
    // Albums first: their words are made of their artists' names.
    for (id, change) in ordered(.album) { try finishAlbum(id, change) }
    for (id, change) in ordered(.artist) { try finishArtist(id, change, albums: shelved[.artist]?[id] ?? 0) }
    for (id, change) in ordered(.genre) { try finishGenre(id, change, albums: shelved[.genre]?[id] ?? 0) }
    for id in tally.leftRecordings {
      try connection.run("DELETE FROM recording WHERE id = ? AND files = 0 AND plays = 0", [.integer(id)])
    }
    // Of no more and no fewer the first may be another.
    for (letter, change) in tally.letters { try countLetter(letter, change) }
    try words.write(to: connection)
    (tally, words, touched) = (Tally(), WordChanges(), [:])
  }

  /// 1 when the album is new there, -1 when it has gone.
  private func countShelf(_ shelf: Tally.Shelf, _ change: Int64) throws(Fault) -> Int64 {
    let count = try insert(
      """
      INSERT INTO shelf (kind, owner, sort, album, files) SELECT ?, ?, sort, id, ? FROM album WHERE id = ?
      ON CONFLICT DO UPDATE SET files = files + excluded.files RETURNING files
      """, [.integer(shelf.kind.rawValue), .integer(shelf.owner), .integer(change), .integer(shelf.album)])
    if count > 0 { return count == change ? 1 : 0 }
    try connection.run(
      """
      DELETE FROM shelf WHERE kind = ? AND owner = ? AND album = ?
        AND sort = (SELECT sort FROM album WHERE id = ?)
      """,
      [.integer(shelf.kind.rawValue), .integer(shelf.owner), .integer(shelf.album), .integer(shelf.album)])
    return -1
  }

  private func countPart(_ part: Tally.Part, _ change: Int64) throws(Fault) {
    let key: [SQLValue] = [.integer(part.kind.rawValue), .integer(part.id), .integer(part.source)]
    let count = try insert(
      """
      INSERT INTO part (kind, id, source, files) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET files = files + excluded.files RETURNING files
      """, key + [.integer(change)])
    if count <= 0 { try connection.run("DELETE FROM part WHERE kind = ? AND id = ? AND source = ?", key) }
  }

  private func countLetter(_ letter: Tally.Letter, _ change: (count: Int64, first: [UInt8])) throws(Fault) {
    let key: [SQLValue] = [.integer(letter.list), .text(letter.letter)]
    let count = try insert(
      """
      INSERT INTO letter (list, letter, first, count) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE SET count = count + excluded.count, first = min(first, excluded.first) RETURNING count
      """, key + [.blob(change.first), .integer(change.count)])
    if count <= 0 { try connection.run("DELETE FROM letter WHERE list = ? AND letter = ?", key) }
  }

  private struct Listed {
    let identity: String
    let title: String
    let titleSort: String?
    let sort: [UInt8]
    let rank: Int64?
    let files: Int64
    var artists = ""
    var kind = Metadata.Kind.music
  }

  private func finishArtist(_ id: Int64, _ change: Int64, albums: Int64) throws(Fault) {
    let found = try connection.first(
      "SELECT identity, name, name_sort, sort, rank, files FROM artist WHERE id = ?", [.integer(id)]
    ) { row -> Listed? in
      Listed(
        identity: row.text(0) ?? "", title: row.text(1) ?? "", titleSort: row.text(2), sort: row.bytes(3) ?? [],
        rank: row.integer(4), files: (row.integer(5) ?? 0) + change)
    }
    guard let found else { return }
    let letter = Folding.letter(found.titleSort ?? found.title)
    let words = [Words.indexed([found.identity])]
    if found.files <= 0 {
      try connection.run("DELETE FROM artist WHERE id = ?", [.integer(id)])
      freed.free(id, of: .artist)
      forgetArtist(found.identity)
      guard let rank = found.rank else { return }
      self.words.remove(Rank.row(rank, id), words, from: .artists)
      return tally.add(-1, letter, of: LetterList.artists, sort: found.sort)
    }
    let rank = Rank.of(files: found.files)
    try connection.run(
      "UPDATE artist SET files = ?, albums = albums + ?, rank = ? WHERE id = ?",
      [.integer(found.files), .integer(albums), .integer(rank), .integer(id)])
    if found.rank == nil { tally.add(1, letter, of: LetterList.artists, sort: found.sort) }
    if rank == found.rank { return }
    if let old = found.rank { self.words.remove(Rank.row(old, id), words, from: .artists) }
    self.words.add(Rank.row(rank, id), words, to: .artists)
  }

  private func finishAlbum(_ id: Int64, _ change: Int64) throws(Fault) {
    let found = try connection.first(
      "SELECT identity, title, title_sort, sort, rank, files, artists, kind FROM album WHERE id = ?", [.integer(id)]
    ) { row -> Listed? in
      Listed(
        identity: row.text(0) ?? "", title: row.text(1) ?? "", titleSort: row.text(2), sort: row.bytes(3) ?? [],
        rank: row.integer(4), files: (row.integer(5) ?? 0) + change, artists: row.text(6) ?? "",
        kind: Metadata.Kind(rawValue: Int(row.integer(7) ?? 0)) ?? .music)
    }
    guard let found else { return }
    let letter = Folding.letter(found.titleSort ?? found.title)
    let list = LetterList.albums(found.kind)
    let before = try albumWords(found.title, found.artists)
    if found.files <= 0 {
      try connection.run("DELETE FROM album WHERE id = ?", [.integer(id)])
      freed.free(id, of: .album)
      albums[found.identity] = nil
      guard let rank = found.rank else { return }
      words.remove(Rank.row(rank, id), before, from: .albums)
      return tally.add(-1, letter, of: list, sort: found.sort)
    }
    let artists = try artists(ofAlbum: id, found.identity, now: found.artists, isNew: found.rank == nil)
    let rank = Rank.of(files: found.files)
    try connection.run(
      "UPDATE album SET files = ?, rank = ?, artists = ? WHERE id = ?",
      [.integer(found.files), .integer(rank), .text(artists), .integer(id)])
    if found.rank == nil { tally.add(1, letter, of: list, sort: found.sort) }
    if rank == found.rank && artists == found.artists { return }
    if let old = found.rank { words.remove(Rank.row(old, id), before, from: .albums) }
    words.add(Rank.row(rank, id), try albumWords(found.title, artists), to: .albums)
  }

  /// Where no album artist is said: those who play on every file, or nobody.
  private func artists(ofAlbum id: Int64, _ identity: String, now: String, isNew: Bool) throws(Fault) -> String {
    guard identity.hasPrefix("f"), let touched = touched[id] else { return now }
    if touched.lostFiles {
      let found = try connection.rows("SELECT DISTINCT artists FROM file WHERE album = ? LIMIT 2", [.integer(id)]) {
        $0.text(0) ?? ""
      }
      return found.count == 1 ? found[0] : ""
    }
    return touched.artists.count == 1 && touched.artists.contains(now) ? now : ""
  }

  private func albumWords(_ title: String, _ artists: String) throws(Fault) -> [String] {
    var people: [String] = []
    for artist in Words.ids(artists) { people.append(try identity(ofArtist: artist)) }
    return [Words.indexed([title]), Words.indexed(people)]
  }

  private func finishGenre(_ id: Int64, _ change: Int64, albums: Int64) throws(Fault) {
    let files = try insert(
      "UPDATE genre SET files = files + ?, albums = albums + ? WHERE id = ? RETURNING files",
      [.integer(change), .integer(albums), .integer(id)])
    if files > 0 { return }
    let identity = try connection.first("SELECT identity FROM genre WHERE id = ?", [.integer(id)]) { $0.text(0) }
    forgetGenre(identity ?? "")
    try connection.run("DELETE FROM genre WHERE id = ?", [.integer(id)])
    freed.free(id, of: .genre)
  }
}
