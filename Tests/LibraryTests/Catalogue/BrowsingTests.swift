import Runtime
import Store
import TestSupport
import Testing

@testable import Library

@Suite("Browsing")
struct BrowsingTests {
  /// A few batches of files, some of them replaced and some forgotten again.
  private func walk(_ shelf: Shelf, _ music: inout MadeUpMusic, steps: Int) async throws {
    var folders = [shelf.root]
    for name in ["Ten", "CD 1", "disc2"] {
      folders.append(try await shelf.catalogue.folder(Array(name.utf8), in: shelf.root, of: shelf.source))
    }
    for step in 0..<steps {
      let folder = folders[music.number(0..<folders.count)]
      switch music.number(0..<6) {
      case 0:
        let known = try await shelf.catalogue.known(in: folder)
        var names: Set<[UInt8]> = []
        for name in known.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) where !music.chance(3) {
          names.insert(name)
        }
        if folder == shelf.root { for other in ["Ten", "CD 1", "disc2"] { names.insert(Array(other.utf8)) } }
        try await shelf.catalogue.keepOnly(names, in: folder)
      case 1:
        for _ in 0..<20 { try await shelf.catalogue.played(music.key(), at: Int64(music.number(0..<1_000))) }
      default:
        let batch = (0..<music.number(1..<60)).map { _ in music.found(in: folder, named: music.number(0..<80)) }
        try await shelf.catalogue.store(batch, today: Int64(step))
      }
    }
  }

  @Test("pages joined are the whole list in its order, forwards and backwards, for every list", arguments: [1, 2, 3])
  func pages(seed: UInt64) async throws {
    let shelf = try await Shelf()
    var music = MadeUpMusic(seed: seed)
    try await walk(shelf, &music, steps: 12)
    var lists: [List] = [
      .artists, .albums(.music), .albums(.book), .genres, .tracks(.music), .tracks(.book), .recentlyAdded,
      .recentlyPlayed, .oftenPlayed, .folder(nil), .folder(shelf.root),
    ]
    lists += try await shelf.all(.artists).flatMap { [.albumsOf(artist: $0.id), .tracksBy(artist: $0.id)] }
    lists += try await shelf.all(.genres).map { .albumsIn(genre: $0.id) }
    lists += try await shelf.all(.albums(.music)).map { .tracksOf(album: $0.id) }
    var seen = 0
    for list in lists {
      let whole = try await shelf.catalogue.page(of: list, count: 500).rows
      seen += whole.count
      #expect(try await shelf.all(list, by: 3) == whole, "\(list), seed \(seed)")
      #expect(Set(whole.map { [$0.place.part == 0 ? 0 : 1, $0.id] }).count == whole.count, "\(list), seed \(seed)")
      let total = try await shelf.catalogue.total(of: list)
      let isOfTracks = whole.allSatisfy { $0.kind == .track }
      #expect(total?.count == (isOfTracks ? whole.count : nil), "\(list), seed \(seed)")
      if let total {
        let known = whole.compactMap(\.duration)
        #expect(total.length == (known.count == whole.count ? known.reduce(.zero, +) : nil), "\(list), seed \(seed)")
      }
      let isDescending = ListPlan.parts(of: list)[0].isDescending
      for (one, next) in zip(whole, whole.dropFirst()) {
        let (left, right) = isDescending ? (next.place, one.place) : (one.place, next.place)
        #expect(Self.precedes(left, right), "\(list), seed \(seed)")
      }
      if let last = whole.last {
        let before = try await shelf.catalogue.page(of: list, before: last.place, count: 500)
        #expect(before == Array(whole.dropLast()), "\(list), seed \(seed)")
        let three = try await shelf.catalogue.page(of: list, before: last.place, count: 3)
        #expect(three == Array(whole.dropLast().suffix(3)), "\(list), seed \(seed)")
      }
    }
    #expect(seen > 500, "seed \(seed)")
  }

  private static func precedes(_ left: PageKey, _ right: PageKey) -> Bool {
    if left.part != right.part { return left.part < right.part }
    if left.number != right.number { return left.number < right.number }
    if left.sort != right.sort { return left.sort.lexicographicallyPrecedes(right.sort) }
    return left.id < right.id
  }

  @Test("letters count the list and lead to its first row of each", arguments: [4, 5])
  func letters(seed: UInt64) async throws {
    let shelf = try await Shelf()
    var music = MadeUpMusic(seed: seed)
    try await walk(shelf, &music, steps: 15)
    for list: List in [.artists, .albums(.music), .tracks(.music), .tracks(.book)] {
      let rows = try await shelf.all(list, by: 100)
      var counts: [String: Int64] = [:]
      for row in rows where row.place.sort == Words.sort(row.title) {
        counts[Folding.letter(row.title), default: 0] += 1
      }
      let letters = try await shelf.catalogue.letters(of: list)
      #expect(letters.reduce(0) { $0 + $1.count } == Int64(rows.count), "\(list), seed \(seed)")
      for letter in letters {
        #expect(letter.count >= counts[letter.letter] ?? 0, "\(list) \(letter), seed \(seed)")
        let page = try await shelf.catalogue.page(of: list, after: letter.start, count: 1)
        let first = try #require(page.rows.first)
        // A row with a sort name of its own shows another title.
        if first.place.sort == Words.sort(first.title) {
          #expect(Folding.letter(first.title) == letter.letter, "\(list), seed \(seed)")
        }
      }
    }
  }

  @Test("after any walk the catalogue is what its files alone would make", arguments: [6, 7, 8, 9])
  func consistent(seed: UInt64) async throws {
    let shelf = try await Shelf()
    var music = MadeUpMusic(seed: seed)
    try await walk(shelf, &music, steps: 25)
    try Audit(shelf).check("seed \(seed)")
    // Nothing is left of it when all is forgotten.
    _ = try await shelf.catalogue.forget(source: shelf.source)
    await shelf.catalogue.close()
    let connection = try Connection(open: shelf.folder.path / "library.db", as: .reader)
    for table in ["file", "folder", "source", "artist", "album", "genre", "credit", "shelf", "part", "letter"] {
      let count = try connection.first("SELECT count(*) FROM \(table)") { $0.integer(0) }
      #expect(count == 0, "\(table), seed \(seed)")
    }
    let idle = try connection.first("SELECT count(*) FROM recording WHERE plays = 0 OR files > 0") { $0.integer(0) }
    #expect(idle == 0)
  }

  @Test("a number is given once in a run: whoever has it still in mind is not shown something else")
  func numbersAreGivenOnce() async throws {
    let shelf = try await Shelf()
    var music = MadeUpMusic(seed: 3)
    let lists: [List] = [.artists, .albums(.music), .tracks(.music), .genres]
    var given: [[Int64]] = []
    var (source, root) = (shelf.source, shelf.root)
    for round in 0..<3 {
      try await shelf.catalogue.store((0..<40).map { music.found(in: root, named: $0) }, today: 5)
      var numbers: [[Int64]] = []
      for list in lists { numbers.append(try await shelf.all(list).map(\.id)) }
      #expect(numbers.allSatisfy { !$0.isEmpty })
      for (before, now) in zip(given, numbers) { #expect(Set(before).isDisjoint(with: now), "round \(round)") }
      given = given.isEmpty ? numbers : zip(given, numbers).map { $0 + $1 }
      _ = try await shelf.catalogue.forget(source: source)
      let path = FilePath("/media/\(round)")
      source = try await shelf.catalogue.source(.stick, key: [UInt8(round)], label: "", root: path, today: 1)
      root = try await shelf.catalogue.folder([], in: nil, of: source)
    }
  }

  @Test("the same files in the same batches make the same rows, broken off or not")
  func deterministic() async throws {
    var dumps: [[[SQLValue]]] = []
    for breaks in [false, true] {
      let shelf = try await Shelf()
      var music = MadeUpMusic(seed: 11)
      for batch in 0..<6 {
        let found = (0..<100).map { music.found(in: shelf.root, named: batch * 100 + $0) }
        if breaks {
          // A folder that is not there ends the batch in its middle.
          let bad = Found(FileFacts(folder: 99, name: [65], size: 1, modified: 1), .music(Metadata(), nil))
          let refused = try await isFault {
            try await shelf.catalogue.store(Array(found.prefix(60)) + [bad], today: 5)
          }
          #expect(refused)
          if batch % 2 == 0 {
            await shelf.catalogue.close()
            _ = try await shelf.catalogue.open(afterUncleanStop: true, today: "2026-11-21")
            // It is away until it was recognised.
            try await shelf.catalogue.setPresent(shelf.source, true)
          }
        }
        try await shelf.catalogue.store(found, today: 5)
      }
      await shelf.catalogue.close()
      let connection = try Connection(open: shelf.folder.path / "library.db", as: .reader)
      var lines: [[SQLValue]] = []
      let tables = try connection.rows(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name"
      ) {
        $0.text(0) ?? ""
      }
      for table in tables {
        lines += try connection.rows("SELECT * FROM \"\(table)\"") { row in
          (0..<row.columnCount).map { row.value($0) }
        }
      }
      dumps.append(lines)
    }
    #expect(dumps[0].count > 1_000)
    #expect(dumps[0] == dumps[1])
  }
}
