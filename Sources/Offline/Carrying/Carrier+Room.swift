import Library
import Runtime

/// What is given up when there is no room. What the owner asked for is not, nor what stands in for it.
extension Carrier {
  /// Bytes there are for music that is not here yet.
  package var room: Int64 { max(min(budget.room, (free ?? 0) - reserve), 0) }

  /// For what is only guessed, that is here or not: so much that nobody is warned that there is not much room left. What
  /// is left over from streaming makes way for it.
  package var roomForGuesses: Int64 {
    var asked: Int64 = 0
    for carriage in carriages.values where !carriage.download.record.isCache {
      if planner.rank(of: carriage.key) != .predicted { asked = asked.plus(carriage.download.record.durable) }
    }
    return max(budget.limit / 100 * Keeper.warnsAt - asked, 0)
  }

  /// For so many bytes more, as far as there is anything to give up. What is only guessed takes no other guess's room.
  func giveUp(_ incoming: Int64, for carriage: Carriage) {
    let isGuess = planner.rank(of: carriage.key) == .predicted
    guard situation != nil else { return }
    var keys: [String: MediaKey] = [:]
    var kept: [Kept] = []
    for carriage in carriages.values where carriage.download.record.durable > 0 {
      let one = self.kept(carriage)
      if isGuess, one.kind == .predicted { continue }
      kept.append(one)
      keys[one.id] = carriage.key
    }
    let usage = Keeper.Usage(kept: budget.claimed, free: free ?? 0)
    let plan = keeper.plan(for: kept, usage, incoming: incoming)
    for leaving in plan.leaving {
      guard let key = keys[leaving.id] else { continue }
      news(.gaveUp(key, leaving.of, bytes: leaving.bytes))
      drop(key)
    }
    if plan.warnings != warned { for warning in plan.warnings { news(.warned(warning)) } }
    warned = plan.warnings
  }

  private func kept(_ carriage: Carriage) -> Kept {
    let record = carriage.download.record
    let rank = planner.rank(of: carriage.key)
    let kind: Kept.Kind =
      rank == .predicted ? .predicted : record.state != .completed ? .partial : record.isCache ? .cached : .track
    var kept = Kept("\(carriage.key)", kind, bytes: record.durable)
    kept.isAskedFor = carriage.standsIn || rank.map { $0 != .predicted } ?? false
    kept.isInUse = record.state.isRunning || carriage.isBusy || carriage.streams > 0
    kept.isInWantedPlaylist = planner.containers(of: carriage.key).contains { $0.kind == .playlist }
    kept.plays = record.plays
    let now = date()
    kept.sincePlayed = record.playedAt.map { .seconds(max(now - $0, 0)) }
    kept.sinceChanged = .seconds(max(now - (record.endedAt ?? record.begunAt ?? record.queuedAt), 0))
    return kept
  }

  /// It was played: that counts when something has to go. Nil for what was not fetched.
  func played(_ path: FilePath, at date: Int64) async -> MediaKey? {
    let name = String(decoding: path.bytes, as: UTF8.self)
    let found = carriages.values.first { $0.download.record.path == name }
    guard let carriage = found, carriage.download.state == .completed else { return nil }
    let before = carriage.download.record.playedAt ?? date
    (carriage.download.record.playedAt, carriage.download.record.plays) =
      (max(before, date), carriage.download.record.plays + 1)
    await storeAgain(carriage.key)
    return carriage.key
  }

  /// Nobody wants it any more; what is whole stays until its room is needed.
  func becomeCache(_ key: MediaKey) async {
    guard let carriage = carriages[key], carriage.download.state == .completed else { return }
    carriage.download.record.isCache = true
    await storeAgain(key)
  }
}
