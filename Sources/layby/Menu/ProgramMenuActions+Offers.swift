import Application
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
    let kinds = query.kind.map { [$0.container] } ?? OfferKind.allCases.map(\.container)
    let found = try await keeping.offers(kinds, of: query.source, searching: query.typed).flatMap(\.offers)
    let states = try await states()
    let shown = found.dropFirst(from).prefix(count).map { offer in
      ShownOffer(
        OfferID(offer.container, offer.title), artist: offer.artist ?? "", count: offer.count,
        state: states[offer.container])
    }
    return (Array(shown), found.count)
  }

  func letters(of query: OfferQuery) async throws(Fault) -> [(letter: String, index: Int)] {
    guard let kind = query.kind else { return [] }
    return try await keeping.offers([kind.container], of: query.source, searching: query.typed).first?.letters ?? []
  }

  func wheel(of source: String, after typed: String) async throws(Fault) -> [String] {
    try await keeping.letters(OfferKind.allCases.map(\.container), of: source, after: typed, most: 80)
  }

  func details(of id: OfferID) async throws(Fault) -> OfferDetails {
    let key = ContainerKey(id)
    let line = try await keeping.lines().first { $0.container == key }
    let quality: Quality
    if let kept = line?.quality { quality = kept } else { quality = try await keeping.quality(for: .download) }
    let size = try await keeping.size(of: key, at: quality)
    let items = try await keeping.items(of: key)
    let offer = ShownOffer(id, count: items.count, state: (line?.state).map { .init($0) })
    let kept = line == nil ? nil : try await downloads().first { $0.id.text == "\(key)" }
    return OfferDetails(offer, OfferSize(quality, size), kept: kept)
  }

  func tracks(of id: OfferID) async throws(Fault) -> [ShownOffer] {
    try await keeping.tracks(of: ContainerKey(id)).map { line in
      let title = line.facts?.title ?? line.item.address.name.description
      let track = OfferID(source: line.item.source, kind: .track, id: line.item.item, title: title)
      return ShownOffer(track, artist: line.facts?.artist ?? "", state: .init(line.state))
    }
  }

  /// That of its first track: each track's index entry names one.
  func coverOf(_ id: OfferID) async throws(Fault) -> FilePath? {
    guard let item = try await keeping.tracks(of: ContainerKey(id)).first?.item else { return nil }
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

  func keep(_ id: OfferID, at quality: ShownQuality, isAnyway: Bool) async throws(Fault) {
    _ = try await keeping.want(ContainerKey(id), at: Quality(rawValue: quality.rawValue), isAnyway: isAnyway)
  }

  /// Whether it is here or not. `andPlay`: at once, in place of what was to be played.
  func queue(_ id: OfferID, andPlay: Bool) async throws(Fault) {
    let music = try await keeping.music(of: ContainerKey(id), called: id.title)
    guard !andPlay else {
      return try await application.playing.perform(.replace(Replacement(music.addresses, from: music.origin)))
    }
    _ = await application.playing.add(music.addresses, from: music.origin)
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

extension OfferID {
  fileprivate init(_ key: ContainerKey, _ title: String) {
    self.init(source: key.source, kind: OfferKind(key.kind) ?? .track, id: key.id, title: title)
  }
}

extension ContainerKey {
  fileprivate init(_ id: OfferID) { self.init(ContainerID(id.kind.container, id.id), of: id.source) }
}

extension OfferSize {
  fileprivate init(_ quality: Quality, _ size: Wants.Size) {
    self.init(
      ShownQuality(rawValue: quality.rawValue) ?? .normal, bytes: size.bytes, room: size.room)
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
