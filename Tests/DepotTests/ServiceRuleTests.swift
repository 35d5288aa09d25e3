import Runtime
import Services
import TestSupport
import Testing

@testable import depot

@Suite("Rules of a depot that answers")
struct ServiceRuleTests {
  @Test("so many at once, and then one each so many seconds, for each of them")
  func rate() {
    var limiter = RateLimiter(burst: 3, perSecond: 0.5)
    for _ in 1...3 { #expect(limiter.take("a", at: 1_000) == nil) }
    #expect(limiter.take("a", at: 1_000) == 2)
    #expect(limiter.take("b", at: 1_000) == nil)
    #expect(limiter.take("a", at: 2_000) == 1)
    #expect(limiter.take("a", at: 3_000) == nil)
    #expect(limiter.take("a", at: 3_000) == 2)
    // However long nobody came, there are no more than at the beginning.
    for _ in 1...3 { #expect(limiter.take("a", at: 900_000) == nil) }
    #expect(limiter.take("a", at: 900_000) != nil)
  }

  @Test("a flood of addresses is bounded, and who waits goes on waiting")
  func flood() {
    var limiter = RateLimiter(burst: 1, perSecond: 0.001, mostKnown: 100)
    for number in 0..<10_000 { _ = limiter.take("\(number)", at: Int64(number)) }
    #expect(limiter.take("9999", at: 10_000) != nil)
  }

  @Test("an address holds for its path until its end, and for nothing else")
  func addresses() throws {
    let seal = try ServiceSeal.sample()
    let path = try FolderPath("an album/1 & 2.flac")
    let made = try MediaAddress.make(path, at: 1_000, seal)
    #expect(made.address.hasPrefix("/media/an%20album/1%20%26%202.flac?until=4600&sum="))
    let sum = String(made.address.split(separator: "=").last ?? "")
    func standing(_ path: String, _ until: String?, _ sum: String?, at now: Int64) throws -> MediaAddress.Standing {
      try MediaAddress.standing(path, until: until, sum: sum, at: now, seal)
    }
    #expect(try standing(path.text, "4600", sum, at: 4_599) == .holds)
    #expect(try standing(path.text, "4600", sum, at: 4_600) == .over)
    #expect(try standing(path.text, "4601", sum, at: 1_000) == .wrong)
    #expect(try standing(path.text, "04600", sum, at: 1_000) == .holds)
    #expect(try standing("an album/3.flac", "4600", sum, at: 1_000) == .wrong)
    #expect(try standing(path.text, nil, sum, at: 1_000) == .wrong)
    #expect(try standing(path.text, "4600", nil, at: 1_000) == .wrong)
  }

  @Test("a range is what RFC 9110 says")
  func ranges() {
    let cases: [(String?, ByteRange)] = [
      (nil, .whole), ("bytes=0-", .part(0..<100)), ("bytes=10-19", .part(10..<20)), ("bytes=90-200", .part(90..<100)),
      ("bytes=-10", .part(90..<100)), ("bytes=-200", .part(0..<100)), ("bytes=-0", .outside), ("bytes=100-", .outside),
      ("bytes=5-4", .whole), ("bytes=0-1,5-6", .whole), ("bytes=a-b", .whole), ("items=0-1", .whole),
      ("bytes=99999999999999999999-", .whole), ("bytes=0-9223372036854775807", .part(0..<100)), ("bytes=-", .whole),
    ]
    for (header, expected) in cases { #expect(ByteRange(header, of: 100) == expected, "\(header ?? "nil")") }
    #expect(ByteRange("bytes=0-", of: 0) == .outside)
  }

  @Test(
    "a subscription gives licences that need it, one that is over gives none, and without one they hold by themselves")
  func entitlement() {
    #expect(Entitlement(nil, graceEnds: nil, at: 5) == .unbound)
    #expect(Entitlement(.active, graceEnds: nil, at: 5) == .subscribed)
    #expect(Entitlement(.lapsed, graceEnds: 6, at: 5) == .subscribed)
    #expect(Entitlement(.lapsed, graceEnds: 5, at: 5) == .none(.lapsed))
    #expect(Entitlement(.lapsed, graceEnds: nil, at: 5) == .none(.lapsed))
    #expect(Entitlement(.cancelled, graceEnds: 6, at: 5) == .none(.cancelled))
    #expect(Entitlement(.free, graceEnds: nil, at: 5) == .none(.free))
  }

  @Test("days and weeks have numbers, and weeks begin on Monday")
  func periods() {
    // Monday, 2026-11-23, 00:00 UTC.
    let monday: Int64 = 1_795_392_000
    #expect(ListPeriod.week.number(at: monday - 1) + 1 == ListPeriod.week.number(at: monday))
    #expect(ListPeriod.week.number(at: monday) == ListPeriod.week.number(at: monday + 7 * 86_400 - 1))
    #expect(ListPeriod.day.number(at: monday - 1) + 1 == ListPeriod.day.number(at: monday))
  }

  @Test("a list of a period is the same for all of it, and another one in the next")
  func choice() throws {
    let seal = try ServiceSeal.sample()
    let paths = (0..<100).map { "\($0).flac" }
    let one = try ListPeriod.choice(of: paths, 10, period: 1, "a", seal)
    #expect(try ListPeriod.choice(of: paths.reversed(), 10, period: 1, "a", seal) == one)
    #expect(try ListPeriod.choice(of: paths, 10, period: 2, "a", seal) != one)
    #expect(try ListPeriod.choice(of: paths, 10, period: 1, "b", seal) != one)
    #expect(Set(one).count == 10)
  }

  @Test("a share of devices is about that many; one that grows lets none go, and another flag begins with others")
  func shares() throws {
    let devices = (0..<2_000).map { "device \($0)" }
    func held(_ flag: String, _ share: Int64) throws -> Set<String> {
      Set(try devices.filter { try FlagShare.holds($0, for: flag, share: share) })
    }
    #expect(try held("http2", 0).isEmpty && held("http2", 100).count == devices.count)
    var before: Set<String> = []
    for share in stride(from: Int64(0), through: 100, by: 10) {
      let now = try held("http2", share)
      #expect(now.isSuperset(of: before) && abs(now.count - Int(share) * 20) < 80, "\(share): \(now.count)")
      before = now
    }
    let (one, other) = (try held("http2", 10), try held("look-after", 10))
    #expect(one.intersection(other).count < one.count / 3)
  }

  @Test("a token of changes is read as it was written, and nothing else is one")
  func tokens() {
    let token = ChangeToken(epoch: "ab12", number: 7, mark: 99)
    #expect(ChangeToken(token.text) == token)
    for wrong in ["", "a", "a.1", "a.1.2.3", ".1.2", "a.-1.2", "a.x.2", String(repeating: "a", count: 200)] {
      #expect(ChangeToken(wrong) == nil, "\(wrong)")
    }
  }

  @Test("terms of licences are read as they are typed")
  func terms() throws {
    let terms = try LicenceTerms(["--days", "3", "--subscription", "--play-days", "2", "--streaming"], now: 1_000)
    #expect(terms.until == 1_000 + 3 * 86_400 && terms.needsSubscription && terms.playDays == 2 && terms.isForStreaming)
    #expect(terms.members.map(\.0) == ["exp", "needs", "play_days", "use"])
    #expect(try LicenceTerms(["--for-good"], now: 1).members.isEmpty)
    for wrong in [["--days", "0"], ["--days"], ["--play-days", "400"], ["--nonsense"]] {
      _ = try faultOf { try LicenceTerms(wrong) }
    }
  }

  @Test("a server is known by where it listens and by its own name, and by no other")
  func names() throws {
    let plain = try ServeSettings([]).hosts("127.0.0.1:80")
    #expect(plain.contains("localhost:80") && plain.contains("localhost") && plain.contains("[::1]:80"))
    #expect(!plain.contains("127.0.0.1:8090") && !plain.contains("music.example"))
    let named = try ServeSettings(["--listen", "192.0.2.7", "--url", "https://Music.example"])
    #expect(named.hosts("192.0.2.7:8090") == ["192.0.2.7:8090", "music.example"])
  }

  @Test("a server that all can reach has to know by which name")
  func listening() throws {
    #expect(try faultOf { try ServeSettings(["--listen", "0.0.0.0"]) }.code == "D-162")
    for wrong in [
      ["--port", "70000"], ["--url", "music.example"], ["--url", "https://music.example/a"], ["--rate", "0"],
    ] {
      _ = try faultOf { try ServeSettings(wrong) }
    }
  }
}
