import Runtime
import Seals

extension HonestClock.Time {
  package var json: JSON { ["now": JSON(now), "witness": JSON(witness.rawValue)] }

  package init(_ json: JSON) throws(Fault) {
    guard let now = json["now"]?.whole, HonestClock.possible.contains(now),
      let witness = json["witness"]?.string.flatMap(HonestClock.Witness.init(rawValue:))
    else { throw KeysAnswer.wrong }
    self.init(now: now, witness: witness)
  }
}

extension KeeperStanding {
  package var json: JSON { ["tpm": JSON(hasTPM), "bound_to": .list(boundTo.map { JSON(path: $0) })] }

  /// As the broker says it.
  init(ofBroker json: JSON) throws(Fault) {
    guard let hasTPM = json["tpm"]?.truth, let paths = json["bound_to"]?.items else { throw KeysAnswer.wrong }
    self.init(isBroker: true, hasTPM: hasTPM, boundTo: paths.compactMap(\.path))
  }
}

extension DeviceRights.Line {
  package var json: JSON {
    var members: [(String, JSON)] = [
      ("source", JSON(source)), ("id", JSON(licence.id)), ("serial", JSON(licence.serial)),
      ("title", JSON(licence.title)), ("issued", JSON(licence.issued)), ("tracks", JSON(licence.tracks)),
      ("verdict", verdict.json),
    ]
    if let ends = licence.ends { members.append(("ends", JSON(ends))) }
    if let quality = licence.quality { members.append(("quality", JSON(quality))) }
    return .object(JSON.Object(members))
  }

  init(_ json: JSON) throws(Fault) {
    guard let source = json["source"]?.string, let id = json["id"]?.string, let serial = json["serial"]?.whole,
      let title = json["title"]?.string, let issued = json["issued"]?.whole, HonestClock.possible.contains(issued),
      let tracks = json["tracks"]?.whole, (0...Int64(Licence.mostKeys)).contains(tracks), let said = json["verdict"]
    else { throw KeysAnswer.wrong }
    let facts = LicenceFacts(
      id: id, serial: serial, title: shownPlain(title), issued: issued, ends: json["ends"]?.whole, tracks: Int(tracks),
      quality: json["quality"]?.string.map(shownBriefly))
    self.init(source: source, licence: facts, verdict: try Verdict(said))
  }
}

extension DeviceRights.Account {
  package var json: JSON {
    var members: [(String, JSON)] = [("source", JSON(source)), ("at", JSON(issued))]
    if let subscription { members.append(("subscription", JSON(subscription.rawValue))) }
    if let graceEnds { members.append(("grace_until", JSON(graceEnds))) }
    if let region { members.append(("region", JSON(region))) }
    return .object(JSON.Object(members))
  }

  init(_ json: JSON) throws(Fault) {
    guard let source = json["source"]?.string, let issued = json["at"]?.whole else { throw KeysAnswer.wrong }
    let subscription = json["subscription"]?.string
    let known = subscription.flatMap(Statement.Subscription.init(rawValue:))
    guard (subscription == nil) == (known == nil) else { throw KeysAnswer.wrong }
    self.init(
      source: source, issued: issued, subscription: known, graceEnds: json["grace_until"]?.whole,
      region: json["region"]?.string.map(shownBriefly))
  }
}

extension DeviceRights.Forfeit {
  package var json: JSON { ["key": JSON("\(key)"), "why": why.json] }

  init(_ json: JSON) throws(Fault) {
    guard let key = json["key"]?.string.flatMap(KeyID.init(text:)), let why = json["why"] else {
      throw KeysAnswer.wrong
    }
    self.init(key: key, why: try Fault(ofBroker: why))
  }
}

extension DeviceRights.Taken {
  package var json: JSON { ["licences": JSON(licences), "statement": JSON(isStatementNew)] }

  init(_ json: JSON) throws(Fault) {
    guard let licences = json["licences"]?.whole, (0...Int64(LicenceBundle.most)).contains(licences),
      let isStatementNew = json["statement"]?.truth
    else { throw KeysAnswer.wrong }
    (self.licences, self.isStatementNew) = (Int(licences), isStatementNew)
  }
}

extension Verdict {
  /// Its name, and a number or a reason where there is one.
  var json: JSON {
    switch self {
    case .plays(let days), .unpaid(let days): ["is": JSON(name), "number": days.map { JSON($0) } ?? .null]
    case .endsSoon(let days): ["is": JSON(name), "number": JSON(days)]
    case .ended(let at), .playedOut(let at), .unpaidTooLong(let at): ["is": JSON(name), "number": JSON(at)]
    case .takenBack(let why): ["is": JSON(name), "why": JSON(why)]
    case .withoutSubscription, .unknownSubscription, .otherRegion, .otherDevice, .timeLost, .restored, .notYet:
      ["is": JSON(name)]
    }
  }

  init(_ json: JSON) throws(Fault) {
    let number = json["number"]?.whole
    let known = [.withoutSubscription, .unknownSubscription, .otherRegion, .otherDevice, .timeLost, .restored, .notYet]
      .first { (verdict: Verdict) in json["is"]?.string == verdict.name }
    switch (json["is"]?.string, number) {
    case ("plays", let days): self = .plays(days: days)
    case ("unpaid", let days): self = .unpaid(days: days)
    case ("ends soon", .some(let days)): self = .endsSoon(days: days)
    case ("ended", .some(let at)): self = .ended(at: at)
    case ("played out", .some(let at)): self = .playedOut(at: at)
    case ("unpaid too long", .some(let at)): self = .unpaidTooLong(at: at)
    case ("taken back", nil): self = .takenBack(why: shownPlain(json["why"]?.string ?? ""))
    default:
      guard let known, number == nil else { throw KeysAnswer.wrong }
      self = known
    }
  }
}
