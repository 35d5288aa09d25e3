import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Planner")
struct PlannerTests {
  static func key(_ item: String, _ quality: Quality = .high) -> MediaKey {
    MediaKey(source: "shop", item: item, quality: quality)
  }

  static func album(_ id: String) -> ContainerKey { ContainerKey(source: "shop", kind: .album, id: id) }
  static func at(_ seconds: Int64) -> Moment { Moment(nanoseconds: seconds * 1_000_000_000) }

  /// Wants items in the order given, and has them ready.
  static func planner(_ wants: [(item: String, container: String, rank: Rank)], limit: Int = 3) -> Planner {
    var planner = Planner()
    planner.limit = limit
    for (order, want) in wants.enumerated() {
      planner.want(key(want.item), for: album(want.container), .init(want.rank, order: Int64(order), since: at(0)))
      planner.set(key(want.item), ready: true)
    }
    return planner
  }

  /// The order in which all start when one runs at a time.
  static func order(_ planner: Planner, at seconds: Int64 = 0, through gate: Planner.Gate = .open) -> [String] {
    var planner = planner
    planner.limit = 1
    var order: [String] = []
    while let decision = planner.decide(at: at(seconds), through: gate) {
      order.append(decision.start.item.item)
      planner.ended(decision.start)
    }
    return order
  }

  @Test("what is wanted more goes first")
  func ranks() {
    let ranks = Rank.allCases.reversed().map { ("\($0.rawValue)", "x", $0) }
    #expect(Self.order(Self.planner(ranks)) == ["0", "1", "2", "3", "4", "5", "6"])
  }

  @Test("a container keeps its order, and containers take turns")
  func turns() {
    let long = (1...6).map { ("a\($0)", "a", Rank.older) }
    let short = (1...2).map { ("b\($0)", "b", Rank.older) }
    let order = Self.order(Self.planner(long + short))
    #expect(order == ["a1", "b1", "a2", "b2", "a3", "a4", "a5", "a6"])
  }

  @Test("so many run at once, and no more")
  func limit() {
    var planner = Self.planner((1...5).map { ("\($0)", "a", Rank.older) })
    let started = (0..<5).compactMap { _ in planner.decide(at: Self.at(0))?.start.item.item }
    #expect(started == ["1", "2", "3"] && planner.runningCount == 3)
    planner.ended(Self.key("2"))
    #expect(planner.decide(at: Self.at(0))?.start == Self.key("4"))
  }

  @Test("what many want is fetched once, as what it is wanted most for")
  func once() {
    var planner = Self.planner([("x", "a", .predicted), ("y", "a", .older)])
    planner.want(Self.key("x"), for: Self.album("b"), .init(.askedFor, order: 0, since: Self.at(0)))
    #expect(Self.order(planner) == ["x", "y"])
    planner.drop(Self.key("x"), for: Self.album("b"))
    #expect(Self.order(planner) == ["y", "x"])
    planner.drop(Self.key("x"), for: Self.album("a"))
    #expect(Self.order(planner) == ["y"])
  }

  @Test("two qualities of one item are not fetched at once")
  func qualities() {
    var planner = Self.planner([("x", "a", .older)])
    planner.want(Self.key("x", .low), for: Self.album("b"), .init(.older, order: 0, since: Self.at(0)))
    planner.set(Self.key("x", .low), ready: true)
    let first = planner.decide(at: Self.at(0))?.start
    #expect(first?.item.item == "x" && planner.decide(at: Self.at(0)) == nil)
    if let first { planner.ended(first) }
    #expect(planner.decide(at: Self.at(0))?.start.quality == (first?.quality == .low ? .high : .low))
  }

  @Test("what is played takes the place of what is wanted least, and never of what is played too")
  func playing() {
    var planner = Self.planner([("a", "a", .older), ("b", "a", .askedFor), ("c", "a", .predicted)])
    for _ in 0..<3 { _ = planner.decide(at: Self.at(0)) }
    for (item, held) in [("p", "c"), ("q", "a"), ("r", "b")] {
      planner.want(Self.key(item), for: Self.album("q"), .init(.playing, order: 0, since: Self.at(0)))
      planner.set(Self.key(item), ready: true)
      #expect(planner.decide(at: Self.at(0)) == .init(start: Self.key(item), hold: Self.key(held)))
    }
    planner.want(Self.key("s"), for: Self.album("q"), .init(.playing, order: 0, since: Self.at(0)))
    planner.set(Self.key("s"), ready: true)
    #expect(planner.decide(at: Self.at(0)) == nil)
  }

  @Test("a gate lets through what the policy allows, and exceptions")
  func gates() {
    var planner = Self.planner([
      ("a", "a", .askedFor), ("b", "a", .older), ("c", "a", .predicted), ("d", "a", .playing),
    ])
    #expect(Self.order(planner, through: .init(all: nil)) == [])
    #expect(Self.order(planner, through: .init(all: .playing ... .playing)) == ["d"])
    #expect(Self.order(planner, through: .init(all: .askedFor ... .older)) == ["a", "b"])
    planner.set(Self.key("b"), excepted: true)
    #expect(Self.order(planner, through: .init(all: nil, exceptions: .playing ... .older)) == ["b"])
    #expect(Self.order(planner) == ["d", "a", "b", "c"])
  }

  @Test("nothing starves: who has waited beyond its patience is among the next four")
  func starvation() {
    var planner = Self.planner([("old", "a", .predicted)], limit: 1)
    var started: [String] = []
    for number in 0..<400 as Range<Int64> {
      let now = Self.at(number * 3_600)
      // There is always something that is wanted more.
      planner.want(Self.key("new \(number)"), for: Self.album("b"), .init(.askedFor, order: number, since: now))
      planner.set(Self.key("new \(number)"), ready: true)
      guard let decision = planner.decide(at: now) else { break }
      started.append(decision.start.item.item)
      planner.ended(decision.start)
    }
    let place = started.firstIndex(of: "old") ?? .max
    #expect((72...76).contains(place), "\(place)")
  }

  @Test("wanting it again does not send it to the end of the line")
  func again() {
    var planner = Self.planner([("x", "a", .predicted)])
    let late = Self.at(100 * 3_600)
    planner.want(Self.key("x"), for: Self.album("a"), .init(.predicted, order: 0, since: late))
    for number in 0..<8 as Range<Int64> {
      planner.want(Self.key("\(number)"), for: Self.album("b"), .init(.older, order: number, since: late))
      planner.set(Self.key("\(number)"), ready: true)
    }
    #expect(Self.order(planner, at: 100 * 3_600).firstIndex(of: "x") == 3)
  }

  private static func other(_ item: String) -> MediaKey { MediaKey(source: "barn", item: item, quality: .high) }

  private static func want(_ key: MediaKey, _ rank: Rank, in planner: inout Planner, order: Int64 = 0) {
    let container = ContainerKey(source: key.source, kind: .album, id: "z")
    planner.want(key, for: container, .init(rank, order: order, since: at(0)))
    planner.set(key, ready: true)
  }

  @Test("the last place is another source's, as long as that has something that was asked for")
  func lastPlace() {
    for (rank, isOther) in [(Rank.askedFor, true), (.older, true), (.predicted, false)] {
      var planner = Self.planner((1...5).map { ("\($0)", "a", Rank.askedFor) })
      for _ in 0..<2 { _ = planner.decide(at: Self.at(0)) }
      Self.want(Self.other("x"), rank, in: &planner)
      #expect(planner.decide(at: Self.at(0))?.start.source == (isOther ? "barn" : "shop"), "\(rank)")
      #expect(planner.decide(at: Self.at(0)) == nil)
    }
    // Where it may not run it is in nobody's way.
    var planner = Self.planner((1...5).map { ("\($0)", "a", Rank.askedFor) })
    Self.want(Self.other("x"), .older, in: &planner)
    let gate = Planner.Gate(all: .playing ... .start)
    let started = (0..<3).compactMap { _ in planner.decide(at: Self.at(0), through: gate)?.start.source }
    #expect(started == ["shop", "shop", "shop"])
  }

  @Test("what is played gets its place, however many its source has")
  func playedOfFull() {
    var planner = Self.planner((1...5).map { ("\($0)", "a", Rank.askedFor) })
    for _ in 0..<2 { _ = planner.decide(at: Self.at(0)) }
    Self.want(Self.other("x"), .askedFor, in: &planner)
    Self.want(Self.key("p"), .playing, in: &planner)
    #expect(planner.decide(at: Self.at(0))?.start == Self.key("p"))
  }

  @Test("a source that answers nobody leaves a place to the others, whatever it has", arguments: [2, 3, 5])
  func wedged(limit: Int) {
    var planner = Self.planner((1...50).map { ("\($0)", "\($0 % 7)", Rank.askedFor) }, limit: limit)
    for number in 0..<20 as Range<Int64> { Self.want(Self.other("\(number)"), .older, in: &planner, order: number) }
    var come = 0
    while let next = planner.decide(at: Self.at(Int64(come) * 7_200))?.start {
      guard next.source == "barn" else { continue }
      planner.ended(next)
      come += 1
    }
    #expect(come == 20 && planner.runningCount == limit)
  }

  @Test("a decision among 10,000 wanted costs less than a millisecond, while they come and go")
  func speed() {
    var random = SeededGenerator(seed: 1)
    let wants = (0..<10_000).map { ("\($0)", "\($0 % 300)", Rank(rawValue: Int64($0 % 6) + 1) ?? .older) }
    var planner = Self.planner(wants)
    let clock = ContinuousClock()
    var decisions = 0
    var spent = Duration.zero
    for step in 0..<3_000 {
      var started: MediaKey?
      spent += clock.measure { started = planner.decide(at: Self.at(Int64(step)))?.start }
      decisions += 1
      if let started {
        planner.ended(started)
        planner.set(started, ready: Bool.random(using: &random))
      }
      let other = Self.key("\(Int.random(in: 0..<10_000, using: &random))")
      planner.set(other, ready: Bool.random(using: &random))
    }
    #expect(spent / decisions < .milliseconds(1), "\(spent / decisions)")
  }
}

@Suite("Planner on random walks")
struct PlannerWalkTests {
  private struct Wanted {
    var wants: [ContainerKey: Planner.Want] = [:]
    var isReady = false
    var isExcepted = false
    var rank: Rank { wants.values.map(\.rank).min() ?? .predicted }
  }

  @Test(
    "it starts nobody who may not, nobody twice, and nobody before who is wanted more",
    arguments: 0..<40 as Range<UInt64>)
  func walk(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var planner = Planner()
    planner.limit = Int.random(in: 1...4, using: &random)
    var model: [MediaKey: Wanted] = [:]
    var running: Set<MediaKey> = []
    var normalStarts = 0
    for step in 0..<600 {
      let now = PlannerTests.at(Int64(step) * 1_200)
      let quality: Quality = Int.random(in: 0..<8, using: &random) == 0 ? .low : .high
      let key = PlannerTests.key("\(Int.random(in: 0..<30, using: &random))", quality)
      let container = PlannerTests.album("\(Int.random(in: 0..<4, using: &random))")
      switch Int.random(in: 0..<8, using: &random) {
      case 0, 1:
        let rank = Rank.allCases.randomElement(using: &random) ?? .older
        let want = Planner.Want(rank, order: Int64(step), since: now)
        planner.want(key, for: container, want)
        var since = now
        if let before = model[key]?.wants[container] { since = before.since }
        model[key, default: Wanted()].wants[container] = .init(rank, order: Int64(step), since: since)
      case 2:
        planner.drop(key, for: container)
        model[key]?.wants[container] = nil
        if model[key]?.wants.isEmpty == true { model[key] = nil }
      case 3, 4:
        let isReady = Int.random(in: 0..<4, using: &random) > 0
        planner.set(key, ready: isReady)
        model[key]?.isReady = isReady
      case 5:
        planner.set(key, excepted: step % 2 == 0)
        model[key]?.isExcepted = step % 2 == 0
      case 6:
        guard let one = running.sorted().randomElement(using: &random) else { break }
        planner.ended(one)
        running.remove(one)
        model[one]?.isReady = false
      default:
        let gates: [Planner.Gate] = [
          .open, .init(all: nil), .init(all: .playing ... .older),
          .init(all: .playing ... .playing, exceptions: .playing ... .older),
        ]
        let gate = gates.randomElement(using: &random) ?? .open
        let items = Set(running.map(\.item))
        let able = model.filter { key, wanted in
          guard wanted.isReady, !items.contains(key.item) else { return false }
          return gate.all?.contains(wanted.rank) == true
            || wanted.isExcepted && gate.exceptions?.contains(wanted.rank) == true
        }
        let best = able.values.map(\.rank).min()
        let isFull = running.count >= planner.limit
        guard let decision = planner.decide(at: now, through: gate) else {
          let someoneLessWanted = running.contains { (model[$0]?.rank ?? .predicted) > .playing }
          #expect(best == nil || isFull && (best != .playing || !someoneLessWanted), "seed \(seed), step \(step)")
          break
        }
        #expect(able[decision.start] != nil, "seed \(seed), step \(step): \(decision.start)")
        if let held = decision.hold {
          #expect(isFull && best == .playing && running.contains(held), "seed \(seed), step \(step)")
          running.remove(held)
          model[held]?.isReady = false
        }
        let rank = able[decision.start]?.rank
        if rank == best {
          normalStarts += 1
        } else {
          // Only who is overdue.
          let overdue = able[decision.start]?.wants.values.map { $0.since + $0.rank.patience }.min()
          #expect(overdue.map { $0 <= now } == true, "seed \(seed), step \(step): \(decision.start)")
        }
        running.insert(decision.start)
      }
      #expect(Set(planner.runningKeys) == running && running.count <= planner.limit, "seed \(seed), step \(step)")
      #expect(Set(running.map(\.item)).count == running.count, "seed \(seed), step \(step)")
    }
    #expect(normalStarts > 0)
  }
}
