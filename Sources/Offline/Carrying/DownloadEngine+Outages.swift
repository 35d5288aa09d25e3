import Runtime
import Services

/// What waits for its source, or for the line, and what shows that it need not any more.
extension DownloadEngine {
  /// Those that have met a page let others show first whether the line is open.
  static let letsOthersShow: Duration = .seconds(900)

  func waits(forOthers carriage: ActiveDownload, _ reason: WaitReason, at now: Moment) {
    if reason == .portal { pages.page(of: carriage.key, at: now) }
    if carriage.download.showsOwnPage { pages.ownPage(of: carriage.key) }
    scouting.waits(carriage.key, for: reason, failingSince: carriage.failingSince, at: now)
    lookWhenScoutsAreDue()
  }

  /// The minute's look would be late.
  func lookWhenScoutsAreDue() {
    if let due = scouting.due, due > loop.now { lookAgain(at: due) }
  }

  /// So much came of it that its server serves.
  func came(_ carriage: ActiveDownload, isWhole: Bool) {
    if isWhole { pages.proved(at: loop.now) }
    guard isWhole || carriage.download.record.retry.attempts == 0 else { return }
    pages.came(carriage.key)
    carriage.failingSince = nil
    goOn(scouting.came(carriage.key, for: .server, at: loop.now))
  }

  /// Its source has said where it is.
  func resolved(_ key: MediaKey) { goOn(scouting.came(key, for: .source)) }

  func sendScouts(at now: Moment) {
    guard policy.hasInternet else { return }
    goOn(scouting.scouts(at: now) { planner.rank(of: $0) != nil && !isHeldByOwner($0) })
  }

  private func goOn(_ keys: [MediaKey]) {
    for key in keys {
      guard let reason = carriages[key]?.download.record.waits, reason.isOutage else { continue }
      hear(.lifted(reason), for: key)
    }
  }

  func hearLine(_ new: TransferConditions, after old: TransferConditions) {
    if new.network != old.network { pages = CaptivePortalDetector() }
    if new.internet == .reached, old.internet != .reached { pages.proved(at: loop.now) }
    guard new.isNewLine(after: old) else { return }
    forgetFailures()
    goOn(scouting.newLine())
  }

  /// What came in place of an index need not be there any more.
  func forgetFailures() {
    for source in sources.values { source.forgetFailure() }
  }

  /// Whether it may be tried again after a page. Where no other can show whose page it was, it has to.
  func isPageOver(_ carriage: ActiveDownload, waited: Duration, at now: Moment) -> Bool {
    guard policy.hasInternet else { return false }
    if pages.isProven(for: carriage.key, at: now) || waited >= Self.letsOthersShow { return true }
    return planner.runningCount == 0 && !planner.isAnyAskedForReady
  }

  /// What was given up and is wanted gets another chance; nil: of all sources.
  package func giveChance(to source: String? = nil) {
    for carriage in carriages.values where carriage.download.state == .failed {
      guard source == nil || carriage.key.source == source, planner.rank(of: carriage.key) != nil else { continue }
      hear(.chance, for: carriage.key)
    }
  }

  /// Somebody says that it is to be tried now: what was given up, and what waits for something of its own. How many.
  package func again(_ keys: [MediaKey]) -> Int {
    var count = 0
    var asked: Set<String> = []
    for key in keys {
      guard let record = carriages[key]?.download.record else { continue }
      let isWaiting = record.state == .queued && record.waits != nil
      guard isWaiting || record.state == .failed || record.state == .retrying else { continue }
      if asked.insert(key.source).inserted { sources[key.source]?.forgetFailure() }
      hear(.again, for: key)
      count += 1
    }
    return count
  }
}

extension TransferConditions {
  /// Sources may be found by this one that were not by the other.
  package func isNewLine(after old: TransferConditions) -> Bool {
    leadsOut && (network != old.network || !old.leadsOut)
  }

  private var leadsOut: Bool { network != .none && (internet == .reached || internet == .unknown) }
}
