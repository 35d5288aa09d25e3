import FaultServer
import HTTP
import Runtime
import Synchronization
import Testing

@Suite("Redirects are followed by rule")
struct RedirectTests {
  private let file = Resource.noise(10_000)

  @Test("to wherever it is, from the same byte on", arguments: [301, 302, 303, 307, 308])
  func followed(status: Int) async throws {
    let server = try FaultServer(serving: ["/there/a b.flac": file, "/there/a%20b.flac": file])
    server.script("/a.flac", [.redirect(to: "there/a b.flac", status: status)])
    let outcome = try await TestTransfers().fetch(server.url("/a.flac"), from: 100)
    #expect(outcome.isAll(of: file.bytes[100...]))
    #expect(outcome.head?.url == server.url("/there/a%20b.flac"))
    #expect(server.requests.map { $0["range"] } == ["bytes=100-", "bytes=100-"])
  }

  @Test("five times, and not six", arguments: [5, 6])
  func many(times: Int) async throws {
    let server = try FaultServer(serving: ["/\(times)": file])
    for number in 0..<times { server.script("/\(number)", [.redirect(to: "/\(number + 1)")]) }
    let outcome = try await TestTransfers().fetch(server.url("/0"))
    #expect(outcome.trouble == (times == 5 ? nil : .redirect(.tooMany)))
    #expect(server.requests.count == 6)
  }

  @Test("not in a circle")
  func loop() async throws {
    let server = try FaultServer()
    server.script("/a", [.redirect(to: "/b"), .redirect(to: "/b")])
    server.script("/b", [.redirect(to: "/a")])
    #expect(try await TestTransfers().fetch(server.url("/a")).trouble == .redirect(.loop))
    #expect(server.requests.count == 2)
  }

  @Test("not to what is no HTTP", arguments: ["ftp://127.0.0.1/a", "file:///etc/passwd", "http://"])
  func elsewhere(place: String) async throws {
    let server = try FaultServer()
    server.script("/a", [.redirect(to: place)])
    #expect(try await TestTransfers().fetch(server.url("/a")).trouble == .redirect(.insecure))
  }

  @Test("not from https to http")
  func lowered() async throws {
    let trusted = try Trusted()
    let plain = try FaultServer(serving: ["/a": file])
    let server = try FaultServer(over: ServedTLS(trusted.server))
    server.script("/a", [.redirect(to: plain.url("/a"))])
    #expect(try await TestTransfers(trusted.settings).fetch(server.url("/a")).trouble == .redirect(.insecure))
    #expect(plain.requests.isEmpty)
  }

  @Test(
    "not from the internet to this network, by whatever name; from here to the internet, and on there",
    arguments: [
      ([NetworkReach.everywhere, .local], false), ([.everywhere, .everywhere, .local], false),
      ([.local, .everywhere, .local], false), ([.local, .local, .everywhere, .everywhere], true),
    ])
  func inward(reaches: [NetworkReach], arrives: Bool) async throws {
    let server = try FaultServer(serving: ["/\(reaches.count - 1)": file])
    for number in 0..<reaches.count - 1 { server.script("/\(number)", [.redirect(to: "/\(number + 1)")]) }
    // What the kernel connects to here is always this device.
    let next = Mutex(reaches)
    var settings = TransferSettings()
    settings.reach = { _ in next.withLock { $0.removeFirst() } }
    let outcome = try await TestTransfers(settings).fetch(server.url("/0"))
    #expect(arrives ? outcome.isAll(of: file.bytes) : outcome.trouble == .redirect(.inward))
    // The connection was there, and nothing was asked on it.
    #expect(server.requests.count == reaches.count - (arrives ? 0 : 1))
  }

  @Test(
    "nor through a proxy, to what its name or number tells to lie inside, and nothing of it is asked",
    arguments: [
      "http://127.0.0.1:22/", "http://[::1]/", "http://192.168.1.1/reboot", "http://2130706433/", "http://10.0.0.1./",
      "http://localhost/", "http://LOCALHOST./", "http://printer/", "http://nas.local/", "http://router.home.arpa/",
    ])
  func inwardByProxy(place: String) async throws {
    let proxy = try FaultServer()
    proxy.always(.redirect(to: place))
    var settings = TransferSettings()
    settings.proxy = "http://127.0.0.1:\(proxy.port)"
    #expect(try await TestTransfers(settings).fetch("http://music.example/a").trouble == .redirect(.inward))
    #expect(proxy.requests.map(\.target) == ["http://music.example/a"])
  }

  @Test("through a proxy it goes on to others on the internet, and inside from where it is inside already")
  func onwardByProxy() async throws {
    for (start, place) in [
      ("http://music.example/a", "http://other.example/b"), ("http://music.example/a", "http://93.184.216.34/b"),
      ("http://nas.local/a", "http://192.168.1.1/b"),
    ] {
      let proxy = try FaultServer()
      proxy.always(.redirect(to: place))
      var settings = TransferSettings()
      settings.proxy = "http://127.0.0.1:\(proxy.port)"
      // The second sends to itself.
      #expect(try await TestTransfers(settings).fetch(start).trouble == .redirect(.loop))
      #expect(proxy.requests.map(\.target) == [start, place])
    }
  }

  @Test("from the internet by a proxy not to a host inside that is reached without it")
  func inwardBesideProxy() async throws {
    let (proxy, inside) = (try FaultServer(), try FaultServer(serving: ["/a": file]))
    proxy.always(.redirect(to: inside.url("/a")))
    var settings = TransferSettings()
    (settings.proxy, settings.withoutProxy) = ("http://127.0.0.1:\(proxy.port)", "127.0.0.1")
    #expect(try await TestTransfers(settings).fetch("http://music.example/a").trouble == .redirect(.inward))
    #expect(inside.requests.isEmpty)
  }

  @Test(
    "addresses of this network are told from those of the internet",
    arguments: [
      ("8.8.8.8", NetworkReach.everywhere), ("2606:4700::1111", .everywhere), ("::ffff:8.8.8.8", .everywhere),
      ("64:ff9b::808:808", .everywhere), ("172.32.0.1", .everywhere), ("100.128.0.1", .everywhere),
      ("127.0.0.1", .local), ("127.255.0.1", .local), ("0.0.0.0", .local), ("10.1.2.3", .local),
      ("172.16.0.1", .local), ("172.31.255.255", .local), ("192.168.178.1", .local), ("169.254.169.254", .local),
      ("100.64.0.1", .local), ("224.0.0.251", .local), ("255.255.255.255", .local), ("::1", .local), ("::", .local),
      ("fe80::1%eth0", .local), ("fd00::1", .local), ("ff02::fb", .local), ("::ffff:10.0.0.1", .local),
      ("64:ff9b::7f00:1", .local), ("2001:db8::1", .local), ("localhost", .local), ("", .local),
    ])
  func reach(address: String, reach: NetworkReach) { #expect(NetworkReach(of: address) == reach) }

  @Test("to https, and what was meant for the first host alone is not told to the next")
  func raised() async throws {
    let trusted = try Trusted()
    let server = try FaultServer(serving: ["/a": file], over: ServedTLS(trusted.server))
    let plain = try FaultServer()
    plain.script("/a", [.redirect(to: "/b")])
    plain.script("/b", [.redirect(to: server.url("/a"))])
    let request = TransferRequest(plain.url("/a"), headers: [("Authorization", "Bearer x")])
    let outcome = try await TestTransfers(trusted.settings).fetch(request)
    #expect(outcome.isAll(of: file.bytes))
    #expect(plain.requests.map { $0["authorization"] } == ["Bearer x", "Bearer x"])
    #expect(server.requests.map { $0["authorization"] } == [nil])
  }

  @Test("not at all when the caller wants to know of them")
  func told() async throws {
    let server = try FaultServer()
    server.script("/a", [.redirect(to: "/b")])
    var request = TransferRequest(server.url("/a"))
    request.redirects = .tell
    let outcome = try await TestTransfers().fetch(request)
    #expect(outcome.head?.status == 302 && outcome.head?["location"] == "/b")
    #expect(server.requests.count == 1)
  }

  @Test("a long page that says elsewhere is not waited for")
  func longPage() async throws {
    let server = try FaultServer(serving: ["/b": file])
    server.script("/a", [.answer(302, [("Location", "/b")], [UInt8](repeating: 0x20, count: 20_000_000))])
    #expect(try await TestTransfers().fetch(server.url("/a")).isAll(of: file.bytes))
    #expect(server.requests[0].sent < 20_000_000)
  }
}
