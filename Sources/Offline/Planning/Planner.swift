import Runtime

/// Decides which item is fetched next. A value: it is told what is wanted, what can run and what has ended.
///
/// - Higher ranks go first. Within a rank the containers take turns, so that an album of ten does not wait for one of a
///   thousand. Within a container the items go in their order.
/// - Every fourth start belongs to the item that has waited longest beyond its patience, so that nothing starves.
/// - What is being played goes before all of that, and takes the place of another transfer when none is free.
/// - An item has one transfer, however many containers want it and at whatever quality.
/// - A source gets the last place only if no other source has requested items ready, so that a source that does not
///   answer keeps no other waiting.
package struct Planner: Sendable {
  /// Who may start, by the policy; see `TransferPolicy.gate`.
  package struct Gate: Equatable, Sendable {
    /// What is allowed for everything of these ranks; nil for none.
    package var all: ClosedRange<Rank>?
    /// And for what the owner has made an exception for.
    package var exceptions: ClosedRange<Rank>?

    package init(all: ClosedRange<Rank>?, exceptions: ClosedRange<Rank>? = nil) {
      (self.all, self.exceptions) = (all, exceptions)
    }

    package static let open = Gate(all: .playing ... .predicted)
  }

  package struct Want: Equatable, Sendable {
    package var rank: Rank
    /// In its container.
    package var order: Int64
    package var since: Moment

    package init(_ rank: Rank, order: Int64, since: Moment) {
      (self.rank, self.order, self.since) = (rank, order, since)
    }
  }

  package struct Decision: Equatable, Sendable {
    package var start: MediaKey
    /// Loses its place for that.
    package var hold: MediaKey?
  }

  private struct Entry {
    var wants: [ContainerKey: Want] = [:]
    /// It is queued and waits for nothing of its own.
    var isReady = false
    var isException = false
  }

  /// How many run at once.
  package var limit = 3
  private static let eachFourth = 4

  private var entries: [MediaKey: Entry] = [:]
  private var normal = Pool()
  private var excepted = Pool()
  /// By item: two qualities of one are never fetched at once.
  private var running: [ItemKey: MediaKey] = [:]
  /// Could start, but for the other quality that runs.
  private var beside: [ItemKey: Set<MediaKey>] = [:]
  private var stamp: UInt64 = 0
  private var turn: UInt64 = 0
  private var sinceOverdue = 0

  package init() {}

  package var runningCount: Int { running.count }
  package var runningKeys: [MediaKey] { running.values.sorted() }
  package var readyCount: Int { normal.count + excepted.count }
  /// Something that somebody has asked for could start.
  package var isAnyAskedForReady: Bool { normal.hasAny(upTo: .older) || excepted.hasAny(upTo: .older) }

  // MARK: What is wanted

  package mutating func want(_ key: MediaKey, for container: ContainerKey, _ want: Want) {
    var want = want
    // Wanting it again, more or less than before, does not send it to the end of the line.
    if let before = entries[key]?.wants[container] { want.since = before.since }
    entries[key, default: Entry()].wants[container] = want
    place(key)
  }

  /// Nobody else may want it then; the download itself is cancelled by whoever knows.
  package mutating func drop(_ key: MediaKey, for container: ContainerKey) {
    entries[key]?.wants[container] = nil
    if entries[key]?.wants.isEmpty == true { entries[key] = nil }
    place(key)
  }

  /// Nobody wants it any more.
  package mutating func forget(_ key: MediaKey) {
    entries[key] = nil
    place(key)
  }

  /// Queued, and waiting for nothing of its own.
  package mutating func set(_ key: MediaKey, ready: Bool) {
    guard entries[key] != nil, entries[key]?.isReady != ready else { return }
    entries[key]?.isReady = ready
    place(key)
  }

  /// The owner allows it where others wait: on a network that costs by the byte.
  package mutating func set(_ key: MediaKey, excepted: Bool) {
    guard entries[key] != nil, entries[key]?.isException != excepted else { return }
    entries[key]?.isException = excepted
    place(key)
  }

  /// It does not run any more, for whatever reason.
  package mutating func ended(_ key: MediaKey) {
    guard running[key.item] == key else { return }
    running[key.item] = nil
    entries[key]?.isReady = false
    for other in beside.removeValue(forKey: key.item) ?? [] { place(other) }
  }

  package func isReady(_ key: MediaKey) -> Bool { entries[key]?.isReady == true }
  package func isExcepted(_ key: MediaKey) -> Bool { entries[key]?.isException == true }
  package func isRunning(_ key: MediaKey) -> Bool { running[key.item] == key }
  package func containers(of key: MediaKey) -> [ContainerKey] { (entries[key]?.wants ?? [:]).keys.sorted() }

  package func wants(_ key: MediaKey, for container: ContainerKey) -> Bool { entries[key]?.wants[container] != nil }

  /// What it is wanted most as.
  package func rank(of key: MediaKey) -> Rank? { entries[key]?.wants.values.map(\.rank).min() }

  private mutating func place(_ key: MediaKey) {
    normal.remove(key)
    excepted.remove(key)
    beside[key.item]?.remove(key)
    guard let entry = entries[key], entry.isReady, running[key.item] != key else { return }
    guard running[key.item] == nil else {
      beside[key.item, default: []].insert(key)
      return
    }
    let best = entry.wants.min { left, right in
      left.value.rank != right.value.rank ? left.value.rank < right.value.rank : left.key < right.key
    }
    guard let (container, want) = best else { return }
    // By whichever of its wants is over first.
    let overdue = entry.wants.values.map { $0.since + $0.rank.patience }.min() ?? want.since
    stamp += 1
    if entry.isException {
      excepted.put(key, want.rank, in: container, order: want.order, overdue: overdue, stamp: stamp)
    } else {
      normal.put(key, want.rank, in: container, order: want.order, overdue: overdue, stamp: stamp)
    }
  }

  // MARK: Decisions

  /// Who starts now; nil when nobody can, or all places are taken. It counts as running from here on.
  package mutating func decide(at now: Moment, through gate: Gate = .open) -> Decision? {
    if running.count >= limit {
      // What nobody wants any more is wanted least.
      let least = running.values.map { (rank: rank(of: $0) ?? .predicted, key: $0) }.max { $0 < $1 }
      guard let least, least.rank > .playing, let (key, pool) = next(gate, upTo: .playing) else { return nil }
      ended(least.key)
      run(key, pool)
      return Decision(start: key, hold: least.key)
    }
    if let (key, pool) = next(gate, upTo: .playing) {
      run(key, pool)
      return Decision(start: key)
    }
    let full = fullSources(gate)
    if sinceOverdue + 1 >= Self.eachFourth, let (key, pool) = overdue(at: now, gate, besides: full) {
      sinceOverdue = 0
      run(key, pool)
      return Decision(start: key)
    }
    guard let (key, pool) = next(gate, upTo: .predicted, besides: full) else { return nil }
    sinceOverdue += 1
    run(key, pool)
    return Decision(start: key)
  }

  /// Those that have all places but one, while others have something that was asked for.
  private mutating func fullSources(_ gate: Gate) -> Set<String> {
    guard limit > 1, running.count >= limit - 1 else { return [] }
    var counts: [String: Int] = [:]
    for key in running.values { counts[key.source, default: 0] += 1 }
    let full = Set(counts.filter { $0.value >= limit - 1 }.keys)
    if full.isEmpty || next(gate, upTo: .older, besides: full) == nil { return [] }
    return full
  }

  private enum Which { case normal, excepted }

  private mutating func run(_ key: MediaKey, _ pool: Which) {
    turn += 1
    switch pool {
    case .normal: normal.took(key, turn: turn)
    case .excepted: excepted.took(key, turn: turn)
    }
    running[key.item] = key
    // Its other qualities wait until it has ended.
    for quality in Quality.allCases where quality != key.quality {
      let other = key.item.at(quality)
      if entries[other]?.isReady == true { place(other) }
    }
  }

  private mutating func next(_ gate: Gate, upTo last: Rank, besides full: Set<String> = []) -> (MediaKey, Which)? {
    func part(_ ranks: ClosedRange<Rank>?) -> ClosedRange<Rank>? {
      guard let ranks, ranks.lowerBound <= last else { return nil }
      return ranks.lowerBound...min(ranks.upperBound, last)
    }
    let one = part(gate.all).flatMap { normal.next($0, besides: full) }
    let two = part(Self.wider(gate)).flatMap { excepted.next($0, besides: full) }
    switch (one, two) {
    case (nil, nil): return nil
    case (let one?, nil): return (one.key, .normal)
    case (nil, let two?): return (two.key, .excepted)
    case (let one?, let two?):
      return (one.rank, one.turn) <= (two.rank, two.turn) ? (one.key, .normal) : (two.key, .excepted)
    }
  }

  /// An exception is allowed at least what all are.
  private static func wider(_ gate: Gate) -> ClosedRange<Rank>? {
    guard let all = gate.all, let some = gate.exceptions else { return gate.all ?? gate.exceptions }
    return min(all.lowerBound, some.lowerBound)...max(all.upperBound, some.upperBound)
  }

  /// Also what is overdue starts only where its rank is allowed.
  private mutating func overdue(at now: Moment, _ gate: Gate, besides full: Set<String>) -> (MediaKey, Which)? {
    let one = gate.all.flatMap { normal.overdue(at: now, $0, besides: full) }
    let two = Self.wider(gate).flatMap { excepted.overdue(at: now, $0, besides: full) }
    switch (one, two) {
    case (nil, nil): return nil
    case (let one?, nil): return (one.key, .normal)
    case (nil, let two?): return (two.key, .excepted)
    case (let one?, let two?): return one.since <= two.since ? (one.key, .normal) : (two.key, .excepted)
    }
  }
}
