import Offline
import Runtime

/// The world changes, and the board hears of it: soon, or a minute later, because the kernel's news get lost.
extension Week {
  func change(_ change: Road.Change) {
    switch change {
    case .power(true): if life == nil { powerOn() }
    case .power(false): cutPower(for: nil)
    case .line(let network, let isMetered, let internet, let rate):
      guard !isCalm else { return }
      (truth.network, truth.isMetered, truth.internet, self.rate) = (network, isMetered, internet, rate)
    case .battery(let level, let hasCharger):
      (truth.battery, truth.hasCharger) = (level, hasCharger)
    case .heat(let degrees): truth.heat = degrees
    case .others(let leaving):
      disk.others = leaving.map { max(disk.capacity - disk.kept - $0, 0) } ?? 0
    case .disk(let isThere): isDiskThere = isThere
    case .server(let server): self.server = server
    case .signedIn(let isSignedIn):
      self.isSignedIn = isSignedIn
      if isSignedIn { liftAll(.signIn) }
    case .calm: calmDown()
    }
    if !dice.chance(oneIn: 8) { after(dice.between(0.05, 2), .told) }
  }

  /// At home, with all that anybody could wish for.
  private func calmDown() {
    isCalm = true
    (truth.network, truth.isMetered, truth.internet, rate) = (.wifi, false, .reached, 3_000_000)
    truth.battery = road.hasBattery ? 80 : nil
    (truth.hasCharger, truth.heat, disk.others, isDiskThere) = (true, 50, 0, true)
    (server, isSignedIn, actionsLeft) = (.up, true, nil)
    if life == nil { powerOn() }
    for reason in [WaitReason.signIn, .untrusted] { liftAll(reason) }
  }

  /// What the board sees when it looks. Whether there is internet only a probe tells.
  func hearSurroundings(isProbed: Bool) {
    guard let life else { return }
    huntOrphans()
    let before = life.policy.situation
    var heard = truth
    let isNew = heard.network != before.network
    if !isProbed { heard.internet = isNew ? .unknown : before.internet }
    // What is well is asked less often.
    if isNew || !isProbed && (heard.internet != .reached || dice.chance(oneIn: 5)) { after(dice.between(1, 5), .probe) }
    heard.free = isDiskThere ? disk.free : nil
    heard.kept = disk.kept
    heard.minute = life.isClockSet && rules.hours != nil ? minute : nil
    if heard == before, !isProbed, life.isReady, !life.mayHaveRoom { return }
    let moment = life.moment(now)
    life.policy.hear(heard, at: moment, using: &dice)
    if isProbed { life.policy.probed(heard.internet, at: moment, using: &dice) }
    hearLine(heard, after: before, isProbed: isProbed)
    if !life.isReady, isDiskThere { reconcile() }
    if heard.internet == .reached, isProbed {
      liftAll(.portal)
      if !life.isClockSet { after(dice.between(5, 90), .clockIsSet) }
    }
    if !before.hasCharger, heard.hasCharger { predict() }
    if life.mayHaveRoom || heard.free != before.free || heard.kept != before.kept { liftSpace() }
    lookAgain()
  }

  /// What was dropped while the disk was away is still there.
  private func huntOrphans() {
    guard let life, life.isReady, life.mayHaveOrphans, isDiskThere else { return }
    life.mayHaveOrphans = false
    var known: Set<FilePath> = []
    for (key, carriage) in life.carriages where carriage.download.state != .cancelled {
      known.formUnion([part(key).name, whole(key).name])
    }
    var hunt = OrphanHunt(in: folder, on: disk)
    while hunt.goOn(keeping: { known.contains(FilePath("\($0).\(MediaFolder.growing)")) }) {}
  }

  func lookAgain() {
    guard let life, let pause = life.policy.nextLook(at: life.moment(now)) else { return }
    let at = now + pause
    if let planned = life.looksAt, planned >= at { return }
    life.looksAt = at
    agenda.add(.look, at: at + .milliseconds(1), life: life.number)
  }

  func setClock() {
    guard let life else { return }
    life.isClockSet = true
    liftAll(.clock)
    hearSurroundings(isProbed: true)
  }

  func liftAll(_ reason: WaitReason) {
    guard let life, life.isReady else { return }
    for key in waiting(for: reason) { tell(.lifted(reason), key) }
  }

  private func liftSpace() {
    guard let life, life.isReady, isDiskThere else { return }
    life.mayHaveRoom = false
    for key in waiting(for: .space) {
      if let carriage = life.carriages[key], hasRoom(for: carriage) { tell(.lifted(.space), key) }
    }
  }

  private func waiting(for reason: WaitReason) -> [MediaKey] {
    var keys: [MediaKey] = []
    for (key, carriage) in life?.carriages ?? [:] where carriage.download.record.waits == reason { keys.append(key) }
    return keys.sorted()
  }

  // MARK: Who runs

  /// What runs and may not any more loses its place.
  func holdWhatMayNot() {
    guard let life, life.planner.runningCount > 0 else { return }
    let gate = life.policy.gate(at: life.moment(now))
    for key in life.planner.runningKeys {
      let rank = life.planner.rank(of: key) ?? .predicted
      let ranks = isExcepted.contains(key) ? gate.exceptions : gate.all
      if ranks?.contains(rank) == true { continue }
      counts.holds += 1
      tell(.hold, key)
    }
  }

  func pump() {
    guard let life, life.isReady, life.planner.readyCount > 0 else { return }
    let moment = life.moment(now)
    var turns = 0
    while self.life === life, let decision = life.planner.decide(at: moment, through: life.policy.gate(at: moment)) {
      turns += 1
      if turns > 1_000 { return complain("it starts \(decision.start) again and again") }
      if let hold = decision.hold {
        counts.holds += 1
        tell(.hold, hold)
      }
      life.carriages[decision.start]?.download.isLineProven = life.pages.isProven(for: decision.start, at: moment)
      tell(.start, decision.start)
    }
  }
}
