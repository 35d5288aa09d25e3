import Testing

@testable import HTTP

@Suite("Hosts that want TLS get it")
struct StrictHostsTests {
  @Test(
    "the header is read as it is meant",
    arguments: [
      ("max-age=31536000", 31_536_000, false), ("MAX-AGE = \"60\" ; includeSubDomains", 60, true),
      ("includesubdomains;max-age=1;preload;x=y", 1, true), ("max-age=0", 0, false),
      ("max-age=99999999999999999999", Int64.max, false), (";;max-age=5;", 5, false),
    ] as [(String, Int64, Bool)])
  func read(header: String, age: Int64, withSubdomains: Bool) throws {
    let entry = try #require(StrictHosts.parse(header))
    #expect(entry.age == age && entry.withSubdomains == withSubdomains)
  }

  @Test(
    "what makes no sense is not heeded",
    arguments: ["", "max-age", "max-age=", "max-age=-1", "max-age=1;max-age=2", "includeSubDomains", "max-age=\"", "a"])
  func refused(header: String) { #expect(StrictHosts.parse(header) == nil) }

  @Test("for as long as it was asked for, and for whom")
  func scope() {
    var hosts = StrictHosts()
    hosts.hear("max-age=100; includeSubDomains", from: "Music.example", now: 1_000)
    hosts.hear("max-age=100", from: "plain.example", now: 1_000)
    #expect(hosts.mustBeSafe("music.EXAMPLE", now: 1_099))
    #expect(!hosts.mustBeSafe("music.example", now: 1_100))
    #expect(hosts.mustBeSafe("a.b.music.example", now: 1_050))
    #expect(!hosts.mustBeSafe("unmusic.example", now: 1_050))
    #expect(hosts.mustBeSafe("plain.example", now: 1_050))
    #expect(!hosts.mustBeSafe("a.plain.example", now: 1_050))
    #expect(!hosts.mustBeSafe("example", now: 1_050))
  }

  @Test("max-age=0 takes it back; an address is no name")
  func ends() {
    var hosts = StrictHosts()
    hosts.hear("max-age=100", from: "a.example", now: 0)
    hosts.hear("max-age=0", from: "a.example", now: 1)
    hosts.hear("max-age=100", from: "192.0.2.1", now: 0)
    hosts.hear("max-age=100", from: "[2001:db8::1]", now: 0)
    #expect(hosts.hosts.isEmpty)
  }

  @Test("no more hosts than fit are kept: the first to end goes")
  func bounded() {
    var hosts = StrictHosts()
    for number in 0..<300 { hosts.hear("max-age=\(1_000 - number)", from: "h\(number).example", now: 0) }
    #expect(hosts.hosts.count == 200)
    #expect(hosts.mustBeSafe("h0.example", now: 1) && hosts.mustBeSafe("h198.example", now: 1))
  }

  @Test("an address is judged as curl reads it, and raised to TLS with its own port")
  func places() throws {
    let place = try #require(WebPlace("HTTP://Host.example:80/a?b#c"))
    #expect(place.host == "host.example" && place.port == "80" && !place.isSafe)
    #expect(try #require(place.madeSafe).text.hasPrefix("https://"))
    #expect(try #require(place.madeSafe).port == "443")
    #expect(try #require(WebPlace("http://h:8080/a")?.madeSafe).port == "8080")
    #expect(WebPlace("/b", from: place)?.isSameOrigin(as: place) == true)
    #expect(WebPlace("https://host.example/b", from: place)?.isSameOrigin(as: place) == false)
    for bad in ["gopher://a/", "a b", "http://", "http://a b/"] { #expect(WebPlace(bad) == nil, "\(bad)") }
  }

  @Test("what was kept is read back; what is over by then, or was never a host, is not")
  func kept() {
    var hosts = StrictHosts()
    hosts.hear("max-age=100; includeSubDomains", from: "a.example", now: 1_000)
    hosts.hear("max-age=200", from: "b.example", now: 1_000)
    #expect(String(decoding: hosts.bytes, as: UTF8.self) == "a.example 1100 subdomains\nb.example 1200\n")
    #expect(StrictHosts(parsing: hosts.bytes, now: 1_050) == hosts)
    #expect(StrictHosts(parsing: hosts.bytes, now: 1_100).hosts.keys.sorted() == ["b.example"])
    let odd = "c.example\nC.example 9999\nd.example x\ne.example 9999 subdomain\n\u{0} 9999\nf.example 9999"
    #expect(StrictHosts(parsing: Array(odd.utf8), now: 0).hosts.keys.sorted() == ["f.example"])
  }
}
