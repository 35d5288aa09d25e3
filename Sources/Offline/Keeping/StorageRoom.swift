import Runtime

/// How much is kept, how much may be, and what is given up when there is no room. What the owner asked for is not, nor
/// what stands in for it. Owns the budget, the keeper and which warnings were told. Lives on the loop `offline`, inside
/// `DownloadEngine`. In memory: a start counts anew what the rows tell of.
final class StorageRoom {
  private static let looksEvery: Duration = .seconds(59)

  private let tools: EngineTools
  private let downloads: ActiveDownloads
  private let queue: TransferQueue
  private let conditions: RunningConditions
  private let files: DownloadFiles
  var budget = Budget()
  private var keeper = Keeper()
  private var warned = ToldWarnings()
  private var lookedAt: Moment?

  init(
    _ tools: EngineTools, _ downloads: ActiveDownloads, _ queue: TransferQueue, _ conditions: RunningConditions,
    _ files: DownloadFiles
  ) {
    (self.tools, self.downloads, self.queue) = (tools, downloads, queue)
    (self.conditions, self.files) = (conditions, files)
  }

  func hear(_ rules: TransferRules) {
    (budget.limit, keeper.limit, keeper.reserve) = (rules.limit, rules.limit, rules.reserve)
  }

  /// All that there will be of it. What waits for room goes on when what is given up for it is gone.
  func claim(_ bytes: Int64, for active: ActiveDownload) -> Trouble? {
    if budget.claim(bytes, for: active.key) { return nil }
    giveUp(bytes - active.download.record.durable, for: active)
    return .overLimit
  }

  /// The disk is full.
  func make(for active: ActiveDownload) {
    let record = active.download.record
    giveUp(max((record.size ?? 0) - record.durable, 1), for: active)
  }

  // MARK: Questions

  /// Bytes that there are for music that is asked for now. `coming` is on its way already, each with its size where
  /// only its source knows it. What the keeper would give up makes room, except what is whole and `asked` for now: it
  /// stays.
  func room(beside coming: [MediaKey: Int64], asked: Set<MediaKey>) -> Int64 {
    var (yielding, claimed, rest) = (0 as Int64, 0 as Int64, 0 as Int64)
    for active in downloads.values where !active.isDropped {
      let (key, record) = (active.key, active.download.record)
      // Claimed by what runs, and not on the disk yet.
      claimed = claimed.plus(max(budget.claimed(by: key) - record.durable, 0))
      if coming[key] != nil || asked.contains(key) && record.state == .completed { continue }
      if keeper.kind(of: kept(active), needsRoom: true) != nil { yielding = yielding.plus(record.durable) }
    }
    for (key, bytes) in coming {
      let record = downloads.record(key)
      // What has failed needs no room for now.
      if let state = record?.state, [.completed, .failed].contains(state) { continue }
      rest = rest.plus(max((record?.size ?? bytes) - max(record?.durable ?? 0, budget.claimed(by: key)), 0))
    }
    let space = min(budget.limit - budget.claimed, (files.free ?? 0) - conditions.reserve - claimed)
    return max(space.plus(yielding) - rest, 0)
  }

  /// Bytes that smart downloads may take in all, those that are here included, without reaching the warning of little
  /// room. What is cached from streaming does not count, since it makes way.
  var forSmartDownloads: Int64 {
    var asked: Int64 = 0
    for active in downloads.values where !active.download.record.isCache {
      if queue.rank(of: active.key) != .predicted { asked = asked.plus(active.download.record.durable) }
    }
    return max(budget.limit / 100 * Keeper.warnsAt - asked, 0)
  }

  var usage: OfflineUsage {
    var usage = OfflineUsage()
    for active in downloads.values {
      let (record, rank) = (active.download.record, queue.rank(of: active.key))
      let bytes = record.durable
      if record.state != .completed {
        usage.growing = usage.growing.plus(bytes)
      } else if rank == .predicted {
        usage.predicted = usage.predicted.plus(bytes)
      } else if rank != nil || active.standsIn {
        usage.asked = usage.asked.plus(bytes)
      } else if record.isCache {
        usage.cached = usage.cached.plus(bytes)
      } else {
        usage.left = usage.left.plus(bytes)
      }
    }
    return usage
  }

  // MARK: What is given up

  /// Once a minute, whether anybody needs room or not: what is of no use to anybody goes, near the limit some of the
  /// rest, and that there is little room is told.
  func lookNowAndThen(at now: Moment) {
    if let lookedAt, now - lookedAt < Self.looksEvery { return }
    guard conditions.policy.situation.free != nil else { return }
    lookedAt = now
    giveUp(0, for: nil)
  }

  /// For so many bytes more of that one, as far as there is anything to give up. A smart download takes no
  /// other's room.
  private func giveUp(_ incoming: Int64, for needy: ActiveDownload?) {
    // Of a disk that is not there nothing can be given up.
    guard let free = files.free else { return }
    let isSmart = needy.map { queue.rank(of: $0.key) == .predicted } ?? false
    var keys: [String: MediaKey] = [:]
    var kept: [Kept] = []
    for active in downloads.values where active.download.record.durable > 0 {
      if isAskedFor(active) || active.isDropped { continue }
      let one = self.kept(active)
      if isSmart, one.kind == .predicted { continue }
      kept.append(one)
      keys[one.id] = active.key
    }
    // What it has claimed and does not hold yet is among what comes.
    let claim = needy.map { max(budget.claimed(by: $0.key) - $0.download.record.durable, 0) } ?? 0
    let usage = Keeper.Usage(kept: budget.claimed - claim, free: free)
    let plan = keeper.plan(for: kept, usage, incoming: incoming)
    for leaving in plan.leaving {
      guard let key = keys[leaving.id] else { continue }
      tools.news(.gaveUp(key, leaving.of, bytes: leaving.bytes))
      queue.drop(key)
    }
    for warning in warned.hear(plan.warnings, at: tools.loop.now) { tools.news(.warned(warning)) }
  }

  private func isAskedFor(_ active: ActiveDownload) -> Bool {
    active.standsIn || queue.rank(of: active.key).map { $0 != .predicted } ?? false
  }

  private func kept(_ active: ActiveDownload) -> Kept {
    let record = active.download.record
    let rank = queue.rank(of: active.key)
    let kind: Kept.Kind =
      rank == .predicted ? .predicted : record.state == .completed ? .cached : .partial
    var kept = Kept("\(active.key)", kind, bytes: record.durable)
    kept.isAskedFor = isAskedFor(active)
    kept.isInUse = record.state.isRunning || active.isBusy || !active.listeners.streams.isEmpty
    kept.plays = record.plays
    // While nobody knows the time, nothing has become old.
    let now = conditions.date ?? 0
    kept.sincePlayed = record.playedAt.map { .seconds(max(now - $0, 0)) }
    kept.sinceChanged = .seconds(max(now - (record.endedAt ?? record.begunAt ?? record.queuedAt), 0))
    return kept
  }
}
