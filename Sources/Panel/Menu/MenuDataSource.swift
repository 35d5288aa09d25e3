import Application
import Canvas
import Library
import Playback
import Runtime

/// Looks up what a menu shows, one part of a list at a time. Each row has a key that says where in the list it is, so
/// that the rows before and behind it are found even when the list has changed meanwhile.
@MainLoop
final class MenuDataSource {
  enum Found: Equatable {
    case rows([MenuRow], goesOn: Bool = false, goesBack: Bool = false, isElsewhere: Bool = false)
    case more([MenuRow], isMore: Bool)
    case letters([String], found: LetterWheel.Preview)
    case code(Code?, String, beside: [String] = [])
    case place(PlaceDial)
    /// Why it is not the PIN; nil when it is.
    case unlocked(String?)
    case nothing
  }

  static let page = 60
  static let mostOfPlaylist = 150

  private let backend: any MenuBackend
  var pages: MenuPages
  /// What plays, and what the first page counts, at the moment of the call.
  private let currentState: @MainLoop () -> MenuPages.Now
  private let board: NoticeBoard
  /// Gives the time of day; nil while the clock is not to be believed.
  var timeOfDay: @MainLoop () -> TimeOfDay? = { nil }
  /// Gives the states of the device that hold now.
  var states: @MainLoop () -> [PanelState] = { [] }

  init(
    _ backend: any MenuBackend, _ pages: MenuPages, notices: NoticeBoard,
    currentState: @escaping @MainLoop () -> MenuPages.Now
  ) {
    self.backend = backend
    self.pages = pages
    self.currentState = currentState
    board = notices
  }

  /// Looks up what is asked, and leaves out the rows that this person has no right to (see `MenuPages.allowed`).
  func find(_ ask: Menu.Ask) async throws(Fault) -> Found {
    switch try await lookUp(ask) {
    case .rows(let rows, let goesOn, let goesBack, let isElsewhere):
      return .rows(pages.allowed(rows), goesOn: goesOn, goesBack: goesBack, isElsewhere: isElsewhere)
    case .more(let rows, let isMore): return .more(pages.allowed(rows), isMore: isMore)
    case let other: return other
    }
  }

  private func lookUp(_ ask: Menu.Ask) async throws(Fault) -> Found {
    switch ask {
    case .rows(.list(let list, let name)): return try await part(of: list, name, from: nil, count: Self.page)
    case .again(.list(let list, let name), let first, let count):
      return try await part(of: list, name, from: first, count: max(count, Self.page))
    case .rows(.queue):
      let lower = max((currentState().status.index ?? 0) - Self.page / 2, 0)
      return await queue(lower..<lower + Self.page)
    case .again(.queue, let first, let count): return await queue(Self.span(first, count))
    case .around(.queue, let entry):
      // It may not be back yet.
      guard let index = backend.index(ofEntry: entry), index < currentState().status.count else {
        return await queue(Self.span(nil, 0))
      }
      let lower = index < Self.page ? 0 : index - Self.page / 2
      return await queue(lower..<index + Self.page, isElsewhere: true)
    case .rows(.offers(let query)): return try await offers(query, Self.span(nil, 0))
    case .again(.offers(let query), let first, let count): return try await offers(query, Self.span(first, count))
    case .rows(.offer(let id)): return try await offered(id, Self.span(nil, 0))
    case .again(.offer(let id), let first, let count): return try await offered(id, Self.span(first, count))
    case .rows(.goTo), .again(.goTo, _, _): return whereItIs
    case .rows(let place), .again(let place, _, _): return .rows(try await rows(of: place))
    case .more(.list(let list, let name), let end, let from): return try await more(list, name, end, from)
    case .more(.queue, let end, let from): return await moreOfQueue(end, from)
    case .more(.offers(let query), let end, let from): return try await moreOffers(query, end, from)
    case .more(.offer(let id), let end, let from): return try await moreOffered(id, end, from)
    case .jump(.offers(let query), let steps, let from): return try await jump(query, .by(steps, from: from))
    case .jump(.list(let list, _), let steps, let from): return try await jump(list, .by(steps, from: from))
    case .letter(.offers(let query), let part): return try await jump(query, .to(part))
    case .letter(.list(let list, _), let part): return try await jump(list, .to(part))
    case .more, .around, .jump, .letter: return .nothing
    case .code(signingInTo: nil):
      let text = await backend.report()
      return .code(Code(text), text)
    case .code(signingInTo: let source?):
      let text = await backend.licences()?.account(source)?.wholeAddress ?? pages.words[.notSignedIn]
      return .code(Code(text), text)
    case .hotspotCode:
      guard let hotspot = try await backend.wireless()?.hotspot else { return .code(nil, pages.words[.noWireless]) }
      guard case .on = hotspot.phase, let wish = hotspot.wish else { return .code(nil, pages.told(hotspot)) }
      return .code(Code(wish.code), wish.code, beside: pages.lines(of: wish))
    case .alphabet(let writing): return .letters(writing.letters(pages.words), found: LetterWheel.Preview())
    case .unlock(let typed):
      switch await backend.unlock(typed) {
      case .right: return .unlocked(nil)
      case .wrong: return .unlocked(pages.words[.wrongPIN])
      case .closed(let wait): return .unlocked("\(pages.words[.waits]): \(wait.clock)")
      case .uncounted: return .unlocked(pages.words[.diskLocked])
      }
    case .offerLetters(let typed, let source):
      let letters = try await backend.wheel(of: source, after: typed)
      return .letters(letters, found: try await offered(source, typed))
    case .letters(let typed):
      let letters = try await backend.wheel(after: typed)
      return .letters(letters, found: try await preview(typed))
    }
  }

  /// Of what plays: a stream has no length, and then there is no place to go to.
  private var whereItIs: Found {
    let status = currentState().status
    guard let entry = status.entry, let track = status.track, let whole = track.duration, whole > .zero else {
      return .rows(pages.noPlace)
    }
    let chapters = track.chapters.map { PlaceDial.Chapter(at: $0.begins, title: $0.title) }
    return .place(
      PlaceDial(
        entry: entry.id.number, title: track.title, at: status.place.elapsed, of: whole, chapters: chapters))
  }

  /// The sleep timer counts time.
  var timerRuns: Bool { if case .time? = currentState().status.sleep { true } else { false } }

  private var clock: MenuPages.Clock { .init(now: MainLoop.loop.now, timeOfDay: timeOfDay()) }

  /// Whoever looks at the list has seen what is in it.
  private func notices() -> [MenuRow] {
    defer { board.markSeen() }
    return pages.notices(board.told, states(), at: clock)
  }

  // MARK: Short lists

  private func rows(of place: MenuPlace) async throws(Fault) -> [MenuRow] {
    let status = currentState().status
    switch place {
    case .menu: return pages.menu(currentState())
    case .more: return pages.more(currentState())
    case .library:
      return pages.library(hasPodcasts: await hasPodcasts(), sticks: backend.stickCount, fetches: backend.fetches)
    case .found(let words): return try await found(words)
    case .thing(let thing):
      return pages.thing(
        thing, try await backend.links(of: thing), status, before: backend.placeBefore,
        at: thing.entry.flatMap { backend.index(ofEntry: $0) }, isCurrent: await backend.isCurrent(thing),
        keeping: try await keeping(of: thing))
    case .playlistFor(let thing): return pages.playlists(try await backend.playlists(), for: thing)
    case .playlists: return pages.playlists(try await backend.playlists())
    case .playlist(let playlist):
      // It may be kept since it was opened.
      let now = try await backend.playlists().first { $0.id == playlist.id } ?? playlist
      let tracks = try await backend.tracks(ofPlaylist: playlist.id, count: Self.mostOfPlaylist)
      return pages.playlist(now, tracks, status, fetches: backend.fetches)
    case .playlistEntry(let track, let playlist):
      // Its neighbours are others after each move.
      let tracks = try await backend.tracks(ofPlaylist: playlist.id, count: Self.mostOfPlaylist)
      return pages.playlistEntry(tracks.first { $0.id == track.id } ?? track, of: playlist)
    case .sleep: return pages.sleep(status)
    case .sound: return pages.sound(status)
    case .equaliser: return pages.equaliser(backend.equalisers, status)
    case .normaliser: return pages.normaliser(status)
    case .bands: return pages.bands(status)
    case .settings:
      let hasNotices = !board.told.isEmpty || states().contains { $0.isWarning || $0.isQuiet }
      return pages.settings(
        backend.settings, waiting: backend.waiting, notices: hasNotices ? board.newCount : nil,
        hasWireless: backend.hasWireless)
    case .settingsOf(let section):
      let disk = section == Setting<Int>.offlineLimit.section ? await diskSize() : nil
      return pages.settings(of: section, backend.settings, waiting: backend.waiting, smart: backend.smart, disk: disk)
    case .setting(let name):
      let disk = name.section == Setting<Int>.offlineLimit.section ? await diskSize() : nil
      return pages.setting(name, backend.settings, file: backend.ownersFile, disk: disk)
    case .hotspot: return pages.hotspot(try await backend.wireless())
    case .wireless: return pages.wireless(try await backend.wireless(), backend.settings)
    case .settingIn(let name, let region): return pages.setting(name, in: region, backend.settings)
    case .keys: return pages.keys(backend.keys, knob: backend.knob, settings: backend.settings)
    case .keysOf(let meaning): return pages.keys(of: meaning, backend.keys)
    case .key(let name, let meaning): return pages.key(name, meaning, backend.keys)
    case .keep:
      let sources = await backend.sources()
      // What can be asked stands there, and below it why the rest cannot: soon after the start, or where nothing can be
      // remembered.
      var (going, storage, trouble): ([ShownDownload], ShownStorage?, Fault?) = ([], nil, nil)
      do throws(Fault) { going = try await downloads() } catch { trouble = error }
      do throws(Fault) { storage = try await backend.storage() } catch { trouble = trouble ?? error }
      let rows = pages.keep(sources, going, storage, backend.smart, hasLicences: await backend.licences() != nil)
      return rows + (trouble.map { pages.text(pages.words.reason($0)) } ?? [])
    case .source(let name):
      let source = await backend.sources().first { $0.name == name } ?? ShownSource(name)
      return pages.source(source, try await backend.counts(of: name))
    case .qualities(let id):
      let now = try await backend.details(of: id).size.quality
      return pages.qualities(of: id, try await backend.sizes(of: id), now: now)
    case .downloads: return pages.downloads(try await downloads())
    case .smart:
      guard backend.smart.isOn else { return pages.smart(backend.smart, []) }
      do throws(Fault) {
        let chosen = try await backend.smartDownloads()
        return pages.smart(
          backend.smart, chosen, why: try await backend.whyNoSmartDownloads(), settings: backend.settings)
      } catch {
        // They can be switched off all the same.
        return pages.smart(backend.smart, nil, settings: backend.settings) + pages.text(pages.words.reason(error))
      }
    case .chapters: return pages.chapters(status, before: backend.placeBefore)
    case .storage: return pages.storage(try await backend.storage())
    case .storageDetails: return pages.storageDetails(try await backend.storage())
    case .licences: return pages.licences(await backend.licences())
    case .account(let source): return pages.account(source, await backend.licences()?.account(source))
    case .sources: return pages.sources(await backend.sources())
    case .download(let id):
      guard let download = try await downloads().first(where: { $0.id.text == id.text }) else { return [] }
      return pages.download(download)
    case .sticks: return pages.sticks(await backend.sticks())
    case .stick(let stick): return pages.stick(stick)
    case .notices: return notices()
    case .notice(let notice):
      return pages.notice(notice, board.told.first { $0.notice == notice }, at: clock)
    case .state(let kind): return states().first { $0.kind == kind }.map { pages.state($0) } ?? []
    case .about:
      return pages.facts(await backend.facts(), hasStorage: backend.fetches, canErase: backend.canErase)
    case .erasing: return pages.erasing()
    case .signs: return pages.signs(fetches: backend.fetches)
    case .sure(let question): return pages.sure(question)
    case .list, .queue, .goTo, .search, .offers, .offer, .searchOffers, .write, .dial, .code, .signInCode, .hotspotCode,
      .learning, .knob:
      return []
    }
  }

  private func keeping(of thing: Thing) async throws(Fault) -> OfferDetails? {
    guard let details = await backend.keeping(of: thing) else { return nil }
    return try await naming(details)
  }

  /// How many bytes the disk has on which music is kept. Nil when it is not known.
  private func diskSize() async -> Int64? {
    do throws(Fault) { return try await backend.storage().total } catch { return nil }
  }

  /// A library that does not answer says so in the list that is opened, and not here.
  private func hasPodcasts() async -> Bool {
    do throws(Fault) {
      return try await !backend.page(of: .albums(.podcast), after: nil, count: 1).rows.isEmpty
    } catch {
      return false
    }
  }

  private func hits(_ words: String, tracks most: Int) async throws(Fault) -> [Row] {
    try await SearchRank(words).hits(tracks: most) { wanted, count async throws(Fault) in
      try await self.backend.search(words, for: wanted, count: count)
    }
  }

  private func found(_ words: String) async throws(Fault) -> [MenuRow] {
    let rows = try await hits(words, tracks: SearchRank.mostFound)
    let (marks, current) = (await backend.marks(of: rows), try await backend.current(among: rows))
    let found = zip(rows, marks).enumerated().map { index, known -> MenuRow in
      let row = pages.found(known.0, searching: words, known.1)
      return index == current ? pages.playing(row, currentState().status) : row
    }
    return found + pages.found(in: await backend.sourceHits(words), searching: words)
  }

  /// The first of them, and how many there are.
  private func preview(_ typed: String) async throws(Fault) -> LetterWheel.Preview {
    if typed.isEmpty { return LetterWheel.Preview() }
    let rows = try await hits(typed, tracks: SearchRank.mostRanked)
    var count = rows.count
    let tracks = rows.count { $0.kind == .track }
    // There are more than were looked for.
    if tracks == SearchRank.mostRanked {
      count += try await backend.count(typed, for: .tracks, most: SearchRank.mostFound + 1) - tracks
    }
    let sources = pages.found(in: await backend.sourceHits(typed), searching: typed)
    // As many as the page has rows that lead to something.
    count += sources.count { $0.action != .none }
    let shown = rows.prefix(Self.mostPreviewed).map { pages.found($0, searching: typed) } + sources
    return LetterWheel.Preview(
      Array(shown.prefix(Self.mostPreviewed)),
      count: count > SearchRank.mostFound ? "\(SearchRank.mostFound)+" : "\(count)")
  }

  /// As many as the largest panel has room for below the letters.
  private static let mostPreviewed = 4

  // MARK: Lists of any length

  /// `first`: the row that it begins with, or what stands there by now; nil: the list's own first.
  private func part(
    of list: List, _ name: String, from first: RowKey?, count: Int
  ) async throws(Fault) -> Found {
    var before: Row?
    if case .page(let key)? = first { before = try await backend.page(of: list, before: key, count: 1).first }
    let page = try await backend.page(of: list, after: before?.place, count: count)
    let album = try await album(of: list)
    let heads = before != nil || page.rows.isEmpty ? [] : try await heads(of: list, name, album)
    return .rows(
      heads + (try await shown(page.rows, list, of: artist(of: list, name, album))), goesOn: page.next != nil,
      goesBack: before != nil)
  }

  /// Of what is known by its number: as much as was shown, and no less than a page.
  private static func span(_ first: RowKey?, _ count: Int) -> Range<Int> {
    let lower = if case .index(let index)? = first { index } else { 0 }
    return lower..<lower + max(count, page)
  }

  private func more(
    _ list: List, _ name: String, _ end: RowWindow.End, _ from: RowKey
  ) async throws(Fault) -> Found {
    guard case .page(let key) = from else { return .nothing }
    let album = try await album(of: list)
    let artist = artist(of: list, name, album)
    switch end {
    case .after:
      let page = try await backend.page(of: list, after: key, count: Self.page)
      return .more(try await shown(page.rows, list, of: artist), isMore: page.next != nil)
    case .before:
      let rows = try await backend.page(of: list, before: key, count: Self.page)
      let isBegin = rows.count < Self.page
      let heads = isBegin ? try await heads(of: list, name, album) : []
      return .more(heads + (try await shown(rows, list, of: artist)), isMore: !isBegin)
    }
  }

  private func heads(of list: List, _ name: String, _ album: Row?) async throws(Fault) -> [MenuRow] {
    let total = list.isOfTracks ? try await backend.total(of: list) : nil
    let heads = pages.heads(
      of: list, named: name, album: album, total: total, isShuffled: currentState().status.isShuffled)
    guard case .tracksOf(let id) = list, let album, album.media != .music, album.count > 1,
      let part = try await backend.partLeft(of: id)
    else { return heads }
    return heads + [pages.goingOn(with: part, of: list)]
  }

  private func album(of list: List) async throws(Fault) -> Row? {
    guard case .tracksOf(let album) = list else { return nil }
    return try await backend.album(album)
  }

  /// Who is told by the page already.
  private func artist(of list: List, _ name: String, _ album: Row?) -> String? {
    switch list {
    case .albumsOf, .tracksBy: name
    default: album?.detail
    }
  }

  /// From letter to letter.
  enum Way {
    case by(Int, from: RowKey?)
    /// From 0 to 1.
    case to(Double)

    /// So many are gone through one by one. Some scripts have thousands, of which a part is gone by at once.
    private static let fewLetters = 30

    /// Which of `count` letters it leads to; `current` is the one of a row.
    func goal(of count: Int, current: (RowKey?) -> Int) -> Int? {
      guard count > 0 else { return nil }
      switch self {
      case .by(0, from: _): return nil
      case .by(let steps, let from):
        let goal = current(from) + min(max(steps, -count), count) * max(count / Self.fewLetters, 1)
        return min(max(goal, 0), count - 1)
      case .to(let part): return min(max(Int(part * Double(count)), 0), count - 1)
      }
    }
  }

  private func jump(_ list: List, _ way: Way) async throws(Fault) -> Found {
    let letters = try await backend.letters(of: list)
    let goal = way.goal(of: letters.count) { from in
      if case .page(let key)? = from { Self.letter(of: key, in: letters) ?? 0 } else { 0 }
    }
    guard let goal else { return .nothing }
    let page = try await backend.page(of: list, after: letters[goal].start, count: Self.page)
    return .rows(try await shown(page.rows, list), goesOn: page.next != nil, goesBack: goal > 0, isElsewhere: true)
  }

  private static func letter(of key: PageKey, in letters: [Letter]) -> Int? {
    letters.lastIndex { !key.sort.lexicographicallyPrecedes($0.start.sort) }
  }

  private func shown(_ rows: [Row], _ list: List, of artist: String? = nil) async throws(Fault) -> [MenuRow] {
    let letters = try await backend.letters(of: list)
    let marks = await backend.marks(of: rows)
    // Elsewhere its detail is its artist.
    let left = if case .tracksOf = list { try await backend.placesLeft(in: rows) } else { [Duration?]() }
    let current = try await backend.current(among: rows)
    return zip(rows, marks).enumerated().map { index, known in
      let (row, mark) = known
      var shown = placed(pages.row(row, in: list, mark), .page(row.place), of: artist)
      if index == current {
        shown = pages.playing(shown, currentState().status)
      } else if left.indices.contains(index), let place = left[index] {
        shown.detail = pages.goesOn(at: place, shown.detail)
      }
      // By the key that it is sorted by; where a list has no letters of its own, by its name.
      shown.letter =
        Self.letter(of: row.place, in: letters).map { letters[$0].letter }
        ?? (list.isInOrderOfNames ? Folding.letter(row.title) : nil)
      return shown
    }
  }

  /// Where it stands; and nothing of what the page says already.
  private func placed(_ row: MenuRow, _ key: RowKey, of artist: String?) -> MenuRow {
    var shown = row
    if shown.detail == artist { shown.detail = "" }
    shown.key = key
    return shown
  }

  // MARK: What sources have

  private func offers(
    _ query: OfferQuery, _ span: Range<Int>, isElsewhere: Bool = false
  ) async throws(Fault) -> Found {
    let (offers, total) = try await backend.offers(query, from: span.lowerBound, count: span.count)
    return .rows(
      await shown(offers, query, from: span.lowerBound), goesOn: span.lowerBound + offers.count < total,
      goesBack: span.lowerBound > 0, isElsewhere: isElsewhere)
  }

  private func moreOffers(_ query: OfferQuery, _ end: RowWindow.End, _ from: RowKey) async throws(Fault) -> Found {
    guard case .index(let index) = from else { return .nothing }
    let first = end == .after ? index + 1 : max(index - Self.page, 0)
    let count = end == .after ? Self.page : index - first
    let (offers, total) = try await backend.offers(query, from: first, count: count)
    let isMore = end == .after ? first + offers.count < total : first > 0
    return .more(await shown(offers, query, from: first), isMore: isMore)
  }

  private func jump(_ query: OfferQuery, _ way: Way) async throws(Fault) -> Found {
    let letters = try await backend.letters(of: query)
    let goal = way.goal(of: letters.count) { from in
      guard case .index(let index)? = from else { return 0 }
      return letters.lastIndex { $0.index <= index } ?? 0
    }
    guard let goal else { return .nothing }
    return try await offers(query, Self.span(.index(letters[goal].index), 0), isElsewhere: true)
  }

  private func offered(_ source: String, _ typed: String) async throws(Fault) -> LetterWheel.Preview {
    if typed.isEmpty { return LetterWheel.Preview() }
    let query = OfferQuery(source, nil, typed: typed)
    let found = try await backend.offers(query, from: 0, count: 6)
    let isAway = await isAway(source)
    return LetterWheel.Preview(
      found.offers.map { pages.offer($0, in: query, isAway: isAway) }, count: "\(found.total)")
  }

  /// Nothing of its music can be heard just now but what is here.
  private func isAway(_ source: String) async -> Bool {
    if backend.isOffline { return true }
    return await backend.sources().contains { $0.name == source && $0.isAway }
  }

  private func shown(_ offers: [ShownOffer], _ query: OfferQuery, from first: Int) async -> [MenuRow] {
    let isAway = await isAway(query.source)
    return offers.enumerated().map { offset, offer in
      var row = pages.offer(offer, in: query, isAway: isAway)
      if offer.isCurrent { row = pages.playing(row, currentState().status) }
      if query.kind != nil { row.letter = Folding.letter(offer.id.title) }
      return placed(row, .index(first + offset), of: nil)
    }
  }

  // MARK: One of them, as an album is shown

  private func details(of id: OfferID) async throws(Fault) -> OfferDetails {
    try await naming(try await backend.details(of: id))
  }

  /// Each that waits for others says for which.
  private func downloads() async throws(Fault) -> [ShownDownload] {
    try await backend.downloads().namingOthers(pages.words)
  }

  /// The same of one that is kept.
  private func naming(_ details: OfferDetails) async throws(Fault) -> OfferDetails {
    guard let kept = details.kept, kept.why.contains(where: \.isTurn) else { return details }
    var details = details
    if let named = try await downloads().first(where: { $0.id.text == kept.id.text }) { details.kept?.why = named.why }
    return details
  }

  private func offered(_ id: OfferID, _ span: Range<Int>) async throws(Fault) -> Found {
    let details = try await details(of: id)
    let first = span.lowerBound
    let (offers, total) = try await backend.contents(of: id, from: first, count: span.count)
    let heads = first == 0 && total > 0 ? [head(of: details)] : []
    return .rows(
      heads + (await contents(offers, of: details, from: first)), goesOn: first + offers.count < total,
      goesBack: first > 0)
  }

  private func moreOffered(_ id: OfferID, _ end: RowWindow.End, _ from: RowKey) async throws(Fault) -> Found {
    guard case .index(let index) = from else { return .nothing }
    let first = end == .after ? index + 1 : max(index - Self.page, 0)
    let count = end == .after ? Self.page : index - first
    let details = try await details(of: id)
    let (offers, total) = try await backend.contents(of: id, from: first, count: count)
    let heads = end == .before && first == 0 ? [head(of: details)] : []
    let isMore = end == .after ? first + offers.count < total : first > 0
    return .more(heads + (await contents(offers, of: details, from: first)), isMore: isMore)
  }

  private func head(of details: OfferDetails) -> MenuRow {
    pages.head(of: details, isShuffled: currentState().status.isShuffled)
  }

  private func contents(_ offers: [ShownOffer], of details: OfferDetails, from first: Int) async -> [MenuRow] {
    let isAway = await isAway(details.offer.id.source)
    return offers.enumerated().map { offset, offer in
      var row = pages.part(offer, of: details.offer.id, isAway: isAway)
      if offer.isCurrent { row = pages.playing(row, currentState().status) }
      return placed(row, .index(first + offset), of: details.offer.artist)
    }
  }

  // MARK: The queue

  private func queue(_ span: Range<Int>, isElsewhere: Bool = false) async -> Found {
    let tracks = await backend.queue(from: span.lowerBound, count: span.count)
    let heads = span.lowerBound == 0 ? await queueHeads(isEmpty: tracks.isEmpty) : []
    let goesOn = currentState().status.count > span.lowerBound + tracks.count
    return .rows(
      heads + shown(tracks, from: span.lowerBound), goesOn: goesOn, goesBack: span.lowerBound > 0,
      isElsewhere: isElsewhere)
  }

  private func moreOfQueue(_ end: RowWindow.End, _ from: RowKey) async -> Found {
    guard case .index(let index) = from else { return .nothing }
    switch end {
    case .after:
      let tracks = await backend.queue(from: index + 1, count: Self.page)
      let isMore = !tracks.isEmpty && currentState().status.count > index + 1 + tracks.count
      return .more(shown(tracks, from: index + 1), isMore: isMore)
    case .before:
      let lower = max(index - Self.page, 0)
      let tracks = await backend.queue(from: lower, count: index - lower)
      let heads = lower == 0 ? await queueHeads(isEmpty: false) : []
      return .more(heads + shown(tracks, from: lower), isMore: lower > 0)
    }
  }

  /// Of an empty one only where something of it can be had back.
  private func queueHeads(isEmpty: Bool) async -> [MenuRow] {
    let (takenOut, former) = (await backend.takenOut(), await backend.formerQueue())
    guard !isEmpty || takenOut != nil || former != nil else { return [] }
    return pages.queueHeads(currentState().status, before: backend.placeBefore, takenOut: takenOut, former: former)
  }

  private func shown(_ tracks: [QueuedTrack], from first: Int) -> [MenuRow] {
    let status = currentState().status
    return tracks.enumerated().map { offset, track in
      var row = pages.queued(track, status)
      row.key = .index(first + offset)
      return row
    }
  }
}

extension List {
  /// It has a head, which tells how much it is.
  fileprivate var isOfTracks: Bool {
    switch self {
    case .tracksOf, .tracksBy, .playlist: true
    case .folder(let folder): folder != nil
    case .artists, .albums, .albumsOf, .albumsIn, .genres, .tracks, .playlists, .recentlyAdded, .recentlyPlayed,
      .oftenPlayed:
      false
    }
  }

  /// Though it has no letters to jump by.
  fileprivate var isInOrderOfNames: Bool {
    switch self {
    case .genres, .folder, .playlists: true
    case .artists, .albums, .tracks, .albumsOf, .albumsIn, .tracksOf, .tracksBy, .playlist, .recentlyAdded,
      .recentlyPlayed, .oftenPlayed:
      false
    }
  }
}
