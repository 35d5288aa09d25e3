import Runtime

/// How it stands, in numbers and in words.
extension DownloadEngine {
  /// What is shown of one.
  package struct Shown: Equatable, Sendable {
    package var record: DownloadRecord
    /// All that has come, durable or not.
    package var arrived: Int64
    package var speed: Int64
    package var isRunning: Bool
    package var isResting: Bool
    package var rank: Rank?
    package var containers: [ContainerKey]
    /// Worst first; empty when it runs or is whole.
    package var why: [Why]
  }

  package func shown(_ keys: [MediaKey]) -> [Shown] {
    let now = loop.now
    var shown: [Shown] = []
    for key in keys {
      guard let carriage = carriages[key] else { continue }
      let record = carriage.download.record
      let isRunning = record.state.isRunning
      shown.append(
        Shown(
          record: record, arrived: carriage.download.arrived,
          speed: isRunning ? carriage.speed.perSecond(at: now) : 0, isRunning: isRunning,
          isResting: isResting || resting.contains(key) || record.state == .paused, rank: planner.rank(of: key),
          containers: planner.containers(of: key), why: why(carriage, now)))
    }
    return shown
  }

  private func why(_ carriage: ActiveDownload, _ now: Moment) -> [Why] {
    let record = carriage.download.record
    switch record.state {
    case .downloading, .completed, .cancelled: return []
    case .failed: return [Why(record.trouble ?? .unknown)]
    case .paused: return [Why(.owner)]
    case .retrying:
      let trouble = record.trouble ?? .unknown
      // Until the pause is stored its end is not set; then it has not begun.
      return [Why(code: trouble.code, words: trouble.words, again: left(until: carriage.dueAt, now) ?? record.pause)]
    case .queued: break
    }
    let key = record.key
    if isResting || resting.contains(key) { return [Why(.owner)] }
    if let reason = record.waits {
      var why = self.why(reason)
      if reason.isTrouble, let trouble = record.trouble { why.words = "\(reason.words): \(trouble.words)" }
      why.again = left(until: triedAgain(carriage, reason), now)
      return [why]
    }
    let purpose = TransferPolicy.Purpose(planner.rank(of: carriage.key) ?? .predicted)
    let reasons = everybodys(purpose, isExcepted: planner.isExcepted(carriage.key), now)
    return reasons.isEmpty ? [Why(enough(carriage) ?? .turn)] : reasons
  }

  private func why(_ reason: WaitReason) -> Why { Why(code: reason.code, words: policy.why(reason)) }

  private func left(until moment: Moment?, _ now: Moment) -> Duration? { moment.map { max($0 - now, .zero) } }

  /// Where time alone ends it.
  private func triedAgain(_ carriage: ActiveDownload, _ reason: WaitReason) -> Moment? {
    if reason.isOutage { return policy.hasInternet ? scouting.due(for: carriage.key) : nil }
    return reason.askedAgainAfter.map { carriage.waitsSince + $0 }
  }

  /// Why nothing of that kind may run.
  package func everybodys(_ purpose: TransferPolicy.Purpose, isExcepted: Bool = false, _ now: Moment) -> [Why] {
    if isResting { return [Why(.owner)] }
    guard case .waits(let reasons) = policy.verdict(purpose, isExcepted: isExcepted, at: now) else { return [] }
    return reasons.map { reason in
      var why = why(reason)
      if reason == .settling { why.again = policy.nextLook(at: now) }
      return why
    }
  }

  /// Once for as long as the reasons stay the same: that something is wanted and nothing comes, and why; and that it goes
  /// on.
  func tellWhy(at now: Moment) {
    guard hasBegun else { return }
    let reasons = planner.runningCount > 0 ? [] : waitsOfAll(now)
    let codes = reasons.map(\.code)
    // Numbers waver, and a network that settles is nothing to tell.
    guard codes != saidWhy.map(\.code), codes != [WaitReason.settling.code] else { return }
    let waited = !saidWhy.isEmpty
    saidWhy = reasons
    if !reasons.isEmpty { news(.waits(reasons)) } else if waited, planner.runningCount > 0 { news(.goesOn) }
  }

  private func waitsOfAll(_ now: Moment) -> [Why] {
    // What was guessed waits without a word: nobody misses it.
    if planner.isAnyAskedForReady { return everybodys(.download, now) }
    // Nobody can run: whatever they wait for themselves.
    var own: Set<WaitReason> = []
    for carriage in carriages.values where carriage.download.state == .queued {
      if planner.rank(of: carriage.key) == .predicted { continue }
      if let reason = carriage.download.record.waits { own.insert(reason) }
    }
    return WaitReason.allCases.filter { own.contains($0) }.map { why($0) }
  }
}

extension DownloadEngine {
  /// In the order of keys.
  package func completed() -> [DownloadRecord] {
    let all = carriages.values.map(\.download.record).filter { $0.state == .completed }
    return all.sorted { $0.key < $1.key }
  }

  /// In the order of keys.
  package func failed(at source: String) -> [MediaKey] {
    var failed: [MediaKey] = []
    for carriage in carriages.values where carriage.download.state == .failed && carriage.key.source == source {
      if planner.rank(of: carriage.key) != nil { failed.append(carriage.key) }
    }
    return failed.sorted()
  }

  package func space() -> (kept: Int64, limit: Int64, free: Int64?) { (budget.claimed, budget.limit, free) }

  /// Those that run, and then as they would start if nothing else happened; those that cannot start now come last, and
  /// what was given up not at all.
  package func order(_ count: Int) -> [MediaKey] {
    let running = planner.runningKeys
    var (copy, order) = (planner, running)
    copy.limit = running.count + max(count, 0)
    let now = loop.now
    while order.count < count, let next = copy.decide(at: now) { order.append(next.start) }
    let known = Set(order)
    let others = carriages.values.filter { carriage in
      let state = carriage.download.state
      return state != .completed && state != .cancelled && state != .failed && !known.contains(carriage.key)
    }
    return Array((order + others.map(\.key).sorted()).prefix(max(count, 0)))
  }

  /// There is time and power for what can wait.
  package var isAtEase: Bool {
    planner.runningCount == 0 && (situation.battery == nil || situation.hasCharger)
  }

  /// The program knows of the whole file: it is not told again after a power cut.
  package func entered(_ key: MediaKey) async {
    guard let carriage = carriages[key], !carriage.isBusy, carriage.download.state == .completed else { return }
    carriage.download.record.isEntered = true
    await storeAgain(key)
  }

  /// What is known of a whole one beside its file. Should it be lost with the power, nothing depends on it.
  func storeAgain(_ key: MediaKey) async {
    guard let carriage = carriages[key], !carriage.isBusy, carriage.download.state == .completed else { return }
    let record = carriage.download.record
    do throws(Fault) {
      try await rows.store(record)
      carriage.stored = record
    } catch { Log("offline").info("what is known of a file cannot be stored", ["reason": error.message]) }
  }

  /// Nothing was heard of them for so long: whatever they do, they begin it anew.
  package func wakeStuck(after limit: Duration) {
    let now = loop.now
    for carriage in carriages.values where carriage.download.state.isRunning && !carriage.isBusy {
      guard now - carriage.lastNews >= limit else { continue }
      Log("offline").info("a download is stuck", ["item": "\(carriage.key)"])
      hear(.failed(carriage.download.ticket, .stalled), for: carriage.key)
    }
  }
}
