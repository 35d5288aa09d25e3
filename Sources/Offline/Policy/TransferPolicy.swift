import Runtime

/// Decides whether music may be fetched now, and names every reason why not. A value: `RunningConditions` gives it the
/// state of network, battery, disk, heat and clock (`TransferConditions`), on the loop `offline`.
///
/// Measured levels waver, so what a level forbids is allowed again only when it is better by a margin. When the network
/// is back, transfers wait for a random time, because the boards nearby have it back at the same moment.
package struct TransferPolicy: Equatable, Sendable {
  package enum Purpose: String, Sendable, CaseIterable {
    /// Somebody is listening.
    case stream
    case download
    /// A smart download: only on a charger, and where traffic is free.
    case prediction

    package init(_ rank: Rank) {
      switch rank {
      case .playing: self = .stream
      case .predicted: self = .prediction
      default: self = .download
      }
    }
  }

  package enum Verdict: Equatable, Sendable {
    case allowed
    /// All reasons, the worst first.
    case waits([WaitReason])
  }

  package static let pausedBelow = 10
  package static let predictsAbove = 30
  package static let margin = 3
  /// Bytes of the disk that stay free, because even a deletion needs room to be committed.
  package static let reserve: Int64 = 500_000_000
  package static let roomToGoOn: Int64 = 64_000_000
  package static let tooHot = 80
  package static let coolEnough = 72
  /// The longest random wait after the network is back.
  package static let settling: Duration = .seconds(30)

  package private(set) var rules: TransferRules
  package private(set) var situation = TransferConditions()
  private var isLow = false
  private var isFull = false
  private var isHot = false
  private var isSuspect = false
  private var settledAt: Moment?
  private var hadLine = false

  package init(_ rules: TransferRules = TransferRules()) { self.rules = rules }

  // MARK: What is told

  package mutating func hear(_ rules: TransferRules) { self.rules = rules }

  package mutating func hear(
    _ new: TransferConditions, at now: Moment, using generator: inout some RandomNumberGenerator
  ) {
    let wasSuspect = isSuspect
    // What was suspected of one network says nothing of the next.
    if new.network != situation.network { isSuspect = false }
    // Whoever looked again has found it open.
    if new.internet == .reached, situation.internet != .reached { isSuspect = false }
    situation = new
    let hasLine = hasInternet
    if hasLine && (!hadLine || wasSuspect && !isSuspect) {
      settledAt = now + .nanoseconds(Int64.random(in: 0...max(rules.settling.nanoseconds, 0), using: &generator))
    }
    hadLine = hasLine
    judgePower()
    let free = new.free ?? 0
    isFull = free < rules.reserve + (isFull ? Self.roomToGoOn : 0)
    let heat = new.heat ?? .min
    isHot = isHot ? heat > Self.coolEnough : heat >= Self.tooHot
  }

  /// A page came where music was asked for: nothing goes on before the probe has looked again.
  package mutating func suspectPortal() {
    isSuspect = true
    hadLine = false
  }

  /// Nobody has said that a page is in the way, for long enough: it is tried again.
  package mutating func trustAgain(at now: Moment, using generator: inout some RandomNumberGenerator) {
    guard isSuspect else { return }
    isSuspect = false
    hear(situation, at: now, using: &generator)
  }

  /// The probe has looked, after a suspicion.
  package mutating func probed(
    _ internet: TransferConditions.Internet, at now: Moment, using generator: inout some RandomNumberGenerator
  ) {
    isSuspect = isSuspect && internet != .reached
    var new = situation
    new.internet = internet
    hear(new, at: now, using: &generator)
  }

  package var hasInternet: Bool {
    situation.network != .none && !isSuspect && [.unknown, .reached].contains(situation.internet)
  }

  private mutating func judgePower() {
    guard let level = situation.battery.map({ min(max($0, 0), 100) }) else {
      isLow = situation.holdsWrites
      return
    }
    isLow = !situation.hasCharger && level < Self.pausedBelow + (isLow ? Self.margin : 0)
    isLow = isLow || situation.holdsWrites
  }

  /// Without a margin: where it wavers, a smart download is only interrupted.
  private var mayPredict: Bool { situation.battery.map { $0 > Self.predictsAbove } ?? true }

  // MARK: What follows

  /// `isExcepted`: the owner allows this item where bytes cost.
  package func verdict(_ purpose: Purpose, isExcepted: Bool = false, at now: Moment) -> Verdict {
    let reasons = self.reasons(purpose, isExcepted, now)
    return reasons.isEmpty ? .allowed : .waits(reasons)
  }

  private func reasons(_ purpose: Purpose, _ isExcepted: Bool, _ now: Moment) -> [WaitReason] {
    var reasons = lineReasons
    if reasons.isEmpty, situation.isMetered, !pays(for: purpose, isExcepted) { reasons.append(.metered) }
    if situation.free == nil { reasons.append(.otherDisk) } else if isFull { reasons.append(.space) }
    if isHot { reasons.append(.heat) }
    // Settling, battery, limit and hours do not hold for streams.
    if purpose == .stream { return reasons }
    if lineReasons.isEmpty, let settledAt, now < settledAt { reasons.append(.settling) }
    if isLow { reasons.append(.battery) }
    if situation.kept >= rules.limit { reasons.append(.limit) }
    if let hours = rules.hours, !isExcepted {
      if let minute = situation.minute {
        if !hours.contains(minute) { reasons.append(.hours) }
      } else {
        reasons.append(.clock)
      }
    }
    guard purpose == .prediction else { return reasons }
    let isWifi = situation.network == .wifi || situation.network == .wired && rules.predictsOnWired
    if lineReasons.isEmpty, !isWifi, !reasons.contains(.metered) { reasons.append(.noWifi) }
    let isCharging = situation.battery == nil || situation.hasCharger
    if !isCharging { reasons.append(.noCharger) }
    if !mayPredict, !reasons.contains(.battery) { reasons.append(.battery) }
    return reasons
  }

  private var lineReasons: [WaitReason] {
    if situation.network == .none { return [.noNetwork] }
    if situation.internet == .portal || isSuspect { return [.portal] }
    return situation.internet == .none ? [.noInternet] : []
  }

  /// Where bytes cost: what is wanted offline may come all the same.
  package func paysToKeep(isExcepted: Bool) -> Bool { pays(for: .download, isExcepted) }

  private func pays(for purpose: Purpose, _ isExcepted: Bool) -> Bool {
    switch purpose {
    case .stream: rules.streamsOnMetered || isExcepted
    case .download: rules.downloadsOnMetered || isExcepted
    case .prediction: false
    }
  }

  /// For the planner, of all that is wanted.
  package func gate(at now: Moment) -> Planner.Gate {
    Planner.Gate(all: ranks(isExcepted: false, now), exceptions: ranks(isExcepted: true, now))
  }

  private func ranks(isExcepted: Bool, _ now: Moment) -> ClosedRange<Rank>? {
    let mayStream = verdict(.stream, isExcepted: isExcepted, at: now) == .allowed
    guard verdict(.download, isExcepted: isExcepted, at: now) == .allowed else {
      return mayStream ? .playing ... .playing : nil
    }
    let mayPredict = rules.isPredicting && verdict(.prediction, isExcepted: isExcepted, at: now) == .allowed
    return (mayStream ? .playing : .askedFor)...(mayPredict ? .predicted : .older)
  }

  /// When time alone may change a verdict; nil when only news does.
  package func nextLook(at now: Moment) -> Duration? {
    if let settledAt, settledAt > now { return settledAt - now }
    return nil
  }

  // MARK: Words

  /// A reason with its number.
  package func why(_ reason: WaitReason) -> String {
    switch reason {
    case .battery where !isLow:
      "the battery is at \(situation.battery ?? 0) %, and this waits for more than \(Self.predictsAbove) %"
    case .battery: "the battery is at \(situation.battery ?? 0) %"
    case .space: "the disk has \(Self.shown(situation.free ?? 0)) left, and \(Self.shown(rules.reserve)) stay free"
    case .limit: "\(Self.shown(situation.kept)) of music are kept, and \(Self.shown(rules.limit)) are allowed"
    case .heat: "the board is \(situation.heat ?? 0) degrees hot"
    case .hours: rules.hours.map { "downloads wait for \(Self.clock($0.from))" } ?? reason.words
    default: reason.words
    }
  }

  private static func clock(_ minute: Int) -> String {
    let minutes = minute % 60
    return "\(minute / 60 % 24):\(minutes < 10 ? "0" : "")\(minutes)"
  }

  /// 12 KB, 3 MB, 1.4 GB.
  package static func shown(_ bytes: Int64) -> String {
    if bytes < 1_000_000 { return "\(max(bytes, 0) / 1_000) KB" }
    if bytes < 1_000_000_000 { return "\(bytes / 1_000_000) MB" }
    return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
  }
}
