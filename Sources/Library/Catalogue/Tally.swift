/// What a batch adds to and takes from counts, gathered in memory and written once at its end: a row of a much named
/// artist is touched once a batch and not once a file. What comes to nothing is not written at all.
struct Tally {
  enum Kind: Int64 { case artist = 0, genre = 1, album = 2 }

  struct Part: Hashable {
    let kind: Kind
    let id: Int64
    let source: Int64
  }

  struct Shelf: Hashable {
    let kind: Kind
    let owner: Int64
    let album: Int64
  }

  struct Letter: Hashable {
    let list: Int64
    let letter: String
  }

  private(set) var parts: [Part: Int64] = [:]
  private(set) var shelves: [Shelf: Int64] = [:]
  private(set) var letters: [Letter: (count: Int64, first: [UInt8])] = [:]
  /// Ids of recordings that lost a file.
  var leftRecordings: Set<Int64> = []

  mutating func add(_ change: Int64, _ kind: Kind, _ id: Int64, in source: Int64) {
    parts[Part(kind: kind, id: id, source: source), default: 0] += change
  }

  mutating func add(_ change: Int64, album: Int64, of kind: Kind, _ owner: Int64) {
    shelves[Shelf(kind: kind, owner: owner, album: album), default: 0] += change
  }

  mutating func add(_ change: Int64, _ letter: String, of list: Int64, sort: [UInt8]) {
    let key = Letter(list: list, letter: letter)
    var entry = letters[key] ?? (0, sort)
    entry.count += change
    if change > 0, sort.lexicographicallyPrecedes(entry.first) { entry.first = sort }
    letters[key] = entry
  }
}

/// Lists that have letters, by the number under which the table `letter` knows them.
enum LetterList {
  static let artists: Int64 = 0
  static func albums(_ kind: Metadata.Kind) -> Int64 { 10 + Int64(kind.rawValue) }
  static func tracks(_ kind: Metadata.Kind) -> Int64 { 20 + Int64(kind.rawValue) }
}
