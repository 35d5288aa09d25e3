import Runtime
import Services

/// What sources have told of their music: titles, artists, lengths, covers, and what a container holds. Owns what was told
/// of items that nobody wants offline; the rest is in the rows. Lives on the loop `offline`, inside `OfflinePart`.
///
/// After a power cut the rows are there; what was only in memory is asked of the source again.
final class ItemCatalogue {
  private let tools: OfflineTools
  private var chosen = ChosenItems()

  init(_ tools: OfflineTools) { self.tools = tools }

  // MARK: Asking sources

  func listed(
    _ container: ContainerKey, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> [MediaItem] {
    guard let source = tools.sources[container.source] else { throw Self.noSource(container.source) }
    guard let kind = ContainerID.Kind(rawValue: container.kind.rawValue) else {
      throw Fault(.unsupported, "O-402", "a source has no \(container.kind.rawValue)s to be wanted")
    }
    do throws(MediaFailure) { return try await source.items(of: ContainerID(kind, container.id)) } catch {
      throw error.fault
    }
  }

  /// Nil: its source does not have it, or cannot say now.
  func asked(_ item: ItemKey, isolation: isolated (any Actor)? = #isolation) async -> MediaItem? {
    let track = ContainerKey(source: item.source, kind: .track, id: item.item)
    // Nobody misses it: whoever asks goes on without, and the next asks again.
    return try? await listed(track).first
  }

  /// The titles, lengths and so on of `items`. Their sources are asked for those that are not known here; an
  /// item that its source cannot tell of now is left out.
  func listed(_ items: [ItemKey], isolation: isolated (any Actor)? = #isolation) async -> [ItemKey: MediaItem] {
    var known: [ItemKey: MediaItem] = [:]
    for start in stride(from: 0, to: items.count, by: 200) {
      known.merge(await stored(Array(items[start..<min(start + 200, items.count)]))) { $1 }
    }
    for item in items where known[item] == nil {
      known[item] = chosen.items[item]
      if known[item] == nil { known[item] = await asked(item) }
    }
    return known
  }

  static func noSource(_ name: String) -> Fault {
    Fault(.missing, "O-401", "there is no source named \(shownPlain(name))")
  }

  // MARK: What is known

  /// From the rows alone. Rows that cannot be read tell of nothing: names are missing then, and no music.
  func stored(_ items: [ItemKey], isolation: isolated (any Actor)? = #isolation) async -> [ItemKey: MediaItem] {
    do throws(Fault) { return try await tools.rows.facts(of: items) } catch {
      Log("offline").info("what music is called cannot be read", ["reason": error.message])
      return [:]
    }
  }

  /// Told in this run, and wanted by nobody.
  func remembered(_ item: ItemKey) -> MediaItem? { chosen.items[item] }

  /// What a source has told of it; nil when nobody has asked.
  func facts(of item: ItemKey, isolation: isolated (any Actor)? = #isolation) async -> MediaItem? {
    if let known = chosen.items[item] { return known }
    return await stored([item])[item]
  }

  /// By the names of their files below the media folder, without folder and ending. Also of files that are gone, as long
  /// as they are remembered; nothing of files that are nobody's.
  func items(
    inFiles names: [String], isolation: isolated (any Actor)? = #isolation
  ) async -> [String: KnownItem] {
    // Rows that cannot be read: what is fetched is known all the same.
    var found = (try? await tools.rows.items(inFiles: names)) ?? [:]
    let missing = Set(names.filter { found[$0] == nil })
    guard !missing.isEmpty else { return found }
    for (name, key) in await tools.engine.items(inFiles: missing) {
      found[name] = KnownItem(key, await facts(of: key) ?? MediaItem(id: key.item), in: name)
    }
    return found
  }

  // MARK: Remembering

  /// Somebody chose them: their names are known after a start, too. Nobody waits for that. What was told before is not
  /// stored again, for a page that shows them asks each second.
  func remember(_ items: [MediaItem], of source: String) {
    let known = items.map { KnownItem(ItemKey(source: source, item: $0.id), $0) }
    let news = known.filter { chosen.items[$0.key] != $0.facts }
    guard !news.isEmpty else { return }
    for one in news { chosen.remember(one.key, one.facts) }
    tools.tasks.start { part in await part.catalogue.store(news) }
  }

  /// Where nobody has told of a whole one yet, its source is asked. Gives what is known of it now.
  func remember(
    whole record: DownloadRecord, isolation: isolated (any Actor)? = #isolation
  ) async -> MediaItem? {
    let item = record.key.item
    var facts = await facts(of: item)
    if facts == nil { facts = await asked(item) }
    let file = try? MediaFolder.Name(of: record.key).description  // without a sum it has no file either
    await store([KnownItem(item, facts ?? MediaItem(id: item.item), in: file)])
    return facts
  }

  /// Its source calls them otherwise now.
  func rename(_ items: [KnownItem], isolation: isolated (any Actor)? = #isolation) async {
    for one in items where chosen.items[one.key] != nil { chosen.remember(one.key, one.facts) }
    await store(items)
  }

  func store(_ items: [KnownItem], isolation: isolated (any Actor)? = #isolation) async {
    do throws(Fault) { try await tools.rows.remember(items) } catch {
      Log("offline").info("what music is called is not remembered", ["reason": error.message])
    }
  }

  /// What was told of items that nobody wants offline, for as long as they may stand in a queue.
  private struct ChosenItems {
    private(set) var items: [ItemKey: MediaItem] = [:]
    private var order: [ItemKey] = []
    private let most = 2_000

    mutating func remember(_ key: ItemKey, _ item: MediaItem) {
      if items.updateValue(item, forKey: key) == nil { order.append(key) }
      if order.count > most { items[order.removeFirst()] = nil }
    }
  }
}

extension Wants.Item {
  /// What the size says is of the best there is. Of a smaller one, where the source has several, only the length tells.
  init(_ key: ItemKey, of item: MediaItem?, at quality: Quality) {
    let best = item?.qualities.max() ?? .lossless
    let fetched = item?.quality(upTo: quality) ?? quality
    self.init(key, length: item?.length ?? .zero, bytes: fetched == best ? item?.size : nil)
  }

  static func all(_ items: [MediaItem], in container: ContainerKey, at quality: Quality) -> [Wants.Item] {
    items.map { Wants.Item(ItemKey(source: container.source, item: $0.id), of: $0, at: quality) }
  }
}
