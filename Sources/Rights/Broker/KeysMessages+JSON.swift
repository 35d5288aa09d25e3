import Runtime

extension HonestClock.Time {
  package var json: JSON { ["now": JSON(now), "witness": JSON(witness.rawValue)] }

  package init(_ json: JSON) throws(Fault) {
    guard let now = json["now"]?.whole, HonestClock.known.contains(now),
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
      ("title", JSON(licence.title)), ("tracks", JSON(licence.tracks)), ("verdict", verdict.json),
    ]
    if let ends = licence.ends { members.append(("ends", JSON(ends))) }
    return .object(JSON.Object(members))
  }

  init(_ json: JSON) throws(Fault) {
    guard let source = json["source"]?.string, let id = json["id"]?.string, let serial = json["serial"]?.whole,
      let title = json["title"]?.string, let tracks = json["tracks"]?.whole,
      (0...Int64(Licence.mostKeys)).contains(tracks),
      let said = json["verdict"]
    else { throw KeysAnswer.wrong }
    let facts = LicenceFacts(id: id, serial: serial, title: title, ends: json["ends"]?.whole, tracks: Int(tracks))
    self.init(source: source, licence: facts, verdict: try Verdict(said))
  }
}

extension Verdict {
  /// A word, and a number where there is one.
  var json: JSON {
    switch self {
    case .plays(let days): ["is": "plays", "number": days.map { JSON($0) } ?? .null]
    case .endsSoon(let days): ["is": "ends_soon", "number": JSON(days)]
    case .ended(let at): ["is": "ended", "number": JSON(at)]
    case .otherDevice: ["is": "other_device"]
    case .timeLost: ["is": "time_lost"]
    case .notYet: ["is": "not_yet"]
    }
  }

  init(_ json: JSON) throws(Fault) {
    let number = json["number"]?.whole
    switch (json["is"]?.string, number) {
    case ("plays", let days): self = .plays(days: days)
    case ("ends_soon", .some(let days)): self = .endsSoon(days: days)
    case ("ended", .some(let at)): self = .ended(at: at)
    case ("other_device", nil): self = .otherDevice
    case ("time_lost", nil): self = .timeLost
    case ("not_yet", nil): self = .notYet
    default: throw KeysAnswer.wrong
    }
  }
}
