import Runtime

/// What is given up when there is no room. What the owner asked for is not, nor what stands in for it.
extension DownloadEngine {
  /// Bytes that there are for music that is asked for now. `coming` is on its way already, each with its size where only
  /// its source knows it. What the keeper would give up makes room, except what is whole and `asked` for now: it stays.
  package func room(beside coming: [MediaKey: Int64], asked: Set<MediaKey>) -> Int64 {
    var (yielding, claimed, rest) = (0 as Int64, 0 as Int64, 0 as Int64)
    for (key, carriage) in carriages where !carriage.isDropped {
      let record = carriage.download.record
      // Claimed by what runs, and not on the disk yet.
      claimed = claimed.plus(max(budget.claimed(by: key) - record.durable, 0))
      if coming[key] != nil || asked.contains(key) && record.state == .completed { continue }
      if keeper.kind(of: kept(carriage), isPressed: true) != nil { yielding = yielding.plus(record.durable) }
    }
    for (key, bytes) in coming {
      let record = carriages[key]?.download.record
      // What has failed needs no room for now.
      if let state = record?.state, [.completed, .failed].contains(state) { continue }
      rest = rest.plus(max((record?.size ?? bytes) - max(record?.durable ?? 0, budget.claimed(by: key)), 0))
    }
    let space = min(budget.limit - budget.claimed, (free ?? 0) - reserve - claimed)
    return max(space.plus(yielding) - rest, 0)
  }

  /// For what is only guessed, that is here or not: so much that nobody is warned that there is not much room left. What
  /// is left over from streaming makes way for it.
  package var roomForGuesses: Int64 {
    var asked: Int64 = 0
    for carriage in carriages.values where !carriage.download.record.isCache {
      if planner.rank(of: carriage.key) != .predicted { asked = asked.plus(carriage.download.record.durable) }
    }
    return max(budget.limit / 100 * Keeper.warnsAt - asked, 0)
  }

  /// Once a minute, whether anybody needs room or not: what is of no use to anybody goes, near the limit some of the
  /// rest, and that there is little room is told.
  func keepHouse(at now: Moment) {
    if let last = keptHouseAt, now - last < Self.keepsHouseEvery { return }
    guard policy.situation.free != nil else { return }
    keptHouseAt = now
    giveUp(0, for: nil)
  }

  private static let keepsHouseEvery: Duration = .seconds(59)

  /// For so many bytes more of that one, as far as there is anything to give up. What is only guessed takes no other
  /// guess's room.
  func giveUp(_ incoming: Int64, for needy: ActiveDownload?) {
    // Of a disk that is not there nothing can be given up.
    guard let free else { return }
    let isGuess = needy.map { planner.rank(of: $0.key) == .predicted } ?? false
    var keys: [String: MediaKey] = [:]
    var kept: [Kept] = []
    for carriage in carriages.values where carriage.download.record.durable > 0 {
      if isAskedFor(carriage) || carriage.isDropped { continue }
      let one = self.kept(carriage)
      if isGuess, one.kind == .predicted { continue }
      kept.append(one)
      keys[one.id] = carriage.key
    }
    // What it has claimed and does not hold yet is among what comes.
    let claim = needy.map { max(budget.claimed(by: $0.key) - $0.download.record.durable, 0) } ?? 0
    let usage = Keeper.Usage(kept: budget.claimed - claim, free: free)
    let plan = keeper.plan(for: kept, usage, incoming: incoming)
    for leaving in plan.leaving {
      guard let key = keys[leaving.id] else { continue }
      news(.gaveUp(key, leaving.of, bytes: leaving.bytes))
      drop(key)
    }
    for warning in warned.hear(plan.warnings, at: loop.now) { news(.warned(warning)) }
  }

  private func isAskedFor(_ carriage: ActiveDownload) -> Bool {
    carriage.standsIn || planner.rank(of: carriage.key).map { $0 != .predicted } ?? false
  }

  private func kept(_ carriage: ActiveDownload) -> Kept {
    let record = carriage.download.record
    let rank = planner.rank(of: carriage.key)
    let kind: Kept.Kind =
      rank == .predicted ? .predicted : record.state == .completed ? .cached : .partial
    var kept = Kept("\(carriage.key)", kind, bytes: record.durable)
    kept.isAskedFor = isAskedFor(carriage)
    kept.isInUse = record.state.isRunning || carriage.isBusy || !carriage.streams.isEmpty
    kept.plays = record.plays
    // While nobody knows the time, nothing has become old.
    let now = situation.minute == nil ? 0 : date()
    kept.sincePlayed = record.playedAt.map { .seconds(max(now - $0, 0)) }
    kept.sinceChanged = .seconds(max(now - (record.endedAt ?? record.begunAt ?? record.queuedAt), 0))
    return kept
  }

  /// Nil for what was not fetched. By its name alone: a link leads there, and it may lie on another disk by now.
  func item(at path: FilePath) -> ItemKey? { whole(named: path.name)?.key.item }

  private func whole(named name: FilePath) -> ActiveDownload? {
    let found = carriages.values.first { $0.download.record.path.map { FilePath($0).name } == name }
    return found?.download.state == .completed ? found : nil
  }

  /// Any of them.
  func lastPlayed(_ keys: [MediaKey]) -> Int64? {
    keys.compactMap { carriages[$0]?.download.record.playedAt }.max()
  }

  /// It was played: that counts when something has to go. Nil for what was not fetched.
  func played(_ path: FilePath, at date: Int64) async -> MediaKey? {
    guard let carriage = whole(named: path.name) else { return nil }
    let before = carriage.download.record.playedAt ?? date
    (carriage.download.record.playedAt, carriage.download.record.plays) =
      (max(before, date), carriage.download.record.plays + 1)
    await storeAgain(carriage.key)
    return carriage.key
  }

  func dropUnheardCache(_ key: MediaKey) {
    guard let carriage = carriages[key], carriage.download.record.isCache, carriage.streams.isEmpty else { return }
    drop(key)
  }

  /// Nobody wants it any more; what is whole stays until its room is needed.
  func becomeCache(_ key: MediaKey) async {
    guard let carriage = carriages[key], carriage.download.state == .completed else { return }
    carriage.download.record.isCache = true
    await storeAgain(key)
  }
}
