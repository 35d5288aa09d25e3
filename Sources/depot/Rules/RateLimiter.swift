import Runtime

/// How often somebody may do something: so many at once, and then one each so many seconds.
///
/// It remembers at most `mostKnown`; a flood of addresses costs memory that is bounded, and at worst forgets who has waited.
struct RateLimiter {
  private struct Bucket {
    var left: Double
    var at: Int64
  }

  let burst: Double
  let perSecond: Double
  private var known: [ExactText: Bucket] = [:]
  private let mostKnown: Int

  init(burst: Double, perSecond: Double, mostKnown: Int = 20_000) {
    (self.burst, self.perSecond, self.mostKnown) = (burst, perSecond, mostKnown)
  }

  /// Nil: go on. Else so many seconds have to pass first. `now` is in milliseconds and never goes back.
  mutating func take(_ who: String, at now: Int64) -> Int64? {
    let key = ExactText(who)
    var bucket = filled(known[key] ?? Bucket(left: burst, at: now), at: now)
    guard bucket.left >= 1 else {
      known[key] = bucket
      return max(1, Int64(((1 - bucket.left) / perSecond).rounded(.up)))
    }
    bucket.left -= 1
    if known[key] == nil, known.count >= mostKnown { forget(at: now) }
    known[key] = bucket
    return nil
  }

  private func filled(_ bucket: Bucket, at now: Int64) -> Bucket {
    Bucket(left: min(burst, bucket.left + Double(max(0, now - bucket.at)) / 1_000 * perSecond), at: now)
  }

  /// Those that are full again are as good as unknown. If most still wait, the half that waited longest goes, so that this
  /// is not done for each new one.
  private mutating func forget(at now: Int64) {
    known = known.filter { filled($0.value, at: now).left < burst }
    guard known.count >= mostKnown / 2 else { return }
    let middle = known.values.map(\.at).sorted()[known.count / 2]
    known = known.filter { $0.value.at > middle }
  }
}

/// Ids of proofs that were taken already, so that none is taken twice while its nonce holds.
struct SeenProofs {
  private var older: Set<ExactText> = []
  private var newer: Set<ExactText> = []
  private var window: Int64 = 0
  private let most: Int

  init(most: Int = 200_000) { self.most = most }

  /// False for one that was seen. Of too many the oldest are forgotten: then one could be taken twice, but nobody is kept
  /// out by somebody else's.
  mutating func isNew(_ id: String, window now: Int64) -> Bool {
    if now != window {
      older = now == window + 1 ? newer : []
      (newer, window) = ([], now)
    }
    if newer.count >= most { (older, newer) = (newer, []) }
    guard !older.contains(ExactText(id)) else { return false }
    return newer.insert(ExactText(id)).inserted
  }
}
