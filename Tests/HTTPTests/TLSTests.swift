import FaultServer
import HTTP
import Runtime
import TestSupport
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
    let outcome = try await TestTransfers(settings).fetch(server.url("/a"))
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
    try settings.pin("https://127.0.0.1/", to: PinnedKeys(trusted.server.pin, backup: backup.pin))
    #expect(try await trouble(ServedTLS(trusted.server), settings) == nil)
    #expect(try await trouble(ServedTLS(backup), settings) == nil)
    #expect(try await trouble(ServedTLS(other), settings) == .tls(.pin))
  }

  @Test("a pin holds however the host is written", arguments: ["127.1", "0x7f000001", "127.0.0.%31", "127.0.0.1:99"])
  func pinnedByOtherName(host: String) async throws {
    let others = [try trusted.authority.vouched().pin, try trusted.authority.vouched().pin]
    let server = try FaultServer(serving: ["/a": file], over: ServedTLS(trusted.server))
    var settings = trusted.settings
    try settings.pin("https://\(host)/music/", to: PinnedKeys(others[0], backup: others[1]))
    for written in ["127.0.0.1", "127.1"] {
      let outcome = try await TestTransfers(settings).fetch("https://\(written):\(server.port)/a")
      #expect(outcome.trouble == .tls(.pin), "\(written)")
    }
    #expect(server.requests.isEmpty)
  }

  @Test("a host in brackets is pinned too; what is no address, and two pairs of keys for one host, are refused")
  func pinning() throws {
    let sums = try (0..<3).map { _ in try trusted.authority.vouched().pin }
    let keys = try PinnedKeys(sums[0], backup: sums[1])
    var settings = TransferSettings()
    for address in ["https://[::1]:8443/a/", "http://[0:0::1]/", "https://me:secret@Kiosk.local/"] {
      try settings.pin(address, to: keys)
    }
    #expect(Set(settings.pins.keys) == ["[::1]", "kiosk.local"])
    for address in ["", "kiosk.local", "https://a:b:c/", "ftp://kiosk.local/"] {
      #expect(try faultOf { try settings.pin(address, to: keys) }.code == "N-225", "\(address)")
    }
    let other = try PinnedKeys(sums[0], backup: sums[2])
    #expect(try faultOf { try settings.pin("https://kiosk.local:1/", to: other) }.code == "N-226")
  }

  @Test("a host whose key is pinned is never asked without TLS")
  func pinnedPlain() async throws {
    let server = try FaultServer(serving: ["/a": file])
    var settings = trusted.settings
    let keys = try PinnedKeys(trusted.server.pin, backup: try trusted.authority.vouched().pin)
    try settings.pin("https://127.0.0.1/", to: keys)
    #expect(try await TestTransfers(settings).fetch(impatient(server.url("/a"))).trouble != nil)
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
    let line = try TestTransfers(trusted.settings)
    let safe = "https://localhost:\(server.port)/a"
    let plain = "http://localhost:\(server.port)/a"
    #expect(try await line.fetch(plain).trouble != nil)
    #expect(try await line.fetch(safe).trouble == nil)
    #expect(try await line.fetch(plain).isAll(of: file.bytes))
    #expect(await line.transfers.strictHosts.hosts["localhost"]?.withSubdomains == false)
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
