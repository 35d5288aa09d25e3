import Ciphers
import Rights
import Runtime
import WebServer

/// How devices sign in, stay signed in and sign out: RFC 8628, RFC 7636, RFC 9449, RFC 7009.
extension DepotService {
  private static let client = "layby"
  private static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

  /// The card of a device, shown by who has its signing key.
  private func claim(_ card: String?, _ proof: (key: SigningKey.PublicKey, thumbprint: String)) throws(Refusal)
    -> DeviceClaim
  {
    let read: (card: DeviceCard, json: JSON)
    do throws(Fault) {
      guard let card, card.utf8.count <= 4_096 else { throw Fault(.malformed, "D-180", "\"device\" must be a card") }
      let json = try JSON(parsing: card, limits: .init(depth: 2, size: 4_096, values: 20))
      read = (try DeviceCard(json), json)
    } catch { throw .oauth("invalid_request", error.message) }
    guard let signs = read.json["signs"]?.string.flatMap({ Base64.decodeURL($0) }), signs == proof.key.bytes else {
      throw .oauth("invalid_dpop_proof", "the proof is not signed by the key of the device's card", status: 401)
    }
    // Only what belongs to a card is kept.
    let kept: JSON = [
      "layby_device": 1, "device": JSON(read.card.name), "signs": read.json["signs"] ?? .null,
      "agrees": read.json["agrees"] ?? .null,
    ]
    let title = read.json["title"]?.string.map { shownBriefly($0) } ?? "Device \(read.card.name.prefix(6))"
    return DeviceClaim(
      name: read.card.name, card: kept.description, title: title, thumbprint: proof.thumbprint)
  }

  private func checkClient(_ form: WebForm) throws(Refusal) {
    guard form["client_id"].map({ ExactText($0) }) == ExactText(Self.client) else {
      throw .oauth("invalid_client", "\"client_id\" must be \(Self.client)", status: 400)
    }
  }

  // MARK: A device begins

  func beginSignIn(_ call: Call) throws(Refusal) -> WebAnswer {
    if let seconds = limit(.beginning, call.client) { throw .tooOften(seconds) }
    let form = try call.form()
    try checkClient(form)
    let claim = try claim(form["device"], try call.proof(token: nil))
    let now = call.now
    let begun = try write { connection throws(Fault) -> (device: String, user: UserCode)? in
      try WaitingSignIns(connection: connection).begin(claim, at: now)
    }
    guard let begun else { throw .tooOften(60) }
    let page = call.base + Route.signInPage.template
    return WebAnswer(json: [
      "device_code": JSON(begun.device), "user_code": JSON(begun.user.shown), "verification_uri": JSON(page),
      "verification_uri_complete": JSON("\(page)?code=\(begun.user.shown)"),
      "expires_in": JSON(DeviceGrant.seconds), "interval": JSON(DeviceGrant.firstWait),
    ])
  }

  // MARK: Tokens

  func token(_ call: Call) throws(Refusal) -> WebAnswer {
    if let seconds = limit(.token, call.client) { throw .tooOften(seconds) }
    let form = try call.form()
    try checkClient(form)
    guard let grant = form["grant_type"] else { throw .oauth("invalid_request", "\"grant_type\" must be there") }
    switch ExactText(grant) {
    case ExactText(Self.deviceGrant): return try deviceTokens(form, call)
    case "refresh_token": return try refreshedTokens(form, call)
    case "authorization_code": return try browserTokens(form, call)
    default: throw .oauth("unsupported_grant_type", "that grant is not known here")
    }
  }

  private struct Tokens: Sendable {
    let access: String
    let refresh: String
  }

  /// What came of a question for tokens, once it is committed.
  private enum Outcome: Sendable {
    case tokens(Tokens)
    case refused(error: String, why: String)
  }

  private func answer(_ outcome: Outcome) throws(Refusal) -> WebAnswer {
    switch outcome {
    case .tokens(let tokens):
      return WebAnswer(json: [
        "access_token": JSON(tokens.access), "refresh_token": JSON(tokens.refresh), "token_type": "DPoP",
        "expires_in": JSON(SignedInDevices.accessSeconds),
      ])
    case .refused(let error, let why): throw .oauth(error, why)
    }
  }

  private func tokens(
    for device: SignedInDevice, _ number: Int64, _ devices: SignedInDevices, at now: Int64
  ) throws(Fault) -> Outcome {
    let refresh = try RefreshToken(session: device.session, number: number).text(seals.refreshing)
    return .tokens(Tokens(access: try devices.giveAccess(to: device, at: now), refresh: refresh))
  }

  /// Signs a device in that a person has let in.
  private func signIn(
    _ claim: DeviceClaim, _ account: Int64, _ devices: SignedInDevices, at now: Int64
  ) throws(Fault) -> Outcome {
    if let why = try Revocations(connection: devices.connection).why(.device, claim.name) {
      return .refused(error: "access_denied", why: "this device is refused: \(why)")
    }
    guard let device = try devices.signIn(claim, account, at: now) else {
      let most = SignedInDevices.mostOfAccount
      return .refused(
        error: "access_denied", why: "the account has \(most) devices already; sign one of them out first")
    }
    return try tokens(for: device, device.newest, devices, at: now)
  }

  private func deviceTokens(_ form: WebForm, _ call: Call) throws(Refusal) -> WebAnswer {
    guard let code = form["device_code"], code.utf8.count <= 100 else {
      throw .oauth("invalid_request", "\"device_code\" must be there")
    }
    let proof = try call.proof(token: nil)
    let now = call.now
    let outcome = try write { connection throws(Fault) -> Outcome in
      let waitings = WaitingSignIns(connection: connection)
      let devices = SignedInDevices(connection: connection)
      guard var waiting = try waitings.of(deviceCode: code),
        ExactText(waiting.claim.thumbprint) == ExactText(proof.thumbprint)
      else { return .refused(error: "invalid_grant", why: "that device code is not known") }
      let answer = waiting.grant.ask(at: now)
      var outcome: Outcome
      switch answer {
      case .pending: outcome = .refused(error: "authorization_pending", why: "nobody has typed the code yet")
      case .slowDown: outcome = .refused(error: "slow_down", why: "that was too soon; ask less often")
      case .expired: outcome = .refused(error: "expired_token", why: "the code is over; begin anew")
      case .refused: outcome = .refused(error: "access_denied", why: "the sign-in was refused")
      case .approved:
        guard let account = waiting.account else { return .refused(error: "expired_token", why: "begin anew") }
        outcome = try self.signIn(waiting.claim, account, devices, at: now)
        if case .refused = outcome { waiting.grant.state = .refused }
      case .again:
        // The answer was lost on the way; nothing was done with it since.
        guard let device = try devices.named(waiting.claim.name), device.newest == 1,
          device.account == waiting.account, ExactText(device.thumbprint) == ExactText(proof.thumbprint)
        else { return .refused(error: "expired_token", why: "the code was used; begin anew") }
        outcome = try self.tokens(for: device, device.newest, devices, at: now)
      }
      try waitings.keep(waiting, account: waiting.account)
      return outcome
    }
    return try answer(outcome)
  }

  private func refreshedTokens(_ form: WebForm, _ call: Call) throws(Refusal) -> WebAnswer {
    guard let text = form["refresh_token"] else { throw .oauth("invalid_request", "\"refresh_token\" must be there") }
    let proof = try call.proof(token: nil)
    let known = try Refusal.soundly { () throws(Fault) in try RefreshToken(text, seals.refreshing) }
    guard let known else { throw .oauth("invalid_grant", "that is no refresh token of this service") }
    let now = call.now
    let outcome = try write { connection throws(Fault) -> Outcome in
      let devices = SignedInDevices(connection: connection)
      guard let device = try devices.of(session: known.session) else {
        return .refused(error: "invalid_grant", why: "the session is over; sign in again")
      }
      var chain = RefreshChain(newest: device.newest)
      let isSameKey = ExactText(device.thumbprint) == ExactText(proof.thumbprint)
      switch chain.show(known.number, isSameKey: isSameKey) {
      case .next(let number):
        try devices.keep(newest: number, of: device, at: now)
        return try self.tokens(for: device, number, devices, at: now)
      case .again(let number): return try self.tokens(for: device, number, devices, at: now)
      case .refused: return .refused(error: "invalid_grant", why: "that token belongs to another key")
      case .over:
        try devices.signOut(device.name)
        return .refused(
          error: "invalid_grant", why: "that token was used already, so the session is over; sign in again")
      }
    }
    return try answer(outcome)
  }

  private func browserTokens(_ form: WebForm, _ call: Call) throws(Refusal) -> WebAnswer {
    guard let code = form["code"], let verifier = form["code_verifier"], (43...128).contains(verifier.utf8.count),
      let redirect = form["redirect_uri"]
    else { throw .oauth("invalid_request", "\"code\", \"code_verifier\" and \"redirect_uri\" must be there") }
    let claim = try claim(form["device"], try call.proof(token: nil))
    let now = call.now
    let outcome = try write { connection throws(Fault) -> Outcome in
      let found = try WaitingSignIns(connection: connection).takeBrowser(code, at: now)
      guard let found, ExactText(found.redirect) == ExactText(redirect),
        ExactText(found.challenge) == ExactText(Base64.encodeURL(try Sums.of(verifier)))
      else { return .refused(error: "invalid_grant", why: "that code is not known, or over, or another one's") }
      return try self.signIn(claim, found.account, SignedInDevices(connection: connection), at: now)
    }
    return try answer(outcome)
  }

  /// Always the same answer: who asks may not learn which tokens there are.
  func revokeToken(_ call: Call) throws(Refusal) -> WebAnswer {
    if let seconds = limit(.token, call.client) { throw .tooOften(seconds) }
    guard let text = try call.form()["token"] else { throw .oauth("invalid_request", "\"token\" must be there") }
    let known = try Refusal.soundly { () throws(Fault) in try RefreshToken(text, seals.refreshing) }
    if let known {
      try write { connection throws(Fault) in
        let devices = SignedInDevices(connection: connection)
        if let device = try devices.of(session: known.session) { try devices.signOut(device.name) }
      }
    }
    return WebAnswer(200, [("Cache-Control", "no-store")])
  }

  // MARK: Passwords

  /// The account, when the password is its own. It takes as long without such an account.
  func account(_ name: String, _ password: String, _ client: String) throws(Refusal) -> Account? {
    // Counted before anything is looked up, and by the name as it was typed.
    if let seconds = limit(.tryOfAddress, client) ?? limit(.tryOfAccount, name) { throw .tooOften(seconds) }
    guard name.utf8.count <= 60, password.utf8.count <= PasswordSum.lengths.upperBound else { return nil }
    let account = try read { connection throws(Fault) in try Accounts(connection: connection).named(name) }
    // Two at once are all that this machine is asked for.
    let isFree = comparing.withLock { count in
      guard count < 2 else { return false }
      count += 1
      return true
    }
    guard isFree else {
      var refusal = Refusal(503, "Not now", "many people sign in at the moment; try again")
      refusal.headers = [("Retry-After", "1")]
      throw refusal
    }
    defer { comparing.withLock { $0 -= 1 } }
    let kept = account?.password ?? .ofNobody
    let fits = try Refusal.soundly { () throws(Fault) in try kept.fits(password) }
    return fits ? account : nil
  }
}
