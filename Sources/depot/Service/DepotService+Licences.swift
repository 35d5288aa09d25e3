import Ciphers
import Rights
import Runtime
import Services
import Store
import WebServer

/// Licences and what is said of a device.
extension DepotService {
  private static let pageLength = 1_000
  private static let batch = 50
  /// Of the keys in one answer, so that it is never longer than a device takes. What is left out is due still.
  private static let mostKeys = 15_000

  /// What a device may have licences for, and what it was given.
  private struct Plan {
    let parcels: [LicenceParcel]
    let issued: [ExactText: IssuedLicences.Issued]
    let greatest: Int64
    let needsSubscription: Bool
    let quality: Quality?
  }

  /// `wanted`: only these are looked at; nil for all there are.
  private func plan(
    _ caller: Call.Caller, _ connection: Connection, at now: Int64, of wanted: Set<ExactText>? = nil
  ) throws(Fault) -> Plan {
    let (snapshot, table) = (snapshot, IssuedLicences(connection: connection))
    let revocations = Revocations(connection: connection)
    let licences = Set(try revocations.all(.licence).map { ExactText($0.id) })
    let paths = try revocations.paths()
    var parcels: [LicenceParcel] = []
    let entitlement = caller.account.entitlement(at: now)
    if caller.revoked == nil, entitlement == .unbound || entitlement == .subscribed {
      let asked = wanted.map { snapshot.parcels(named: $0) } ?? snapshot.parcels
      for parcel in asked where !licences.contains(ExactText(parcel.id)) {
        let granted = parcel.granted(snapshot.files, without: paths, upTo: caller.account.quality)
        if !granted.paths.isEmpty { parcels.append(granted) }
      }
    }
    return Plan(
      parcels: parcels, issued: wanted == nil ? try table.all(of: caller.device.name) : [:],
      greatest: try table.greatestSerial(of: caller.device.name), needsSubscription: entitlement == .subscribed,
      quality: caller.account.quality)
  }

  private func terms(_ plan: Plan, at now: Int64) -> LicenceTerms {
    LicenceTerms(from: now, days: settings.days, needsSubscription: plan.needsSubscription, quality: plan.quality)
  }

  /// Changes with all that a device would have otherwise in another licence, but for its times.
  private func sum(_ parcel: LicenceParcel, _ terms: LicenceTerms) throws(Fault) -> [UInt8] {
    let keys = snapshot.keys
    var ids = parcel.paths.flatMap { keys[ExactText($0)] ?? [] }.map { "\($0.key)" }.sorted()
    if let quality = terms.quality {
      ids += [quality.indexName] + parcel.better.flatMap { keys[ExactText($0)] ?? [] }.map { "\($0.key)" }.sorted()
    }
    let rest = "\(terms.needsSubscription) \(terms.playDays ?? 0) \(terms.isForStreaming) \(terms.until == nil)"
    return try Sums.of("\(parcel.title)\n\(rest)\n\(ids.joined(separator: "\n"))")
  }

  /// A licence is due anew in the second half of its time, or when it would be another one.
  private static func isDue(_ issued: IssuedLicences.Issued, _ sum: [UInt8], at now: Int64) -> Bool {
    guard issued.terms == sum else { return true }
    guard let ends = issued.ends else { return false }
    return ends - now < (ends - issued.issued) / 2
  }

  func licences(_ call: Call) throws(Refusal) -> WebAnswer {
    let (caller, query, now) = (try call.caller(), try call.query(), call.now)
    var after: ExactText?
    if let cursor = query["after"] {
      guard let bytes = Base64.decodeURL(cursor), let id = String(validating: bytes, as: UTF8.self) else {
        throw .wrong("\"after\" must be what an answer had as \"next\"")
      }
      after = ExactText(id)
    }
    let body = try read { connection throws(Fault) -> JSON in
      let plan = try self.plan(caller, connection, at: now)
      let terms = self.terms(plan, at: now)
      var rest = plan.parcels[...]
      if let after { rest = rest.drop { ExactText($0.id) <= after } }
      var items: [JSON] = []
      for parcel in rest.prefix(Self.pageLength) {
        let known = plan.issued[ExactText(parcel.id)]
        var (serial, ends) = (max(plan.greatest + 1, now), terms.until)
        if let known, try !Self.isDue(known, self.sum(parcel, terms), at: now) {
          (serial, ends) = (known.serial, known.ends)
        }
        var item = JSON.Object([("id", JSON(parcel.id)), ("serial", JSON(serial))])
        item["exp"] = ends.map { JSON($0) }
        items.append(.object(item))
      }
      var body = JSON.Object([("licences", .list(items))])
      if rest.count > Self.pageLength, let last = rest.prefix(Self.pageLength).last {
        body["next"] = JSON(Base64.encodeURL(Array(last.id.utf8)))
      }
      return .object(body)
    }
    return WebAnswer(json: body)
  }

  func giveLicences(_ call: Call) throws(Refusal) -> WebAnswer {
    let (caller, now) = (try call.caller(), call.now)
    guard let ids = try call.json()["ids"]?.items, ids.count <= Self.batch,
      case let wanted = Set(ids.compactMap(\.string).map { ExactText($0) }), wanted.count == ids.count
    else { throw .wrong("\"ids\" must be a list of at most \(Self.batch) different ids") }
    try refuseRevoked(caller)
    if case .none(let why) = caller.account.entitlement(at: now) { throw Self.notSubscribed(why) }
    let card = try Refusal.soundly { () throws(Fault) in try DeviceCard(JSON(parsing: caller.device.card)) }
    if settings.needsIntegrity { try checkIntegrity(caller.device) }
    // Serials and the statement's number are kept before anybody has them.
    let planned = try write {
      connection throws(Fault) -> (serial: Int64, parcels: [LicenceParcel], terms: LicenceTerms, statement: JSON) in
      let plan = try self.plan(caller, connection, at: now, of: wanted)
      let (terms, serial) = (self.terms(plan, at: now), max(plan.greatest + 1, now))
      var left = Self.mostKeys
      let parcels = plan.parcels.filter { parcel in
        left -= LicenceParcel.mostKeys * (parcel.paths.count + parcel.better.count)
        return left >= 0
      }
      let table = IssuedLicences(connection: connection)
      for parcel in parcels {
        let issued = IssuedLicences.Issued(
          serial: serial, issued: now, ends: terms.until, terms: try self.sum(parcel, terms))
        try table.keep(issued, parcel.id, of: caller.device.name)
      }
      let statement = try Revocations(connection: connection).statement(
        of: caller.device.name, caller.account, at: now)
      return (serial, parcels, terms, statement)
    }
    let bundle = try Refusal.soundly { () throws(Fault) -> LicenceBundle in
      var licences: [String] = []
      let keys = snapshot.keys
      for parcel in planned.parcels {
        let body = try parcel.body(
          serial: planned.serial, for: card, planned.terms, keys: keys, root: signer.root)
        licences.append(try signer.licence(body))
      }
      let statement = try signer.statement(planned.statement)
      return LicenceBundle(keys: signer.keys, licences: licences, statement: statement)
    }
    return WebAnswer(json: bundle.fileBytes)
  }

  func statement(_ call: Call) throws(Refusal) -> WebAnswer {
    let (caller, now) = (try call.caller(), call.now)
    let body = try write { connection throws(Fault) in
      try Revocations(connection: connection).statement(of: caller.device.name, caller.account, at: now)
    }
    let signed = try Refusal.soundly { () throws(Fault) in try signer.statement(body) }
    return WebAnswer(json: ["keys": JSON(signer.keys), "statement": JSON(signed)])
  }

  // MARK: What a device says of itself

  func integrity(_ call: Call) throws(Refusal) -> WebAnswer {
    let (caller, json, now) = (try call.caller(), try call.json(), call.now)
    guard let image = json["image"]?.string, image.unicodeScalars.count <= 50,
      let root = json["root"]?.string, ["verified", "unverified", "unknown"].contains(root),
      let isTraced = json["traced"]?.truth
    else { throw .wrong("\"image\", \"root\" (verified, unverified or unknown) and \"traced\" must be there") }
    try write { connection throws(Fault) in
      try connection.run(
        "INSERT OR REPLACE INTO integrity(device, image, root, traced, said) VALUES (?, ?, ?, ?, ?)",
        [
          SQLValue(caller.device.name), SQLValue(image), SQLValue(root), .integer(isTraced ? 1 : 0), .integer(now),
        ])
    }
    return WebAnswer(204)
  }

  private func checkIntegrity(_ device: SignedInDevice) throws(Refusal) {
    let isSound = try read { connection throws(Fault) in
      try connection.first(
        "SELECT 1 FROM integrity WHERE device = ? AND root = 'verified' AND traced = 0", [SQLValue(device.name)]
      ) { $0.integer(0) } != nil
    }
    guard isSound else {
      throw Refusal(403, "Integrity", "licences are for devices that say that their image is verified and not traced")
    }
  }
}
