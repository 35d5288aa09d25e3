import Runtime
import Store

extension Writer {
  /// Stores a file, in the place of what was known under its name.
  func store(_ found: Found, today: Int64) throws(Fault) -> Int64 {
    let facts = found.facts
    let before = try connection.first(
      "SELECT id, added_at FROM file WHERE folder = ? AND name = ?", [.integer(facts.folder), .blob(facts.name)]
    ) { row in row.integer(0).map { (id: $0, addedAt: row.integer(1) ?? today) } }
    if let before { try takeOut(before.id) }
    let addedAt = before?.addedAt ?? today
    switch found.outcome {
    case .unreadable(let problem):
      return try write(FileRow(facts, problem: Words.bounded(problem)), id: before?.id, addedAt: addedAt)
    case .music(let metadata, let key):
      let row = try self.row(facts, metadata, key)
      let id = try write(row, id: before?.id, addedAt: addedAt)
      try putIn(id, row)
      return id
    }
  }

  func remove(_ id: Int64) throws(Fault) {
    try takeOut(id)
    try connection.run("UPDATE imported_entry SET file = NULL WHERE file = ?", [.integer(id)])
    try connection.run("DELETE FROM file WHERE id = ?", [.integer(id)])
    freed.free(id, of: .file)
  }

  private func row(_ facts: FileFacts, _ metadata: Metadata, _ key: ContentKey?) throws(Fault) -> FileRow {
    let folder = try self.folder(facts.folder)
    var row = FileRow(facts, metadata)
    row.artists = try ids(metadata.artists, sortName: metadata.artistSort)
    if let album = AlbumIdentity(metadata, albumFolder: folder.albumFolder, store: folder.isStore ? folder.source : nil)
    {
      if row.place >> 20 == 0, let disc = album.disc ?? folder.disc { row.place |= Int64(disc) << 20 }
      if row.place & FileRow.numbers == 0, !folder.isStore {
        row.albumSort = folder.sort.prefix(FileRow.longestFolderSort) + [0] + NaturalOrder.key(facts.name)
      }
      let albumArtists = try album.artists.map { names throws(Fault) in
        try ids(names, sortName: metadata.albumArtistSort)
      }
      let known = try self.album(album, metadata, artists: albumArtists ?? row.artists)
      row.album = known.id
      row.albumIdentity = album.identity
      row.albumTitle = album.title
      // The album's own: this file may split the same names otherwise, and what is put in must be what is taken out.
      row.albumArtists = albumArtists == nil ? [] : known.artists
    }
    var genres: [Int64] = []
    for name in metadata.genres.prefix(16) where !name.isEmpty {
      let id = try genre(name)
      if !genres.contains(id) { genres.append(id) }
    }
    row.genres = genres
    if let key { (row.recording, row.rank) = try recording(key) }
    return row
  }

  private func ids(_ names: [String], sortName: String?) throws(Fault) -> [Int64] {
    var ids: [Int64] = []
    for name in names.prefix(16) where !name.isEmpty {
      // One sort name is for one artist; of several it is not known whose part is whose.
      let id = try artist(name, sortName: names.count == 1 ? sortName : nil)
      if !ids.contains(id) { ids.append(id) }
    }
    return ids
  }

  private func recording(_ key: ContentKey) throws(Fault) -> (id: Int64, rank: Int64) {
    let known = try connection.first("SELECT id, rank FROM recording WHERE key = ?", [SQLValue(key)]) { row in
      row.integer(0).map { (id: $0, rank: row.integer(1) ?? Rank.last) }
    }
    if let known { return known }
    let id = try insert(
      "INSERT INTO recording (key, files, plays, last_played, rank) VALUES (?, 0, 0, 0, \(Rank.last)) RETURNING id",
      [SQLValue(key)])
    return (id, Rank.last)
  }

  private func write(_ row: FileRow, id: Int64?, addedAt: Int64) throws(Fault) -> Int64 {
    // A changed file keeps its number: lists and playlists know it by that.
    var number = id
    if number == nil { number = try freed.next(in: .file, connection) }
    return try insert(FileRow.insertion, [SQLValue(number)] + row.values(addedAt: addedAt))
  }

  // MARK: What follows from a file

  private func putIn(_ id: Int64, _ row: FileRow) throws(Fault) {
    let source = try folder(row.facts.folder).source
    count(1, row, in: source)
    for artist in row.artists {
      try connection.run(
        "INSERT INTO credit (artist, sort, file) VALUES (?, ?, ?)", [.integer(artist), .blob(row.sort), .integer(id)])
    }
    if let recording = row.recording {
      try connection.run("UPDATE recording SET files = files + 1 WHERE id = ?", [.integer(recording)])
    }
    if let album = row.album {
      touched[album, default: TouchedAlbum()].artists.insert(Words.list(row.artists))
    }
    words.add(Rank.row(row.rank, id), try indexed(row), to: .tracks)
  }

  /// The contrary, from what was stored.
  private func takeOut(_ id: Int64) throws(Fault) {
    guard let row = try stored(id) else { return }
    let source = try folder(row.facts.folder).source
    words.remove(Rank.row(row.rank, id), try indexed(row), from: .tracks)
    count(-1, row, in: source)
    for artist in row.artists {
      try connection.run(
        "DELETE FROM credit WHERE artist = ? AND sort = ? AND file = ?",
        [.integer(artist), .blob(row.sort), .integer(id)])
    }
    if let recording = row.recording {
      try connection.run("UPDATE recording SET files = files - 1 WHERE id = ?", [.integer(recording)])
      tally.leftRecordings.insert(recording)
    }
    if let album = row.album { touched[album, default: TouchedAlbum()].lostFiles = true }
  }

  private func count(_ change: Int64, _ row: FileRow, in source: Int64) {
    for artist in row.owners {
      tally.add(change, .artist, artist, in: source)
      if let album = row.album { tally.add(change, album: album, of: .artist, artist) }
    }
    for genre in row.genres {
      tally.add(change, .genre, genre, in: source)
      if let album = row.album { tally.add(change, album: album, of: .genre, genre) }
    }
    if let album = row.album { tally.add(change, .album, album, in: source) }
    tally.add(change, Folding.letter(row.titleSort ?? row.title), of: LetterList.tracks(row.kind), sort: row.sort)
  }

  /// The words that a file is found by. The same values give the same words, or they could not be taken out again.
  func indexed(_ row: FileRow) throws(Fault) -> [String] {
    var people: [String] = []
    for artist in row.artists { people.append(try identity(ofArtist: artist)) }
    people.append(row.composers ?? "")
    people.append(AlbumIdentity.artistWords(row.albumIdentity))
    return [Words.indexed([row.title]), Words.indexed(people), Words.indexed([row.albumTitle])]
  }

  func identity(ofArtist id: Int64) throws(Fault) -> String {
    try connection.first("SELECT identity FROM artist WHERE id = ?", [.integer(id)]) { $0.text(0) } ?? ""
  }
}
