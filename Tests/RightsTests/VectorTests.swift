import Ciphers
import Formats
import Runtime
import TestSupport
import Testing

@testable import Rights
@testable import Seals

/// The forms of `Sources/Rights` and `Sources/Seals`, byte by byte, as `Tests/Vectors` has them.
enum VectorKind: String, CaseIterable {
  case seal, device, keys, licence, statement, time, proof, note, clock
  case masterKey = "master-key"
  case contentKey = "content-key"

  func holds(_ one: Vectors.Case) throws(Fault) -> Bool {
    switch self {
    case .seal: try Self.seal(one)
    case .device: try Self.device(one)
    case .masterKey: try Self.masterKey(one)
    case .contentKey: try Self.contentKey(one)
    case .keys: try Self.serviceKey(one)
    case .licence: try Self.licence(one)
    case .statement: try Self.statement(one)
    case .time: try Self.time(one)
    case .proof: try Self.proof(one)
    case .note: try Self.note(one)
    case .clock: try Self.clock(one)
    }
  }

  // MARK: Parts

  private static let unreadable = Fault(.malformed, "T-653", "a vector cannot be read")

  private static func secret(_ one: Vectors.Case, _ name: String) throws(Fault) -> Secret {
    var bytes = try one.bytes(name)
    return try Secret(taking: &bytes)
  }

  private static func bytes(of secret: borrowing Secret) throws(Fault) -> [UInt8] { try secret.withBytes { Array($0) } }

  private static func keyID(_ one: Vectors.Case) throws(Fault) -> KeyID {
    guard let id = KeyID(try one.bytes("key_id")) else { throw unreadable }
    return id
  }

  private static func root(_ one: Vectors.Case) throws(Fault) -> SigningKey.PublicKey {
    guard let root = SigningKey.PublicKey(bytes: try one.bytes("root")) else { throw unreadable }
    return root
  }

  private static func identity(_ one: Vectors.Case) throws(Fault) -> DeviceIdentity {
    try DeviceIdentity(secret(one, "device_secret"), board: [])
  }

  private static func serviceKeys(_ one: Vectors.Case) throws(Fault) -> ServiceKeys {
    try ServiceKeys(one.text("keys"), root: root(one))
  }

  // MARK: Kinds

  /// Sealed it is the same bytes, and they open again.
  private static func seal(_ one: Vectors.Case) throws(Fault) -> Bool {
    let (sealed, key) = (try one.bytes("sealed"), try one.bytes("key"))
    let (pattern, length) = (try one.bytes("plain_repeats"), try one.number("length"))
    guard let suite = CipherSuite(rawValue: UInt8(clamping: try one.number("suite"))), !pattern.isEmpty else {
      return false
    }
    let plain = (0..<Int(length)).map { pattern[$0 % pattern.count] }
    let bits = UInt8(clamping: try one.number("chunk_bits"))
    let header = SealHeader(suite, key: try keyID(one), plainLength: length, chunkBits: bits)
    guard try SealHeader(Array(sealed.prefix(SealHeader.length)), of: "a vector") == header else { return false }
    var made: [UInt8] = []
    var sealer = try Sealer(header, key: secret(one, "key"))
    try sealer.seal(MemorySource(plain)) { made += $0 }
    let opened = try SealedTrack.opened(sealed, by: key)
    return made == sealed && opened == plain
  }

  private static func device(_ one: Vectors.Case) throws(Fault) -> Bool {
    let number = Array(try one.text("path").utf8) + [0] + Array(try one.text("number").utf8)
    let identity = try DeviceIdentity(secret(one, "device_secret"), board: [number])
    let (signs, agrees) = (try one.bytes("signs"), try one.bytes("agrees"))
    let (clock, session) = (try one.bytes("clock_key"), try one.bytes("session_key"))
    let (ours, others) = (try bytes(of: identity.clockKey), try bytes(of: identity.sessionKey))
    let card = try DeviceCard(identity.card)
    let isNamed = ExactText(card.name) == ExactText(try one.text("device"))
    return ours == clock && others == session && isNamed && card.signs.bytes == signs && card.agrees == agrees
  }

  private static func masterKey(_ one: Vectors.Case) throws(Fault) -> Bool {
    let terms = KeyWrap.terms(
      try one.text("id"), serial: try one.number("serial"), issued: try one.number("iat"),
      ends: one.optionalNumber("exp"), root: try root(one))
    let identity = try identity(one)
    let key = try KeyWrap.master(one.bytes("wrapped"), by: identity.agreement, terms: terms)
    return try bytes(of: key) == one.bytes("master")
  }

  private static func contentKey(_ one: Vectors.Case) throws(Fault) -> Bool {
    let key = try KeyWrap.content(one.bytes("wrapped"), keyID(one), with: secret(one, "master"))
    return try bytes(of: key) == one.bytes("content")
  }

  private static func serviceKey(_ one: Vectors.Case) throws(Fault) -> Bool {
    guard let use = ServiceKeys.Use(rawValue: try one.text("use")) else { return false }
    let key = try serviceKeys(one).key(one.text("kid"), for: use)
    return try key?.bytes == one.bytes("x")
  }

  private static func licence(_ one: Vectors.Case) throws(Fault) -> Bool {
    let keys = try serviceKeys(one)
    let document = try SignedDocument(one.text("licence"), as: .licence) { keys.key($0, for: .licences) }
    let licence = try Licence(document.body)
    let identity = try identity(one)
    guard let key = try licence.contentKey(keyID(one), by: identity.agreement, root: root(one)) else { return false }
    let (content, id, title) = (try one.bytes("content"), try one.text("id"), try one.text("title"))
    let isOpen = try bytes(of: key) == content
    let isNamed = ExactText(licence.id) == ExactText(id) && licence.title == title
    let isOurs = ExactText(licence.device) == ExactText(identity.name)
    let (issued, ends) = (try one.number("iat"), try one.number("exp"))
    let isInTime = licence.issued == issued && licence.ends == ends
    let (serial, days) = (try one.number("serial"), try one.number("play_days"))
    return isOpen && isNamed && isOurs && isInTime && licence.serial == serial && licence.playDays == days
  }

  private static func statement(_ one: Vectors.Case) throws(Fault) -> Bool {
    let keys = try serviceKeys(one)
    let document = try SignedDocument(one.text("statement"), as: .statement) { keys.key($0, for: .statements) }
    let statement = try Statement(document.body)
    let isOurs = ExactText(statement.device) == ExactText(try one.text("device"))
    let (number, issued) = (try one.number("number"), try one.number("iat"))
    let (subscription, graceEnds) = (try one.text("subscription"), try one.number("grace_until"))
    let isSubscribed = statement.subscription?.rawValue == subscription && statement.graceEnds == graceEnds
    let (region, licence, key) = (try one.text("region"), try one.text("licence_id"), try keyID(one))
    let (licenceWhy, trackWhy) = (try one.text("licence_why"), try one.text("track_why"))
    let isRevoked =
      statement.revocation(ofLicence: licence) == licenceWhy && statement.revocation(of: key) == trackWhy
    let isNumbered = statement.number == number && statement.issued == issued
    return isOurs && isSubscribed && isRevoked && isNumbered && statement.region == region
  }

  private static func time(_ one: Vectors.Case) throws(Fault) -> Bool {
    let seconds = try one.number("seconds")
    return try SignedTime.read(one.text("time"), for: one.bytes("nonce"), by: serviceKeys(one)) == seconds
  }

  private static func proof(_ one: Vectors.Case) throws(Fault) -> Bool {
    let proof = try RequestProof(one.text("proof"), one.text("method"), one.text("address"))
    let (key, id, nonce) = (try one.bytes("key"), try one.text("id"), try one.text("nonce"))
    let isFresh = proof.id == id && proof.nonce == nonce
    let (isFor, thumbprint) = (try proof.isFor(token: one.text("token")), try one.text("thumbprint"))
    let made = try RequestProof.thumbprint(proof.key)
    return isFresh && isFor && proof.key.bytes == key && made == thumbprint
  }

  private static func note(_ one: Vectors.Case) throws(Fault) -> Bool {
    let identity = try identity(one)
    let plain = Array(try one.text("plain").utf8)
    return try SealedNote.open(one.bytes("sealed"), for: one.text("source"), by: identity.sessionKey) == plain
  }

  private static func clock(_ one: Vectors.Case) throws(Fault) -> Bool {
    let identity = try identity(one)
    let (known, _) = try DeviceRights.Known.read(Array(one.text("file").utf8), by: identity.clockKey)
    let clock = HonestClock(
      floor: try one.number("floor"), proven: try one.number("proven"), boot: try one.text("boot"),
      uptime: try one.number("uptime"), signedBoot: try one.text("signed_boot"))
    return known.clock == clock && known.plays.count == 1
  }
}

@Suite("Vectors")
struct VectorTests {
  @Test("we read each as another reader in another language does, and neither overlooks a byte that was changed")
  func agree() async throws {
    var lines = ""
    for kind in VectorKind.allCases {
      let read = try Vectors(kind.rawValue).read { try kind.holds($0) }
      #expect(read.overlooked == [])
      lines += read.line + "\n"
    }
    #expect(try await Vectors.secondReader(VectorKind.allCases.map(\.rawValue)) == lines)
  }
}
