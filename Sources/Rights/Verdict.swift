import Runtime

/// Whether a licence lets its tracks be played. One pure rule, and every reason has words for people.
package enum Verdict: Equatable, Sendable {
  case plays(days: Int64?)
  /// It plays, and says that it will end.
  case endsSoon(days: Int64)
  /// It plays although the subscription is not paid; for so many days yet, or nobody says how long.
  case unpaid(days: Int64?)
  case ended(at: Int64)
  /// The days since it was first played are over.
  case playedOut(at: Int64)
  /// The subscription was not paid, and its grace is over.
  case unpaidTooLong(at: Int64)
  /// The subscription was ended, or there is none.
  case withoutSubscription
  /// Its service makes statements of this account, and none is here, or not the newest that was.
  case unknownSubscription
  /// The service has taken it back, and says why.
  case takenBack(why: String)
  case otherRegion
  case otherDevice
  /// What was known of the time is lost, and neither a time server nor the licence's service has said it since.
  case timeLost
  /// What this device keeps was put back from a copy, and nothing was heard of the service since.
  case restored
  /// It was issued later than it is now: the clock is wrong.
  case notYet

  /// What a verdict depends on beside the licence.
  struct Circumstances {
    var device: String
    /// Nil when nothing is known of the time.
    var now: Int64?
    /// The newest of the licence's service.
    var statement: Statement?
    /// When a track of the licence was first played.
    var firstPlayed: Int64?
    /// A newer statement of its service was here, and is not.
    var isStatementLost = false
    /// What is kept here was put back from a copy, and nothing was heard of the service since.
    var isRestored = false

    init(_ device: String, at now: Int64?, _ statement: Statement? = nil, firstPlayed: Int64? = nil) {
      (self.device, self.now, self.statement, self.firstPlayed) = (device, now, statement, firstPlayed)
    }
  }

  init(_ licence: Licence, in circumstances: Circumstances) {
    if let refusal = Self.beforeTime(licence, circumstances) {
      self = refusal
      return
    }
    guard let now = circumstances.now else {
      self = .timeLost
      return
    }
    let statement = circumstances.statement
    var (ends, isUnpaid) = (End(.ended, licence.ends), false)
    if let days = licence.playDays, let first = circumstances.firstPlayed {
      ends = ends.first(End(.playedOut, first + days * Licence.day))
    }
    if licence.needsSubscription, statement?.subscription == .lapsed {
      isUnpaid = true
      ends = ends.first(End(.unpaid, statement?.graceEnds))
    }
    if licence.issued > now + Licence.day {
      self = .notYet
    } else if let at = ends.at, now >= at {
      self = ends.verdict(at: at)
    } else {
      let days = ends.at.map { ($0 - now + Licence.day - 1) / Licence.day }
      if isUnpaid {
        self = .unpaid(days: days)
      } else if let days, days <= licence.warnDays {
        self = .endsSoon(days: days)
      } else {
        self = .plays(days: days)
      }
    }
  }

  /// Why the licence is refused at any time; nil when the time decides.
  private static func beforeTime(_ licence: Licence, _ circumstances: Circumstances) -> Verdict? {
    guard ExactText(licence.device) == ExactText(circumstances.device) else { return .otherDevice }
    if circumstances.isRestored { return .restored }
    if circumstances.isStatementLost { return .unknownSubscription }
    let statement = circumstances.statement
    if let why = statement?.revokedDevice ?? statement?.revocation(ofLicence: licence.id) {
      return .takenBack(why: why)
    }
    if licence.needsSubscription {
      switch statement?.subscription {
      case .active, .lapsed: break
      case .cancelled, .free: return .withoutSubscription
      case nil: return .unknownSubscription
      }
    }
    if !licence.regions.isEmpty, let region = statement?.region,
      !licence.regions.contains(where: { ExactText($0) == ExactText(region) })
    {
      return .otherRegion
    }
    return nil
  }

  /// What ends first of all that may end.
  private struct End {
    enum Kind { case ended, playedOut, unpaid }

    let kind: Kind
    let at: Int64?

    init(_ kind: Kind, _ at: Int64?) { (self.kind, self.at) = (kind, at) }

    func first(_ other: End) -> End {
      guard let there = other.at else { return self }
      guard let here = at else { return other }
      return there < here ? other : self
    }

    func verdict(at time: Int64) -> Verdict {
      switch kind {
      case .ended: .ended(at: time)
      case .playedOut: .playedOut(at: time)
      case .unpaid: .unpaidTooLong(at: time)
      }
    }
  }

  package var mayPlay: Bool {
    switch self {
    case .plays, .endsSoon, .unpaid: true
    case .ended, .playedOut, .unpaidTooLong, .withoutSubscription, .unknownSubscription, .takenBack, .otherRegion,
      .otherDevice, .timeLost, .restored, .notYet:
      false
    }
  }

  /// Its music is to be removed: nobody pays for it any more, or the service has taken it back. All else only waits.
  var isForfeit: Bool {
    switch self {
    case .withoutSubscription, .takenBack: true
    case .plays, .endsSoon, .unpaid, .ended, .playedOut, .unpaidTooLong, .unknownSubscription, .otherRegion,
      .otherDevice, .timeLost, .restored, .notYet:
      false
    }
  }

  /// It does not play, and may do so again as soon as its service has been asked.
  package var awaitsService: Bool {
    switch self {
    case .ended, .playedOut, .unpaidTooLong, .unknownSubscription, .timeLost, .restored, .notYet: true
    case .plays, .endsSoon, .unpaid, .withoutSubscription, .takenBack, .otherRegion, .otherDevice: false
    }
  }

  /// How many days it still plays; nil when it does not, or for good.
  package var days: Int64? {
    switch self {
    case .plays(let days), .unpaid(let days): days
    case .endsSoon(let days): days
    case .ended, .playedOut, .unpaidTooLong, .withoutSubscription, .unknownSubscription, .takenBack, .otherRegion,
      .otherDevice, .timeLost, .restored, .notYet:
      nil
    }
  }

  /// For programs.
  package var name: String {
    switch self {
    case .plays: "plays"
    case .endsSoon: "ends soon"
    case .unpaid: "unpaid"
    case .ended: "ended"
    case .playedOut: "played out"
    case .unpaidTooLong: "unpaid too long"
    case .withoutSubscription: "no subscription"
    case .unknownSubscription: "subscription unknown"
    case .takenBack: "taken back"
    case .otherRegion: "other region"
    case .otherDevice: "other device"
    case .timeLost: "time lost"
    case .restored: "put back"
    case .notYet: "not yet"
    }
  }
}

extension Verdict {
  /// Why a version of a track is refused that is better than its licence allows. `quality`: as an index calls it.
  static func refusal(of title: String, betterThan quality: String) -> Fault {
    let quality = quality.split(separator: "_").joined(separator: " ")
    return Fault(
      .denied, "E-174",
      "the licence of \(title) is for \(quality) quality at best, and this is better; another one is fetched when this"
        + " device is online")
  }

  /// Why it may not play, and the way out. Nil when it may.
  package func refusal(of title: String, issued: Int64) -> Fault? {
    switch self {
    case .plays, .endsSoon, .unpaid: nil
    case .ended(let at):
      Fault(
        .denied, "E-161",
        "the licence of \(title) ended on \(CalendarDay(at)); it stays here, and plays again when this device has been"
          + " online")
    case .playedOut(let at):
      Fault(
        .denied, "E-169",
        "\(title) was to be played within some days of its first playing, which ended on \(CalendarDay(at)); its service"
          + " can give a new licence")
    case .unpaidTooLong(let at):
      Fault(
        .denied, "E-165",
        "the subscription for \(title) was not paid by \(CalendarDay(at)); it stays here, and plays again when it is paid"
          + " and this device has been online")
    case .withoutSubscription:
      Fault(.denied, "E-166", "the subscription for \(title) has ended, so it is removed from this device")
    case .unknownSubscription:
      Fault(
        .denied, "E-170",
        "nothing is known here yet of the subscription or the account for \(title); it plays when this device has been"
          + " online")
    case .takenBack(let why):
      Fault(
        .denied, "E-167",
        "its service has taken \(title) back, so it is removed from this device" + (why.isEmpty ? "" : ": \(why)"))
    case .otherRegion: Fault(.denied, "E-168", "\(title) is not offered where the account is at home")
    case .otherDevice:
      Fault(
        .denied, "E-162",
        "the licence of \(title) is for another device; this card may have been in another board")
    case .timeLost:
      Fault(
        .denied, "E-164",
        "what this device knew of the time is lost; \(title) plays again once the device has been online")
    case .restored:
      Fault(
        .denied, "E-184",
        "what is kept of licences was put back from a copy; \(title) plays again when this device has been online once")
    case .notYet:
      Fault(
        .denied, "E-163",
        "the licence of \(title) begins on \(CalendarDay(issued)); the clock of this device is wrong")
    }
  }
}
