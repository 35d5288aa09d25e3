import Runtime
import Services
import Synchronization
import TestSupport
import Testing

@testable import Offline

/// A source whose containers change when a test says so.
final class ChangingSource: MediaSource {
  struct State {
    var items: [String: [UInt8]] = [:]
    /// Addresses of their pictures.
    var art: [String: String] = [:]
    var lists: [String: [String]] = [:]
    var changes = MediaChanges(token: "1")
    var asked: [String?] = []
    var personal: [PersonalList] = []
    /// How files are called at the end.
    var ending = "flac"
    /// Its index cannot be had.
    var isSilent = false
    /// Why nobody is told where an item is.
    var refuses: MediaFailure?
    /// Whoever asks for changes is not answered.
    var isHanging = false
    var hanging: [CheckedContinuation<Void, Never>] = []
    var resolved = 0
    var forgot = 0
    /// How good everything can be had; none where it does not tell.
    var qualities: Set<Quality> = []
  }

  let id: String
  let state: Mutex<State>

  init(_ items: [String: [UInt8]], lists: [String: [String]], id: String = "shop") {
    self.id = id
    state = Mutex(State(items: items, lists: lists))
  }

  func resolve(_ item: String, at quality: Quality, isAnew: Bool) async throws(MediaFailure) -> MediaPlace {
    let refused = state.withLock { state -> MediaFailure? in
      state.resolved += 1
      return state.refuses
    }
    if let refused { throw refused }
    guard let bytes = bytes(item, quality), let sum = try? PartFileTests.sum(bytes) else {
      throw MediaFailure(.notThere, Fault(.missing, "T-4", "no \(item)"))
    }
    let ending = state.withLock { $0.ending }
    return MediaPlace(url: "\(quality.rawValue)/\(item)", size: Int64(bytes.count), hash: sum, ending: ending)
  }

  /// Each quality has other bytes, and more of them when it is better.
  func bytes(_ item: String, _ quality: Quality) -> [UInt8]? {
    let whole = state.withLock { $0.items[item] }
    return whole.map { $0 + [UInt8](repeating: UInt8(quality.rawValue), count: Int(quality.rawValue)) }
  }

  func items(of container: ContainerID) async throws(MediaFailure) -> [MediaItem] {
    if state.withLock({ $0.isSilent }) { throw MediaFailure(.network, Fault(.passing, "T-5", "nobody answers")) }
    let one = container.kind == .track && state.withLock { $0.items[container.id] != nil } ? [container.id] : nil
    guard let names = one ?? state.withLock({ $0.lists[container.id] }) else {
      throw MediaFailure(.notThere, Fault(.missing, "T-4", "no \(container.id)"))
    }
    return names.map { name in
      var item = MediaItem(id: name)
      (item.title, item.length) = ("Song \(name)", .seconds(10))
      item.hash = bytes(name, .lossless).flatMap { try? PartFileTests.sum($0) }
      item.size = bytes(name, .lossless).map { Int64($0.count) }
      (item.art, item.qualities) = state.withLock { ($0.art[name], $0.qualities) }
      return item
    }
  }

  func personalLists() async throws(MediaFailure) -> [PersonalList] { state.withLock { $0.personal } }

  /// Whoever was not answered is.
  func letGo() {
    let hanging = state.withLock { state in
      defer { (state.hanging, state.isHanging) = ([], false) }
      return state.hanging
    }
    for one in hanging { one.resume() }
  }

  func forgetFailure() { state.withLock { $0.forgot += 1 } }

  func changes(since token: String?) async throws(MediaFailure) -> MediaChanges {
    if state.withLock({ $0.isHanging }) {
      await withCheckedContinuation { hanging in state.withLock { $0.hanging.append(hanging) } }
    }
    return state.withLock { state in
      state.asked.append(token)
      return state.changes
    }
  }
}

/// Serves what the source has, in pieces. It can be told to say nothing, so that transfers stay in the middle, and to
/// send a page in place of music.
final class ShopFetching: MediaFetching {
  struct State {
    var isHalting = false
    /// These come all the same.
    var flowing: Set<String> = []
    /// Not a word comes of these.
    var silent: Set<String> = []
    var pages: Set<String> = []
    /// What comes of asking for these in place of their bytes.
    var troubles: [String: Trouble] = [:]
    var asked: [String] = []
    /// Of each fetch, since when it was said whether somebody listens.
    var listened: [(item: String, isListened: Bool)] = []
  }

  let sources: [ChangingSource]
  let state = Mutex(State())

  init(_ sources: [ChangingSource]) { self.sources = sources }

  struct Fetch: MediaFetch {
    let item: String
    let shop: ShopFetching

    func stop() {}
    func credit(_ bytes: Int) {}
    func listened(_ isListened: Bool) { shop.state.withLock { $0.listened.append((item, isListened)) } }
  }

  func fetch(
    _ place: MediaPlace, _ asked: Asked, hear: @escaping @Sendable (FetchNews) -> Void
  ) async -> any MediaFetch {
    let parts = place.url.split(separator: "/", maxSplits: 1).map(String.init)
    let quality = Int64(parts[0]).flatMap { Quality(rawValue: $0) } ?? .low
    let bytes = sources.lazy.compactMap { $0.bytes(parts[1], quality) }.first ?? []
    let (isHalting, isPage, trouble) = state.withLock { state in
      state.asked.append(parts[1])
      return (
        state.isHalting && !state.flowing.contains(parts[1]), state.pages.contains(parts[1]), state.troubles[parts[1]]
      )
    }
    if state.withLock({ $0.silent.contains(parts[1]) }) { return Fetch(item: parts[1], shop: self) }
    if let trouble {
      hear(.failed(trouble))
      return Fetch(item: parts[1], shop: self)
    }
    if isPage {
      hear(.head(MediaResponse(status: 200, headers: [("Content-Type", "text/html"), ("Content-Length", "5")])))
      return Fetch(item: parts[1], shop: self)
    }
    var headers = [(name: "Content-Length", value: "\(bytes.count - Int(asked.from))")]
    if asked.from > 0 { headers.append(("Content-Range", "bytes \(asked.from)-\(bytes.count - 1)/\(bytes.count)")) }
    hear(.head(MediaResponse(status: asked.from > 0 ? 206 : 200, headers: headers)))
    let rest = Array(bytes.dropFirst(Int(asked.from)))
    let half = isHalting ? rest.count / 2 : rest.count
    for start in stride(from: 0, to: half, by: 10_000) { hear(.bytes(Array(rest[start..<min(start + 10_000, half)]))) }
    if !isHalting { hear(.ended) }
    return Fetch(item: parts[1], shop: self)
  }
}

/// As durable as commits; with the disk's power gone nothing is stored any more.
final class ShelfRows: OfflineRows {
  struct Tables: Sendable {
    var downloads: [MediaKey: DownloadRecord] = [:]
    var wishes: [ContainerKey: StoredWish] = [:]
    var remembered: [ItemKey: KnownItem] = [:]
    var timesRemembered = 0
    var leftOut: Set<ItemKey> = []
    var tokens: [String: String] = [:]
    var numbers: [String: Int64] = [:]
    var plays: [ItemPlay] = []
    var smart = SmartDownloads()
    var volumes = StoredVolumes()
    var moved: [String: Move.Copy] = [:]
  }

  private let tables: Mutex<Tables>
  private let disk: MemoryDisk
  private let isRefusing = Mutex(false)

  init(_ tables: Tables = Tables(), with disk: MemoryDisk) {
    self.tables = Mutex(tables)
    self.disk = disk
  }

  var all: Tables { tables.withLock { $0 } }

  /// Nothing can be stored until it is told otherwise.
  func refuse(_ isRefusing: Bool) { self.isRefusing.withLock { $0 = isRefusing } }

  private func change(_ body: (inout Tables) -> Void) throws(Fault) {
    if disk.isDead { throw Fault(.passing, "T-9", "the power is gone") }
    if isRefusing.withLock({ $0 }) { throw Fault(.full, "T-9", "the database has no room") }
    tables.withLock { body(&$0) }
  }

  func store(_ record: DownloadRecord) async throws(Fault) { try change { $0.downloads[record.key] = record } }
  func downloads(after key: MediaKey?, count: Int) async throws(Fault) -> [DownloadRecord] {
    let sorted = all.downloads.values.sorted { $0.key < $1.key }
    return Array(sorted.filter { one in key.map { $0 < one.key } ?? true }.prefix(count))
  }
  func forget(_ keys: [MediaKey]) async throws(Fault) { try change { for key in keys { $0.downloads[key] = nil } } }
  func store(_ wish: StoredWish) async throws(Fault) { try change { $0.wishes[wish.container] = wish } }
  func change(_ wish: StoredWish) async throws(Fault) {
    try change { tables in
      var new = wish
      new.items = tables.wishes[wish.container]?.items ?? []
      tables.wishes[wish.container] = new
    }
  }
  func forget(_ containers: [ContainerKey]) async throws(Fault) {
    try change { tables in for container in containers { tables.wishes[container] = nil } }
  }

  func wishes() async throws(Fault) -> [StoredWish] { all.wishes.values.sorted { $0.container < $1.container } }
  func facts(of items: [ItemKey]) async throws(Fault) -> [ItemKey: MediaItem] {
    var facts = all.remembered.mapValues(\.facts)
    for wish in all.wishes.values {
      for item in wish.items { facts[ItemKey(source: wish.container.source, item: item.id)] = item }
    }
    return facts.filter { items.contains($0.key) }
  }
  func remember(_ items: [KnownItem]) async throws(Fault) {
    try change { tables in
      tables.timesRemembered += 1
      for var item in items {
        item.file = item.file ?? tables.remembered[item.key]?.file
        tables.remembered[item.key] = item
      }
    }
  }
  func items(inFiles names: [String]) async throws(Fault) -> [String: KnownItem] {
    var found: [String: KnownItem] = [:]
    for item in all.remembered.values { if let file = item.file, names.contains(file) { found[file] = item } }
    return found
  }
  func leaveOut(_ item: ItemKey, _ isOut: Bool) async throws(Fault) {
    try change { if isOut { $0.leftOut.insert(item) } else { $0.leftOut.remove(item) } }
  }
  func leftOut() async throws(Fault) -> [ItemKey] { all.leftOut.sorted() }
  func store(token: String?, of source: String) async throws(Fault) { try change { $0.tokens[source] = token } }
  func tokens() async throws(Fault) -> [String: String] { all.tokens }
  func store(_ numbers: [String: Int64]) async throws(Fault) { try change { $0.numbers.merge(numbers) { $1 } } }
  func numbers() async throws(Fault) -> [String: Int64] { all.numbers }
  func note(_ play: ItemPlay) async throws(Fault) { try change { $0.plays.append(play) } }
  func plays(in dates: ClosedRange<Int64>) async throws(Fault) -> [ItemPlay] {
    all.plays.filter { dates.contains($0.at) }.sorted { $0.at < $1.at }
  }
  func store(_ smart: SmartDownloads) async throws(Fault) { try change { $0.smart = smart } }
  func smartDownloads() async throws(Fault) -> SmartDownloads { all.smart }
  func volumes() async throws(Fault) -> StoredVolumes { all.volumes }
  func store(_ volumes: StoredVolumes) async throws(Fault) {
    try change { tables in
      if tables.volumes.target != volumes.target { tables.moved = [:] }
      tables.volumes = volumes
    }
  }
  func moved() async throws(Fault) -> [String: Move.Copy] { all.moved }
  func store(_ copy: Move.Copy, of file: String) async throws(Fault) { try change { $0.moved[file] = copy } }
}

/// One life of a board between two power cuts, on a clock that stands still until a test moves it.
final class Depot: Sendable {
  let source: ChangingSource
  let fetching: ShopFetching
  let disk: MemoryDisk
  let rows: ShelfRows
  let part: OfflinePart
  let loop: EventLoop
  static let folder = FilePath("/media")
  static let ssd = MediaVolume("ssd", at: FilePath("/ssd/music"))

  /// `date`: seconds since 1970 when this life begins; they go by with its clock.
  init(
    _ source: ChangingSource, _ disk: MemoryDisk = MemoryDisk(), _ tables: ShelfRows.Tables = .init(),
    date: Int64 = 1_000, and other: ChangingSource? = nil
  ) throws {
    let sources = [source] + (other.map { [$0] } ?? [])
    (self.source, self.disk, fetching) = (source, disk, ShopFetching(sources))
    rows = ShelfRows(tables, with: disk)
    loop = try EventLoop("work", time: .virtual(VirtualTime()), mayBlock: true)
    try loop.start()
    let (box, wholes, places, loop) = (Box<OfflineEvent>(), Box<WholeItem>(), Box<FilePath>(), self.loop)
    let begun = loop.now
    (self.box, self.wholes, self.places) = (box, wholes, places)
    part = OfflinePart(
      Self.folder, or: [Self.ssd], on: disk, rows: rows, sources: sources, fetching: fetching, loop: loop,
      date: { date + (loop.now - begun).nanoseconds / 1_000_000_000 },
      told: { box.add($0) }, whole: { wholes.add($0) }, moved: { places.add($0) })
  }

  final class Box<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])
    var all: [Element] { elements.withLock { $0 } }
    func add(_ element: Element) { elements.withLock { $0.append(element) } }
  }

  private let box: Box<OfflineEvent>
  private let wholes: Box<WholeItem>
  private let places: Box<FilePath>
  var told: [OfflineEvent] { box.all }
  var whole: [WholeItem] { wholes.all }
  /// Where all was moved to.
  var moved: [FilePath] { places.all }

  deinit { loop.stop() }

  /// At home, on the charger.
  static var home: TransferConditions {
    var situation = TransferConditions()
    (situation.network, situation.internet, situation.battery) = (.wifi, .reached, 80)
    (situation.hasCharger, situation.minute) = (true, 600)
    return situation
  }

  static var rules: TransferRules {
    var rules = TransferRules()
    (rules.settling, rules.reserve, rules.limit) = (.zero, 1_000_000, 1 << 40)
    return rules
  }

  func start(_ rules: TransferRules = Depot.rules, _ situation: TransferConditions = Depot.home) async throws {
    try await part.start(rules, situation)
  }

  /// Goes on until nothing is left to be done, and the minute's look is over.
  func settle(_ duration: Duration = .seconds(61)) async {
    await loop.advance(by: duration)
    // What does not run holds no room.
    if let held = await part.engine.heldWhileNothingRuns(on: disk), !disk.isDead { #expect(held == 0) }
  }

  func record(_ item: String, _ quality: Quality = .high) -> DownloadRecord? {
    rows.all.downloads[MediaKey(source: "shop", item: item, quality: quality)]
  }

  /// Whether its file is there, with the right bytes.
  func isWhole(_ item: String, _ quality: Quality = .high) -> Bool {
    guard let record = record(item, quality), record.state == .completed, let path = record.path else { return false }
    return disk.bytes(FilePath(path)) == source.bytes(item, quality)
  }

  func lastWaits() -> [String]? {
    for event in told.reversed() {
      if case .waits(let why) = event { return why.map(\.code) }
      if event == .goesOn { return nil }
    }
    return nil
  }
}

extension DownloadEngine {
  /// Bytes that are set aside on the disk while nothing runs; nil while something does. Both are asked in one turn of the
  /// engine: a test's other tasks may start a download at any time.
  func heldWhileNothingRuns(on disk: MemoryDisk) -> Int? { runningCount == 0 ? disk.setAside : nil }
}
