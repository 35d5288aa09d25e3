import Glibc
import Runtime

/// What is given up when space runs out, and in which order. A value without memory: from what is kept and how full the
/// disk is follows a plan.
///
/// What the owner asked for is in no plan, whatever happens; nor is what is in use. What the owner drops goes at once,
/// and temporary files at each start, so neither is a class here.
package struct Keeper: Equatable, Sendable {
  /// In the order of giving up.
  package enum Class: Int, Sendable, CaseIterable, Comparable {
    case stalePartial, cached, predicted

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    package var words: String {
      switch self {
      case .stalePartial: "a download that nobody went on with"
      case .cached: "left over from streaming"
      case .predicted: "fetched because it might have been wanted"
      }
    }
  }

  package struct Usage: Equatable, Sendable {
    /// Bytes of music that are kept, all kinds together.
    package var kept: Int64
    /// Of the disk.
    package var free: Int64

    package init(kept: Int64, free: Int64) { (self.kept, self.free) = (kept, free) }
  }

  package enum Warning: Equatable, Sendable {
    /// Per cent of the limit.
    case nearLimit(Int)
    /// Bytes that are free.
    case lowDisk(Int64)

    package var code: String {
      switch self {
      case .nearLimit: "O-126"
      case .lowDisk: "O-127"
      }
    }

    package var words: String {
      switch self {
      case .nearLimit(let percent): "\(percent) % of the space set aside for music is used"
      case .lowDisk(let free): "the disk that music is kept on has \(free / 1_000_000) MB left"
      }
    }
  }

  package struct Leaving: Equatable, Sendable {
    package var id: String
    package var bytes: Int64
    package var of: Class
  }

  package struct Plan: Equatable, Sendable {
    /// In this order.
    package var leaving: [Leaving] = []
    package var warnings: [Warning] = []
    /// Bytes that cannot be made free without touching what was asked for.
    package var missing: Int64 = 0

    package var freed: Int64 { leaving.reduce(0) { $0.plus($1.bytes) } }
  }

  package static let staleAfterDays = 7.0
  package static let staleUnderPressureAfterDays = 1.0
  package static let cacheKeptForDays = 7.0
  /// Per cent of the limit.
  package static let warnsAt: Int64 = 80
  package static let freesAt: Int64 = 95
  package static let frees: Int64 = 10

  /// Bytes of music.
  package var limit: Int64 = 10_000_000_000
  /// Bytes of the disk that stay free.
  package var reserve = TransferPolicy.reserve

  package init() {}

  /// `incoming`: bytes that are about to come, and are in `usage` not yet; there has to be room for them as well.
  package func plan(for kept: [Kept], _ usage: Usage, incoming: Int64 = 0) -> Plan {
    let incoming = max(incoming, 0)
    var plan = leaving(kept, for: needed(usage, incoming))
    var comes = incoming
    if plan.missing > 0, incoming > 0 {
      // If deleting everything that is allowed would not make enough room, delete only what would go anyway.
      (plan.leaving, comes) = (leaving(kept, for: needed(usage, 0)).leaving, 0)
    }
    plan.warnings = warnings(usage, freed: plan.freed, comes)
    return plan
  }

  private func leaving(_ kept: [Kept], for needed: Int64) -> Plan {
    var plan = Plan()
    var freed: Int64 = 0
    for (item, of) in order(kept, needsRoom: needed > 0) {
      // The first are of no use to anybody, and go at any time.
      guard of <= .stalePartial || freed < needed else { break }
      plan.leaving.append(Leaving(id: item.id, bytes: item.bytes, of: of))
      freed = freed.plus(max(item.bytes, 0))
    }
    plan.missing = max(needed - freed, 0)
    return plan
  }

  /// Nil: it stays, whatever happens.
  package func kind(of item: Kept, needsRoom: Bool) -> Class? {
    if item.isAskedFor || item.isInUse { return nil }
    switch item.kind {
    case .partial:
      let days = needsRoom ? Self.staleUnderPressureAfterDays : Self.staleAfterDays
      return item.daysSinceChanged >= days ? .stalePartial : nil
    case .cached: return item.daysSincePlayed < Self.cacheKeptForDays ? nil : .cached
    case .predicted: return .predicted
    }
  }

  private func order(_ kept: [Kept], needsRoom: Bool) -> [(item: Kept, of: Class)] {
    var chosen: [(item: Kept, of: Class, worth: Double)] = []
    for item in kept {
      guard let of = kind(of: item, needsRoom: needsRoom) else { continue }
      chosen.append((item, of, Self.worth(of, item)))
    }
    chosen.sort { left, right in
      if left.of != right.of { return left.of < right.of }
      return left.worth != right.worth ? left.worth < right.worth : left.item.id < right.item.id
    }
    return chosen.map { ($0.item, $0.of) }
  }

  /// The smallest goes first: the oldest, the least recently used, the least missed.
  private static func worth(_ of: Class, _ item: Kept) -> Double {
    switch of {
    case .stalePartial: -item.daysSinceChanged
    case .cached: -item.daysSincePlayed
    case .predicted: item.score
    }
  }

  private func needed(_ usage: Usage, _ incoming: Int64) -> Int64 {
    let after = usage.kept.plus(incoming)
    var needed = max(after - limit, 0)
    // Near the limit some room is made at once, and not for each track anew.
    if after >= Self.part(Self.freesAt, of: limit) { needed = max(needed, Self.part(Self.frees, of: limit)) }
    return max(needed, reserve.plus(incoming) - max(usage.free, 0))
  }

  private func warnings(_ usage: Usage, freed: Int64, _ incoming: Int64) -> [Warning] {
    var warnings: [Warning] = []
    let kept = max(usage.kept.plus(incoming) - freed, 0)
    if limit > 0, kept >= Self.part(Self.warnsAt, of: limit) {
      warnings.append(.nearLimit(Int(min(Double(kept) / Double(limit) * 100, 1_000_000))))
    }
    let free = max(usage.free, 0).plus(freed) - incoming
    if free < reserve { warnings.append(.lowDisk(max(free, 0))) }
    return warnings
  }

  private static func part(_ percent: Int64, of whole: Int64) -> Int64 { whole / 100 * percent }
}

extension Int64 {
  /// Sums of what others say end at the most there is, and never the program.
  func plus(_ more: Int64) -> Int64 {
    let (sum, isBeyond) = addingReportingOverflow(more)
    return isBeyond ? (more < 0 ? .min : .max) : sum
  }
}

/// Something on the disk that the keeper may have to decide about.
package struct Kept: Equatable, Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    /// A download that is not whole.
    case partial
    /// Whole, and nobody asked to keep it.
    case cached
    case predicted
  }

  package var id: String
  package var kind: Kind
  package var bytes: Int64
  /// The owner wants it offline: itself, or with a container.
  package var isAskedFor = false
  /// It is being played, fetched or moved.
  package var isInUse = false
  package var plays = 0
  /// Since it was last played; nil for never.
  package var sincePlayed: Duration?
  /// Since its file last changed.
  package var sinceChanged: Duration = .zero

  package init(_ id: String, _ kind: Kind, bytes: Int64) { (self.id, self.kind, self.bytes) = (id, kind, bytes) }

  package var daysSincePlayed: Double { sincePlayed.map { Self.days($0) } ?? 365 }
  package var daysSinceChanged: Double { Self.days(sinceChanged) }

  /// A clock that was set back makes nothing younger than new.
  private static func days(_ time: Duration) -> Double { max(Double(time.nanoseconds), 0) / 86_400e9 }

  /// How much it would be missed: the more recently and the more often it was played, the more.
  package var score: Double {
    let recently = 0.7 / (1 + daysSincePlayed / 30)
    return recently + 0.3 * log10(Double(max(plays, 1)))
  }
}

/// Which warnings are told: each once, and again only after a while without it. What is near a border goes to and fro
/// over it, and nobody wants to hear of that each minute.
package struct ToldWarnings: Equatable, Sendable {
  package static let calm: Duration = .seconds(6 * 3_600)

  private var last: [String: Moment] = [:]

  package init() {}

  /// All that hold now; gives those that are news.
  package mutating func hear(_ warnings: [Keeper.Warning], at now: Moment) -> [Keeper.Warning] {
    var news: [Keeper.Warning] = []
    for warning in warnings {
      let isNews = last[warning.code].map { now - $0 >= Self.calm } ?? true
      if isNews { news.append(warning) }
      last[warning.code] = now
    }
    return news
  }
}
