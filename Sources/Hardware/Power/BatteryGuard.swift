import Runtime

/// What to do when the battery runs low: below one level only the session is still written, below a lower one the board is
/// switched off in time. A value: it is told the power state and the time, and returns what to do, in order.
///
/// The lower level has to last for a while, because a wrong reading after the start must not switch the board off. When a
/// charger is connected, everything is undone at once. A battery without a reading never counts as empty.
package struct BatteryGuard: Equatable, Sendable {
  package struct Rules: Equatable, Sendable {
    /// At this level and below nothing is imported, fetched or copied; 0 is never.
    package var writeUntil = 5
    /// At this level and below the board is switched off; 0 is never.
    package var offBelow = 2

    package init() {}

    package init(writeUntil: Int, offBelow: Int) { (self.writeUntil, self.offBelow) = (writeUntil, offBelow) }
  }

  package enum Action: String, Equatable, Sendable {
    case save
    case holdWrites, writeAgain
    /// Told before it is done, so that somebody can plug it in.
    case warn, calledOff
    case powerOff
  }

  /// Writing goes on when the level is so many per cent above the limit.
  package static let margin = 3
  /// How long the level must stay that low before the board is switched off.
  package static let lasts: Duration = .seconds(30)

  private let rules: Rules
  package private(set) var level: Int?
  package private(set) var holdsWrites = false
  package private(set) var lowSince: Moment?
  package private(set) var isLeaving = false
  private var notBefore: Moment?

  package init(_ rules: Rules = Rules()) { self.rules = rules }

  package mutating func hear(_ state: PowerState, at now: Moment) -> [Action] {
    level = state.hasBattery && !state.isPlugged ? state.level : nil
    guard !isLeaving else { return [] }
    var actions: [Action] = []
    let holds = isLow(rules.writeUntil, since: holdsWrites)
    if holds != holdsWrites {
      holdsWrites = holds
      // Save now as well, because this may be the last write for long.
      actions += holds ? [.holdWrites, .save] : [.writeAgain]
    }
    let isEmpty = isLow(rules.offBelow, since: lowSince != nil)
    if isEmpty, lowSince == nil {
      lowSince = now
      actions.append(.warn)
    } else if !isEmpty, lowSince != nil {
      (lowSince, notBefore) = (nil, nil)
      actions.append(.calledOff)
    }
    return actions
  }

  package mutating func settle(by now: Moment) -> [Action] {
    guard let due, due <= now else { return [] }
    isLeaving = true
    return [.save, .powerOff]
  }

  /// Call it when the board is still on although it was to be switched off.
  package mutating func stayed(at now: Moment) {
    isLeaving = false
    notBefore = now + Ignition.triesAgainAfter
  }

  /// When the board is switched off, should nobody charge it.
  package var due: Moment? {
    guard let lowSince, !isLeaving else { return nil }
    return max(lowSince + Self.lasts, notBefore ?? lowSince)
  }

  private func isLow(_ limit: Int, since isAlready: Bool) -> Bool {
    guard let level, limit > 0 else { return false }
    return level <= limit + (isAlready ? Self.margin : 0)
  }
}
