import Runtime

/// Talks to a depot that answers: signs this device in, keeps it signed in, and asks what only an account may ask. Each of
/// these requests is signed by the device, so a token that somebody has read is of no use (DPoP, RFC 9449).
///
/// An actor on the loop `offline`. What keeps it signed in is stored before it is used: after a power cut at any step the
/// token that is stored is one that the depot still takes, since it answers to the token before the last with the same
/// successor until that has been used.
package actor DepotClient {
  nonisolated package let id: String
  nonisolated package let folder: FolderAddress
  private nonisolated let loop: EventLoop
  private let credentials: any DeviceCredentials
  private let asking: any ServiceAsking
  private var access: (token: String, ends: Moment)?
  private var nonce: String?
  private var isRefreshing = false
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var offer: SignInOffer?
  /// Why it is signed out, where it was signed in.
  private var ending: Fault?
  private var followers: [Mailbox<SignInState>] = []
  /// What the depot knows of this device since the start.
  var reported: DeviceIntegrity?
  private let log = Log("depot")

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package init(
    _ id: String, at folder: FolderAddress, _ credentials: any DeviceCredentials, _ asking: any ServiceAsking,
    on loop: EventLoop
  ) {
    (self.id, self.folder, self.credentials, self.asking, self.loop) = (id, folder, credentials, asking, loop)
  }

  /// For who lives elsewhere: what it awaits runs on this loop too.
  nonisolated package func perform<Answer: Sendable>(
    _ body: @escaping @Sendable (DepotClient) async throws(MediaFailure) -> Answer
  ) async throws(MediaFailure) -> Answer {
    let answer = await withCheckedContinuation {
      (continuation: CheckedContinuation<Result<Answer, MediaFailure>, Never>) in
      Task(executorPreference: loop) {
        do throws(MediaFailure) { continuation.resume(returning: .success(try await body(self))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try answer.get()
  }

  // MARK: Signing in

  package func state() -> SignInState {
    if let offer { return .waiting(offer.shown) }
    do throws(Fault) { return try session() == nil ? .signedOut(ending) : .signedIn } catch { return .signedOut(error) }
  }

  /// Each change of `state()`.
  package func follow(_ box: Mailbox<SignInState>) { followers.append(box) }

  private func tell() {
    let now = state()
    followers.removeAll(where: \.isClosed)
    for box in followers { box.send(now) }
  }

  /// Gives a code, and waits from now on that somebody types it. The code that was given before is given again while it
  /// lasts.
  package func signIn() async throws(MediaFailure) -> SignInCode {
    if let offer, offer.shown.ends > .now { return offer.shown }
    let card: JSON
    do throws(Fault) { card = try credentials.card } catch { throw MediaFailure(.signIn, error) }
    let form = [("client_id", Self.client), ("device", card.description)]
    let answer = try await send(.post, "v1/sign-in/device", .form(form), token: nil)
    guard answer.status == 200 else { throw refusal(answer, "gives no code to sign in with") }
    let offer = try SignInOffer(answer.json, at: .now)
    self.offer = offer
    tell()
    Task(executorPreference: loop) { await self.wait(for: offer) }
    return offer.shown
  }

  /// Where a browser signs in; what belongs behind it is the caller's.
  nonisolated package var page: String { folder.text + "sign-in" }

  /// With the code that the page has sent a browser back with (RFC 7636). `back`: where to.
  package func signIn(code: String, verifier: String, back: String) async throws(MediaFailure) {
    let card: JSON
    do throws(Fault) { card = try credentials.card } catch { throw MediaFailure(.signIn, error) }
    let form = [
      ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier), ("redirect_uri", back),
      ("client_id", Self.client), ("device", card.description),
    ]
    let answer = try await send(.post, "v1/sign-in/token", .form(form), token: nil)
    if answer.json["error"]?.string == "access_denied" { throw MediaFailure(.signIn, Self.denied(answer.json)) }
    guard answer.status == 200 else { throw refusal(answer, "refuses to sign in") }
    try take(tokens: answer.json)
    offer = nil
    tell()
  }

  package func callOff() {
    offer = nil
    tell()
  }

  /// From now on this device is signed out. Where the depot cannot be told now, it is told when it can be reached: until
  /// then the device counts among those of the account.
  package func signOut() async throws(MediaFailure) {
    do throws(Fault) {
      if let known = try stored() {
        try credentials.keep(session: DepotSession(refresh: known.refresh, isOver: true).bytes, of: id)
      }
    } catch { throw MediaFailure(.signIn, error) }
    (access, offer, ending, reported) = (nil, nil, nil, nil)
    tell()
    await finishSignOut()
  }

  /// Tells the depot that this device has signed out, where it has not heard it yet.
  package func finishSignOut() async {
    do throws(MediaFailure) {
      let known: DepotSession?
      do throws(Fault) { known = try stored() } catch { throw MediaFailure(.signIn, error) }
      guard let known, known.isOver else { return }
      let form = [("token", known.refresh), ("client_id", Self.client)]
      let answer = try await send(.post, "v1/sign-in/revoke", .form(form), token: nil)
      // A server that has trouble has not done it.
      guard answer.status < 500, answer.status != 429 else { throw refusal(answer, "does not sign out") }
      // Somebody may have signed in meanwhile.
      do throws(Fault) {
        if try stored()?.isOver == true { try credentials.keep(session: nil, of: id) }
      } catch { throw MediaFailure(.signIn, error) }
    } catch {
      log.info("the depot has not heard that this device signed out", ["source": id, "reason": error.fault.message])
    }
  }

  private func wait(for begun: SignInOffer) async {
    var interval = begun.interval
    while await loop.sleep(for: interval) {
      guard let offer, offer.deviceCode == begun.deviceCode else { return }  // called off
      guard offer.shown.ends > .now else {
        return end(Fault(.missing, "G-123", "nobody has typed the code in time; sign in again for another one"))
      }
      do throws(MediaFailure) {
        let answer = try await send(
          .post, "v1/sign-in/token",
          .form([("grant_type", Self.codeGrant), ("device_code", begun.deviceCode), ("client_id", Self.client)]),
          token: nil)
        switch answer.json["error"]?.string {
        case "authorization_pending": continue
        case "slow_down": interval += .seconds(5)
        case "expired_token":
          return end(Fault(.missing, "G-123", "nobody has typed the code in time; sign in again for another one"))
        case "access_denied": return end(Self.denied(answer.json))
        case nil where answer.status == 200:
          try take(tokens: answer.json)
          self.offer = nil
          return tell()
        // A server that has trouble has it no more in a while.
        case _ where answer.status >= 500 || answer.status == 429: interval = min(interval * 2, .seconds(60))
        default: return end(refusal(answer, "refuses to sign in").fault)
        }
      } catch {
        // Without a line the code still lasts.
        guard case .network = error.reason else { return end(error.fault) }
      }
    }
  }

  private static func denied(_ json: JSON) -> Fault {
    let why = json["error_description"]?.string.map { ": \(shownBriefly($0))" } ?? ""
    return Fault(.denied, "G-124", "the depot does not let this device sign in\(why)")
  }

  private func end(_ fault: Fault) {
    (offer, ending) = (nil, fault)
    log.info("no sign-in", ["source": id, "reason": fault.message])
    tell()
  }

  // MARK: Staying signed in

  private func stored() throws(Fault) -> DepotSession? {
    try credentials.session(of: id).flatMap { DepotSession(parsing: $0) }
  }

  private func session() throws(Fault) -> DepotSession? {
    guard let known = try stored(), !known.isOver else { return nil }
    return known
  }

  private func take(tokens json: JSON) throws(MediaFailure) {
    let given = try DepotSession.tokens(json)
    // It counts when it is stored; until then the one before it does.
    do throws(Fault) { try credentials.keep(session: given.session.bytes, of: id) } catch {
      throw MediaFailure(.signIn, error)
    }
    (access, ending) = ((given.access, .now + given.lasts), nil)
  }

  /// One asks for a new one, and the others wait for it.
  private func token() async throws(MediaFailure) -> String {
    while isRefreshing { await withCheckedContinuation { waiting.append($0) } }
    if let access, access.ends > .now { return access.token }
    let known: DepotSession?
    do throws(Fault) { known = try session() } catch { throw MediaFailure(.signIn, error) }
    guard let known else {
      throw MediaFailure(
        .signIn,
        Fault(
          .denied, "G-125",
          "this device is not signed in to \(id); Keep offline > Licences on the panel does that, or layby sign-in"))
    }
    isRefreshing = true
    defer {
      isRefreshing = false
      for one in waiting { one.resume() }
      waiting = []
    }
    let form = [("grant_type", "refresh_token"), ("refresh_token", known.refresh), ("client_id", Self.client)]
    let answer = try await send(.post, "v1/sign-in/token", .form(form), token: nil)
    if answer.status == 400 || answer.status == 401, answer.json["error"]?.string == "invalid_grant" {
      let fault = Fault(
        .denied, "G-126", "the sign-in to \(id) has ended; sign in again, and nothing has to be fetched anew")
      do throws(Fault) { try credentials.keep(session: nil, of: id) } catch { throw MediaFailure(.signIn, error) }
      ending = fault
      tell()
      throw MediaFailure(.signIn, fault)
    }
    guard answer.status == 200 else { throw refusal(answer, "does not go on with the sign-in") }
    try take(tokens: answer.json)
    guard let access else { throw refusal(answer, "does not go on with the sign-in") }
    return access.token
  }

  // MARK: Asking

  package enum Body {
    case none
    case json(JSON)
    case form([(String, String)])
  }

  /// As the account that this device is signed in to.
  package func ask(
    _ method: ServiceRequest.Method, _ path: String, _ body: Body = .none, unless tag: String? = nil,
    limit: Int = 4 << 20
  ) async throws(MediaFailure) -> ServiceAnswer {
    var answer = try await send(method, path, body, token: try await token(), unless: tag, limit: limit)
    guard answer.status == 401 else { return answer }
    // It has ended before its time.
    access = nil
    answer = try await send(method, path, body, token: try await token(), unless: tag, limit: limit)
    guard answer.status != 401 else { throw refusal(answer, "does not take the sign-in", .signIn) }
    return answer
  }

  /// Without an account.
  func askOpenly(_ path: String) async throws(MediaFailure) -> ServiceAnswer {
    let answer = try await asking.ask(ServiceRequest(.get, folder.text + path))
    guard answer.status == 200 else { throw refusal(answer, "does not say what it was asked") }
    return answer
  }

  /// Signed. A server that wants a newer nonce in it says so, and gets it.
  private func send(
    _ method: ServiceRequest.Method, _ path: String, _ body: Body, token: String?, unless tag: String? = nil,
    limit: Int = 1 << 20
  ) async throws(MediaFailure) -> ServiceAnswer {
    var mayRepeat = true
    while true {
      let request = try request(method, path, body, token, tag, limit)
      let answer = try await asking.ask(request)
      let isNew = answer.nonce.map { $0 != nonce && $0.utf8.count <= 500 } ?? false
      if isNew { nonce = answer.nonce }
      guard isNew, mayRepeat, answer.status == 400 || answer.status == 401,
        answer.json["error"]?.string == "use_dpop_nonce"
      else { return answer }
      mayRepeat = false
    }
  }

  private func request(
    _ method: ServiceRequest.Method, _ path: String, _ body: Body, _ token: String?, _ tag: String?, _ limit: Int
  ) throws(MediaFailure) -> ServiceRequest {
    let address = folder.text + path.prefix { $0 != "?" }
    let proof: String
    do throws(Fault) {
      proof = try credentials.proof(method.rawValue, String(address), token: token, nonce: nonce)
    } catch { throw MediaFailure(.signIn, error) }
    var request = ServiceRequest(method, folder.text + path)
    request.limit = limit
    request.headers = [.init("DPoP", proof), .init("Accept", "application/json")]
    if let token { request.headers.append(.init("Authorization", "DPoP \(token)")) }
    if let tag { request.headers.append(.init("If-None-Match", tag)) }
    switch body {
    case .none: break
    case .json(let json):
      request.body = json.bytes
      request.headers.append(.init("Content-Type", "application/json"))
    case .form(let fields):
      let text = fields.map { "\($0.0)=\(FolderPath.encode($0.1))" }.joined(separator: "&")
      request.body = Array(text.utf8)
      request.headers.append(.init("Content-Type", "application/x-www-form-urlencoded"))
    }
    return request
  }

  /// What an answer means that is no good.
  func refusal(
    _ answer: ServiceAnswer, _ what: String, _ reason: MediaFailure.Reason? = nil
  ) -> MediaFailure {
    let json = answer.json
    let said = json["error_description"]?.string ?? json["detail"]?.string ?? json["title"]?.string
    let why = said.map { ": \(shownBriefly($0))" } ?? ""
    let fault = Fault(.passing, "G-127", "\(id) \(what); it answered \(answer.status)\(why)")
    return MediaFailure(reason ?? .status(answer.status), fault)
  }

  private static let client = "layby"
  private static let codeGrant = "urn:ietf:params:oauth:grant-type:device_code"
}
