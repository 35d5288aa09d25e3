import Runtime

/// Decides which item is tried to find out whether a source serves again. Of all items that wait for the source only the
/// one that has waited longest is tried, after some seconds and then less and less often; when anything comes from there,
/// all of them go on.
/// The next look comes after an eighth of the time that the source has been away, and later after a quarter: a short
/// outage costs some seconds more, and a long one few requests.
///
/// One that fails where others of its source come meanwhile is odd: it goes on only when it is its turn to look, after
/// a minute, two, four. In memory alone; after a power cut everything that waits is tried once.
package struct OutageProbe: Equatable, Sendable {
  package static let firstPause: Duration = .seconds(5)
  package static let firstPauseOfOdd: Duration = .seconds(60)
  package static let longestPause: Duration = .seconds(3_600)
  /// One part in so many of the time that a source has been away, at first and later.
  static let shares = (short: 8, long: 4)
  static let isShort: Duration = .seconds(600)
  /// How long the one transfer that tries a source again may take before another one tries.
  static let patience: Duration = .seconds(60)

  private struct Outage: Hashable {
    var source: String
    var reason: WaitReason
  }

  private struct Waiters: Equatable {
    /// Since when.
    var waiting: [MediaKey: Moment] = [:]
    var scout: MediaKey?
    /// Since when its source is away, as far as anybody knows.
    var since: Moment
    var due: Moment
  }

  private var outages: [Outage: Waiters] = [:]
  /// Items that went on because another item of their source came, and that have brought nothing since; the value is
  /// what they waited for. An address that a source gives says nothing of the server that it leads to.
  private var trusting: [MediaKey: WaitReason] = [:]
  private var odd: [MediaKey: WaitReason] = [:]

  /// When something last came for which others may wait.
  private var served: [Outage: Moment] = [:]
  /// All pauses are shortened to this share, between three quarters and the whole, by which boards differ: those that
  /// lost the same server in the same second do not all come back in one.
  private let pace: Double

  package init(pace: Double = 1) { self.pace = min(max(pace, 0.75), 1) }

  package var isEmpty: Bool { outages.isEmpty }

  /// When the next transfer tries a source again; nil when none waits.
  package var due: Moment? { outages.values.filter { !$0.waiting.isEmpty }.map(\.due).min() }

  /// When a transfer tries the source that this item waits for.
  package func due(for key: MediaKey) -> Moment? {
    outages.first { $0.key.source == key.source && $0.value.waiting[key] != nil }?.value.due
  }

  /// The item waits for its source from now on. `failingSince`: since when it has only failed. Other reasons are
  /// ignored.
  package mutating func waits(
    _ key: MediaKey, for reason: WaitReason, failingSince: Moment? = nil, at now: Moment
  ) {
    guard reason.isOutage else { return left(key) }
    left(key)
    let outage = Outage(source: key.source, reason: reason)
    let isServed = if let came = served[outage], let failingSince { came >= failingSince } else { false }
    if trusting.removeValue(forKey: key) == reason || isServed { odd[key] = reason }
    var waiters = outages[outage] ?? Waiters(since: now, due: now)
    let isNew = outages[outage] == nil
    // It has looked, and found nothing.
    let hasLooked = waiters.scout == key
    if hasLooked { waiters.scout = nil }
    // Those that are odd say nothing of their source.
    if !hasLooked, odd[key] != reason, waiters.waiting.keys.allSatisfy({ odd[$0] == reason }) { waiters.since = now }
    waiters.waiting[key] = now
    let next = now + pause(of: waiters, reason, at: now)
    waiters.due = isNew || hasLooked ? next : min(waiters.due, next)
    outages[outage] = waiters
  }

  private func pause(of waiters: Waiters, _ reason: WaitReason, at now: Moment) -> Duration {
    let away = now - waiters.since
    let share = away < Self.isShort ? Self.shares.short : Self.shares.long
    let isOdd = !waiters.waiting.isEmpty && waiters.waiting.keys.allSatisfy { odd[$0] == reason }
    let pause = isOdd ? max(away, Self.firstPauseOfOdd) : max(away / share, Self.firstPause)
    return .nanoseconds(Int64(Double(min(pause, Self.longestPause).nanoseconds) * pace))
  }

  /// The item no longer waits, for whatever reason.
  package mutating func left(_ key: MediaKey) {
    for outage in outages.keys where outage.source == key.source {
      outages[outage]?.waiting[key] = nil
      if outages[outage]?.waiting.isEmpty == true, outages[outage]?.scout == nil { outages[outage] = nil }
    }
  }

  /// Something came of it that others of its source wait for too: those that go on.
  package mutating func came(_ key: MediaKey, for reason: WaitReason, at now: Moment? = nil) -> [MediaKey] {
    if trusting[key] == reason { trusting[key] = nil }
    // What was odd is served: its source was away once more, and the others are no odder than this one.
    if odd[key] == reason { odd = odd.filter { $0.key.source != key.source || $0.value != reason } }
    let outage = Outage(source: key.source, reason: reason)
    if let now { served[outage] = now }
    guard var waiters = outages[outage] else { return [] }
    let going = waiters.waiting.keys.filter { odd[$0] != reason }.sorted()
    for key in going {
      waiters.waiting[key] = nil
      trusting[key] = reason
    }
    waiters.scout = nil
    outages[outage] = waiters.waiting.isEmpty ? nil : waiters
    return going
  }

  /// Those whose turn it is to look, one of each source. `isWanted`: it would be fetched if it were let.
  package mutating func scouts(at now: Moment, where isWanted: (MediaKey) -> Bool = { _ in true }) -> [MediaKey] {
    var scouts: [MediaKey] = []
    for (outage, var waiters) in outages where waiters.due <= now {
      let able = waiters.waiting.filter { isWanted($0.key) }
      let next = able.min { left, right in
        left.value != right.value ? left.value < right.value : left.key < right.key
      }
      guard let next else { continue }
      waiters.waiting[next.key] = nil
      waiters.scout = next.key
      // Should it never come back to tell.
      waiters.due = now + max(pause(of: waiters, outage.reason, at: now), Self.patience)
      outages[outage] = waiters
      scouts.append(next.key)
    }
    return scouts.sorted()
  }

  /// Another way leads to the sources: what was found out over the old one says nothing.
  package mutating func newLine() -> [MediaKey] {
    let all = outages.values.flatMap { $0.waiting.keys }.sorted()
    self = OutageProbe(pace: pace)
    return all
  }
}
