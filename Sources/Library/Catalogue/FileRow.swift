import Formats
import Runtime
import Store

/// A row of `file` with what follows from it: made from a file's metadata, or read back to take it out again.
struct FileRow {
  let facts: FileFacts
  var problem: String?
  var title: String
  var titleSort: String?
  var sort: [UInt8]
  var kind = Metadata.Kind.music
  var composers: String?
  var artists: [Int64] = []
  var genres: [Int64] = []
  var recording: Int64?
  var rank = Rank.last
  var place: Int64 = 0
  /// Among files of its album that have the same place.
  var albumSort: [UInt8] = []
  var album: Int64?
  var albumIdentity = ""
  var albumTitle = ""
  /// That the album's identity says, so that they are the album's for ever.
  var albumArtists: [Int64] = []
  private var details: Metadata?

  /// Whose lists it stands in.
  var owners: [Int64] { artists + albumArtists.filter { !artists.contains($0) } }

  /// The part of `place` that is a track's number.
  static let numbers: Int64 = 0xF_FFFF
  /// In bytes, of the folder's key in `albumSort`.
  static let longestFolderSort = 64

  init(_ facts: FileFacts, title: String) {
    self.facts = facts
    self.title = title
    sort = []
  }

  /// One that cannot be read goes by its name.
  init(_ facts: FileFacts, problem: String) {
    self.init(facts, title: Self.plainTitle(facts.name))
    self.problem = problem
  }

  init(_ facts: FileFacts, _ metadata: Metadata) {
    let said = metadata.title.map(Words.bounded)
    self.init(facts, title: said.flatMap { $0.isEmpty ? nil : $0 } ?? Self.plainTitle(facts.name))
    titleSort = metadata.titleSort.map(Words.bounded)
    sort = Words.sort(titleSort ?? title)
    kind = metadata.kind
    let composers = metadata.composers.prefix(8).joined(separator: "; ")
    self.composers = composers.isEmpty ? nil : Words.bounded(composers)
    // Numbers that nobody has are none: they must leave each other's bits alone.
    let disc = metadata.disc.map { 0..<4_096 ~= $0 ? Int64($0) : 0 } ?? 0
    let track = metadata.track.map { 0..<(1 << 20) ~= $0 ? Int64($0) : 0 } ?? 0
    place = disc << 20 | track
    details = metadata
  }

  /// Of a file nobody can read, or that has no title: its name without the ending.
  private static func plainTitle(_ name: [UInt8]) -> String {
    FilePath(bytes: name).map { Words.bounded(Track(named: $0).title) } ?? "?"
  }

  static let insertion = """
    INSERT OR REPLACE INTO file (
      id, folder, name, name_sort, size, modified_ns, added_at, problem, kind, recording, title, title_sort, sort,
      artists, album, place, genres, composers, year, codec, sample_rate, bits, channels, frames,
      track_gain, track_peak, album_gain, album_peak, art, encoding, album_sort)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
    RETURNING id
    """

  func values(addedAt: Int64) -> [SQLValue] {
    let details = self.details ?? Metadata()
    return [
      .integer(facts.folder), .blob(facts.name), .blob(NaturalOrder.key(facts.name)), .integer(facts.size),
      .integer(facts.modified), .integer(addedAt), SQLValue(problem),
      problem == nil ? .integer(Int64(kind.rawValue)) : .null, SQLValue(recording), .text(title),
      SQLValue(titleSort), .blob(sort), .text(Words.list(artists)), SQLValue(album), .integer(place),
      .text(Words.list(genres)), SQLValue(composers), SQLValue(details.year.map { Int64($0) }),
      .text(Words.bounded(details.codec)), .integer(Int64(details.rate)), .integer(Int64(details.bits)),
      .integer(Int64(details.channels)), SQLValue(details.frames), SQLValue(details.loudness.trackGain),
      SQLValue(details.loudness.trackPeak), SQLValue(details.loudness.albumGain),
      SQLValue(details.loudness.albumPeak), SQLValue(ArtPlaces.text(details.art)),
      SQLValue(details.encoding?.rawValue), .blob(albumSort),
    ]
  }
}

extension Writer {
  /// As it was put in; nil for a file that is not there or could not be read.
  func stored(_ id: Int64) throws(Fault) -> FileRow? {
    let found = try connection.first(
      """
      SELECT f.folder, f.name, f.size, f.modified_ns, f.title, f.title_sort, f.sort, f.kind, f.composers, f.artists,
        f.genres, f.recording, r.rank, f.album, a.identity, a.title, a.artists
      FROM file f LEFT JOIN album a ON a.id = f.album LEFT JOIN recording r ON r.id = f.recording WHERE f.id = ?
      """, [.integer(id)]
    ) { row -> FileRow? in
      guard let kind = row.integer(7).flatMap({ Metadata.Kind(rawValue: Int($0)) }) else { return nil }
      let facts = FileFacts(
        folder: row.integer(0) ?? 0, name: row.bytes(1) ?? [], size: row.integer(2) ?? 0, modified: row.integer(3) ?? 0)
      var file = FileRow(facts, title: row.text(4) ?? "")
      (file.titleSort, file.sort, file.kind) = (row.text(5), row.bytes(6) ?? [], kind)
      (file.composers, file.artists, file.genres) = (row.text(8), Words.ids(row.text(9)), Words.ids(row.text(10)))
      (file.recording, file.rank, file.album) = (row.integer(11), row.integer(12) ?? Rank.last, row.integer(13))
      (file.albumIdentity, file.albumTitle) = (row.text(14) ?? "", row.text(15) ?? "")
      if file.albumIdentity.hasPrefix("a") { file.albumArtists = Words.ids(row.text(16)) }
      return file
    }
    return found
  }
}

/// Where pictures lie, as one text: "kind offset length coding skipped page;..."
enum ArtPlaces {
  private static let most = 8

  static func text(_ places: [ArtPlace]) -> String? {
    if places.isEmpty { return nil }
    return places.prefix(most).map { place in
      var parts = [
        Int64(place.kind.rawValue), place.offset, Int64(place.length), Int64(place.coding.rawValue),
        Int64(place.skipped),
      ]
      if let page = place.page { parts.append(page) }
      return Words.list(parts)
    }.joined(separator: ";")
  }

  static func places(_ text: String?) -> [ArtPlace] {
    (text ?? "").split(separator: ";").prefix(most).compactMap { part in
      let numbers = Words.ids(String(part))
      guard numbers.count >= 5, let kind = ArtPlace.Kind(rawValue: Int(numbers[0])),
        let coding = ArtPlace.Coding(rawValue: Int(numbers[3])), numbers[1] >= 0, numbers[2] >= 0
      else { return nil }
      return ArtPlace(
        kind, at: numbers[1], length: Int(numbers[2]), coding: coding, skipped: Int(numbers[4]),
        page: numbers.count > 5 ? numbers[5] : nil)
    }
  }
}
