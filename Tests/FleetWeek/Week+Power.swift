import Offline
import Runtime

/// Power comes and goes. What a board knows when it comes is what was stored, and what lies on its disk.
extension Week {
  /// `seconds`: it comes back by itself; else the road says when.
  func cutPower(for seconds: Double?) {
    guard let life else { return }
    counts.powerCuts += 1
    checkLost(life)
    self.life = nil
    actionsLeft = nil
    disk.cutPower(&dice)
    if let seconds { agenda.add(.powerOn, at: now + seconds) }
  }

  func powerOn() {
    lives += 1
    let life = Life(number: lives, at: now, rules, stored, isClockSet: hasClock)
    self.life = life
    if !isCalm, dice.chance(oneIn: 3) { actionsLeft = Int.random(in: 1...3_000, using: &dice) }
    after(dice.between(0.1, 3), .told)
    after(60, .poll)
    if isDiskThere { reconcile() }
  }

  /// Rows, files and wishes are brought to say the same.
  func reconcile() {
    guard let life else { return }
    let before = rows
    var found: [Reconciler.Found] = []
    do throws(Fault) {
      var reconciler = try Reconciler(before.keys.sorted().compactMap { before[$0] }, in: folder, on: disk)
      while let some = reconciler.next() { found += some }
    } catch { return complain("it cannot be reconciled: \(error.message)") }
    checkReconciled(found)
    life.isReady = true
    for one in found {
      guard var record = before[one.key], self.life === life else { continue }
      if let whole = one.whole { record.path = String(decoding: whole.bytes, as: UTF8.self) }
      let (download, actions) = Download.restored(record, one.remains, date: date)
      let carriage = ActiveDownload(download)
      carriage.stored = record
      carriage.isBusy = true
      carriage.waitsSince = now
      life.carriages[one.key] = carriage
      if let reason = download.record.waits { life.scouting.waits(one.key, for: reason, at: life.moment(now)) }
      perform(actions, carriage)
      carriage.isBusy = false
    }
    guard self.life === life else { return }
    let keys = life.intents.keys
    for container in life.intents.wishes.keys.sorted() { life.ranks[container] = usualRank(container) }
    for key in keys.sorted() where self.life === life { begin(key) }
    for key in life.carriages.keys.sorted() where self.life === life && !keys.contains(key) { leave(key) }
    for key in life.carriages.keys.sorted() where self.life === life {
      if let carriage = life.carriages[key] { settle(carriage) }
    }
  }

  // MARK: Downloads for wishes

  /// It is wanted: there is a row of it, and the planner knows for whom.
  func begin(_ key: MediaKey) {
    guard let life else { return }
    if let carriage = life.carriages[key] {
      if carriage.download.state == .cancelled { tell(.again, key) }
    } else {
      let carriage = ActiveDownload(Download(key, queuedAt: date))
      life.carriages[key] = carriage
      rows[key] = carriage.stored
    }
    plan(key)
  }

  /// For each that wants it, as much as that one does.
  func plan(_ key: MediaKey) {
    guard let life, let carriage = life.carriages[key] else { return }
    let isWanted = life.intents.key(of: key.item) == key
    let containers = isWanted ? life.intents.containers(of: key.item) : []
    for old in life.planned[key] ?? [] where !containers.contains(old) { life.planner.drop(key, for: old) }
    for container in containers {
      let items = life.intents.wishes[container]?.items ?? []
      let order = Int64(items.firstIndex { $0.key == key.item } ?? 0)
      let rank = life.ranks[container] ?? .older
      life.planner.want(key, for: container, .init(rank, order: order, since: life.moment(now)))
    }
    life.planned[key] = Set(containers)
    life.planner.set(key, excepted: isExcepted.contains(key))
    if !carriage.download.state.isRunning { life.planner.set(key, ready: carriage.download.record.isReady) }
  }

  /// Nobody wants it any more; what stands in for a better one stays until that is whole.
  func leave(_ key: MediaKey) {
    guard let life, let carriage = life.carriages[key], carriage.download.state != .cancelled else { return }
    if let wanted = life.intents.key(of: key.item), wanted != key, carriage.download.state == .completed,
      life.carriages[wanted]?.download.state != .completed
    {
      return
    }
    plan(key)
    tell(.cancel, key)
  }

  func removeOthers(than key: MediaKey) {
    guard let life, life.intents.key(of: key.item) == key else { return }
    for quality in Quality.allCases where quality != key.quality { leave(key.item.at(quality)) }
  }

  func usualRank(_ container: ContainerKey) -> Rank {
    switch container.kind {
    case .predicted: .predicted
    case .cache: .older
    case .album: .askedFor
    default: .currentPlaylist
    }
  }
}
