import Runtime

/// What is here already and only wants to be looked at, and what nothing has come of for long.
extension DownloadEngine {
  /// Files that are all here and were never checked need no network: one after the other, beside what else goes on.
  func checkWhatIsHere() {
    let keys = carriages.values.filter { $0.download.record.isUnchecked }.map(\.key).sorted()
    guard !keys.isEmpty else { return }
    Task(executorPreference: loop) {
      for key in keys { await self.checkWhatIsHere(key) }
    }
  }

  private func checkWhatIsHere(_ key: MediaKey) async {
    guard let carriage = carriages[key], carriage.download.record.isUnchecked, !carriage.isBusy else { return }
    guard !planner.isRunning(key), !isStandingStill, isDiskThere else { return }
    planner.set(key, ready: false)
    carriage.inbox.append((event: .start, bytes: []))
    await work(on: key)
  }

  /// What failed long ago: what nobody wants any more goes, what is wanted is tried once more.
  func clearFailures() async -> (removed: Int, again: Int) {
    let now = situation.minute == nil ? nil : date()
    var (removed, again) = (0, 0)
    for carriage in carriages.values.sorted(by: { $0.key < $1.key }) {
      let isWanted = planner.rank(of: carriage.key) != nil || carriage.standsIn
      switch OldFailure(of: carriage.download.record, isWanted: isWanted, at: now) {
      case .stays: break
      case .again:
        hear(.again, for: carriage.key)
        again += 1
      case .goes where carriage.streams.isEmpty:
        drop(carriage.key)
        removed += 1
      case .goes: break
      }
    }
    return (removed, again)
  }
}

extension DownloadRecord {
  /// All of it is here, and nobody has looked whether it is right.
  var isUnchecked: Bool { isReady && size.map { $0 > 0 && durable == $0 } ?? false }
}
