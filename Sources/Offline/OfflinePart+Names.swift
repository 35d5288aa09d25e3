import Runtime
import Services

/// What music is called that a source has: streamed, stored, or gone by now.
extension OfflinePart {
  /// What a source has told of it; nil when nobody has asked.
  package func facts(of item: ItemKey) async -> MediaItem? {
    if let known = chosen.items[item] { return known }
    return (try? await rows.facts(of: [item]))?[item]
  }

  /// By the names of their files below the media folder, without folder and ending. Also of files that are gone, as long
  /// as they are remembered; nothing of files that are nobody's.
  package func items(inFiles names: [String]) async -> [String: KnownItem] {
    var found = (try? await rows.items(inFiles: names)) ?? [:]
    let missing = Set(names.filter { found[$0] == nil })
    guard !missing.isEmpty else { return found }
    // Rows that could not be written: what is fetched is known all the same.
    for (name, key) in await carrier.items(inFiles: missing) {
      found[name] = KnownItem(key, await facts(of: key) ?? MediaItem(id: key.item), in: name)
    }
    return found
  }

  /// Somebody chose them: their names are known after a start, too. Nobody waits for that.
  func remember(_ items: [MediaItem], of source: String) {
    let known = items.map { KnownItem(ItemKey(source: source, item: $0.id), $0) }
    for one in known { chosen.remember(one.key, one.facts) }
    Task(executorPreference: loop) { await self.store(known) }
  }

  /// It is whole. Where nobody has told of it yet, its source is asked.
  func remember(whole record: DownloadRecord) async {
    let item = record.key.item
    var facts = await facts(of: item)
    if facts == nil {
      facts = try? await listed(ContainerKey(source: item.source, kind: .track, id: item.item)).first
    }
    let file = try? MediaFolder.Name(of: record.key).description  // without a sum it has no file either
    await store([KnownItem(item, facts ?? MediaItem(id: item.item), in: file)])
    wantArt(of: [facts].compactMap(\.self))
  }

  private func store(_ items: [KnownItem]) async {
    do throws(Fault) { try await rows.remember(items) } catch {
      Log("offline").info("what music is called is not remembered", ["reason": error.message])
    }
  }

  /// A source calls items otherwise than before. The library is told of those whose files are here.
  func rename(_ before: [ItemKey: MediaItem], _ items: [MediaItem], of source: String) async {
    var renamed: [KnownItem] = []
    for item in items {
      let key = ItemKey(source: source, item: item.id)
      guard let old = before[key], !old.isCalled(as: item) else { continue }
      renamed.append(KnownItem(key, item))
      if chosen.items[key] != nil { chosen.remember(key, item) }
    }
    guard !renamed.isEmpty else { return }
    await store(renamed)
    wantArt(of: renamed.map(\.facts))
    var paths: [FilePath] = []
    for one in renamed {
      guard let key = intents.key(of: one.key), let record = await carrier.record(key) else { continue }
      if record.state == .completed, let path = record.path { paths.append(FilePath(path)) }
    }
    if !paths.isEmpty { told(.renamed(paths)) }
  }
}

extension MediaItem {
  fileprivate func isCalled(as other: MediaItem) -> Bool {
    (title, artist, album, albumArtist) == (other.title, other.artist, other.album, other.albumArtist)
      && (disc, track, art) == (other.disc, other.track, other.art)
  }
}

extension DownloadEngine {
  /// In one look at all of them.
  func items(inFiles names: Set<String>) -> [String: ItemKey] {
    var found: [String: ItemKey] = [:]
    for carriage in carriages.values where carriage.download.state == .completed {
      guard let name = carriage.name?.description, names.contains(name) else { continue }
      found[name] = carriage.key.item
    }
    return found
  }
}

/// What was told of items that nobody wants offline, for as long as they may stand in a queue.
struct ChosenItems {
  private(set) var items: [ItemKey: MediaItem] = [:]
  private var order: [ItemKey] = []
  private let most = 2_000

  mutating func remember(_ key: ItemKey, _ item: MediaItem) {
    if items.updateValue(item, forKey: key) == nil { order.append(key) }
    if order.count > most { items[order.removeFirst()] = nil }
  }
}
