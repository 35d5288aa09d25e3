import Library
import Runtime

/// What is given up when there is no room. What the owner asked for is not, nor what stands in for it.
extension Carrier {
  /// Bytes there are for music that is not here yet.
  package var room: Int64 { max(min(budget.room, (free ?? 0) - reserve), 0) }

  /// For so many bytes more, as far as there is anything to give up.
  func giveUp(_ incoming: Int64) {
    guard situation != nil else { return }
    var keys: [String: MediaKey] = [:]
    var kept: [Kept] = []
    for carriage in carriages.values where carriage.download.record.durable > 0 {
      let one = self.kept(carriage)
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
    kept.plays = record.plays
    let now = date()
    kept.sincePlayed = record.playedAt.map { .seconds(max(now - $0, 0)) }
    kept.sinceChanged = .seconds(max(now - (record.endedAt ?? record.begunAt ?? record.queuedAt), 0))
    return kept
  }
}
