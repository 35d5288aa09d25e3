import Files
import Runtime

/// Who runs: as the planner says, as far as the policy allows.
extension DownloadEngine {
  /// A disk that has refused is asked again.
  private static let asksDiskAgain: Duration = .seconds(60)

  /// Something that is wanted, with what it is wanted for.
  package struct WantedItem: Equatable, Sendable {
    package var key: MediaKey
    package var container: ContainerKey
    package var rank: Rank
    package var order: Int64
    package var queuedAt: Int64
    package var isExcepted = false
    package var isResting = false
  }

  // MARK: What is wanted

  /// Whoever says so has stored it. `again`: also what was given up.
  package func want(_ items: [WantedItem], again isAgain: Bool) {
    for item in items {
      let isNew = queue.add(
        item.key, for: item.container, item.rank, order: item.order, queuedAt: item.queuedAt)
      rest(item.key, item.isResting)
      queue.planner.set(item.key, excepted: item.isExcepted)
      guard let active = downloads[item.key] else { continue }
      // What is just being cancelled comes back behind that.
      if !isNew, isAgain || active.download.state == .cancelled || active.isDropped {
        downloads.hear(.again, for: item.key)
      }
      (active.isDropped, active.standsIn) = (false, false)
      active.download.record.isCache = false
      ready(active)
    }
    fill()
  }

  /// Nobody wants it: nothing of it stays.
  package func drop(_ key: MediaKey) { queue.drop(key) }

  /// That container does not hold them any more.
  package func drop(_ keys: [MediaKey], for container: ContainerKey) {
    for key in keys { queue.planner.drop(key, for: container) }
  }

  package func letStandIn(_ key: MediaKey) { queue.letStandIn(key) }

  /// The owner has paused all that wants it.
  private func rest(_ key: MediaKey, _ isResting: Bool) {
    queue.rest(key, isResting)
    guard let active = downloads[key] else { return }
    ready(active)
    // Who listens to it goes on.
    if isResting, queue.planner.isRunning(key), queue.isHeldByOwner(key) { downloads.hear(.hold, for: key) }
  }

  func rank(_ items: [WantedItem]) {
    queue.rank(items)
    fill()
  }

  package func restAll(_ isResting: Bool) {
    queue.isResting = isResting
    reconsider()
  }

  // MARK: The surroundings

  package func take(_ rules: TransferRules) {
    conditions.hear(rules)
    queue.planner.limit = max(rules.atOnce, 1)
    room.hear(rules)
    reconsider()
  }

  /// New conditions. `kept` is ignored, and `free` only says whether the disk is there: `reconsider()` measures both.
  package func take(_ new: TransferConditions) {
    let old = conditions.situation
    conditions.hear(new)
    if old.minute == nil, new.minute != nil { lift(.clock) }
    if old.network != new.network { lift(.untrusted) }
    // What was dropped while it was away is still there; a start has looked already.
    if queue.hasBegun, old.free == nil, new.free != nil { orphans.mustHunt = true }
    if old.free == nil, new.free != nil { lift(.disk) }
    health.hear(new, after: old)
    reconsider()
  }

  private func lift(_ reason: WaitReason) {
    for active in downloads.values where active.download.record.waits == reason {
      downloads.hear(.lifted(reason), for: active.key)
    }
  }

  /// The surroundings, the disk or the time may be others than they were.
  package func reconsider() {
    guard queue.hasBegun else { return }
    let now = tools.loop.now
    if conditions.trustsAgain(at: now) { health.forgetFailures() }
    conditions.measure(kept: room.budget.claimed, at: now)
    room.lookNowAndThen(at: now)
    for active in downloads.values {
      guard let reason = active.download.record.waits, isOver(reason, active, now) else { continue }
      downloads.hear(.lifted(reason), for: active.key)
    }
    health.sendProbes(at: now)
    for key in queue.planner.runningKeys where !mayGoOn(key, now) { downloads.hear(.hold, for: key) }
    fill()
    if conditions.policy.situation.free != nil { orphans.huntIfNeeded() }
    explainer.tellWhy(at: now)
    if let pause = conditions.policy.nextLook(at: now) { lookAgain(at: now + pause) }
    lookWhenProbesAreDue()
  }

  /// The minute's look would be late.
  private func lookWhenProbesAreDue() {
    if let due = health.due, due > tools.loop.now { lookAgain(at: due) }
  }

  private func lookAgain(at moment: Moment) {
    guard conditions.mustLookAgain(at: moment) else { return }
    Task(executorPreference: tools.loop) { [weak self, loop = tools.loop] in
      await loop.sleep(until: moment)
      await self?.reconsider()
    }
  }

  private func mayGoOn(_ key: MediaKey, _ now: Moment) -> Bool {
    if queue.isHeld || queue.isHeldByOwner(key) { return false }
    // Whoever seeks lets go of it for a moment.
    let purpose = openStreams.isWanted(key) ? .stream : queue.purpose(of: key)
    let verdict = conditions.policy.verdict(purpose, isExcepted: queue.planner.isExcepted(key), at: now)
    guard case .waits(let reasons) = verdict else { return true }
    // What runs has claimed its room already.
    return reasons == [.limit] && room.budget.claimed <= room.budget.limit
  }

  // MARK: Waits of their own

  func waits(_ active: ActiveDownload, _ reason: WaitReason) {
    (active.waits.since, active.waits.freeThen) = (tools.loop.now, files.free ?? 0)
    health.waits(active, for: reason)
    lookWhenProbesAreDue()
    guard reason == .portal else { return }
    conditions.suspectPortal()
    tools.tasks.post { engine in engine.reconsider() }
  }

  private func isOver(_ reason: WaitReason, _ active: ActiveDownload, _ now: Moment) -> Bool {
    let record = active.download.record
    let waited = now - active.waits.since
    switch reason {
    case .portal: return health.isPageOver(active, waited: waited, at: now)
    case .space:
      guard let free = conditions.policy.situation.free else { return false }
      let rest = record.size.map { $0 - record.durable } ?? TransferPolicy.roomToGoOn
      // A disk may refuse for reasons of its own: then it is asked once a minute.
      guard free > active.waits.freeThen || waited >= Self.asksDiskAgain else { return false }
      return free - conditions.reserve >= DiskSpace.taken(by: rest)
    case .otherDisk: return files.isDiskThere
    case .limit: return room.budget.missing(max(record.size ?? 0, record.durable + 1), for: record.key) == 0
    // Whoever looks is chosen among all of them.
    case .server, .source: return false
    // Told when it may have changed, and looked at again now and then.
    default: return reason.askedAgainAfter.map { waited >= $0 } ?? true
    }
  }

  // MARK: Places

  func freeSlot(of active: ActiveDownload) {
    let (key, record) = (active.key, active.download.record)
    if record.state.isRunning { return }
    queue.planner.ended(key)
    if record.waits?.isOutage != true { health.left(key) }
    (active.part, active.transfer.place) = (nil, nil)
    if openStreams.isBufferLow { holdOthersIfLow() }
    let before = room.budget.claimed
    room.budget.set(key, to: record.state == .cancelled ? 0 : record.durable)
    if record.state == .cancelled, active.isDropped, active.inbox.isEmpty {
      downloads.isGone(key)
    } else {
      ready(active)
    }
    // There is room for somebody who waits for it.
    if room.budget.claimed < before { tools.tasks.post { engine in engine.reconsider() } }
  }

  func ready(_ active: ActiveDownload) {
    let (key, isReady) = (active.key, active.download.record.isReady)
    let isDue = openStreams.mayRunAhead(active)
    queue.planner.set(key, ready: isReady && isDue && !queue.isHeldByOwner(key))
  }

  func fill() {
    guard queue.hasBegun else { return }
    let now = tools.loop.now
    let gate = queue.isHeld ? Planner.Gate(all: nil) : conditions.policy.gate(at: now)
    while let decision = queue.planner.decide(at: now, through: openStreams.pressed(gate)) {
      if let held = decision.hold { downloads.hear(.hold, for: held) }
      guard let active = downloads[decision.start], active.download.record.isReady else {
        queue.planner.ended(decision.start)
        continue
      }
      active.download.isLineProven = health.isLineProven(for: decision.start, at: now)
      downloads.hear(.start, for: decision.start)
    }
  }
}
