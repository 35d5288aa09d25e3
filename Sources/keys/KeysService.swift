import Ciphers
import Glibc
import Rights
import Runtime
import Seals

/// What the requests ask for, done by the device's own rights. It knows no connections.
struct KeysService {
  /// Why the device's secret cannot be had, such as on another board than the one whose TPM has sealed it.
  let refusal: Fault?
  private let opened: Result<DeviceRights, Fault>
  private var rights: DeviceRights { get throws(Fault) { try opened.get() } }
  private var kept: Moment?
  private var keyRate = RequestRate(most: 200, perSecond: 20)
  private var proofRate = RequestRate(most: 200, perSecond: 20)
  /// What writes to the disk, and verifies what strangers wrote.
  private var takeRate = RequestRate(most: 200, perSecond: 20)
  private var rotationRate = RequestRate(most: 3, perSecond: 1)
  /// Who trusts others has everything read anew.
  private var trustRate = RequestRate(most: 20, perSecond: 1)
  /// What goes through all licences.
  private var listRate = RequestRate(most: 200, perSecond: 20)

  static let keepsClockEach: Duration = .seconds(60)

  init(in folder: FilePath, _ settings: Settings) throws(Fault) {
    opened = Result { () throws(Fault) in
      let tpm = try settings.tpmAddress.map { address throws(Fault) in try TPM(address) }
      return try DeviceRights(in: folder, board: settings[.boundTo], tpm: tpm, roots: [:]) { .now }
    }
    switch opened {
    case .success(let rights):
      refusal = nil
      try Self.warmUp(rights)
    case .failure(let fault): refusal = fault
    }
  }

  /// What is loaded or looked up when it is first needed, is now, while it still can be.
  private static func warmUp(_ rights: DeviceRights) throws(Fault) {
    _ = rights.time(of: nil)
    _ = try rights.proof(of: ProvenRequest("GET", "http://localhost/", token: nil, nonce: nil))
    for suite in CipherSuite.allCases {
      var cipher = try AuthenticatedCipher(suite, key: Secret.random(CipherSuite.keyLength), .seals)
      var sealed = [UInt8](repeating: 0, count: 1 + CipherSuite.tagLength)
      let result = sealed.withUnsafeMutableBytes { space in
        [UInt8(0)].withUnsafeBytes { plain in
          Result { () throws(Fault) in
            try cipher.seal(
              plain, nonce: [UInt8](repeating: 0, count: CipherSuite.nonceLength), beside: [], into: space)
          }
        }
      }
      try result.get()
    }
    let one = try AgreementKey.made()
    let other = try AgreementKey.made()
    _ = try one.secret(with: other.publicKey)
    let key = try SigningKey.made()
    _ = try key.publicKey.verifies(key.signature(of: []), of: [])
  }

  /// From now on these give licences.
  mutating func trust(_ roots: [String: SigningKey.PublicKey], at now: Moment) throws(Fault) {
    guard try !rights.trusts(roots) else { return }
    try trustRate.count(at: now)
    try rights.trust(roots)
  }

  mutating func key(_ id: KeyID, of name: String, at now: Moment) throws(Fault) -> Secret {
    try keyRate.count(at: now)
    return try rights.key(id, of: shownBriefly(name))
  }

  mutating func answer(_ request: KeysRequest, at now: Moment) -> KeysAnswer {
    do throws(Fault) { return .done(try done(request, at: now)) } catch { return .refused(error) }
  }

  private mutating func done(_ request: KeysRequest, at now: Moment) throws(Fault) -> JSON {
    switch request {
    // The connection has done these.
    case .trust, .key: return .null
    case .card: return try rights.card
    case .time(let source): return try rights.time(of: source.isEmpty ? nil : source).json
    case .standing: return try rights.standing.json
    case .accounts: return try .list(rights.accounts().map(\.json))
    case .lines:
      try listRate.count(at: now)
      return try .list(rights.lines().prefix(Self.mostListed).map(\.json))
    case .forfeits:
      try listRate.count(at: now)
      return try .list(rights.forfeits().prefix(Self.mostListed).map(\.json))
    case .playable(let keys):
      try listRate.count(at: now)
      return try .list(rights.playable(keys).map { JSON("\($0)") })
    case .keepClock:
      // It is kept whoever asks, and the disk is spared who asks too often.
      try keepClock(at: now)
      return .null
    case .rotate:
      try rotationRate.count(at: now)
      try rights.rotate()
      return .null
    case .timeQuestion: return ["question": JSON(Base64.encodeURL(try rights.timeQuestion()))]
    case .proof(let request):
      try proofRate.count(at: now)
      return ["proof": JSON(try rights.proof(of: request))]
    case .session(let source):
      return ["session": try rights.session(of: source).map { JSON(Base64.encodeURL($0)) } ?? .null]
    case .take(let bundle, let source):
      try takeRate.count(at: now)
      return try rights.take(bundle, from: source).json
    case .takeTime(let answer, let source):
      try takeRate.count(at: now)
      try rights.take(time: answer.time, answer.keys, for: answer.question, from: source)
      return .null
    case .forget(let source):
      try takeRate.count(at: now)
      try rights.forget(source)
      return .null
    case .keepSession(let session, let source):
      try takeRate.count(at: now)
      try rights.keep(session: session.isEmpty ? nil : session, of: source)
      return .null
    }
  }

  /// What an answer has room for.
  private static let mostListed = 20_000

  mutating func keepClock(at now: Moment) throws(Fault) {
    if let kept, now - kept < Self.keepsClockEach { return }
    kept = now
    try rights.keepClock()
  }
}
