import Ciphers
import Glibc
import Runtime
import TestSupport
import Testing

extension ProgramTests {
  @Suite("A depot signs devices in", .serialized)
  struct DepotSignInTests {
    private static let password = "correct horse <battery>"

    private static func opened(_ options: String...) async throws -> RunningDepot {
      let depot = try await RunningDepot(in: try Home())
      try await depot.stop()
      try await depot.start(options)
      try await depot.addAccount("mia", password)
      return depot
    }

    @Test("a person lets it in with the code on its screen; the log has no code, token or password")
    func codes() async throws {
      let depot = try await Self.opened()
      let device = try DepotDevice(of: depot)
      let codes = try await device.begin()
      let user = codes["user_code"]?.string ?? ""
      let grant = [("grant_type", DepotDevice.deviceGrant), ("device_code", codes["device_code"]?.string ?? "")]
      #expect(try await device.token(grant).json["error"] == "authorization_pending")
      #expect(try await device.token(grant).json["error"] == "slow_down")

      let page = codes["verification_uri_complete"]?.string ?? ""
      #expect(try await depot.ask([], page).text.has("Test &lt;depot&gt;"))
      // Who has not seen the page cannot send it; and a wrong password is answered as an unknown account is.
      let right = [("code", user.lowercased()), ("account", "mia"), ("password", Self.password)]
      #expect(try await depot.fillIn(page, right, keepsCookies: false).status == 403)
      let wrong = try await depot.fillIn(page, [("code", user), ("account", "mia"), ("password", "x")])
      let unknown = try await depot.fillIn(page, [("code", user), ("account", "moa"), ("password", "x")])
      #expect(wrong.status == 403 && unknown.status == 403)
      #expect(wrong.text.has("no such account with that password"))
      #expect(Self.withoutTokens(wrong.text) == Self.withoutTokens(unknown.text, "moa"))
      #expect(try await device.token(grant).json["error"] == "slow_down")
      #expect(try await depot.fillIn(page, [("code", "BCDFGHJK")] + right.dropFirst()).status == 404)
      let done = try await depot.fillIn(page, right)
      #expect(done.status == 200 && done.text.has("as mia"), "\(done.text)")

      let tokens = try await device.token(grant)
      #expect(try tokens.json["token_type"] == "DPoP" && tokens.json["expires_in"] == 600)
      let account = try await device.get("/v1/account")
      #expect(account["name"] == "mia" && account["subscription"] == "none" && account["most_devices"] == 5)
      let listed = account["devices"]?.items ?? []
      #expect(listed.count == 1 && listed.first?["device"] == JSON(device.name) && listed.first?["this"] == true)
      // The answer was lost on the way: the same tokens' chain goes on.
      let first = device.refresh
      #expect(try await device.token(grant).status == 200 && device.refresh == first)
      // After something was done with it, the code is worth nothing.
      #expect(try await device.token([("grant_type", "refresh_token"), ("refresh_token", first ?? "")]).status == 200)
      #expect(try await device.token(grant).json["error"] == "expired_token")

      try await depot.stop()
      let secrets = [
        user, Self.password, "correct", codes["device_code"]?.string, device.access, device.refresh, first, device.name,
      ]
      for secret in secrets.compactMap({ $0 }) { #expect(!depot.said.has(secret), "\(secret)") }
      #expect(depot.said.has("request method=POST route=/v1/sign-in/token status=200 "))
    }

    private static func withoutTokens(_ html: String, _ account: String = "mia") -> String {
      let parts = html.split(separator: "\"", omittingEmptySubsequences: false).map { part in
        part.utf8.count > 40 && !part.contains(" ") ? "token" : part == account ? "account" : String(part)
      }
      return parts.joined(separator: "\"")
    }

    @Test("a token before the newest gives the newest again, also after a power cut; an older one ends the session")
    func rotation() async throws {
      let depot = try await Self.opened()
      let device = try DepotDevice(of: depot)
      try await device.signIn("mia", Self.password)
      func rotate(_ token: String?) async throws -> RunningDepot.Answer {
        try await device.token([("grant_type", "refresh_token"), ("refresh_token", token ?? "")])
      }
      let first = device.refresh
      #expect(try await rotate(first).status == 200)
      let second = device.refresh
      #expect(second != first)
      // The answer never arrived, and the service lost its power.
      depot.kill()
      try await depot.start()
      #expect(try await rotate(first).status == 200 && device.refresh == second)
      #expect(try await rotate(second).status == 200)
      let third = device.refresh
      #expect(try await device.ask("GET", "/v1/account").status == 200)
      // Another key gets nothing, and does not end the session either.
      let thief = try DepotDevice(of: depot)
      let stolen = try await thief.token([("grant_type", "refresh_token"), ("refresh_token", third ?? "")])
      #expect(stolen.status == 400)
      #expect(try stolen.json["error"] == "invalid_grant")
      #expect(try await device.ask("GET", "/v1/account").status == 200)
      // A copy of the first is about.
      #expect(try await rotate(first).json["error"] == "invalid_grant")
      #expect(try await device.ask("GET", "/v1/account").status == 401)
      #expect(try await rotate(third).json["error"] == "invalid_grant")
    }

    @Test("a request needs a proof of its own by the token's key")
    func proofs() async throws {
      let depot = try await Self.opened()
      let device = try DepotDevice(of: depot)
      try await device.signIn("mia", Self.password)
      _ = try await device.get("/v1/flags")
      func asked(_ proof: String, _ address: String = "/v1/flags") async throws -> JSON? {
        let words = ["-H", "Authorization: DPoP \(device.access ?? "")", "-H", "DPoP: \(proof)"]
        let answer = try await depot.ask(words, address)
        return answer.status == 200 ? nil : try answer.json["error"]
      }
      let proof = try device.proof("GET", "/v1/flags", token: device.access)
      #expect(try await asked(proof) == nil)
      #expect(try await asked(proof) == "invalid_dpop_proof")
      #expect(try await asked(device.proof("POST", "/v1/flags", token: device.access)) == "invalid_dpop_proof")
      #expect(try await asked(device.proof("GET", "/v1/lists", token: device.access)) == "invalid_dpop_proof")
      #expect(try await asked(device.proof("GET", "/v1/flags", token: "another")) == "invalid_dpop_proof")
      #expect(try await asked(device.proof("GET", "/v1/flags", token: nil)) == "invalid_dpop_proof")
      let other = try DepotDevice(of: depot)
      other.nonce = device.nonce
      #expect(try await asked(other.proof("GET", "/v1/flags", token: device.access)) == "invalid_token")
      device.nonce = "1.AAAA"
      #expect(try await asked(device.proof("GET", "/v1/flags", token: device.access)) == "use_dpop_nonce")
      let bare = try await depot.ask(["-H", "Authorization: DPoP \(device.access ?? "")"], "/v1/flags")
      #expect(bare.status == 401 && bare.header("DPoP-Nonce") != nil)
      #expect(bare.header("WWW-Authenticate")?.hasPrefix("DPoP error=\"use_dpop_nonce\"") == true)
      let bearer = try await depot.ask(["-H", "Authorization: Bearer \(device.access ?? "")"], "/v1/flags")
      #expect(bearer.status == 401)
    }

    @Test("an account has five devices; one that is signed out frees its place")
    func places() async throws {
      let depot = try await Self.opened("--rate", "1000")
      var devices: [DepotDevice] = []
      for _ in 1...5 {
        devices.append(try DepotDevice(of: depot))
        #expect(try await devices[devices.count - 1].signIn("mia", Self.password).status == 200)
      }
      let sixth = try DepotDevice(of: depot)
      let refused = try await sixth.signIn("mia", Self.password)
      #expect(refused.status == 400)
      #expect(try refused.json["error"] == "access_denied")
      // One that is in signs in again without needing another place.
      #expect(try await devices[4].signIn("mia", Self.password).status == 200)

      #expect(try await devices[0].ask("DELETE", "/v1/devices/\(devices[1].name)").status == 204)
      #expect(try await devices[0].ask("DELETE", "/v1/devices/\(devices[1].name)").status == 404)
      #expect(try await devices[1].ask("GET", "/v1/flags").status == 401)
      #expect(try await sixth.signIn("mia", Self.password).status == 200)
      // Signed out by itself.
      let out = try await depot.ask(["--data-urlencode", "token=\(sixth.refresh ?? "")"], "/v1/sign-in/revoke")
      #expect(out.status == 200)
      #expect(try await depot.ask(["-d", "token=nonsense"], "/v1/sign-in/revoke").status == 200)
      #expect(try await sixth.ask("GET", "/v1/flags").status == 401)
      #expect(try await devices[1].signIn("mia", Self.password).status == 200)
      // Nobody signs out what belongs to somebody else.
      try await depot.addAccount("ben", "another long one")
      let stranger = try DepotDevice(of: depot)
      try await stranger.signIn("ben", "another long one")
      #expect(try await stranger.ask("DELETE", "/v1/devices/\(devices[0].name)").status == 404)
      try await depot.verb("account", "remove", "mia")
      #expect(try await devices[0].ask("GET", "/v1/flags").status == 401)
    }

    @Test("in a browser of its own it signs in by a code that only it can use")
    func browser() async throws {
      let depot = try await Self.opened()
      let device = try DepotDevice(of: depot)
      let verifier = String(repeating: "v", count: 50)
      // SHA-256 of fifty v, in base64url.
      let challenge = try Self.challenge(verifier)
      let back = "http://127.0.0.1:4000/back"
      let page =
        "/sign-in?response_type=code&client_id=layby&code_challenge_method=S256&code_challenge=\(challenge)&state=a%26b"
        + "&redirect_uri="
      #expect(try await depot.ask([], page + "https://evil.example/").status == 400)
      func code() async throws -> String {
        let sent = try await depot.fillIn(page + back, [("account", "mia"), ("password", Self.password)])
        let place = sent.header("Location") ?? ""
        #expect(sent.status == 303 && place.hasPrefix("\(back)?code=") && place.hasSuffix("&state=a%26b"), "\(place)")
        return String(place.dropFirst("\(back)?code=".count).prefix { $0 != "&" })
      }
      func tokens(_ code: String, _ verifier: String) async throws -> RunningDepot.Answer {
        try await device.token([
          ("grant_type", "authorization_code"), ("code", code), ("code_verifier", verifier), ("redirect_uri", back),
          ("device", device.card.description),
        ])
      }
      let taken = try await code()
      #expect(try await tokens(taken, verifier + "x").json["error"] == "invalid_grant")
      #expect(try await tokens(taken, verifier).json["error"] == "invalid_grant")
      #expect(try await tokens(try await code(), verifier).status == 200)
      #expect(try await device.get("/v1/account")["name"] == "mia")
    }

    private static func challenge(_ verifier: String) throws -> String {
      var sum = try SHA256()
      sum.add(Array(verifier.utf8))
      return Base64.encodeURL(try sum.value().bytes)
    }

    @Test("passwords can be tried a few times; then it takes a while, for accounts that are not there too")
    func tries() async throws {
      let depot = try await Self.opened()
      for account in ["mia", "nobody"] {
        var answer = RunningDepot.Answer()
        var count = 0
        repeat {
          answer = try await depot.fillIn("/sign-in", [("code", "BCDFGHJK"), ("account", account), ("password", "no")])
          count += 1
        } while answer.status == 403 && count < 40
        #expect(answer.status == 429 && (9...12).contains(count), "\(account): \(count)")
        #expect(Int(answer.header("Retry-After") ?? "") ?? 0 > 0)
      }
    }
  }
}
