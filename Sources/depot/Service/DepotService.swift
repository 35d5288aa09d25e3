import Glibc
import Rights
import Runtime
import Services
import Store
import Synchronization
import WebServer

/// A depot that answers: accounts, sign-in, licences, media, changes. Its parts by subject stand in `DepotService+...`.
///
/// On the web server's threads, several at once. What it knows of people is in the database; what is here may be lost.
final class DepotService: WebHandler {
  let settings: ServeSettings
  let store: ServiceStore
  let signer: DepotSigner
  let media: ServedFolder
  let seals: Seals
  private let depot: Depot
  private let current: Mutex<DepotSnapshot>
  private let limits: Mutex<ServiceLimits>
  private let seen = Mutex(SeenProofs())
  private let metrics = Mutex(ServiceMetrics())
  /// How many passwords are being compared, which takes a tenth of a second and 32 MB each.
  let comparing = Mutex(0)
  private let health = Mutex<(at: Int64, isWell: Bool)>((0, true))
  /// What a request's `Host` may be; known when it listens.
  private let hosts = Mutex<Set<ExactText>>([])
  private let connections = Mutex(0)

  /// What the service seals for itself, with a key for each purpose.
  struct Seals: ~Copyable, Sendable {
    let nonces: ServiceSeal
    let addresses: ServiceSeal
    let refreshing: ServiceSeal
    let forms: ServiceSeal
    let lists: ServiceSeal

    init(_ keys: DepotKeys) throws(Fault) {
      let secret = try DepotKeys.secret(keys.service)
      let nonces = try ServiceSeal(secret, for: "nonces")
      let addresses = try ServiceSeal(secret, for: "addresses")
      let refreshing = try ServiceSeal(secret, for: "refreshing")
      let forms = try ServiceSeal(secret, for: "forms")
      let lists = try ServiceSeal(secret, for: "lists")
      self.nonces = nonces
      self.addresses = addresses
      self.refreshing = refreshing
      self.forms = forms
      self.lists = lists
    }
  }

  init(_ folder: FilePath, _ settings: ServeSettings) throws(Fault) {
    let depot = try Depot(at: folder)
    let store = try ServiceStore(in: depot.secretFolder)
    let snapshot = try DepotSnapshot(depot)
    let entries = try snapshot.entries()
    _ = try store.write { connection throws(Fault) in try CatalogueTable(connection: connection).take(entries) }
    let signer = try DepotSigner(depot.keys)
    let seals = try Seals(depot.keys)
    let media = try ServedFolder(depot.publicFolder)
    (self.settings, self.store, self.media, self.depot) = (settings, store, media, depot)
    self.signer = signer
    self.seals = seals
    current = Mutex(snapshot)
    limits = Mutex(ServiceLimits(rate: settings.rate))
  }

  func listens(at address: String) {
    let known = settings.hosts(address)
    hosts.withLock { $0 = known }
  }

  func note(connections count: Int) { connections.withLock { $0 = count } }

  var snapshot: DepotSnapshot { current.withLock { $0 } }

  /// Reads the depot's files anew when they have changed. To be called each second or so, on one thread. What cannot be
  /// read leaves what was known.
  func refresh() {
    guard DepotSnapshot.Stamp(depot) != snapshot.stamp else { return }
    do throws(Fault) {
      let fresh = try Depot(at: depot.secretFolder.folder)
      let snapshot = try DepotSnapshot(fresh)
      let entries = try snapshot.entries()
      let count = try store.write { connection throws(Fault) in
        let table = CatalogueTable(connection: connection)
        let count = try table.take(entries)
        try table.forgetOldChanges()
        return count
      }
      current.withLock { $0 = snapshot }
      Log("depot").info("the catalogue was read anew", ["changed": count])
    } catch {
      Log("depot").warning("the catalogue stays as it was", ["reason": error.message])
    }
  }

  // MARK: Requests

  func refusal(of request: WebRequest) -> WebAnswer? {
    do throws(Refusal) {
      let call = try Call(request, self)
      if let seconds = limit(.request, call.client) { throw .tooOften(seconds) }
      return nil
    } catch { return finished(error.answer, request) }
  }

  func answer(_ request: WebRequest) -> WebAnswer {
    do throws(Refusal) {
      let call = try Call(request, self)
      do throws(Refusal) {
        var answer = try respond(to: call)
        if call.route.takesProof { answer.headers.append(("DPoP-Nonce", try call.freshNonce())) }
        return finished(answer, request)
      } catch {
        var refusal = error
        if call.route.isOAuth, refusal.form == .problem, refusal.status == 400 {
          refusal = .oauth("invalid_request", refusal.detail)
        }
        // A device that is refused goes on with the newest one.
        if call.route.takesProof { refusal.headers.append(("DPoP-Nonce", try call.freshNonce())) }
        if refusal.status == 401, call.route.takesProof, !call.route.isOAuth {
          refusal.headers.append(
            ("WWW-Authenticate", "DPoP error=\"\(refusal.error ?? "invalid_token")\", algs=\"EdDSA\""))
        }
        return finished(refusal.answer, request)
      }
    } catch { return finished(error.answer, request) }
  }

  /// What every answer has.
  private func finished(_ answer: WebAnswer, _ request: WebRequest) -> WebAnswer {
    var answer = answer
    answer.headers.append(("X-Content-Type-Options", "nosniff"))
    if settings.url?.hasPrefix("https://") == true {
      answer.headers.append(("Strict-Transport-Security", "max-age=31536000"))
    }
    return answer
  }

  private func respond(to call: Call) throws(Refusal) -> WebAnswer {
    switch call.route {
    case .health: try isWell(at: call.now)
    case .metrics: metricsText()
    case .openAPI: WebAnswer(json: openAPI)
    case .service: serviceCard()
    case .time: try signedTime(call)
    case .beginSignIn: try beginSignIn(call)
    case .token: try token(call)
    case .revokeToken: try revokeToken(call)
    case .signInPage: try signInPage(call)
    case .signInForm: try signInForm(call)
    case .account: try account(call)
    case .removeDevice: try removeDevice(call)
    case .index: try index(call)
    case .lists: try lists(call)
    case .mediaAddress: try mediaAddress(call)
    case .media: try mediaFile(call)
    case .licences: try licences(call)
    case .giveLicences: try giveLicences(call)
    case .statement: try statement(call)
    case .changes: try changes(call)
    case .catalogue: try catalogue(call)
    case .search: try search(call)
    case .integrity: try integrity(call)
    case .flags: try flags(call)
    }
  }

  /// One line a request, without what was in it.
  func didEnd(_ request: WebRequest?, _ answer: WebAnswer?, nanoseconds: Int64, isWhole: Bool) {
    var route = "none"
    if let request, case .route(let found, _) = Route.find(request.method, request.path) { route = found.template }
    let (status, bytes) = (answer?.status ?? 0, answer?.count ?? 0)
    metrics.withLock { $0.add(route, status, bytes: bytes, nanoseconds: nanoseconds, isWhole: isWhole) }
    let method = request.map { Self.methods.contains($0.method) ? $0.method : "other" } ?? "none"
    let whole = isWhole ? "" : " broken=off"
    RequestLog.write(
      "request method=\(method) route=\(route) status=\(status) bytes=\(bytes) ms=\(nanoseconds / 1_000_000)\(whole)\n")
  }

  private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]

  // MARK: What the parts ask for

  func limit(_ kind: ServiceLimits.Kind, _ who: String) -> Int64? {
    let now = Moment.now.nanoseconds / 1_000_000
    return limits.withLock { $0.take(kind, who, at: now) }
  }

  func isNew(proof id: String, at now: Int64) -> Bool {
    seen.withLock { $0.isNew(id, window: now / (2 * ProofNonce.windowSeconds)) }
  }

  func isHost(_ host: String) -> Bool { hosts.withLock { $0.contains(ExactText(host)) } }

  /// Where who asks has reached us: `http://127.0.0.1:8090`.
  func base(_ host: String) -> String { settings.url ?? "http://\(host)" }

  func read<Result: Sendable>(_ body: (Connection) throws(Fault) -> Result) throws(Refusal) -> Result {
    do throws(Fault) { return try store.read(body) } catch { throw Refusal(error) }
  }

  func write<Result: Sendable>(_ body: (Connection) throws(Fault) -> Result) throws(Refusal) -> Result {
    do throws(Fault) { return try store.write(body) } catch { throw Refusal(error) }
  }

  // MARK: How it is

  /// Whether something can be stored, found out at most each two seconds.
  private func isWell(at now: Int64) throws(Refusal) -> WebAnswer {
    let known = health.withLock { $0 }
    var isWell = known.isWell
    if !(0..<2).contains(now - known.at) {
      do throws(Fault) {
        try store.write { connection throws(Fault) in try connection.run("UPDATE service SET probe = probe + 1") }
        isWell = media.isThere
      } catch {
        Log("depot").error("nothing can be stored", ["reason": error.message])
        isWell = false
      }
      let found = isWell
      health.withLock { $0 = (now, found) }
    }
    guard isWell else {
      var refusal = Refusal(503, "Not well", "the database or the disk fails")
      refusal.headers = [("Retry-After", "5")]
      throw refusal
    }
    return WebAnswer(json: ["ok": true])
  }

  private func metricsText() -> WebAnswer {
    // The rest is worth reading without it.
    let devices =
      (try? store.read { connection throws(Fault) in try SignedInDevices(connection: connection).count() }) ?? 0
    let connections = connections.withLock { $0 }
    let text = metrics.withLock { $0.text(connections: connections, devices: devices) }
    return WebAnswer(200, [("Content-Type", "text/plain; version=0.0.4; charset=utf-8")], Array(text.utf8))
  }

  private func serviceCard() -> WebAnswer {
    let endpoints: JSON = [
      "device": JSON(Route.beginSignIn.template), "token": JSON(Route.token.template),
      "revoke": JSON(Route.revokeToken.template), "authorize": JSON(Route.signInPage.template),
    ]
    return WebAnswer(json: ["name": JSON(settings.name), "keys": JSON(signer.keys), "endpoints": endpoints])
  }

  private func signedTime(_ call: Call) throws(Refusal) -> WebAnswer {
    guard let nonce = try call.query()["nonce"].flatMap({ Base64.decodeURL($0) }),
      SignedTime.nonceLengths.contains(nonce.count)
    else { throw .wrong("\"nonce\" must be 16 to 64 bytes in base64url") }
    let signed = try Refusal.soundly { () throws(Fault) in try signer.time(call.now, for: nonce) }
    return WebAnswer(json: ["time": JSON(signed)])
  }
}

/// The log of requests, a line each, to standard error in one piece.
enum RequestLog {
  static func write(_ line: String) {
    let bytes = Array(line.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
