import Rights
import Runtime
import Seals

/// Nothing plays that may not, nothing is refused that may, nothing is removed that was paid for, and what can be renewed
/// is. Said without the rules that are looked at.
extension LicenceSeason {
  func checkAll() throws(Fault) {
    for line in rights.lines() {
      guard let number = shop.parcel(named: line.licence.id), let one = ledger.held[number] else {
        complain("a licence is here that nobody gave")
        continue
      }
      let name = line.licence.id
      if line.verdict.mayPlay, let why = whyNot(number, one) { complain("\(name) plays and may not: \(why)") }
      if !line.verdict.mayPlay {
        counts.refusals[line.verdict.name, default: 0] += 1
        if surelyPlays(number, one) { complain("\(name) is refused and may play: \(line.verdict.name)") }
      }
    }
    if rights.lines().count != ledger.held.count { complain("licences are gone that nobody took") }
    playOne()
    checkRemoved()
  }

  private func ends(_ number: Int, _ one: Held) -> [Int64] {
    let played = one.firstPlayed.flatMap { first in shop.parcels[number].playDays.map { first + $0 * RightsShop.day } }
    let grace = shop.parcels[number].needsSubscription && ledger.said?.subscription == .lapsed
    return [one.given.ends, played, grace ? ledger.said?.graceEnds : nil].compactMap { $0 }
  }

  /// What forbids it whatever the time.
  private func forbidden(_ number: Int) -> String? {
    guard let said = ledger.said else { return "nothing was said of the account" }
    let parcel = shop.parcels[number]
    if said.isDeviceRevoked { return "the device was taken back" }
    if said.parcels.contains(number) { return "it was taken back" }
    if parcel.needsSubscription, said.subscription == .cancelled || said.subscription == .free {
      return "there is no subscription"
    }
    if !parcel.regions.isEmpty, !parcel.regions.contains(where: { ExactText($0) == ExactText(said.region) }) {
      return "it is another region"
    }
    return hasLostTime ? "nothing is known of the time" : nil
  }

  private func whyNot(_ number: Int, _ one: Held) -> String? {
    if let why = forbidden(number) { return why }
    let known = ledger.bounds.least.floor - TimeBounds.slack
    return ends(number, one).first { $0 <= known }.map { "it ended at \($0), and \(known) is known" }
  }

  private func surelyPlays(_ number: Int, _ one: Held) -> Bool {
    let bounds = ledger.bounds
    guard forbidden(number) == nil, one.given.issued <= bounds.least.floor + RightsShop.day - TimeBounds.slack else {
      return false
    }
    return ends(number, one).allSatisfy { bounds.most.floor + TimeBounds.slack < $0 }
  }

  /// Somebody puts on a track; that opens its licence, verifies it once more, and begins its days.
  private func playOne() {
    guard let track = shop.parcels.flatMap(\.tracks).randomElement(using: &dice) else { return }
    let time = rights.time(of: "shop").now
    let isGiven = (try? rights.key(track, of: "a track")) != nil  // a refusal is what is looked at
    let licences = ledger.held.filter { shop.parcels[$0.key].tracks.contains(track) }
    let isTakenBack = ledger.said?.tracks.contains(track) == true
    if isGiven {
      counts.plays += 1
      if isTakenBack { return complain("a track plays that was taken back") }
      let reasons = licences.map { whyNot($0.key, $0.value) }
      let why = reasons.compactMap { $0 }.first ?? "no licence"
      if !reasons.contains(nil) { complain("a track plays and may not: \(why)") }
      for (number, one) in licences where shop.parcels[number].playDays != nil && one.firstPlayed == nil {
        ledger.held[number]?.firstPlayed = time
      }
    } else if !isTakenBack, licences.contains(where: { surelyPlays($0.key, $0.value) }) {
      complain("a track is refused and may play")
    }
  }

  // MARK: What is removed

  private func checkRemoved() {
    let gone = Set(rights.forfeits().map(\.key))
    counts.removed += gone.count
    guard let said = ledger.said else {
      if !gone.isEmpty { complain("music is removed, and nobody has said anything") }
      return
    }
    for track in Set(shop.parcels.flatMap(\.tracks)) {
      let licences = ledger.held.keys.filter { shop.parcels[$0].tracks.contains(track) }
      guard !licences.isEmpty else { continue }
      let isPaid = licences.contains { number in
        let isOver = said.subscription == .cancelled || said.subscription == .free
        let isTakenBack = said.isDeviceRevoked || said.parcels.contains(number)
        return !isTakenBack && !(isOver && shop.parcels[number].needsSubscription)
      }
      let hasToGo = said.tracks.contains(track) || !isPaid
      if gone.contains(track) && !hasToGo { complain("a track of \(names(licences)) is removed, and was paid for") }
      if !gone.contains(track) && hasToGo { complain("a track of \(names(licences)) stays, and has to go") }
    }
  }

  private func names(_ numbers: [Int]) -> String {
    numbers.sorted().map { shop.parcels[$0].id }.joined(separator: ", ")
  }

  // MARK: Renewing

  /// What is not here first, then what ends first: the line may last for seconds only.
  func checkOrder(_ due: [String]) {
    var last: Int64 = 0
    for id in due {
      guard let number = shop.parcel(named: id) else { return complain("\(id) is asked for, and nobody offers it") }
      let ends = ledger.held[number].map { $0.given.ends ?? .max } ?? 0
      if ends < last { complain("\(id) is asked for after what ends later") }
      last = ends
    }
  }

  /// After a whole round nothing has used up more than a sixth of its time.
  func checkRenewed(_ offers: [RenewalRule.ListedLicence]) {
    guard ledger.bounds.areRight(at: clocks.now) else { return }
    for offer in offers {
      guard let number = shop.parcel(named: offer.id), let one = ledger.held[number] else {
        complain("\(offer.id) is offered, and is not here after a round")
        continue
      }
      guard let ends = one.given.ends else { continue }
      let whole = ends - one.given.issued
      if ends - clocks.now < whole - whole / 6 - 2 * TimeBounds.slack {
        complain("\(offer.id) is not renewed, and has used \(clocks.now - one.given.issued) of \(whole) seconds")
      }
    }
  }
}
