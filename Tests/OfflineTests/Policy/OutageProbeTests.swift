import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Who looks whether a source serves again")
struct OutageProbeTests {
  private static func key(_ item: String, of source: String = "a") -> MediaKey {
    MediaKey(source: source, item: item, quality: .high)
  }

  private static func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

  private static func waiting(_ items: [String], of source: String = "a") -> OutageProbe {
    var scouting = OutageProbe()
    for (order, item) in items.enumerated() {
      scouting.waits(key(item, of: source), for: .server, at: at(Int64(order)))
    }
    return scouting
  }

  @Test(
    "one looks for all, after 5 s, then an eighth or a quarter of the time since, an hour at most; each time another")
  func turns() {
    var scouting = Self.waiting(["1", "2", "3"])
    var (now, pauses, looked): (Int64, [Int64], [String]) = (0, [], [])
    var last: Int64 = 0
    while now < 86_400 {
      now += 1
      for scout in scouting.scouts(at: Self.at(now)) {
        looked.append(scout.item.item)
        pauses.append(now - last)
        last = now
        scouting.waits(scout, for: .server, at: Self.at(now))
      }
    }
    #expect(looked.prefix(6) == ["1", "2", "3", "1", "2", "3"])
    #expect(pauses.prefix(8).allSatisfy { $0 == 5 } && pauses.suffix(9).allSatisfy { $0 == 3_600 })
    #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $0 <= $1 })
    #expect((55...75).contains(looked.count), "\(looked.count)")
  }

  @Test("what alone is odd looks after a minute, two, four; and the same board keeps a pace of its own")
  func oddPauses() {
    for pace in [0.75, 1] {
      var scouting = OutageProbe(pace: pace)
      let bad = Self.key("bad")
      scouting.waits(bad, for: .server, at: Self.at(0))
      _ = scouting.came(Self.key("1"), for: .server)
      scouting.waits(bad, for: .server, at: Self.at(0))
      var (now, pauses, last) = (Int64(0), [Int64](), Int64(0))
      while now < 20_000 {
        now += 1
        for scout in scouting.scouts(at: Self.at(now)) {
          pauses.append(now - last)
          last = now
          scouting.waits(scout, for: .server, at: Self.at(now))
        }
      }
      #expect(pauses.first == Int64(60 * pace) && pauses.max() == Int64(3_600 * pace), "\(pauses)")
      #expect(zip(pauses, pauses.dropFirst()).allSatisfy { $1 <= 2 * $0 + 1 }, "\(pauses)")
    }
  }

  @Test("when anything comes from a source all that wait for it go on, and nobody else")
  func goesOn() {
    var scouting = Self.waiting(["1", "2"])
    scouting.waits(Self.key("3", of: "b"), for: .server, at: Self.at(0))
    scouting.waits(Self.key("4"), for: .source, at: Self.at(0))
    #expect(scouting.came(Self.key("9"), for: .server) == [Self.key("1"), Self.key("2")])
    #expect(scouting.came(Self.key("9"), for: .server) == [])
    #expect(scouting.came(Self.key("9"), for: .source) == [Self.key("4")])
    #expect(scouting.came(Self.key("9", of: "b"), for: .server) == [Self.key("3", of: "b")])
    #expect(scouting.isEmpty)
  }

  @Test("what fails again where others have just succeeded is not tried with each of them, but in its turn")
  func odd() {
    var scouting = Self.waiting(["bad"])
    #expect(scouting.came(Self.key("1"), for: .server) == [Self.key("bad")])
    scouting.waits(Self.key("bad"), for: .server, at: Self.at(10))
    for item in 2..<50 { #expect(scouting.came(Self.key("\(item)"), for: .server) == []) }
    #expect(scouting.scouts(at: Self.at(69)) == [] && scouting.scouts(at: Self.at(70)) == [Self.key("bad")])
    // It is like any other when something has come of it.
    #expect(scouting.came(Self.key("bad"), for: .server) == [])
    scouting.waits(Self.key("bad"), for: .server, at: Self.at(80))
    #expect(scouting.came(Self.key("1"), for: .server) == [Self.key("bad")])
  }

  @Test("of a source that comes, goes and comes again not all is odd: the first of it that comes lets all go on")
  func flap() {
    var scouting = Self.waiting(["1", "2", "3"])
    let all = ["1", "2", "3"].map { Self.key($0) }
    #expect(scouting.came(Self.key("9"), for: .server) == all)
    for key in all { scouting.waits(key, for: .server, at: Self.at(10)) }
    #expect(scouting.came(Self.key("9"), for: .server) == [])
    #expect(scouting.scouts(at: Self.at(70)) == [all[0]])
    #expect(scouting.came(all[0], for: .server) == [all[1], all[2]])
  }

  @Test("an address that its source gives shows nothing of the server: what is odd there stays it")
  func oddInOneWay() {
    var scouting = Self.waiting(["bad"])
    for round in 1..<50 as Range<Int64> {
      #expect(scouting.came(Self.key("1"), for: .server) == (round == 1 ? [Self.key("bad")] : []))
      #expect(scouting.came(Self.key("bad"), for: .source) == [])
      scouting.waits(Self.key("bad"), for: .server, at: Self.at(round))
    }
    #expect(scouting.came(Self.key("bad"), for: .server) == [Self.key("bad")])
  }

  @Test("another line lets all of them go on, and forgets who was odd")
  func newLine() {
    var scouting = Self.waiting(["bad", "2"])
    _ = scouting.came(Self.key("1"), for: .server)
    scouting.waits(Self.key("bad"), for: .server, at: Self.at(10))
    scouting.waits(Self.key("3", of: "b"), for: .source, at: Self.at(11))
    #expect(scouting.newLine() == [Self.key("bad"), Self.key("3", of: "b")])
    #expect(scouting.isEmpty)
    scouting.waits(Self.key("bad"), for: .server, at: Self.at(20))
    #expect(scouting.came(Self.key("1"), for: .server) == [Self.key("bad")])
  }

  @Test("who left is not sent, nor who would not be fetched; a scout that never comes back keeps no other from looking")
  func leaves() {
    var scouting = Self.waiting(["1", "2", "3"])
    scouting.left(Self.key("1"))
    #expect(scouting.scouts(at: Self.at(60)) { $0.item.item != "2" } == [Self.key("3")])
    scouting.left(Self.key("3"))
    #expect(scouting.scouts(at: Self.at(119)) == [] && scouting.scouts(at: Self.at(120)) == [Self.key("2")])
    scouting.waits(Self.key("2"), for: .portal, at: Self.at(190))
    #expect(scouting.scouts(at: Self.at(9_999)) == [])
  }

  @Test("whatever happens, whoever waits is sent or let go on in the end", arguments: 0..<50 as Range<UInt64>)
  func walk(seed: UInt64) {
    var dice = SeededGenerator(seed: seed)
    var (scouting, waiting, now) = (OutageProbe(), Set<MediaKey>(), Int64(0))
    for step in 0..<400 {
      now += Int64.random(in: 0...100, using: &dice)
      let key = Self.key("\(Int.random(in: 0..<9, using: &dice))", of: Bool.random(using: &dice) ? "a" : "b")
      switch Int.random(in: 0..<6, using: &dice) {
      case 0...2:
        scouting.waits(key, for: .server, at: Self.at(now))
        waiting.insert(key)
      case 3:
        let going = scouting.came(key, for: .server)
        #expect(waiting.isSuperset(of: going) && going.allSatisfy { $0.source == key.source }, "seed \(seed), \(step)")
        waiting.subtract(going)
      case 4:
        let scouts = scouting.scouts(at: Self.at(now))
        #expect(waiting.isSuperset(of: scouts), "seed \(seed), \(step)")
        #expect(Set(scouts.map(\.source)).count == scouts.count, "seed \(seed), \(step)")
        waiting.subtract(scouts)
      default:
        scouting.left(key)
        waiting.remove(key)
      }
    }
    // An hour for each of them is enough.
    for _ in waiting {
      now += 3_600
      waiting.subtract(scouting.scouts(at: Self.at(now)))
    }
    #expect(waiting.isEmpty, "seed \(seed)")
  }
}

@Suite("Whose page it is")
struct CaptivePortalDetectorTests {
  private static func key(_ item: String, of source: String) -> MediaKey {
    MediaKey(source: source, item: item, quality: .high)
  }

  private static func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

  @Test(
    "only what came after the page says that it was the source's own, and not for ever",
    arguments: [
      ([], [], false), ([10], [], false), ([], [10], false), ([10], [9], false), ([10], [10], false),
      ([10], [11], true), ([10, 20], [15], false), ([10], [5, 11], true), ([10, 20], [15, 21], true),
    ] as [([Int64], [Int64], Bool)])
  func proves(pages: [Int64], proofs: [Int64], isProven: Bool) {
    var watch = CaptivePortalDetector()
    for second in 0...30 as ClosedRange<Int64> {
      if pages.contains(second) { watch.page(of: Self.key("\(second)", of: "a"), at: Self.at(second)) }
      if proofs.contains(second) { watch.proved(at: Self.at(second)) }
    }
    #expect(watch.isProven(for: Self.key("1", of: "a"), at: Self.at(31)) == isProven)
    #expect(!watch.isProven(for: Self.key("1", of: "b"), at: Self.at(31)))
    #expect(!watch.isProven(for: Self.key("1", of: "a"), at: Self.at(9_000)))
  }

  @Test("where nobody says whose it is, the third page in place of one item is its source's, and only that item's")
  func third() {
    var watch = CaptivePortalDetector()
    let (one, two) = (Self.key("1", of: "a"), Self.key("2", of: "a"))
    for page in 1...3 as ClosedRange<Int64> {
      #expect(watch.isProven(for: one, at: Self.at(page)) == (page == 3))
      watch.page(of: one, at: Self.at(page))
    }
    #expect(!watch.isProven(for: two, at: Self.at(4)))
    watch.came(one)
    #expect(!watch.isProven(for: one, at: Self.at(5)))
  }

  @Test("who was found to show pages of its own is known for that until something else comes from there")
  func own() {
    var watch = CaptivePortalDetector()
    let (one, two) = (Self.key("1", of: "a"), Self.key("2", of: "a"))
    watch.ownPage(of: one)
    #expect(watch.isProven(for: one, at: Self.at(9_000)) && watch.isProven(for: two, at: Self.at(9_000)))
    #expect(!watch.isProven(for: Self.key("1", of: "b"), at: Self.at(9_000)))
    // Only that one shows a page.
    watch.came(two)
    #expect(watch.isProven(for: one, at: Self.at(9_000)) && !watch.isProven(for: two, at: Self.at(9_000)))
    watch.came(one)
    #expect(!watch.isProven(for: one, at: Self.at(9_000)))
  }
}
