import FaultServer
import HTTP
import Runtime
import Testing

/// An authority of a test's own, a server that it vouches for, and settings that believe it.
struct Trusted {
  let authority: Identity
  let server: Identity
  var settings = TransferSettings()

  init() throws {
    authority = try Identity.authority()
    server = try authority.vouched()
    settings.authorities = .these(authority.pem)
  }
}

@Suite("TLS is held to what was agreed")
struct TLSTests {
  private let file = Resource.noise(200_000)
  private let trusted: Trusted

  init() throws { trusted = try Trusted() }

  private func trouble(_ tls: ServedTLS, _ settings: TransferSettings) async throws -> TransferTrouble? {
    let server = try FaultServer(serving: ["/a": file], over: tls)
    let outcome = try await Line(settings).fetch(server.url("/a"))
    if outcome.trouble == nil { #expect(outcome.isAll(of: file.bytes)) } else { #expect(server.requests.isEmpty) }
    return outcome.trouble
  }

  @Test("whom we trust is heard")
  func trust() async throws { #expect(try await trouble(ServedTLS(trusted.server), trusted.settings) == nil) }

  @Test("whom nobody vouches for is not")
  func untrusted() async throws {
    let stranger = try Identity.authority().vouched()
    #expect(try await trouble(ServedTLS(stranger), trusted.settings) == .tls(.untrusted))
    #expect(try await trouble(ServedTLS(trusted.server), TransferSettings()) == .tls(.untrusted))
  }

  @Test("a certificate of yesterday, or of tomorrow: as when our clock is wrong")
  func expired() async throws {
    let old = try trusted.authority.vouched(from: .seconds(-7_200), until: .seconds(-3_600))
    #expect(try await trouble(ServedTLS(old), trusted.settings) == .tls(.expired))
    let new = try trusted.authority.vouched(from: .seconds(3_000), until: .seconds(3_600))
    #expect(try await trouble(ServedTLS(new), trusted.settings) == .tls(.expired))
  }

  @Test("a pinned key, or its backup, and no other")
  func pins() async throws {
    let backup = try trusted.authority.vouched()
    let other = try trusted.authority.vouched()
    var settings = trusted.settings
    settings.pins["127.0.0.1"] = try PinnedKeys(trusted.server.pin, backup: backup.pin)
    #expect(try await trouble(ServedTLS(trusted.server), settings) == nil)
    #expect(try await trouble(ServedTLS(backup), settings) == nil)
    #expect(try await trouble(ServedTLS(other), settings) == .tls(.pin))
  }

  @Test("a host whose key is pinned is never asked without TLS")
  func pinnedPlain() async throws {
    let server = try FaultServer(serving: ["/a": file])
    var settings = trusted.settings
    settings.pins["127.0.0.1"] = try PinnedKeys(trusted.server.pin, backup: try trusted.authority.vouched().pin)
    #expect(try await Line(settings).fetch(impatient(server.url("/a"))).trouble != nil)
    #expect(server.requests.isEmpty)
  }

  @Test("TLS 1.2 only where it is allowed")
  func old() async throws {
    #expect(try await trouble(ServedTLS(trusted.server, isOld: true), trusted.settings) == .tls(.other))
    var settings = trusted.settings
    settings.leastTLS = .tls12
    #expect(try await trouble(ServedTLS(trusted.server, isOld: true), settings) == nil)
  }

  @Test("a host that asks for TLS is asked by TLS from then on")
  func strict() async throws {
    var file = file
    file.headers = [("Strict-Transport-Security", "max-age=3600")]
    let server = try FaultServer(serving: ["/a": file], over: ServedTLS(trusted.server))
    let line = try Line(trusted.settings)
    let safe = "https://localhost:\(server.port)/a"
    let plain = "http://localhost:\(server.port)/a"
    #expect(try await line.fetch(plain).trouble != nil)
    #expect(try await line.fetch(safe).trouble == nil)
    #expect(try await line.fetch(plain).isAll(of: file.bytes))
    #expect(await line.transfers.strictHosts.wishes["localhost"]?.withSubdomains == false)
  }

  @Test("a pin is a SHA-256 sum, and its backup another")
  func sums() throws {
    let (one, two) = (trusted.server.pin, try trusted.authority.vouched().pin)
    #expect(throws: Fault.self) { try PinnedKeys(one, backup: one) }
    for bad in ["", "abc", String(one.dropLast()) + "A", String(repeating: ";", count: 43) + "="] {
      #expect(throws: Fault.self) { try PinnedKeys(bad, backup: two) }
      #expect(throws: Fault.self) { try PinnedKeys(one, backup: bad) }
    }
  }
}
