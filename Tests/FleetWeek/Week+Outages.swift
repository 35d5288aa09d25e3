import Offline
import Runtime

/// Servers that are gone for a while, and pages that come in place of music. Who may go on is told when what happened is
/// over: the power may go in the middle of it.
extension Week {
  func waits(_ key: MediaKey, _ reason: WaitReason) {
    guard let life, let carriage = life.carriages[key] else { return }
    let moment = life.moment(now)
    carriage.waitsSince = now
    checkWaits(carriage, reason)
    if reason == .portal {
      life.hasSuspicion = true
      life.pages.page(of: key, at: moment)
    }
    if carriage.download.showsOwnPage { life.pages.ownPage(of: key) }
    life.scouting.waits(key, for: reason, at: moment)
  }

  func came(_ key: MediaKey, isWhole: Bool) {
    guard let life, let carriage = life.carriages[key] else { return }
    if isWhole { life.pages.proved(at: life.moment(now)) }
    guard isWhole || carriage.download.record.retry.attempts == 0 else { return }
    life.pages.came(key)
    life.going += life.scouting.came(key, for: .server)
  }

  func hearLine(_ new: TransferConditions, after old: TransferConditions, isProbed: Bool) {
    guard let life else { return }
    if new.network != old.network { life.pages = CaptivePortalDetector() }
    if isProbed, new.internet == .reached { life.pages.proved(at: life.moment(now)) }
    if new.isNewLine(after: old) { life.going += life.scouting.newLine() }
    if old.free == nil, new.free != nil { liftAll(.disk) }
  }

  /// Once a minute.
  func sendScouts() {
    guard let life, life.isReady, !life.scouting.isEmpty, life.policy.hasInternet else { return }
    life.going += life.scouting.scouts(at: life.moment(now)) { life.planner.rank(of: $0) != nil }
  }

  func goOn() {
    guard let life else { return }
    while self.life === life, let key = life.going.popLast() {
      guard let reason = life.carriages[key]?.download.record.waits, reason.isOutage else { continue }
      tell(.lifted(reason), key)
    }
  }

  /// Once an hour, as a board does that asks its sources what has changed.
  func reconsider() {
    guard let life, life.isReady else { return }
    for key in life.carriages.keys.sorted() where self.life === life {
      guard let carriage = life.carriages[key] else { continue }
      let record = carriage.download.record
      if let reason = record.waits, let pause = reason.askedAgainAfter, now - carriage.waitsSince >= pause {
        tell(.lifted(reason), key)
      }
      guard record.state == .failed, truth.internet == .reached, server != .down else { continue }
      let place = shop.place(key)
      let isOtherSize = place.size.map { record.isSizeSure && $0 != record.size } ?? false
      if isOtherSize || place.hash.map({ $0 != record.hash }) ?? false { tell(.again, key) }
    }
  }
}
