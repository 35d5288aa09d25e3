import Application
import Library
import Offline
import Panel
import Playback
import Runtime
import Services

/// What sources have and what would be kept of it, for the panel's menus.
extension ProgramMenuActions {
  private var keeping: Keeping { application.keeping }

  func counts(of source: String) async throws(Fault) -> [(kind: OfferKind, count: Int)] {
    let kinds = OfferKind.allCases
    let lists = try await keeping.offers(kinds.map(\.container), of: source)
    return zip(kinds, lists).map { ($0, $1.offers.count) }
  }

  func offers(
    _ query: OfferQuery, from: Int, count: Int
  ) async throws(Fault) -> (offers: [ShownOffer], total: Int) {
    let found = try await keeping.offers(query)
    return (try await shown(found.dropFirst(from).prefix(count)), found.count)
  }

  private func shown(_ part: some Collection<Offer>) async throws(Fault) -> [ShownOffer] {
    let (states, tracks) = (try await states(), try await lines(ofTracksIn: part))
    let current = tracks.isEmpty ? nil : await currentItem
    return zip(part, try await keeping.kept(of: part)).map { offer, kept -> ShownOffer in
      let id = OfferID(offer.container, offer.title)
      var one = ShownOffer(id, artist: offer.artist ?? "", count: offer.count, state: states[offer.container])
      if id.kind == .track {
        if let line = tracks[id.id] { one.tell(line, current: current) }
      } else {
        // What is wanted as a part of something else says so too.
        one.state = one.state ?? kept.state
        one.isPartly = kept.whole > 0 && kept.whole < kept.items && (one.state == nil || one.state == .whole)
      }
      return one
    }
  }

  private func lines(ofTracksIn offers: some Sequence<Offer>) async throws(Fault) -> [String: ItemLine] {
    let tracks = offers.filter { $0.container.kind == .track }.map {
      ItemKey(source: $0.container.source, item: $0.container.id)
    }
    let lines = tracks.isEmpty ? [] : try await keeping.lines(of: tracks)
    return Dictionary(lines.map { ($0.item.item, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func letters(of query: OfferQuery) async throws(Fault) -> [(letter: String, index: Int)] {
    guard let kind = query.kind else { return [] }
    return try await keeping.offers([kind.container], of: query.source, searching: query.typed).first?.letters ?? []
  }

  func wheel(of source: String, after typed: String) async throws(Fault) -> [String] {
    try await keeping.letters(OfferKind.allCases.map(\.container), of: source, after: typed, most: 80)
  }

  // MARK: Searched together with the library

  /// How far the list of a source is known.
  enum Listing {
    case looking
    case known
    case failed(Fault, at: Moment)
  }

  /// A source that could not be asked is asked again, but not with each letter.
  nonisolated private static let asksAgainAfter: Duration = .seconds(10)

  func sourceHits(_ typed: String) async -> [SourceHits] {
    var hits: [SourceHits] = []
    for source in keeping.sources.map(\.id) {
      switch listing(of: source) {
      case .looking: hits.append(SourceHits(source, .looking))
      case .failed(let fault, _): hits.append(notSearched(source, fault))
      case .known:
        do throws(Fault) {
          let count = try await keeping.offers(OfferQuery(source, nil, typed: typed)).count
          if count > 0 { hits.append(SourceHits(source, .found(count))) }
        } catch { hits.append(notSearched(source, error)) }
      }
    }
    return hits
  }

  private func notSearched(_ source: String, _ fault: Fault) -> SourceHits {
    SourceHits(source, .notSearched(why: isOffline ? words[.offline] : words.reason(fault)))
  }

  func sourceLetters(after typed: String) async -> [String] {
    var letters: [String] = []
    for source in keeping.sources.map(\.id) {
      guard case .known = listing(of: source) else { continue }
      do throws(Fault) { letters += try await wheel(of: source, after: typed) } catch {
        // What is found says why it was not searched.
        continue
      }
    }
    return letters
  }

  /// What is not known is asked for. A page that shows what was found is looked up again when that has come.
  private func listing(of source: String) -> Listing {
    switch listings[source] {
    case .looking?: return .looking
    case .known?: return .known
    case .failed(let fault, let moment)? where MainLoop.loop.now - moment < Self.asksAgainAfter:
      return .failed(fault, at: moment)
    case .failed?, nil: break
    }
    listings[source] = .looking
    MainLoop.start {
      do throws(Fault) {
        _ = try await self.keeping.offers(OfferKind.allCases.map(\.container), of: source)
        self.listings[source] = .known
      } catch {
        self.listings[source] = .failed(error, at: MainLoop.loop.now)
      }
      self.menu?.musicHasChanged()
    }
    return .looking
  }

  func details(of id: OfferID) async throws(Fault) -> OfferDetails {
    if id.kind == .track { return try await details(ofTrack: id) }
    let key = ContainerKey(id)
    let line = try await keeping.lines().first { $0.container == key }
    let items = try await keeping.items(of: key)
    var offer = ShownOffer(id, count: items.count, state: (line?.state).map { .init($0) })
    if id.kind == .album, let facts = try await keeping.lines(of: Array(items.prefix(1))).first?.facts {
      offer.artist = facts.albumArtist ?? facts.artist ?? ""
    }
    let size: OfferSize
    var kept: ShownDownload?
    if let line {
      kept = try await downloads().first { $0.id.text == "\(key)" }
      size = OfferSize(line.quality, of: kept)
    } else {
      let quality = try await keeping.quality(for: .download)
      size = OfferSize(quality, try await keeping.size(of: key, at: quality))
    }
    var details = OfferDetails(offer, size, kept: kept)
    details.length = try await length(of: id, items)
    return details
  }

  private func details(ofTrack id: OfferID) async throws(Fault) -> OfferDetails {
    let item = ItemKey(source: id.source, item: id.id)
    let line = try await keeping.lines(of: [item]).first ?? ItemLine(item)
    let state = line.isWanted ? ShownDownload.State(line.state) : nil
    var offer = ShownOffer(id, artist: line.facts?.artist ?? "", state: state)
    (offer.length, offer.isCached) = (line.facts?.length, line.isInCache)
    let size: OfferSize
    var kept: ShownDownload?
    if let state, let quality = line.quality {
      // What is kept as a part of something else has no download of its own to go to.
      let isOwn = line.containers.contains(ContainerKey(id))
      var shown = ShownDownload(DownloadID(isOwn ? "\(ContainerKey(id))" : "", id.title), state)
      (shown.bytes, shown.size, shown.speed, shown.left) = (line.bytes, line.size ?? 0, line.speed, line.left)
      shown.why = reasons(line.why, from: id.source)
      (kept, size) = (shown, OfferSize(quality, of: shown))
    } else {
      let quality = try await keeping.quality(for: .download)
      size = OfferSize(quality, try await keeping.size(of: [item], at: quality))
    }
    var details = OfferDetails(offer, size, kept: kept)
    details.length = line.facts?.length
    return details
  }

  /// Added up once: a page that is looked at asks each second. Nil where that would take long, or a source does not say.
  private func length(of id: OfferID, _ items: [ItemKey]) async throws(Fault) -> Duration? {
    if let known = lengths[id] { return known }
    guard items.count <= Self.mostAdded else { return nil }
    let parts = try await keeping.lines(of: items).map { $0.facts?.length }
    let sum = parts.reduce(Duration?.some(.zero)) { sum, part in part.flatMap { part in sum.map { $0 + part } } }
    if lengths.count >= Self.mostAdded { lengths = [:] }
    lengths[id] = .some(sum)
    return sum
  }

  private static let mostAdded = 500

  /// Nil also where nobody can say now: the row is not there then, and the page Keep offline says why.
  func keeping(of thing: Thing) async -> OfferDetails? {
    guard fetches else { return nil }
    do throws(Fault) {
      guard let id = try await offer(of: thing) else { return nil }
      return try await details(of: id)
    } catch {
      return nil
    }
  }

  /// What it asks is asked once for all rows. No row has a sign where nobody can say now.
  func marks(of rows: [Row]) async -> [MenuMark?] {
    var marks = [MenuMark?](repeating: nil, count: rows.count)
    guard keeping.isOpen, rows.contains(where: \.isFetched) else { return marks }
    do throws(Fault) {
      let files = try await music.browsing.files(of: rows.filter(\.isFetched))
      let places = zip(rows.indices.filter { rows[$0].isFetched }, files).compactMap { index, file in
        file.map { (index: index, file: $0) }
      }
      let items = zip(places, await keeping.items(at: places.map(\.file))).compactMap { place, item in
        item.map { (index: place.index, item: $0) }
      }
      let lines = try await keeping.lines(of: items.map(\.item))
      let albums = rows.contains { $0.isFetched && $0.kind == .album } ? try await states() : [:]
      for ((index, _), line) in zip(items, lines) {
        guard line.isWanted else {
          if line.isInCache { marks[index] = .cached }
          continue
        }
        // Of an album that is wanted, not all may be here yet.
        let album = rows[index].kind == .album ? line.containers.first { $0.kind == .album } : nil
        marks[index] = (album.flatMap { albums[$0] } ?? ShownDownload.State(line.state))?.mark
      }
    } catch {
      // The page Keep offline says why.
      return [MenuMark?](repeating: nil, count: rows.count)
    }
    return marks
  }

  /// Entries whose file is here only until its room is needed say so.
  func markCached(_ tracks: inout [QueuedTrack]) async {
    let stored = tracks.indices.filter { tracks[$0].mark == .stored }
    guard keeping.isOpen, !stored.isEmpty else { return }
    let items = zip(stored, await keeping.items(at: stored.map { tracks[$0].entry.path })).compactMap { index, item in
      item.map { (index: index, item: $0) }
    }
    do throws(Fault) {
      let lines = try await keeping.lines(of: items.map(\.item))
      for ((index, _), line) in zip(items, lines) where line.isInCache { tracks[index].mark = .cached }
    } catch {
      // The page Keep offline says why; what is known of the file's name stays.
      return
    }
  }

  /// What plays, if it is a source's.
  private var currentItem: ItemKey? {
    get async {
      guard let path = application.playing.status.entry?.path else { return nil }
      return await keeping.items(at: [path]).first ?? nil
    }
  }

  /// The names of this device's playlists of which something is still to come; nil where nobody can say now.
  func playlistsOnTheirWay() async -> Set<String>? {
    do throws(Fault) {
      let lines = try await keeping.lines().filter { $0.container.kind == .devicePlaylist && $0.state != .whole }
      return Set(lines.map(\.container.id))
    } catch {
      return nil
    }
  }

  private func offer(of thing: Thing) async throws(Fault) -> OfferID? {
    let path: FilePath?
    switch thing.kind {
    case .offer(let id, _): return id
    case .entry(let number): path = application.playing.queue.entry(EntryID(number: number))?.path
    case .track(let id, _): path = try await music.browsing.path(ofTrack: id)
    case .all(.tracksOf(let album)): path = try await music.browsing.file(ofAlbum: album)
    case .all: return nil
    }
    guard let path, let item = await keeping.items(at: [path]).first ?? nil else { return nil }
    guard case .all = thing.kind else {
      return OfferID(source: item.source, kind: .track, id: item.item, title: thing.title)
    }
    return try await keeping.album(of: item).map { OfferID($0.key, $0.title) }
  }

  /// Of an artist first the albums, as the library shows one, and then the songs that are on none.
  func contents(of id: OfferID, from: Int, count: Int) async throws(Fault) -> (offers: [ShownOffer], total: Int) {
    guard id.kind == .artist else {
      let items = try await keeping.items(of: ContainerKey(id))
      return (try await tracks(items.dropFirst(from).prefix(count)), items.count)
    }
    let (albums, others) = try await keeping.albums(ofArtist: ContainerKey(id))
    let page = try await shown(albums.dropFirst(from).prefix(count))
    let rest = others.dropFirst(max(from - albums.count, 0)).prefix(count - page.count)
    return (page + (try await tracks(rest)), albums.count + others.count)
  }

  private func tracks(_ items: some Collection<ItemKey>) async throws(Fault) -> [ShownOffer] {
    if items.isEmpty { return [] }
    let current = await currentItem
    return try await keeping.lines(of: Array(items)).map { line -> ShownOffer in
      let title = line.facts?.title ?? line.item.address.name.description
      let track = OfferID(source: line.item.source, kind: .track, id: line.item.item, title: title)
      var shown = ShownOffer(track, artist: line.facts?.artist ?? "")
      shown.tell(line, current: current)
      return shown
    }
  }

  /// That of its first track: each track's index entry names one.
  func coverOf(_ id: OfferID) async throws(Fault) -> FilePath? {
    guard let item = try await keeping.items(of: ContainerKey(id)).first else { return nil }
    return await keeping.cover(of: item)
  }

  func sizes(of id: OfferID) async throws(Fault) -> [OfferSize] {
    var sizes: [OfferSize] = []
    for quality in Quality.allCases {
      sizes.append(OfferSize(quality, try await keeping.size(of: ContainerKey(id), at: quality)))
    }
    return sizes
  }

  /// How far what is wanted has come, by what it is.
  private func states() async throws(Fault) -> [ContainerKey: ShownDownload.State] {
    let lines = try await keeping.lines().map { ($0.container, ShownDownload.State($0.state)) }
    return Dictionary(lines, uniquingKeysWith: { first, _ in first })
  }

  /// The artist of each wanted thing that shares its title with another one.
  func artists(ofNamesakes all: [ContainerKey]) async throws(Fault) -> [ContainerKey: String] {
    let names = Dictionary(all.map { (ExactText($0.title), 1) }, uniquingKeysWith: +)
    var artists: [ContainerKey: String] = [:]
    for key in all where names[ExactText(key.title)].map({ $0 > 1 }) ?? false {
      guard let first = try await keeping.items(of: key).first else { continue }
      let facts = try await keeping.lines(of: [first]).first?.facts
      artists[key] = facts?.albumArtist ?? facts?.artist
    }
    return artists
  }

  func keep(_ id: OfferID, at quality: ShownQuality, isAnyway: Bool) async throws(Fault) {
    try await keeping.keep(ContainerKey(id), at: Quality(rawValue: quality.rawValue), isAnyway: isAnyway)
  }

  func stopKeeping(_ id: OfferID) async throws(Fault) { try await keeping.stopKeeping(ContainerKey(id)) }
}

extension Keeping {
  /// Whether it is here or not. `track`: where somebody wants to begin.
  func music(of list: OfferedList, from track: OfferID?) async throws(Fault) -> OfferedMusic {
    let address = track.map { ItemKey(source: $0.source, item: $0.id).address }
    var (addresses, origin): ([FilePath], Origin)
    switch list {
    case .one(let id): (addresses, origin) = try await music(of: ContainerKey(id), called: id.title)
    // The album goes on behind a song that was searched for.
    case .found(let query) where !query.typed.isEmpty && address != nil:
      origin = Origin(.search, query.typed)
      addresses = [address].compactMap(\.self)
      if let track, let album = try await album(of: ItemKey(source: track.source, item: track.id)) {
        addresses = try await music(of: album.key, called: album.title).addresses
      }
    case .found(let query):
      addresses = try await offers(query).lazy.filter { $0.container.kind == .track }.map {
        ItemKey(source: $0.container.source, item: $0.container.id).address
      }
      // It may be all that a source has: what stands behind the one that was chosen.
      addresses = Array(addresses.drop { address != nil && $0 != address }.prefix(Playing.mostBehind))
      origin = Origin(.source, query.source)
    }
    return OfferedMusic(addresses, first: address.flatMap { addresses.firstIndex(of: $0) }, from: origin)
  }

  fileprivate func offers(_ query: OfferQuery) async throws(Fault) -> [Offer] {
    let kinds = query.kind.map { [$0.container] } ?? OfferKind.allCases.map(\.container)
    return try await offers(kinds, of: query.source, searching: query.typed).flatMap(\.offers)
  }
}

extension OfferKind {
  fileprivate var container: ContainerID.Kind {
    switch self {
    case .album: .album
    case .artist: .artist
    case .playlist: .playlist
    case .track: .track
    }
  }

  fileprivate init?(_ kind: ContainerKey.Kind) {
    switch kind {
    case .album: self = .album
    case .artist: self = .artist
    case .playlist: self = .playlist
    case .track: self = .track
    case .podcast, .episode, .devicePlaylist, .predicted, .cache: return nil
    }
  }
}

extension ItemLine {
  /// All of it is here, and nobody has asked for it.
  fileprivate var isInCache: Bool { !isWanted && record?.state == .completed }
}

extension ShownOffer {
  fileprivate mutating func tell(_ line: ItemLine, current: ItemKey?) {
    state = line.isWanted ? .init(line.state) : nil
    (length, isCached, isCurrent) = (line.facts?.length, line.isInCache, line.item == current)
  }
}

extension OfferID {
  /// Nil for what is no offer of a source, such as a playlist of this device.
  init?(_ key: ContainerKey) {
    guard OfferKind(key.kind) != nil else { return nil }
    self.init(key, key.title)
  }

  fileprivate init(_ key: ContainerKey, _ title: String) {
    self.init(source: key.source, kind: OfferKind(key.kind) ?? .track, id: key.id, title: title)
  }
}

extension ContainerKey {
  fileprivate init(_ id: OfferID) { self.init(ContainerID(id.kind.container, id.id), of: id.source) }
}

extension OfferSize {
  /// As much as there is of what is kept already.
  fileprivate init(_ quality: Quality, of kept: ShownDownload?) {
    let bytes = kept?.bytes ?? 0
    self.init(ShownQuality(rawValue: quality.rawValue) ?? .normal, bytes: bytes, here: bytes, room: bytes)
  }

  fileprivate init(_ quality: Quality, _ size: Wants.Size) {
    self.init(
      ShownQuality(rawValue: quality.rawValue) ?? .normal, bytes: size.whole, here: size.here, toFetch: size.bytes,
      room: size.room)
    time = size.time
  }
}

extension ShownDownload.State {
  /// Nil where nobody has asked for it.
  fileprivate init?(_ state: ItemLine.State) {
    switch state {
    case .notWanted, .cached: return nil
    case .wanted, .waiting: self = .waiting
    case .paused: self = .paused
    case .fetching: self = .running
    case .kept: self = .whole
    case .failed: self = .failed
    }
  }
}

extension KeptPart {
  /// How all of it stands; nil where only a part of it is wanted and nothing of that is on its way.
  fileprivate var state: ShownDownload.State? {
    if wanted == 0 { return nil }
    if whole + failed < wanted { return .waiting }
    if whole == items { return .whole }
    return whole == 0 ? .failed : nil
  }
}
