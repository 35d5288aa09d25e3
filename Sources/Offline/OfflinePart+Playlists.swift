import Runtime
import Services

/// Playlists of this device that shall be on it. Each is a container of every source that has something of it, beside
/// what is wanted of the sources' own.
extension OfflinePart {
  /// Makes what is wanted of a playlist be these items. What has left it goes, unless something else wants it; none: it is
  /// not kept any more. `quality`: of what was not wanted before. When it returns, a power cut does not forget it.
  package func keep(playlist name: String, _ items: [ItemKey], at quality: Quality) async throws(Fault) {
    let known = await listed(items)
    await enter()
    defer { leave() }
    var bySource: [String: [MediaItem]] = [:]
    for item in items where sources[item.source] != nil {
      bySource[item.source, default: []].append(known[item] ?? MediaItem(id: item.item))
    }
    let held = wishes.keys.filter { $0.kind == .devicePlaylist && $0.id == name }.map(\.source)
    for source in Set(held).union(bySource.keys).sorted() {
      let container = ContainerKey(source: source, kind: .devicePlaylist, id: name)
      let before = wishes[container]
      if before == nil { wantedSince[container] = loop.now }
      try await hold(bySource[source] ?? [], container, at: before?.quality ?? quality, isKept: false)
      if before == nil { told(.wanted(container)) }
    }
  }

  /// Told before: how much it is, and whether it fits.
  package func size(of items: [ItemKey], at quality: Quality) async -> Wants.Size {
    let known = await listed(items)
    return await size(of: items.map { Wants.Item($0, of: known[$0], at: quality) }, at: quality, beside: nil)
  }

  /// Names of those that are kept.
  package var keptPlaylists: Set<String> {
    Set(wishes.keys.filter { $0.kind == .devicePlaylist }.map(\.id))
  }

  /// The titles, lengths and so on of `items`. Their sources are asked for those that are not known here; an
  /// item that its source cannot tell of now is left out.
  private func listed(_ items: [ItemKey]) async -> [ItemKey: MediaItem] {
    var known: [ItemKey: MediaItem] = [:]
    for start in stride(from: 0, to: items.count, by: 200) {
      let some = Array(items[start..<min(start + 200, items.count)])
      known.merge((try? await rows.facts(of: some)) ?? [:]) { $1 }
    }
    for item in items where known[item] == nil {
      let track = ContainerKey(source: item.source, kind: .track, id: item.item)
      known[item] = chosen.items[item]
      if known[item] == nil { known[item] = try? await listed(track).first }
    }
    return known
  }
}

extension Wants.Item {
  /// What the size says is of the best there is: of anything smaller only the length tells.
  init(_ key: ItemKey, of item: MediaItem?, at quality: Quality) {
    self.init(key, length: item?.length ?? .zero, bytes: quality == .lossless ? item?.size : nil)
  }
}
