import Runtime

/// Where an item is played from. Chosen when it begins, and it stays so until it ends: what becomes whole meanwhile is
/// taken the next time.
package enum SourceChoice: Equatable, Sendable {
  /// It is whole, in this version or an older one.
  case file(MediaKey, FilePath)
  /// As it comes.
  case stream(MediaKey)
  /// As far as it goes: just now nothing can be fetched.
  case cached(MediaKey)
  case nothing(Why)

  /// `records`: of all its qualities, what is there. `wanted`: offline, at that quality. `waits`: why nothing can be
  /// streamed just now; empty when it can. `isReal`: the source has it that good, and the line
  /// was seen to bear it at no cost.
  package static func of(
    _ item: ItemKey, _ records: [DownloadRecord], wanted: Quality?, streamed: Quality, waits: [Why],
    isReal: Bool = false
  ) -> SourceChoice {
    // What came over a bad line is not what is heard for ever.
    let isBetterThere = isReal && wanted == nil && waits.isEmpty
    let best = records.filter { !(isBetterThere && $0.isCache && $0.key.quality < streamed) }.sorted {
      $0.key.quality > $1.key.quality
    }
    for record in best where record.state == .completed {
      if let path = record.path { return .file(record.key, FilePath(path)) }
    }
    // An older version, until the new one is whole.
    for record in best {
      if let path = record.path { return .file(record.key, FilePath(path)) }
    }
    guard let why = waits.first else { return .stream(item.at(wanted ?? streamed)) }
    let most = best.max { $0.durable < $1.durable }
    if let most, most.durable > 0 { return .cached(most.key) }
    return .nothing(why)
  }
}

/// What becomes of a stream when nobody listens any more. Of a network that costs there is only what was fetched to be
/// heard, and a minute: that was paid for, and is cache like any other rather than paid for again.
package enum StreamKeeping {
  /// Bytes that must be free for cache. What is wanted offline goes on as any download.
  package static let roomForCache: Int64 = 1_000_000_000

  package static func isKept(isWanted: Bool, free: Int64?) -> Bool {
    isWanted || (free ?? 0) >= roomForCache
  }
}
