import Glibc
import Library
import Runtime
import Synchronization

/// What a person waits for in a large library: results while they type, and pages while they turn the knob.
struct LibraryBench {
  static let search = "search"
  static let searchAbout = "results while typing in a library of 100,000 tracks, and of --tracks N"
  static let browse = "browse"
  static let browseAbout = "pages of every list in a library of 100,000 tracks, and of --tracks N; bytes a track"

  let name: String
  let scratch: Scratch
  let tracks: Int?
  let rounds: Int

  private static let usual = 100_000

  func run() throws(Fault) -> [Row] {
    var rows: [Row] = []
    for size in [Self.usual] + (tracks.map { [$0] } ?? []) {
      let folder = try scratch.folder("library-\(name)-\(size)")
      let measure = LibraryMeasure(name: name, rounds: rounds)
      // Its folder goes when the scratch does.
      try withExtendedLifetime(scratch) { () throws(Fault) in
        rows += try Awaited.rows { () async throws(Fault) in
          let library = try await Filled(folder, tracks: size)
          return measure.name == Self.search ? try await measure.search(library) : try await measure.browse(library)
        }
      }
    }
    return rows
  }

}

/// What is asked of a filled library, and how long each answer took.
private struct LibraryMeasure: Sendable {
  let name: String
  let rounds: Int

  /// On a panel and a little ahead.
  private static let shown = 20

  func search(_ library: Filled) async throws(Fault) -> [Row] {
    let letters = "abcdefghijklmnopqrstuvwxyz".map { String($0) }
    let ones = letters + "снпвкσκπかさた0123456789".map { String($0) }
    let twos = letters.flatMap { one in "aeioucst".map { one + String($0) } }
    var pairs: [String] = []
    var triples: [String] = []
    for (place, one) in letters.enumerated() {
      for other in letters[(place + 1)...] { pairs.append("\(one) \(other)") }
      for other in letters[(place + 1)...] {
        for third in letters where third > other { triples.append("\(one) \(other) \(third)") }
      }
    }
    triples = triples.enumerated().filter { $0.offset % 9 == 0 }.map(\.element)
    let mixed = twos.enumerated().map { "\($0.element) \(ones[$0.offset % ones.count])" }
    let words = [
      "the", "love", "the love", "love rem", "live l", "of the a", "i", "i lo", "remix s", "with al", "me my",
    ]
    var rows: [Row] = []
    var all: [Double] = []
    let cases = [
      ("one letter", ones), ("two letters", twos), ("two words of a letter", pairs),
      ("three words of a letter", triples), ("two letters and a letter", mixed), ("common words", words),
    ]
    for (what, queries) in cases {
      var times: [Double] = []
      for text in queries {
        let query = SearchQuery(text)
        times.append(
          try await median { () async throws(Fault) in
            _ = try await library.catalogue.search(query, for: .tracks, count: Self.shown)
          })
      }
      rows += self.rows("tracks, \(what)", library, times, goal: .below(5_000))
      all += times
    }
    rows += self.rows("tracks, all of these", library, all, goal: .below(5_000))
    // Whoever types sees artists and albums too.
    var names: [Double] = []
    for text in ones + pairs + words {
      let query = SearchQuery(text)
      names.append(
        try await median { () async throws(Fault) in
          for wanted in [Catalogue.Wanted.artists, .albums] {
            _ = try await library.catalogue.search(query, for: wanted, count: Self.shown)
          }
        })
    }
    rows += self.rows("artists and albums", library, names, goal: .below(5_000))
    // A knob's letters: those that can come next.
    var wheel: [Double] = []
    for text in [""] + ones + twos + mixed + words.map({ $0 + " " }) {
      wheel.append(
        try await median { () async throws(Fault) in
          _ = try await library.catalogue.wheel(after: text, count: 40)
        })
    }
    rows += self.rows("letters that lead on", library, wheel, goal: .below(5_000))
    // Until all are there: who turns it right round.
    var round: [Double] = []
    for text in ones + mixed + words.map({ $0 + " " }) {
      round.append(
        try await median { () async throws(Fault) in
          var letter: String?
          repeat {
            letter = try await library.catalogue.wheel(after: text, behind: letter, count: 40).next
          } while letter != nil
        })
    }
    rows += self.rows("all letters that lead on", library, round, goal: .none)
    // Until the panel is full or all parts are there: who waits for the rest.
    var whole: [Double] = []
    for text in pairs + triples {
      let query = SearchQuery(text)
      whole.append(
        try await median { () async throws(Fault) in
          var part = try await library.catalogue.search(query, for: .tracks, count: Self.shown)
          var count = part.rows.count
          while let next = part.next, count < Self.shown {
            part = try await library.catalogue.search(query, for: .tracks, after: next, count: Self.shown - count)
            count += part.rows.count
          }
        })
    }
    return rows
      + self.rows("two and three words of a letter, until the panel is full", library, whole, goal: .below(5_000))
  }

  // MARK: Browse

  func browse(_ library: Filled) async throws(Fault) -> [Row] {
    let catalogue = library.catalogue
    let artist = try await most(.artists, library)
    let genre = try await most(.genres, library)
    let lists: [(String, List)] = [
      ("artists", .artists), ("albums", .albums(.music)), ("tracks", .tracks(.music)), ("genres", .genres),
      ("tracks of the busiest artist", .tracksBy(artist: artist)),
      ("albums of the busiest artist", .albumsOf(artist: artist)),
      ("albums of the largest genre", .albumsIn(genre: genre)), ("folders", .folder(library.root)),
      ("recently added", .recentlyAdded), ("recently played", .recentlyPlayed), ("often played", .oftenPlayed),
    ]
    var rows: [Row] = []
    var all: [Double] = []
    for (what, list) in lists {
      // From the front on, and from where each letter begins.
      var starts: [PageKey?] = [nil]
      var key: PageKey?
      for _ in 0..<20 {
        key = try await catalogue.page(of: list, after: key, count: Self.shown).next
        guard let key else { break }
        starts.append(key)
      }
      starts += try await catalogue.letters(of: list).map(\.start)
      var times: [Double] = []
      for start in starts {
        times.append(
          try await median { () async throws(Fault) in
            _ = try await catalogue.page(of: list, after: start, count: Self.shown)
          })
      }
      rows += self.rows(what, library, times, goal: .below(5_000))
      all += times
    }
    let letters = try await median { () async throws(Fault) in _ = try await catalogue.letters(of: .tracks(.music)) }
    rows += self.rows("letters of all tracks", library, [letters], goal: .below(5_000))
    rows += self.rows("any page", library, all, goal: .below(5_000))
    let survey = try await catalogue.survey()
    rows.append(
      Row(
        bench: name, name: "\(library.words): bytes a track",
        value: Spread(Double(survey.bytes) / Double(library.size)),
        unit: .bytes, goal: .below(1_000)))
    rows.append(
      Row(
        bench: name, name: "\(library.words): storing a file", value: Spread(library.microsecondsAFile),
        unit: .microseconds))
    return rows
  }

  /// Whose count is the largest of the first five hundred.
  private func most(_ list: List, _ library: Filled) async throws(Fault) -> Int64 {
    let page = try await library.catalogue.page(of: list, count: Catalogue.largestPage)
    return page.rows.max { $0.count < $1.count }?.id ?? 0
  }

  // MARK: Figures

  /// Of a few: whatever else the machine does disturbs single ones.
  private func median(_ work: () async throws(Fault) -> Void) async throws(Fault) -> Double {
    var times: [Double] = []
    for _ in 0..<max(rounds, 1) {
      let begun = Moment.now
      try await work()
      times.append(Double((Moment.now - begun).nanoseconds) / 1_000)
    }
    return times.sorted()[times.count / 2]
  }

  private func rows(_ what: String, _ library: Filled, _ times: [Double], goal: Goal) -> [Row] {
    let sorted = times.sorted()
    guard let last = sorted.last else { return [] }
    let late = sorted[min(sorted.count * 99 / 100, sorted.count - 1)]
    Patience.tell("\(library.words): \(what): worst \(decimal(last, places: 0)) µs")
    return [
      Row(
        bench: name, name: "\(library.words): \(what), p50", value: Spread(sorted[sorted.count / 2]),
        unit: .microseconds),
      Row(
        bench: name, name: "\(library.words): \(what), p99", value: Spread(late), unit: .microseconds, goal: goal),
    ]
  }
}

/// A catalogue full of made up tracks, some of which were played.
struct Filled: Sendable {
  let catalogue: Catalogue
  let root: Int64
  let size: Int
  let microsecondsAFile: Double

  var words: String {
    if size % 1_000_000 == 0 { return "\(size / 1_000_000),000,000" }
    return size % 1_000 == 0 ? "\(size / 1_000),000" : "\(size)"
  }

  init(_ folder: FilePath, tracks: Int) async throws(Fault) {
    let loop = try EventLoop("library", mayBlock: true)
    try loop.start()
    catalogue = Catalogue(in: folder, on: loop)
    size = tracks
    _ = try await catalogue.open(afterUncleanStop: false, today: "2026-11-21")
    let source = try await catalogue.source(
      .folder, key: Array("/music".utf8), label: "Music", root: FilePath("/music"), today: 1)
    root = try await catalogue.folder([], in: nil, of: source)
    var music = MadeUpLibrary(tracks: tracks)
    var (inner, batch, played, spent): (Int64, [Found], [ContentKey], Duration) = (root, [], [], .zero)
    while music.count < tracks {
      let (isNew, metadata, key) = music.track()
      if isNew {
        let name = Array("\(metadata.album ?? "") \(music.count)".utf8.prefix(200)).filter { $0 != 0x2F }
        inner = try await catalogue.folder(name, in: root, of: source)
      }
      let number = metadata.track ?? 0
      let file = Array("\(number < 10 ? "0" : "")\(number) \(metadata.title ?? "").flac".utf8.prefix(250))
      let facts = FileFacts(
        folder: inner, name: file, size: Int64(20_000_000 + music.count),
        modified: 1_700_000_000_000_000_000 + Int64(music.count))
      batch.append(Found(facts, .music(metadata, key)))
      if music.count % 40 == 0 { played.append(key) }
      guard batch.count == Catalogue.largestBatch || music.count == tracks else { continue }
      let begun = Moment.now
      try await catalogue.store(batch, today: Int64(music.count))
      spent += Moment.now - begun
      batch.removeAll(keepingCapacity: true)
      if music.count % 100_000 == 0 { Patience.tell("\(music.count) tracks are stored") }
    }
    microsecondsAFile = Double(spent.nanoseconds) / 1_000 / Double(tracks)
    for (place, key) in played.prefix(2_500).enumerated() {
      try await catalogue.restore([.init(key: key, plays: Int64(1 + place % 30), lastPlayed: Int64(place))])
    }
  }
}
