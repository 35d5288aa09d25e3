import Rights
import Runtime
import Seals

/// What happens to a device in a season.
extension LicenceSeason {
  func happen() throws(Fault) {
    if dice.chance(oneIn: 5) { changeAccount() }
    guard isOn else { return try powerOn() }
    switch Int.random(in: 0..<16, using: &dice) {
    case 0...2: beOff()
    // Asleep: the time that is counted since the start goes on.
    case 3: pass(Int64.random(in: 600...400_000, using: &dice))
    case 4, 5: turnClock()
    case 6...9: try beOnline()
    case 10: try meetWrongServer()
    case 11: try beOnlineWithoutServer()
    case 12: try cheat()
    case 13: try start()
    case 14: try loseTime()
    default: leaveNetwork()
    }
  }

  // MARK: Power and clocks

  /// For minutes, days, or weeks in a garage.
  private func beOff() {
    if dice.chance(oneIn: 2) { leaveNetwork() }
    cutPower()
    pass(Int64.random(in: 60...200_000, using: &dice))
    if dice.chance(oneIn: 4) { pass(Int64.random(in: 5...40, using: &dice) * RightsShop.day) }
  }

  private func leaveNetwork() {
    server = .none
    set { $0.isSynchronised = false }
  }

  /// By hand, with nobody who would put it right.
  private func turnClock() {
    leaveNetwork()
    let day = RightsShop.day
    let by = dice.among([-400 * day, -10 * day, -day, -3_600, 3_600, day, 20 * day, 100 * day, 365 * day], else: 0)
    let now = clocks.now
    switch Int.random(in: 0..<8, using: &dice) {
    case 0: set { $0.offset = -now }
    case 1: set { $0.offset = 4_070_908_800 - now }
    case 2: set { $0.offset = 2_147_483_647 - now }
    default: set { $0.offset += by }
    }
  }

  private func loseTime() throws(Fault) {
    counts.lostTimes += 1
    leaveNetwork()
    removeClockFile()
    try start()
  }

  // MARK: Networks

  private func meetServer(_ met: TimeServer) {
    server = met
    set { clocks in
      clocks.isSynchronised = met != .none
      switch met {
      case .none: break
      case .right: clocks.offset = 0
      case .wrong(let by): clocks.offset = max(by, -clocks.now)
      }
    }
    look()
  }

  private func beOnline() throws(Fault) {
    meetServer(.right)
    if !dice.chance(oneIn: 4) { try takeRound(isAsked: dice.chance(oneIn: 6)) }
  }

  /// Only the service can say what time it is.
  private func beOnlineWithoutServer() throws(Fault) {
    leaveNetwork()
    look()
    try takeRound(isAsked: false)
  }

  private func meetWrongServer() throws(Fault) {
    counts.wrongServers += 1
    let day = RightsShop.day
    // A little off is what may be believed, and then a little more.
    var by =
      dice.chance(oneIn: 3)
      ? dice.among([-500, 500], else: 500)
      : dice.among([-1_000 * day, -30 * day, -2 * day, -7_000, 7_000, 2 * day, 200 * day], else: day)
    meetServer(.wrong(by: by))
    for _ in 0..<Int.random(in: 0...4, using: &dice) {
      pass(60)
      by += by < 0 ? -500 : 500
      meetServer(.wrong(by: by))
    }
    if dice.chance(oneIn: 4) { try takeRound(isAsked: false) }
  }

  // MARK: The service

  private func changeAccount() {
    let now = clocks.now
    switch Int.random(in: 0..<10, using: &dice) {
    case 0, 1: shop.change { ($0.subscription, $0.graceEnds) = (.active, nil) }
    case 2, 3:
      let days = Int64.random(in: 1...20, using: &dice)
      shop.change { ($0.subscription, $0.graceEnds) = (.lapsed, now + days * RightsShop.day) }
    case 4: shop.change { ($0.subscription, $0.graceEnds) = (.cancelled, nil) }
    case 5: shop.change { ($0.subscription, $0.graceEnds) = (.free, nil) }
    case 6:
      let number = Int.random(in: 0..<shop.parcels.count, using: &dice)
      shop.change { if $0.parcels.remove(number) == nil { $0.parcels.insert(number) } }
    case 7:
      guard let track = shop.parcels.flatMap(\.tracks).randomElement(using: &dice) else { return }
      shop.change { if $0.tracks.remove(track) == nil { $0.tracks.insert(track) } }
    case 8: shop.change { $0.isDeviceRevoked = !$0.isDeviceRevoked && $0.number % 3 == 0 }
    default: shop.change { $0.region = $0.region == "DE" ? "FR" : "DE" }
    }
  }

  // MARK: Somebody who cheats

  private func cheat() throws(Fault) {
    counts.cheats += 1
    switch Int.random(in: 0..<3, using: &dice) {
    case 0:
      // What was given before, once more.
      if let old = sent.randomElement(using: &dice) { try take(old) }
    case 1:
      guard let old = sentTimes.randomElement(using: &dice) else { return }
      let keys = try shop.time(0, for: []).keys
      let question = rights.timeQuestion()
      // A refusal is what is right.
      let isTaken = (try? rights.take(time: old, keys, for: question, from: "shop")) != nil
      if isTaken { complain("an old answer to the question for the time is taken") }
    default:
      let other = try RightsShop()
      let forged = try other.bundle(["lent"], for: card, at: clocks.now).bytes
      let isTaken = (try? rights.take(forged, from: "shop")) != nil  // a refusal is what is right
      if isTaken { complain("what another root key has signed is taken") }
    }
  }
}
