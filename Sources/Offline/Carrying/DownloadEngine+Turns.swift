import Files
import Runtime

/// Who runs: as the planner says, as far as the policy allows.
extension DownloadEngine {
  /// With nobody to say that a page is out of the way, it is tried again.
  static let suspicion: Duration = .seconds(90)
  /// A disk that has refused is asked again.
  static let asksDiskAgain: Duration = .seconds(60)

  /// What stays free on the disk, so that rows can be stored and files given up on a full one.
  var reserve: Int64 { policy.rules.reserve }

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
  package func want(_ wishes: [WantedItem], again isAgain: Bool) {
    for wish in wishes {
      let isNew = carriages[wish.key] == nil
      let want = Planner.Want(wish.rank, order: wish.order, since: loop.now)
      add(wish.key, for: wish.container, want, queuedAt: wish.queuedAt)
      rest(wish.key, wish.isResting)
      planner.set(wish.key, excepted: wish.isExcepted)
      guard let carriage = carriages[wish.key] else { continue }
      // What is just being cancelled comes back behind that.
      if !isNew, isAgain || carriage.download.state == .cancelled || carriage.isDropped { hear(.again, for: wish.key) }
      (carriage.isDropped, carriage.standsIn) = (false, false)
      carriage.download.record.isCache = false
      ready(carriage)
    }
    fill()
  }

  func add(_ key: MediaKey, for container: ContainerKey, _ want: Planner.Want, queuedAt: Int64) {
    if carriages[key] == nil { carriages[key] = ActiveDownload(Download(key, queuedAt: queuedAt)) }
    planner.want(key, for: container, want)
  }

  /// Nobody wants it: nothing of it stays.
  package func drop(_ key: MediaKey) {
    planner.forget(key)
    resting.remove(key)
    guard let carriage = carriages[key], !carriage.isDropped else { return }
    carriage.isDropped = true
    carriage.readers.wake()
    hear(.cancel, for: key)
  }

  /// That container does not hold them any more.
  package func drop(_ keys: [MediaKey], for container: ContainerKey) {
    for key in keys { planner.drop(key, for: container) }
  }

  /// It is of use for as long as the quality that is wanted is not whole.
  package func letStandIn(_ key: MediaKey) {
    planner.forget(key)
    carriages[key]?.standsIn = true
  }

  /// The owner has paused all that wants it.
  package func rest(_ key: MediaKey, _ isResting: Bool) {
    if isResting { resting.insert(key) } else { resting.remove(key) }
    guard let carriage = carriages[key] else { return }
    ready(carriage)
    // Who listens to it goes on.
    if isResting, planner.isRunning(key), isHeldByOwner(key) { hear(.hold, for: key) }
  }

  /// Nothing else of it changes: what is put aside for a while stays so.
  func rank(_ wishes: [WantedItem]) {
    for wish in wishes where planner.wants(wish.key, for: wish.container) {
      let want = Planner.Want(wish.rank, order: wish.order, since: loop.now)
      planner.want(wish.key, for: wish.container, want)
    }
    fill()
  }

  package func restAll(_ isResting: Bool) {
    self.isResting = isResting
    look()
  }

  package func takeGone() -> [MediaKey] {
    defer { gone = [] }
    return gone.filter { carriages[$0] == nil }
  }

  // MARK: The surroundings

  /// As good as the owner wants it, and as the line and the battery allow.
  package func quality(for purpose: TransferPolicy.Purpose) -> Quality {
    policy.rules.quality.quality(for: purpose, in: situation, policy.rules)
  }

  package func take(_ rules: TransferRules) {
    policy.hear(rules)
    (planner.limit, budget.limit, keeper.limit, keeper.reserve) =
      (max(rules.atOnce, 1), rules.limit, rules.limit, rules.reserve)
    look()
  }

  /// How much is kept, and how much is free where `free` is not nil, is looked up here.
  package func take(_ new: TransferConditions) {
    let old = situation
    situation = new
    if old.minute == nil, new.minute != nil { lift(.clock) }
    if old.network != new.network { lift(.untrusted) }
    // What was dropped while it was away is still there; a start has looked already.
    if hasBegun, old.free == nil, new.free != nil { mustHunt = true }
    if old.free == nil, new.free != nil { lift(.disk) }
    hearLine(new, after: old)
    look()
  }

  private func lift(_ reason: WaitReason) {
    for carriage in carriages.values where carriage.download.record.waits == reason {
      hear(.lifted(reason), for: carriage.key)
    }
  }

  /// The surroundings, the disk or the time may be others than they were.
  package func look() {
    guard hasBegun else { return }
    let now = loop.now
    if let suspectedAt, now - suspectedAt >= Self.suspicion, [.unknown, .reached].contains(situation.internet) {
      policy.trustAgain(at: now, using: &generator)
      self.suspectedAt = nil
      forgetFailures()
    }
    policy.hear(measured, at: now, using: &generator)
    keepHouse(at: now)
    for carriage in carriages.values {
      guard let reason = carriage.download.record.waits, isOver(reason, carriage, now) else { continue }
      hear(.lifted(reason), for: carriage.key)
    }
    sendScouts(at: now)
    for key in planner.runningKeys where !mayGoOn(key, now) { hear(.hold, for: key) }
    fill()
    huntOrphans()
    tellWhy(at: now)
    if let pause = policy.nextLook(at: now) { lookAgain(at: now + pause) }
    lookWhenScoutsAreDue()
  }

  private var measured: TransferConditions {
    var measured = situation
    if situation.free != nil { measured.free = free }
    measured.kept = budget.claimed
    return measured
  }

  /// Nil while nobody can say: the disk is not there.
  var free: Int64? {
    guard isDiskThere else { return nil }
    return try? disk.space(at: folder.path).free
  }

  func lookAgain(at moment: Moment) {
    if let looksAgainAt, looksAgainAt <= moment, looksAgainAt > loop.now { return }
    looksAgainAt = moment
    Task(executorPreference: loop) { [weak self, loop] in
      await loop.sleep(until: moment)
      await self?.look()
    }
  }

  private func mayGoOn(_ key: MediaKey, _ now: Moment) -> Bool {
    if isResting || isStandingStill || isHeldByOwner(key) { return false }
    // Whoever seeks lets go of it for a moment.
    let isStream = planner.wants(key, for: Self.streaming(key))
    let purpose = isStream ? .stream : TransferPolicy.Purpose(planner.rank(of: key) ?? .predicted)
    guard case .waits(let reasons) = policy.verdict(purpose, isExcepted: planner.isExcepted(key), at: now) else {
      return true
    }
    // What runs has claimed its room already.
    return reasons == [.limit] && budget.claimed <= budget.limit
  }

  // MARK: Waits of their own

  func waits(_ carriage: ActiveDownload, _ reason: WaitReason) {
    (carriage.waitsSince, carriage.freeThen) = (loop.now, free ?? 0)
    waits(forOthers: carriage, reason, at: loop.now)
    guard reason == .portal else { return }
    suspectedAt = loop.now
    policy.suspectPortal()
    soon { carrier in carrier.look() }
  }

  private func isOver(_ reason: WaitReason, _ carriage: ActiveDownload, _ now: Moment) -> Bool {
    let record = carriage.download.record
    let waited = now - carriage.waitsSince
    switch reason {
    case .portal: return isPageOver(carriage, waited: waited, at: now)
    case .space:
      guard let free = policy.situation.free else { return false }
      let rest = record.size.map { $0 - record.durable } ?? TransferPolicy.roomToGoOn
      // A disk may refuse for reasons of its own: then it is asked once a minute.
      guard free > carriage.freeThen || waited >= Self.asksDiskAgain else { return false }
      return free - reserve >= DiskSpace.taken(by: rest)
    case .otherDisk: return isDiskThere
    case .limit: return budget.missing(max(record.size ?? 0, record.durable + 1), for: record.key) == 0
    // Whoever looks is chosen among all of them.
    case .server, .source: return false
    // Told when it may have changed, and looked at again now and then.
    default: return reason.askedAgainAfter.map { waited >= $0 } ?? true
    }
  }

  // MARK: Places

  func look(at carriage: ActiveDownload) {
    let (key, record) = (carriage.key, carriage.download.record)
    if record.state.isRunning { return }
    planner.ended(key)
    if record.waits?.isOutage != true { scouting.left(key) }
    (carriage.part, carriage.place) = (nil, nil)
    if isPressed { press() }
    let before = budget.claimed
    budget.set(key, to: record.state == .cancelled ? 0 : record.durable)
    if record.state == .cancelled, carriage.isDropped, carriage.inbox.isEmpty {
      carriages[key] = nil
      gone.append(key)
    } else {
      ready(carriage)
    }
    // There is room for somebody who waits for it.
    if budget.claimed < before { soon { carrier in carrier.look() } }
  }

  func ready(_ carriage: ActiveDownload) {
    let (key, isReady) = (carriage.key, carriage.download.record.isReady)
    let isDue = mayRunAhead(carriage)
    planner.set(key, ready: isReady && isDue && !isHeldByOwner(key))
  }

  func fill() {
    guard hasBegun else { return }
    let now = loop.now
    let gate = isResting || isStandingStill ? Planner.Gate(all: nil) : policy.gate(at: now)
    while let decision = planner.decide(at: now, through: pressed(gate)) {
      if let held = decision.hold { hear(.hold, for: held) }
      guard let carriage = carriages[decision.start], carriage.download.record.isReady else {
        planner.ended(decision.start)
        continue
      }
      carriage.download.isLineProven = pages.isProven(for: decision.start, at: now)
      hear(.start, for: decision.start)
    }
  }
}
