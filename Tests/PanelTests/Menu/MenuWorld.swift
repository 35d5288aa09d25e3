import Application
import Formats
import Hardware
import Playback
import Runtime
import TestSupport

@testable import Library
@testable import Panel
@testable import layby

/// A house whose library is made up: as many songs as wanted, with words that repeat as words do.
@MainLoop
final class MenuWorld: MenuBackend {
  let songs: [(title: String, artist: String)]
  /// Each word in order, with the songs that have it.
  private let words: [(word: String, song: Int)]
  var performed: [MenuAction] = []
  var fails = false
  /// A book of ten hours plays, from its beginning on.
  var status = {
    var (status, book) = (PlayerStatus(), Track(named: FilePath("/Book.flac")))
    (book.rate, book.frames) = (1_000, 36_000_000)
    book.chapters = (0..<12).map { Chapter(at: .seconds(3_000 * $0), title: $0 == 3 ? "" : "Part \($0 + 1)") }
    (status.count, status.track, status.wish) = (200, book, .playing)
    status.entry = .init(id: EntryID(number: 1), path: FilePath("/Book.flac"))
    return status
  }()
  var waits = 0
  var fetches = true
  var canErase = true
  var isOffline = false
  var stickCount = 1
  var former: ShownFormerQueue?
  var placeBefore: Duration?
  func index(ofEntry id: UInt64) -> Int? { Int(id) - 1 }
  var gone: QueuedTrack?
  var kiosk = KioskLock.none
  var unlocking: @MainLoop (String) async -> PinGuard.Verdict = { _ in .wrong }
  var listening: Attention?
  var map = KeyMap()
  var storing = ShownStorage(kept: 4_000_000_000, limit: 10_000_000_000, free: 20_000_000_000)
  let equalisers = ["flat", "rock"]
  var lists = [OwnPlaylist(id: 1, name: "Mine", count: 2)]
  var kept = [ShownDownload(DownloadID("1", "An album"), .running), ShownDownload(DownloadID("2", "Another"), .failed)]

  nonisolated init(_ count: Int, seed: UInt64 = 1) {
    var random = SeededGenerator(seed: seed)
    let syllables = ["ba", "lo", "mi", "ne", "ru", "ta", "vo", "shi", "ga", "den", "or", "el", "qui", "wa", "zu", "pe"]
    func word() -> String {
      (0..<Int.random(in: 1...3, using: &random)).map { _ in syllables.randomElement(using: &random) ?? "a" }.joined()
    }
    let vocabulary = (0..<6_000).map { _ in word() }
    func text(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in vocabulary.randomElement(using: &random) ?? "a" }
        .joined(separator: " ")
    }
    let artists = (0..<max(count / 40, 1)).map { _ in text(2) }
    songs = (0..<count).map { _ in (text(4), artists.randomElement(using: &random) ?? "") }
    words = songs.enumerated().flatMap { index, song in song.title.split(separator: " ").map { (String($0), index) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }

  private func row(_ index: Int, _ kind: Row.Kind) -> Row {
    var row = Row(kind: kind, id: Int64(index), title: songs[index].title)
    row.detail = songs[index].artist
    row.place = PageKey(sort: Array(songs[index].title.utf8), id: Int64(index))
    return row
  }

  private func kind(of list: List) -> Row.Kind {
    switch list {
    case .artists: .artist
    case .albums, .albumsOf, .albumsIn: .album
    case .genres: .genre
    case .folder(nil): .folder
    case .playlists: .playlist
    default: .track
    }
  }

  private func check() throws(Fault) { if fails { throw Fault(.passing, "T-1", "the library does not answer") } }

  /// Songs that are gone, by their numbers.
  var lost: Set<Int> = []
  /// How often a page of a list was looked up.
  private(set) var lookups = 0

  func page(of list: List, after key: PageKey?, count: Int) async throws(Fault) -> Page {
    try check()
    lookups += 1
    let first = key.map { Int($0.id) + 1 } ?? 0
    guard first < songs.count else { return Page(rows: [], next: nil) }
    let there = Array((first..<songs.count).lazy.filter { !self.lost.contains($0) }.prefix(count + 1))
    let rows = there.prefix(count).map { self.row($0, self.kind(of: list)) }
    return Page(rows: rows, next: there.count > count ? rows.last?.place : nil)
  }

  func page(of list: List, before key: PageKey, count: Int) async throws(Fault) -> [Row] {
    try check()
    lookups += 1
    let there = Array((0..<Int(key.id)).reversed().lazy.filter { !self.lost.contains($0) }.prefix(count))
    return there.reversed().map { self.row($0, self.kind(of: list)) }
  }

  var letters: [Letter] = []
  func letters(of list: List) async throws(Fault) -> [Letter] { letters }

  func album(_ id: Int64) async throws(Fault) -> Row? {
    var album = Row(kind: .album, id: id, title: "An album")
    (album.detail, album.year) = ("Somebody", 1959)
    if let partLeft { (album.media, album.count) = (.book, Int64(partLeft.track) + 1) }
    return album
  }

  var current: Int64?
  func current(among rows: [Row]) async throws(Fault) -> Int? { rows.firstIndex { $0.id == current } }
  var placesLeft: [Int64: Duration] = [:]
  func placesLeft(in rows: [Row]) async throws(Fault) -> [Duration?] { rows.map { placesLeft[$0.id] } }
  var partLeft: PartLeft?
  func partLeft(of album: Int64) async throws(Fault) -> PartLeft? { partLeft }

  /// Of the first rows.
  var marks: [MenuMark?] = []
  private(set) var markings = 0
  func marks(of rows: [Row]) async -> [MenuMark?] {
    markings += 1
    return rows.indices.map { marks.indices.contains($0) ? marks[$0] : nil }
  }

  var total: ListTotal?
  func total(of list: List) async throws(Fault) -> ListTotal? { total }

  func cover(of art: MenuArt) async -> FilePath? { nil }

  func isCurrent(_ thing: Thing) async -> Bool { thing.entry.map { $0 == status.entry?.id.number } ?? false }

  func links(of thing: Thing) async throws(Fault) -> TrackLinks {
    TrackLinks(artist: .init(id: 1, name: "Somebody"), album: .init(id: 2, name: "An album"))
  }

  private func first(_ word: String) -> Int {
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle].word < word { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Songs with words that begin with all of these.
  private func found(_ typed: String) -> [Int] {
    let wanted = typed.split(separator: " ").map(String.init)
    guard let longest = wanted.max(by: { $0.count < $1.count }) else { return [] }
    var songs: [Int] = []
    for (word, song) in words[first(longest)...] {
      guard word.hasPrefix(longest), songs.count < 5_000 else { break }
      let has = self.songs[song].title.split(separator: " ")
      if songs.last != song, wanted.allSatisfy({ one in has.contains { $0.hasPrefix(one) } }) { songs.append(song) }
    }
    return songs
  }

  func search(_ typed: String, for wanted: Browsing.Wanted, count: Int) async throws(Fault) -> [Row] {
    try check()
    guard wanted == .tracks else { return [] }
    let exact = found(typed).sorted { songs[$0].title.count < songs[$1].title.count }
    return exact.prefix(count).map { row($0, .track) }
  }

  var hits: [SourceHits] = []
  func sourceHits(_ typed: String) async -> [SourceHits] { hits }

  func count(_ typed: String, for wanted: Browsing.Wanted, most: Int) async throws(Fault) -> Int {
    min(found(typed).count, most)
  }

  func wheel(after typed: String) async throws(Fault) -> [String] {
    try check()
    let parts = typed.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let (before, begin) = (parts.dropLast(), parts.last ?? "")
    var letters: Set<Character> = []
    if before.isEmpty {
      for (word, _) in words[first(begin)...] {
        guard word.hasPrefix(begin) else { break }
        if let next = word.dropFirst(begin.count).first { letters.insert(next) }
      }
    } else {
      for song in found(before.joined(separator: " ")) {
        for word in songs[song].title.split(separator: " ") where word.hasPrefix(begin) {
          if let next = word.dropFirst(begin.count).first { letters.insert(next) }
        }
      }
    }
    return letters.sorted().map(String.init)
  }

  func queue(from: Int, count: Int) async -> [QueuedTrack] {
    (from..<max(min(from + count, 200), from)).map {
      QueuedTrack(.init(id: EntryID(number: UInt64($0 + 1)), path: FilePath("/\($0)")), title: "\($0)", artist: "")
    }
  }

  func takenOut() async -> QueuedTrack? { gone }
  func formerQueue() async -> ShownFormerQueue? { former }

  func playlists() async throws(Fault) -> [OwnPlaylist] { lists }
  func tracks(ofPlaylist id: Int64, count: Int) async throws(Fault) -> [PlaylistRow] {
    var rows = ["First", "Second", "Third"].enumerated().map { PlaylistRow(Int64($0 + 1), $1, "b") }
    for index in rows.indices {
      rows[index].before = index > 0 ? rows[index - 1].id : nil
      rows[index].beforeThat = index > 1 ? rows[index - 2].id : nil
      rows[index].after = index + 1 < rows.count ? rows[index + 1].id : nil
      rows[index].isCurrent = rows[index].id == playingOfPlaylist
    }
    return rows
  }
  func licences() async -> ShownLicences? { .madeUp }
  var hasWireless = true
  var hotspot = WirelessSetup.Hotspot()
  var wirelessState = WirelessState.joined("Roadside", address: "192.168.7.20")
  func wireless() async throws(Fault) -> WirelessSetup.Shown? {
    let seen = [
      SeenNetwork(ssid: Array("Roadside".utf8), dBm: -48, isLocked: true),
      SeenNetwork(ssid: Array("Garage".utf8), dBm: -55, isLocked: true),
      SeenNetwork(ssid: Array("Station".utf8), dBm: -62, isLocked: false),
      SeenNetwork(ssid: [0xFF, 0xFE, 0x41], dBm: -84, isLocked: true),
    ]
    return WirelessSetup.Shown(wirelessState, seen, isSet: wirelessState != .unset, hotspot: hotspot)
  }
  func sticks() async -> [ShownStick] { [ShownStick("/media/a", "BLUE", folder: 7)] }
  func storage() async throws(Fault) -> ShownStorage { storing }
  var because = "Often on weekdays, in the morning"
  func smartDownloads() async throws(Fault) -> [ShownSmartDownload] {
    if let unknownWhatIsKept { throw unknownWhatIsKept }
    return [ShownSmartDownload("1", "Somebody", because: because, bytes: 4_000_000, isWhole: false)]
  }
  var smart = ShownSmart(isWanted: true)
  var whyNone = "It waits for Wi-Fi"
  func whyNoSmartDownloads() async throws(Fault) -> [ShownReason] { [ShownReason(whyNone)] }
  func sources() async -> [ShownSource] { [ShownSource("kitchen")] }

  // MARK: What the source has

  var offeredCount = 20
  var offeredBytes: Int64 = 5_000_000
  /// Of that, what is here already.
  var offeredHere: Int64 = 0
  var room: Int64 = 1_000_000_000
  var keptOffer: ShownDownload?

  /// In the order of their names: three syllables each, none of which is another's.
  nonisolated static func offered(_ index: Int) -> String {
    let syllables = ["Ba", "Do", "Fe", "Gi", "Ku", "La", "Mo", "Ne", "Ri", "Tu"]
    return syllables[index / 100] + syllables[index / 10 % 10].lowercased() + syllables[index % 10].lowercased()
  }

  nonisolated static func offer(_ index: Int) -> OfferID {
    OfferID(source: "kitchen", kind: .album, id: "\(index)", title: offered(index))
  }

  /// How those that are kept stand, by their numbers.
  var offerStates: [Int: ShownDownload.State] = [:]

  private var offers: [ShownOffer] {
    (0..<offeredCount).map { ShownOffer(Self.offer($0), artist: "Somebody", count: 8, state: offerStates[$0]) }
  }

  /// Of an album's tracks, by their numbers: which plays, and which are here only for now.
  var playingOffered: Int?
  var cachedTracks: Set<Int> = []
  /// Of a playlist, by its number.
  var playingOfPlaylist: Int64?

  private func offers(_ query: OfferQuery) -> [ShownOffer] {
    offers.filter { $0.id.title.lowercased().hasPrefix(query.typed) && query.kind ?? .album == .album }
  }

  func counts(of source: String) async throws(Fault) -> [(kind: OfferKind, count: Int)] {
    [(.album, offeredCount), (.track, 0)]
  }

  func offers(
    _ query: OfferQuery, from: Int, count: Int
  ) async throws(Fault) -> (offers: [ShownOffer], total: Int) {
    try check()
    let found = offers(query)
    return (Array(found.dropFirst(from).prefix(count)), found.count)
  }

  func letters(of query: OfferQuery) async throws(Fault) -> [(letter: String, index: Int)] {
    var letters: [(letter: String, index: Int)] = []
    for (index, offer) in offers(query).enumerated() where offer.id.title.prefix(1) != letters.last?.letter ?? "" {
      letters.append((String(offer.id.title.prefix(1)), index))
    }
    return letters
  }

  func wheel(of source: String, after typed: String) async throws(Fault) -> [String] {
    let next = offers(OfferQuery(source, nil, typed: typed)).compactMap {
      $0.id.title.lowercased().dropFirst(typed.count).first
    }
    return Set(next).sorted().map(String.init)
  }

  func details(of offer: OfferID) async throws(Fault) -> OfferDetails {
    try check()
    var details = OfferDetails(
      ShownOffer(offer, artist: "Somebody", count: 8),
      OfferSize(.lossless, bytes: offeredBytes, here: offeredHere, room: room), kept: keptOffer)
    details.length = .seconds(2_460)
    return details
  }

  var offeredTracks = 3
  /// Of what the library has, what can be kept; nil for the owner's own files.
  var keepable: OfferDetails?

  nonisolated static func track(_ number: Int) -> OfferID {
    OfferID(source: "kitchen", kind: .track, id: "t\(number)", title: "Track \(number)")
  }

  func contents(of offer: OfferID, from: Int, count: Int) async throws(Fault) -> (offers: [ShownOffer], total: Int) {
    let states: [ShownDownload.State?] = [nil, .whole, .waiting]
    let all = (from..<max(from, min(from + count, offeredTracks))).map { index -> ShownOffer in
      var track = ShownOffer(
        Self.track(index + 1), artist: index == 1 ? "A guest" : "Somebody", state: states[index % 3])
      (track.isCurrent, track.isCached) = (index + 1 == playingOffered, cachedTracks.contains(index + 1))
      return track
    }
    return (all, offeredTracks)
  }

  func keeping(of thing: Thing) async -> OfferDetails? {
    guard case .offer(let id, _) = thing.kind else { return keepable }
    return try? await details(of: id)  // a library that fails in a walk offers nothing
  }

  func sizes(of offer: OfferID) async throws(Fault) -> [OfferSize] {
    ShownQuality.allCases.map { OfferSize($0, bytes: $0.rawValue * 1_000_000, room: room) }
  }

  var keys: [KeyMap.Row] { map.rows }
  var knob = InputLearning.Knob.learned
  func listen(for listening: Attention?) { self.listening = listening }
  func lock() { performed.append(.lock) }
  func unlock(_ typed: String) async -> PinGuard.Verdict { await unlocking(typed) }
  /// Why nobody knows what is kept.
  var unknownWhatIsKept: Fault?
  func downloads() async throws(Fault) -> [ShownDownload] {
    if let unknownWhatIsKept { throw unknownWhatIsKept }
    return kept
  }
  var settings = Settings()
  let ownersFile = Settings()
  var waiting: Set<SettingName> = []
  func report() async -> String { "Layby Kitchen\nO-111 the battery is low" }
  func facts() async -> [(name: String, value: String)] { [("Songs", "\(songs.count)")] }

  /// What is chosen waits until a test lets it go on.
  var waitsBefore: Mailbox<Void>?

  func perform(_ action: MenuAction) async throws(Fault) {
    try check()
    if let waitsBefore { _ = await waitsBefore.receive() }
    performed.append(action)
  }
}

/// A menu and a hand that counts what it does.
@MainLoop
final class MenuHand {
  let world: MenuWorld
  let notices = NoticeBoard()
  let desk: MenuController
  private(set) var detents = 0
  private(set) var presses = 0

  init(_ world: MenuWorld) {
    self.world = world
    desk = MenuController(
      world, settings: .all, notices: notices, status: { world.status }, tell: { _ in })
    notices.stand(Notice("T-2", "Something is to be seen to."))
    notices.post(Notice("O-200", "Downloads go on."))
  }

  func move(_ move: Controls.MenuMove) async {
    switch move {
    case .turn(let steps), .down(let steps), .leap(let steps), .spin(let steps, _): detents += abs(steps)
    default: presses += 1
    }
    desk.move(move)
    await desk.settled()
  }

  /// Without waiting for what was chosen before.
  func chooseAtOnce(_ title: String) async -> Bool {
    guard let row = rows.firstIndex(where: { $0.title == title }) else { return false }
    desk.move(.turn(row - focus))
    desk.move(.press)
    return true
  }

  func settledLookups() async {
    while rows.isEmpty { await MainLoop.loop.nextRound() }
  }

  var rows: [MenuRow] {
    guard case .rows(let rows, _, _, _)? = desk.shown?.content else { return [] }
    return rows
  }

  /// Turns to the row with this title and presses twice.
  func chooseMore(_ title: String) async -> Bool {
    guard await moveFocus(to: title) else { return false }
    presses += 1
    await move(.more)
    return true
  }

  var focus: Int {
    guard case .rows(_, let focus, _, _)? = desk.shown?.content else { return 0 }
    return focus
  }

  var wheel: LetterWheel? {
    guard case .wheel(let wheel)? = desk.shown?.content else { return nil }
    return wheel
  }

  /// Turns to the row with this title and presses, as a person does. With an empty title: presses the row in focus.
  func choose(_ title: String) async -> Bool {
    if !title.isEmpty { guard await moveFocus(to: title) else { return false } }
    await move(.press)
    return true
  }

  /// Turns the knob until the row with this title has the focus. False when the whole list has no such row.
  func moveFocus(to title: String) async -> Bool {
    for _ in 0..<400 {
      guard let row = rows.firstIndex(where: { $0.title == title }) else {
        let before = rows
        await move(.turn(8))
        if rows == before { return false }
        continue
      }
      await move(.turn(row - focus))
      return true
    }
    return false
  }

  /// To a letter, the shorter way round.
  func type(_ letter: String) async -> Bool {
    guard let wheel, let place = wheel.choices.firstIndex(of: .letter(letter)) else { return false }
    let count = wheel.choices.count
    let way = place - wheel.focus
    await move(.turn(abs(way) <= count / 2 ? way : way - (way > 0 ? count : -count)))
    await move(.press)
    return true
  }
}

extension ShownLicences {
  /// Each kind of account, and of licence.
  static var madeUp: ShownLicences {
    let late = Notice(Fault(.denied, "E-161", "the licence of Yonder ended on 2026-11-01"))
    return ShownLicences(
      accounts: [
        .init(
          "klub",
          .waiting(
            code: "BCDF-GHJK", address: "https://klub.fm/an",
            wholeAddress: "https://klub.fm/an?code=BCDF-GHJK")),
        .init("shop", .signedIn, .unpaid, quality: .high), .init("attic", .signedOut(nil)),
      ],
      licences: [.init("Elsewhere", days: 23), .init("Nearby"), .init("Yonder", refusal: late)])
  }
}
