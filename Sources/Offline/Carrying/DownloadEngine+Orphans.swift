import Runtime

/// Files that no row is about, looked for while it runs: a start would find them too, but a board may run for a year.
extension DownloadEngine {
  /// When there is a disk to look at.
  func huntOrphans() {
    guard mustHunt, !isHunting, policy.situation.free != nil else { return }
    (mustHunt, isHunting) = (false, true)
    Task(executorPreference: loop) { await self.huntAndTell() }
  }

  private func huntAndTell() async {
    let removed = await goHunting()
    if tellWaiting(removed) || removed == 0 { return }
    told(.maintenanceDone(checked: 0, repaired: 0, removed: removed))
  }

  /// On demand: how many went, with those of a hunt that was under way.
  package func hunt() async -> Int {
    var removed = 0
    while isHunting {
      removed += await withCheckedContinuation { waiter in
        // It may be over since.
        if isHunting { huntWaiters.append(waiter) } else { waiter.resume(returning: 0) }
      }
    }
    guard isDiskThere else { return removed }
    (mustHunt, isHunting) = (false, true)
    removed += await goHunting()
    tellWaiting(0)
    return removed
  }

  /// The first of those that wait tells of them; false when nobody does.
  @discardableResult
  private func tellWaiting(_ removed: Int) -> Bool {
    let waiting = huntWaiters
    huntWaiters = []
    for (place, waiter) in waiting.enumerated() { waiter.resume(returning: place == 0 ? removed : 0) }
    return !waiting.isEmpty
  }

  private func goHunting() async -> Int {
    let folder = folder
    var known: Set<MediaFolder.Name> = []
    for carriage in carriages.values {
      if let name = carriage.name { known.insert(name) }
    }
    var hunt = OrphanHunt(in: folder, on: disk)
    while hunt.goOn(keeping: { known.contains($0) || isCarried($0) }) {
      await loop.nextRound()
      // Everything has moved meanwhile: what lies there now is looked at later.
      if folder.path != self.folder.path { break }
    }
    isHunting = false
    // It went away again, and nothing was seen of what it holds.
    if !isDiskThere { mustHunt = true }
    return hunt.removed
  }

  /// By one that came after the hunt began, or whose row is to be stored again.
  private func isCarried(_ name: MediaFolder.Name) -> Bool {
    if outside.contains(name) { return true }
    return carriages.values.contains { $0.name == name && $0.download.state != .cancelled }
  }
}
