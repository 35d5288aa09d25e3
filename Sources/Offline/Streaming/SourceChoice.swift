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
    // Skip cached files that are worse than what can be streamed now.
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

/// What becomes of a stream when nobody listens any more. What is wanted offline goes on as any download. Of the rest,
/// what came over Wi-Fi or a cable at no cost stays as cache while there is room; what came where bytes cost goes.
package enum StreamKeeping {
  /// Bytes that must be free for cache.
  package static let roomForCache: Int64 = 1_000_000_000

  /// `cameAtCost`: some of it came over a modem, or where bytes cost.
  package static func isKept(isWanted: Bool, cameAtCost: Bool, free: Int64?) -> Bool {
    isWanted || !cameAtCost && (free ?? 0) >= roomForCache
  }
}

extension TransferConditions {
  /// What comes just now is nothing that is kept without being wanted.
  var costs: Bool { isMetered || network == .mobile }
}
