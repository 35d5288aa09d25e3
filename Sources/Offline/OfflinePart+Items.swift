import Runtime
import Services

/// How single items stand.
extension OfflinePart {
  package func lines(of items: [ItemKey]) async -> [ItemLine] {
    var lines: [ItemLine] = []
    for item in items { lines.append(await line(of: item)) }
    return lines
  }

  private func line(of item: ItemKey) async -> ItemLine {
    var line = ItemLine(item)
    line.facts = await facts(of: item)
    line.containers = intents.containers(of: item)
    let wanted = intents.key(of: item)
    if !isGoing {
      if wanted != nil { (line.state, line.quality, line.why) = (.waiting, wanted?.quality, [awayWhy]) }
      return line
    }
    guard let key = await shownKey(of: item), let shown = await carrier.shown([key]).first else {
      if !line.containers.isEmpty, !intents.leftOut.contains(item) {
        (line.state, line.why) = (.waiting, [Self.tooMany])
      }
      return line
    }
    line.state = ItemLine.State(shown, isWanted: wanted != nil)
    (line.quality, line.bytes, line.size) = (key.quality, shown.arrived, shown.record.size)
    (line.speed, line.why, line.record) = (shown.speed, wanted == nil ? [] : shown.why, shown.record)
    line.offline = OfflineState(shown.record, isThere: isThere(shown.record))
    return line
  }

  /// The download of `item` that is wanted, else the best one that is stored.
  private func shownKey(of item: ItemKey) async -> MediaKey? {
    if let wanted = intents.key(of: item) { return wanted }
    var best: DownloadRecord?
    for quality in Quality.allCases {
      guard let record = await carrier.record(item.at(quality)), record.state != .cancelled else { continue }
      if record.state == .completed || best?.state != .completed { best = record }
    }
    return best?.key
  }

  private static let tooMany = Why(code: "O-155", words: "\(Wants.quota) tracks are kept, and no more")

  /// The first of `items` that is wanted or has something stored.
  package func known(_ items: [ItemKey]) async -> ItemKey? {
    for item in items {
      if !intents.containers(of: item).isEmpty { return item }
      if await shownKey(of: item) != nil { return item }
    }
    return nil
  }

  /// Those that are wanted or here and have this title, in whatever letters.
  package func items(called title: String) async -> [ItemKey] {
    let wanted = title.lowercased()
    let all = Set(intents.keys.map(\.item)).union(await carrier.records().map(\.key.item)).sorted()
    var found: [ItemKey] = []
    for start in stride(from: 0, to: all.count, by: 200) {
      let some = Array(all[start..<min(start + 200, all.count)])
      let facts = (try? await rows.facts(of: some)) ?? [:]
      found += some.filter { (chosen.items[$0] ?? facts[$0])?.title?.lowercased() == wanted }
    }
    return found
  }
}
