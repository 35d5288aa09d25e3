import Ciphers
import Glibc
import Rights
import Runtime

/// The keys of a depot, as `secret/keys.json` has them. What an older depot has not is made when it is missed.
struct DepotKeys {
  struct Named {
    let seed: [UInt8]
    let id: String
  }

  let root: [UInt8]
  let licences: Named
  let statements: Named
  let time: Named
  /// Of what the service seals for itself: nonces, addresses, tokens.
  let service: [UInt8]

  static let fileName = "keys.json"
  private static let seedLength = 32

  static func make(at file: FilePath) throws(Fault) {
    var json = JSON.Object()
    json["root"] = JSON(Base64.encodeURL(randomBytes(seedLength)))
    complete(&json)
    try AtomicFile.replace(file, with: JSON.object(json).bytes)
  }

  init(at file: FilePath) throws(Fault) {
    let read = try JSON(parsing: AtomicFile.read(file, limit: 64 << 10))
    guard case .object(let former) = read, former["root"] != nil, former["licences"] != nil else {
      throw Self.damaged(file)
    }
    var json = former
    Self.complete(&json)
    if json != former { try AtomicFile.replace(file, with: JSON.object(json).bytes) }
    func seed(_ name: String) throws(Fault) -> [UInt8] {
      guard let seed = json[name]?.string.flatMap(Base64.decodeURL), seed.count == Self.seedLength else {
        throw Self.damaged(file)
      }
      return seed
    }
    func named(_ name: String) throws(Fault) -> Named {
      guard let id = json["\(name)_kid"]?.string else { throw Self.damaged(file) }
      return Named(seed: try seed(name), id: id)
    }
    let (root, service) = (try seed("root"), try seed("service"))
    let (licences, statements, time) = (try named("licences"), try named("statements"), try named("time"))
    (self.root, self.service) = (root, service)
    (self.licences, self.statements, self.time) = (licences, statements, time)
  }

  private static func complete(_ json: inout JSON.Object) {
    for name in ["licences", "statements", "time"] where json[name] == nil {
      json[name] = JSON(Base64.encodeURL(randomBytes(seedLength)))
      json["\(name)_kid"] = JSON(Base64.encodeURL(randomBytes(9)))
    }
    if json["service"] == nil { json["service"] = JSON(Base64.encodeURL(randomBytes(seedLength))) }
  }

  private static func damaged(_ file: FilePath) -> Fault {
    Fault(.damaged, "D-112", "\(file) is not what depot new writes")
  }

  static func secret(_ bytes: [UInt8]) throws(Fault) -> Secret {
    var bytes = bytes
    return try Secret(taking: &bytes)
  }
}

/// Signs for a depot, with a key for each purpose.
struct DepotSigner: ~Copyable, Sendable {
  private let licences: SigningKey
  private let statements: SigningKey
  private let time: SigningKey
  private let ids: (licences: String, statements: String, time: String)
  let root: SigningKey.PublicKey
  /// The list of keys, signed by the root key.
  let keys: String

  init(_ keys: DepotKeys) throws(Fault) {
    let root = try SigningKey(seed: DepotKeys.secret(keys.root))
    let licences = try SigningKey(seed: DepotKeys.secret(keys.licences.seed))
    let statements = try SigningKey(seed: DepotKeys.secret(keys.statements.seed))
    let time = try SigningKey(seed: DepotKeys.secret(keys.time.seed))
    let named: [ServiceKeys.Named] = [
      .init(.licences, keys.licences.id, licences.publicKey),
      .init(.statements, keys.statements.id, statements.publicKey),
      .init(.time, keys.time.id, time.publicKey),
    ]
    let signed = try ServiceKeys.sign(named, root: root)
    self.keys = signed
    self.root = root.publicKey
    ids = (keys.licences.id, keys.statements.id, keys.time.id)
    self.licences = licences
    self.statements = statements
    self.time = time
  }

  func licence(_ body: JSON) throws(Fault) -> String {
    try SignedDocument.sign(body, as: .licence, with: licences, ids.licences)
  }

  func statement(_ body: JSON) throws(Fault) -> String {
    try SignedDocument.sign(body, as: .statement, with: statements, ids.statements)
  }

  func time(_ now: Int64, for nonce: [UInt8]) throws(Fault) -> String {
    try SignedTime.sign(now, for: nonce, with: time, ids.time)
  }
}
