import Library
import Offline
import Playback
import Runtime
import Services

/// Finds music of sources that is to be played, whether it is downloaded or not.
extension Keeping {
  /// How its items stand in the queue, and what the history calls the place where they were chosen. What is wanted
  /// offline is known without its source.
  package func music(of target: Target) async throws(Fault) -> (addresses: [FilePath], origin: Origin) {
    try await music(of: try await container(target), called: target.name)
  }

  package func music(
    of key: ContainerKey, called name: String
  ) async throws(Fault) -> (addresses: [FilePath], origin: Origin) {
    let items = try await items(of: key)
    guard !items.isEmpty else {
      throw Fault(.missing, "X-197", "there is nothing in \(key.kind.rawValue) \"\(shownBriefly(name))\"")
    }
    return (items.prefix(PlayQueue.limit).map(\.address), Origin(key))
  }

  package func container(_ target: Target) async throws(Fault) -> ContainerKey {
    do throws(Fault) { return try await wanted(target) } catch { return try await known(target) }
  }

  /// The album that a track of a source is on: one that is wanted, else the first of its source that holds it.
  package func album(of item: ItemKey) async throws(Fault) -> (key: ContainerKey, title: String)? {
    let line = try await lines(of: [item]).first
    if let wanted = line?.containers.first(where: { $0.kind == .album }), let title = line?.facts?.album {
      return (wanted, title)
    }
    return try await album(holding: item).map { ($0.container, $0.title) }
  }

  /// The facts of a source's track; nil if none are known, or if this device fetches nothing.
  package func facts(of item: ItemKey) async -> MediaItem? {
    await askQuietly { part async throws(Fault) in await part.facts(of: item) }
  }

  /// A file with the cover of a track in or beside it; nil when it has none.
  package func cover(of item: ItemKey) async -> FilePath? {
    await askQuietly { part async throws(Fault) in await part.cover(of: item) }
  }

  /// The same of a downloaded file, whose name tells which track it is.
  package func cover(ofStored path: FilePath) async -> FilePath? {
    guard let name = Self.sum(in: path.name.bytes) else { return nil }
    return await askQuietly { part async throws(Fault) in await part.cover(inFile: name) }
  }

  package func track(stored path: FilePath) async -> Track? {
    guard let name = Self.sum(in: path.name.bytes) else { return nil }
    let found = await askQuietly { part async throws(Fault) in await part.items(inFiles: [name])[name] }
    return found.map { Track($0.key.address, $0.facts) }
  }

  /// Which of these are of sources: by their addresses, or by the names of files that were fetched, gone or not.
  package func items(at paths: [FilePath]) async -> [ItemKey?] {
    let sums = paths.map { path in Track.isStored(path) ? Self.sum(in: path.name.bytes) : nil }
    let asked = sums.compactMap(\.self)
    let found = asked.isEmpty ? [:] : await askQuietly { part async throws(Fault) in await part.items(inFiles: asked) }
    return zip(paths, sums).map { path, sum in ItemKey(address: path) ?? sum.flatMap { found?[$0]?.key } }
  }

  /// By the names of files that were fetched.
  package func indexFacts(of names: [[UInt8]]) async -> [[UInt8]: IndexFacts] {
    let sums = names.compactMap { Self.sum(in: $0) }
    let found = await askQuietly { part async throws(Fault) in await part.items(inFiles: sums) } ?? [:]
    var facts: [[UInt8]: IndexFacts] = [:]
    for name in names {
      if let item = Self.sum(in: name).flatMap({ found[$0] }) { facts[name] = IndexFacts(item) }
    }
    return facts
  }

  /// What a fetched file is, by its name.
  package func item(inFile name: FilePath) async -> ItemKey? {
    guard let sum = Self.sum(in: name.name.bytes) else { return nil }
    return await askQuietly { part async throws(Fault) in await part.items(inFiles: [sum])[sum]?.key }
  }

  nonisolated private static func sum(in name: [UInt8]) -> String? {
    MediaFolder.Name(String(decoding: name.withoutFileEnding, as: UTF8.self))?.description
  }

  /// Returns when the first bytes of a song are here; those of a file are. Throws the reason when none can be had now.
  func begin(_ path: FilePath) async throws(Fault) {
    guard let item = ItemKey(address: path) else { return }
    // A source that was silent a moment ago mostly still is, and nobody should wait 8 s to be told so again.
    let patience: Duration = isSilent(item.source) ? .seconds(2) : .seconds(8)
    do throws(Fault) {
      try await ask { part async throws(Fault) in try await part.begin(item, within: patience) }
      silent[item.source] = nil
    } catch {
      if error.code == OfflinePart.noAnswer(of: item.source).code { silent[item.source] = MainLoop.loop.now }
      throw error
    }
  }

  private static let silenceLasts: Duration = .seconds(300)

  /// Less than five minutes ago the source gave nothing to somebody who chose a song of it, and nothing since.
  package func isSilent(_ source: String) -> Bool {
    silent[source].map { MainLoop.loop.now - $0 < Self.silenceLasts } ?? false
  }

  /// Whether at least one of these songs can be played without being fetched.
  func isAnyHere(of paths: [FilePath]) async -> Bool {
    let items = paths.compactMap { ItemKey(address: $0) }
    if items.count < paths.count { return true }
    let lines = await askQuietly { part async throws(Fault) in await part.lines(of: items) }
    return lines?.contains { $0.record?.state == .completed } ?? false
  }

  /// What is played now and what comes next, whether it is here or not.
  package func notePlaying(_ paths: [FilePath], next: [FilePath]) async {
    _ = await askQuietly { part async throws(Fault) in await part.notePlaying(paths, next: next) }
  }

  package func noteQueued(_ items: [ItemKey]) async {
    _ = await askQuietly { part async throws(Fault) in await part.noteQueued(items) }
  }

  package func prepare(_ items: [ItemKey]) async {
    _ = await askQuietly { part async throws(Fault) in await part.prepare(items) }
  }
}

extension IndexFacts {
  package init(_ item: KnownItem) {
    self.init(name: Track(named: item.key.address).title)
    (title, artist, album) = (item.facts.title, item.facts.artist, item.facts.album)
    (albumArtist, disc, track) = (item.facts.albumArtist, item.facts.disc, item.facts.track)
  }
}

extension Track {
  /// As its source tells of it.
  package init(_ path: FilePath, _ item: MediaItem) {
    self.init(named: path)
    if let named = item.title { title = named }
    (artist, album, number, isCatalogued) = (item.artist ?? "", item.album ?? "", item.track, true)
  }
}
