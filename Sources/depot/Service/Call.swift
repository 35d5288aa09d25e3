import Ciphers
import Glibc
import Rights
import Runtime
import Store
import WebServer

/// One request on its way through the service: which route it is for, who asks, and what is proven.
struct Call {
  let request: WebRequest
  let route: Route
  /// What stands for `{...}` in the route, not decoded.
  let parameter: String
  let now: Int64
  /// Whose requests are counted: an address, of IPv6 the half that one household has.
  let client: String
  /// Where who asks has reached us: `http://127.0.0.1:8090`.
  let base: String
  private let service: DepotService

  private static let longestAddress = 4_096

  init(_ request: WebRequest, _ service: DepotService) throws(Refusal) {
    (self.request, self.service) = (request, service)
    now = Int64(time(nil))
    let host = (request.header("Host") ?? "").lowercased()
    base = service.base(host)
    client = Self.client(of: request, isBehindProxy: service.settings.isBehindProxy)
    switch Route.find(request.method, request.path) {
    case .route(let found, let parameter): (route, self.parameter) = (found, parameter)
    case .otherMethods(let methods):
      var refusal = Refusal(405, "Method not allowed", "that address does not know this method")
      refusal.headers = [("Allow", methods.joined(separator: ", "))]
      throw refusal
    case .nothing: throw .missing("there is no such address")
    }
    guard request.path.utf8.count + (request.query?.utf8.count ?? 0) <= Self.longestAddress else {
      throw Refusal(414, "Address too long", "the address has more than \(Self.longestAddress) bytes")
    }
    let isOpen = route == .health || route == .metrics
    guard isOpen || service.isHost(host) else {
      throw Refusal(421, "Misdirected request", "this service is not known by that name; see depot serve --url")
    }
    if let type = route.bodyType, request.mediaType != type {
      throw Refusal(415, "Unsupported media type", "the body must be \(type)")
    }
  }

  private static func client(of request: WebRequest, isBehindProxy: Bool) -> String {
    var address = request.peer
    // The last one is who the proxy itself has seen; what stands before it anybody can write.
    if isBehindProxy, let said = request.header("X-Forwarded-For")?.split(separator: ",").last {
      let trimmed = String(said.filter { $0 != " " })
      if trimmed.utf8.count <= 45 { address = trimmed }
    }
    guard address.utf8.contains(UInt8(ascii: ":")) else { return address }
    var bytes = in6_addr()
    guard inet_pton(AF_INET6, address, &bytes) == 1 else { return address }
    let half = withUnsafeBytes(of: &bytes) { Array($0.prefix(8)) }
    return Base64.encode(half)
  }

  // MARK: What was sent

  func query() throws(Refusal) -> WebForm {
    guard let form = WebForm(request.query ?? "") else { throw .wrong("what stands behind the ? is no form") }
    return form
  }

  func form() throws(Refusal) -> WebForm {
    guard let text = String(validating: request.body, as: UTF8.self), let form = WebForm(text) else {
      throw .wrong("the body is no form, or says a thing twice")
    }
    return form
  }

  func json() throws(Refusal) -> JSON {
    let limits = JSON.Limits(depth: 4, size: 64 << 10, values: 1_000)
    do throws(Fault) {
      let json = try JSON(parsing: request.body, limits: limits)
      guard json.members != nil else { throw Fault(.malformed, "D-170", "the body must be an object") }
      return json
    } catch { throw .wrong(error.message) }
  }

  /// A whole number of the question behind the address.
  func number(_ name: String, _ query: WebForm, _ range: ClosedRange<Int64>, otherwise usual: Int64) throws(Refusal)
    -> Int64
  {
    guard let text = query[name] else { return usual }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text), range.contains(number) else {
      throw .wrong("\"\(name)\" must be a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func name() throws(Refusal) -> String {
    guard let name = WebForm.decode(parameter.utf8) else { throw .missing("there is nothing of that name") }
    return name
  }

  // MARK: What is proven

  func freshNonce() throws(Refusal) -> String {
    try Refusal.soundly { () throws(Fault) in try ProofNonce.current(at: now, service.seals.nonces) }
  }

  /// The key that signed this very request just now, and the thumbprint that its tokens carry.
  func proof(token: String?) throws(Refusal) -> (key: SigningKey.PublicKey, thumbprint: String) {
    guard let header = request.header("DPoP") else {
      // Without a nonce nobody can have one; so this tells it.
      throw .oauth("use_dpop_nonce", "a proof (DPoP) with this service's nonce must be there", status: 401)
    }
    let made: (proof: RequestProof, thumbprint: String)
    do throws(Fault) {
      let method = request.method == "HEAD" ? "HEAD" : route.method
      let proof = try RequestProof(header, method, base + request.path)
      if let token, try !proof.isFor(token: token) {
        throw Fault(.denied, "D-171", "a proof of a request: it is for another token")
      }
      made = (proof, try RequestProof.thumbprint(proof.key))
    } catch {
      switch error.kind {
      case .malformed, .denied, .unsupported: throw .oauth("invalid_dpop_proof", error.message, status: 401)
      case .passing, .missing, .full, .damaged, .busy: throw Refusal(error)
      }
    }
    let nonce = made.proof.nonce ?? ""
    guard try Refusal.soundly({ () throws(Fault) in try ProofNonce.isTaken(nonce, at: now, service.seals.nonces) })
    else { throw .oauth("use_dpop_nonce", "the proof must have this service's nonce", status: 401) }
    guard service.isNew(proof: "\(made.thumbprint).\(made.proof.id)", at: now) else {
      throw .oauth("invalid_dpop_proof", "a proof of a request: it was used already", status: 401)
    }
    return (made.proof.key, made.thumbprint)
  }

  struct Caller: Sendable {
    let device: SignedInDevice
    let account: Account
    /// Why this device is refused; nil when it is not.
    let revoked: String?
  }

  /// Who asks, by token and key. It counts as a question of the account.
  func caller() throws(Refusal) -> Caller {
    guard let header = request.header("Authorization"), header.utf8.count <= 200,
      header.utf8.prefix(5).elementsEqual("DPoP ".utf8)
    else { throw unknown("it must be there, with the scheme DPoP") }
    let token = String(decoding: header.utf8.dropFirst(5), as: UTF8.self)
    let proof: (key: SigningKey.PublicKey, thumbprint: String)
    do throws(Refusal) { proof = try self.proof(token: token) } catch {
      var refusal = error
      refusal.form = .problem
      throw refusal
    }
    let sum = try Refusal.soundly { () throws(Fault) in try Sums.of(token) }
    let now = now
    let caller = try service.read { connection throws(Fault) -> Caller? in
      guard let device = try SignedInDevices(connection: connection).of(tokenSum: sum, at: now),
        let account = try Accounts(connection: connection).account(device.account)
      else { return nil }
      let revoked = try Revocations(connection: connection).why(.device, device.name)
      return Caller(device: device, account: account, revoked: revoked)
    }
    guard let caller, ExactText(caller.device.thumbprint) == ExactText(proof.thumbprint) else {
      throw unknown("it is over, or not this device's")
    }
    if let seconds = service.limit(.account, "\(caller.account.id)") { throw .tooOften(seconds) }
    if now - caller.device.seen >= 3_600 {
      try service.write { connection throws(Fault) in
        try SignedInDevices(connection: connection).saw(caller.device, at: now)
      }
    }
    return caller
  }

  private func unknown(_ why: String) -> Refusal {
    var refusal = Refusal(401, "Not signed in", "the access token: \(why)")
    refusal.error = "invalid_token"
    return refusal
  }
}
