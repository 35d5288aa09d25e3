import Ciphers
import Rights
import Runtime
import Seals
import TestSupport

/// The service of a season: what it has, what it says of an account, and what it signs. It keeps what was given as plain
/// values, so that `LicenceSeason` can judge a device without reading what was signed.
final class RightsShop {
  struct Parcel {
    let id: String
    let tracks: [KeyID]
    var days: Int64?
    var needsSubscription = false
    var playDays: Int64?
    var regions: [String] = []
    var isStreaming = false
  }

  /// What a signed licence says.
  struct Given {
    let parcel: Int
    let serial: Int64
    let issued: Int64
    let ends: Int64?
  }

  /// What a signed statement says.
  struct Said {
    var number: Int64 = 1
    var subscription = Statement.Subscription.active
    var graceEnds: Int64?
    var region = "DE"
    var isDeviceRevoked = false
    var parcels: Set<Int> = []
    var tracks: Set<KeyID> = []
  }

  struct Bundle {
    let bytes: [UInt8]
    let given: [Given]
    let said: Said
  }

  static let day: Int64 = 86_400

  let parcels: [Parcel]
  /// How the account stands. Each change has a number of its own.
  private(set) var said = Said()
  private let root: SigningKey
  private let licences: SigningKey
  private let statements: SigningKey
  private let time: SigningKey
  private let keys: String
  private var issued: [Int: Given] = [:]
  private var greatest: Int64 = 0

  init() throws(Fault) {
    let root = try SigningKey.made()
    let licences = try SigningKey.made()
    let statements = try SigningKey.made()
    let time = try SigningKey.made()
    let named: [ServiceKeys.Named] = [
      .init(.licences, "licences", licences.publicKey), .init(.statements, "statements", statements.publicKey),
      .init(.time, "time", time.publicKey),
    ]
    keys = try ServiceKeys.sign(named, root: root)
    parcels = Self.made()
    self.root = root
    self.licences = licences
    self.statements = statements
    self.time = time
  }

  /// The first two share a track: what was bought stays when the subscription goes.
  private static func made() -> [Parcel] {
    func track(_ number: UInt8) -> KeyID? { KeyID([UInt8](repeating: number, count: KeyID.length)) }
    func tracks(_ numbers: UInt8...) -> [KeyID] { numbers.compactMap { track($0) } }
    return [
      Parcel(id: "bought", tracks: tracks(1, 2)),
      Parcel(id: "subscribed", tracks: tracks(2, 3), days: 30, needsSubscription: true),
      Parcel(id: "lent", tracks: tracks(4), days: 30),
      Parcel(id: "short", tracks: tracks(5), days: 3, needsSubscription: true),
      Parcel(id: "two days", tracks: tracks(6), days: 30, playDays: 2),
      Parcel(id: "home", tracks: tracks(7), days: 30, regions: ["DE", "AT"]),
      Parcel(id: "streamed", tracks: tracks(8), days: 3, needsSubscription: true, isStreaming: true),
    ]
  }

  var rootKey: SigningKey.PublicKey { root.publicKey }

  func parcel(named id: String) -> Int? { parcels.firstIndex { ExactText($0.id) == ExactText(id) } }

  func change(_ change: (inout Said) -> Void) {
    change(&said)
    said.number += 1
  }

  /// Those that this account may have now.
  private func entitled(at now: Int64) -> [Int] {
    guard !said.isDeviceRevoked else { return [] }
    let isSubscribed =
      said.subscription == .active || said.subscription == .lapsed && (said.graceEnds.map { $0 > now } ?? true)
    return parcels.indices.filter { !said.parcels.contains($0) && (isSubscribed || !parcels[$0].needsSubscription) }
  }

  func offers(at now: Int64) -> [RenewalRule.ListedLicence] {
    entitled(at: now).map { number in
      let known = issued[number].flatMap { given -> Int64? in
        guard let ends = given.ends else { return given.serial }
        return ends - now < (ends - given.issued) / 2 ? nil : given.serial
      }
      return RenewalRule.ListedLicence(parcels[number].id, serial: known ?? max(greatest + 1, now))
    }
  }

  /// New licences of these, and how the account stands.
  func bundle(_ ids: [String], for card: DeviceCard, at now: Int64) throws(Fault) -> Bundle {
    var (texts, given) = ([String](), [Given]())
    for number in ids.compactMap({ parcel(named: $0) }) {
      greatest = max(greatest + 1, now)
      let ends = parcels[number].days.map { now + $0 * Self.day }
      let one = Given(parcel: number, serial: greatest, issued: now, ends: ends)
      issued[number] = one
      given.append(one)
      texts.append(try licence(one, parcels[number], for: card))
    }
    let bytes = LicenceBundle(keys: keys, licences: texts, statement: try statement(for: card, at: now)).fileBytes
    return Bundle(bytes: bytes, given: given, said: said)
  }

  private func licence(_ one: Given, _ parcel: Parcel, for card: DeviceCard) throws(Fault) -> String {
    let master = try Secret.random(CipherSuite.keyLength)
    let terms = KeyWrap.terms(
      parcel.id, serial: one.serial, issued: one.issued, ends: one.ends, root: root.publicKey)
    let wrapped = try KeyWrap.wrap(master: master, for: card.agrees, terms: terms)
    var listed: [JSON] = []
    for track in parcel.tracks {
      let key = try KeyWrap.wrap(content: Secret.random(CipherSuite.keyLength), track, with: master)
      listed.append(["kid": JSON("\(track)"), "key": JSON(Base64.encodeURL(key))])
    }
    var members: [(String, JSON)] = [
      ("id", JSON(parcel.id)), ("serial", JSON(one.serial)), ("device", JSON(card.name)), ("iat", JSON(one.issued)),
      ("master", JSON(Base64.encodeURL(wrapped))), ("keys", .list(listed)),
    ]
    if let ends = one.ends { members.append(("exp", JSON(ends))) }
    if parcel.needsSubscription { members.append(("needs", "subscription")) }
    if let days = parcel.playDays { members.append(("play_days", JSON(days))) }
    if !parcel.regions.isEmpty { members.append(("regions", .list(parcel.regions.map { JSON($0) }))) }
    if parcel.isStreaming { members.append(("use", "streaming")) }
    return try SignedDocument.sign(.object(JSON.Object(members)), as: .licence, with: licences, "licences")
  }

  private func statement(for card: DeviceCard, at now: Int64) throws(Fault) -> String {
    let licences = said.parcels.sorted().map { number -> JSON in ["id": JSON(parcels[number].id), "why": "recalled"] }
    let tracks = said.tracks.map { track -> JSON in ["kid": JSON("\(track)"), "why": "recalled"] }
    var revoked: [(String, JSON)] = [("licences", .list(licences)), ("tracks", .list(tracks))]
    if said.isDeviceRevoked { revoked.append(("device", "stolen")) }
    var members: [(String, JSON)] = [
      ("device", JSON(card.name)), ("number", JSON(said.number)), ("iat", JSON(now)),
      ("subscription", JSON(said.subscription.rawValue)), ("region", JSON(said.region)),
      ("revoked", .object(JSON.Object(revoked))),
    ]
    if let ends = said.graceEnds { members.append(("grace_until", JSON(ends))) }
    return try SignedDocument.sign(.object(JSON.Object(members)), as: .statement, with: statements, "statements")
  }

  func time(_ now: Int64, for nonce: [UInt8]) throws(Fault) -> (text: String, keys: String) {
    (try SignedTime.sign(now, for: nonce, with: time, "time"), keys)
  }
}
