import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Keeper")
struct KeeperTests {
  private static func days(_ count: Double) -> Duration { .seconds(Int64(count * 86_400)) }

  private static func kept(
    _ id: String, _ kind: Kept.Kind, _ megabytes: Int64 = 100, played: Double? = nil, plays: Int = 0,
    changed: Double = 0
  ) -> Kept {
    var kept = Kept(id, kind, bytes: megabytes * 1_000_000)
    (kept.sincePlayed, kept.plays) = (played.map { days($0) }, plays)
    kept.sinceChanged = days(changed)
    return kept
  }

  /// One of each class, the last first.
  private static let all: [Kept] = [
    kept("predicted", .predicted, played: 1, plays: 3), kept("cached", .cached, played: 8, plays: 1),
    kept("partial", .partial, changed: 7),
  ]

  private static let order = ["partial", "cached", "predicted"]

  @Test("the classes go in their order, as far as is needed and no further")
  func order() {
    for count in 1...Self.all.count {
      let usage = Keeper.Usage(kept: 300_000_000, free: 500_000_000)
      let plan = Keeper().plan(for: Self.all, usage, incoming: Int64(count) * 100_000_000)
      #expect(plan.leaving.map(\.id) == Array(Self.order.prefix(count)))
    }
  }

  @Test("without need only what is of no use to anybody goes")
  func noNeed() {
    let plan = Keeper().plan(for: Self.all, .init(kept: 300_000_000, free: .max))
    #expect(plan.leaving.map(\.id) == ["partial"] && plan.warnings == [] && plan.missing == 0)
    #expect(plan.leaving.map(\.of) == [.stalePartial])
  }

  @Test("a partial is stale after 7 days, and after one when space is needed")
  func partials() {
    let partials = [0.9, 1, 6.9, 7].map { Self.kept("\($0)", .partial, 1, changed: $0) }
    #expect(Keeper().plan(for: partials, .init(kept: 0, free: .max)).leaving.map(\.id) == ["7.0"])
    let pressed = Keeper().plan(for: partials, .init(kept: 0, free: 0))
    #expect(pressed.leaving.map(\.id) == ["7.0", "6.9", "1.0"])
  }

  @Test("what was streamed stays for 7 days after it was played; then the least recently played goes first")
  func cache() {
    let cached = [6.9, 7, 50, 8].map { (days: Double) in Self.kept("\(days)", .cached, 1, played: days, plays: 1) }
    #expect(Keeper().plan(for: cached, .init(kept: 0, free: 0)).leaving.map(\.id) == ["50.0", "8.0", "7.0"])
  }

  @Test("the score is that of the rule")
  func score() {
    #expect(Self.kept("", .predicted).score == 0.7 / (1 + 365.0 / 30))
    #expect(Self.kept("", .predicted, played: 0, plays: 1).score == 0.7)
    let often = Self.kept("", .predicted, played: 30, plays: 1_000)
    #expect(abs(often.score - (0.35 + 0.9)) < 1e-9)
  }

  @Test("inside a class the smallest score goes first")
  func scores() {
    let tracks = [(1, 2), (80, 2), (1, 5), (80, 1)].map { played, plays in
      Self.kept("\(played) \(plays)", .predicted, 1, played: Double(played), plays: plays)
    }
    #expect(Keeper().plan(for: tracks, .init(kept: 0, free: 0)).leaving.map(\.id) == ["80 1", "80 2", "1 2", "1 5"])
  }

  @Test(
    "near the limit a tenth of it is made free, and from 80 % on it is told",
    arguments: [(79, 0, nil), (80, 0, 80), (94, 0, 94), (95, 1_000, 85), (99, 1_000, 89), (120, 2_000, 100)]
      as [(Int64, Int64, Int?)])
  func limits(percent: Int64, freed: Int64, warning: Int?) {
    let tracks = (0..<200).map { Self.kept("\($0)", .predicted) }
    let plan = Keeper().plan(for: tracks, .init(kept: percent * 100_000_000, free: .max))
    #expect(plan.freed == freed * 1_000_000)
    #expect(plan.warnings == (warning.map { [.nearLimit($0)] } ?? []))
  }

  @Test("what cannot be made free is told")
  func missing() {
    let asked = Self.all.map { item -> Kept in
      var item = item
      item.isAskedFor = true
      return item
    }
    let plan = Keeper().plan(for: asked, .init(kept: 0, free: 100_000_000), incoming: 50_000_000)
    #expect(plan.leaving == [] && plan.missing == 450_000_000 && plan.warnings == [.lowDisk(100_000_000)])
  }

  @Test("an audiobook that fits when the old cache goes has it go; what fits in no case takes nothing with it")
  func incoming() {
    var keeper = Keeper()
    keeper.limit = 1_000_000_000
    let cached = (0..<5).map { Self.kept("\($0)", .cached, played: 10 + Double($0), plays: 1) }
    let all = cached + [Self.kept("partial", .partial, changed: 2), Self.kept("stale", .partial, changed: 7)]
    let usage = Keeper.Usage(kept: 700_000_000, free: .max)
    let book = keeper.plan(for: all, usage, incoming: 600_000_000)
    #expect(book.leaving.map(\.id) == ["stale", "partial", "4"] && book.missing == 0)
    #expect(book.warnings == [.nearLimit(100)])
    let nonsense = keeper.plan(for: all, usage, incoming: 1_000_000_000_000)
    #expect(nonsense.leaving.map(\.id) == ["stale"] && nonsense.missing > 0 && nonsense.warnings == [])
    // What has to go anyway goes.
    let full = Keeper.Usage(kept: 960_000_000, free: .max)
    #expect(keeper.plan(for: cached, full, incoming: 1_000_000_000_000).leaving.map(\.id) == ["4"])
  }

  @Test("a warning is told once, and again when it was quiet for hours")
  func told() {
    var told = ToldWarnings()
    func at(_ minutes: Int64) -> Moment { Moment(nanoseconds: minutes * 60_000_000_000) }
    #expect(told.hear([.nearLimit(80)], at: at(0)) == [.nearLimit(80)])
    // It goes to and fro over the border.
    for minute in 1...600 as ClosedRange<Int64> {
      #expect(told.hear(minute % 7 == 0 ? [] : [.nearLimit(80 + Int(minute % 5))], at: at(minute)) == [])
    }
    #expect(told.hear([.nearLimit(90), .lowDisk(1)], at: at(601)) == [.lowDisk(1)])
    #expect(told.hear([.nearLimit(81)], at: at(1_000)) == [.nearLimit(81)])
    #expect(Set(["O-126", "O-127"]) == Set([Keeper.Warning.nearLimit(1), .lowDisk(1)].map(\.code)))
  }

  @Test("numbers that make no sense end nothing")
  func nonsense() {
    let odd = [("a", .max), ("b", .max), ("c", -5)].map { Kept($0, .predicted, bytes: $1) }
    let plan = Keeper().plan(for: odd, .init(kept: .max, free: .min), incoming: .max)
    #expect(plan.leaving.count <= 3)
  }

  @Test("whatever is kept and however full it is, the laws hold", arguments: 0..<300 as Range<UInt64>)
  func laws(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let items = (0..<Int.random(in: 0..<80, using: &random)).map { number -> Kept in
      var item = Kept("\(number)", Kept.Kind.allCases.randomElement(using: &random) ?? .cached, bytes: 0)
      item.bytes = Int64.random(in: 1...300_000_000, using: &random)
      item.isAskedFor = Int.random(in: 0..<3, using: &random) == 0
      item.isInUse = Int.random(in: 0..<10, using: &random) == 0
      item.plays = Int.random(in: 0..<9, using: &random)
      item.sincePlayed = item.plays == 0 ? nil : Self.days(Double.random(in: 0..<200, using: &random))
      item.sinceChanged = Self.days(Double.random(in: 0..<14, using: &random))
      return item
    }
    let keptBytes = items.reduce(0) { $0 + $1.bytes }
    let usage = Keeper.Usage(kept: keptBytes, free: Int64.random(in: 0...2_000_000_000, using: &random))
    var keeper = Keeper()
    keeper.limit = Int64.random(in: 1...20_000_000_000, using: &random)
    let incoming = Int64.random(in: 0...200_000_000, using: &random)
    let plan = keeper.plan(for: items, usage, incoming: incoming)
    let known = Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0) })
    for leaving in plan.leaving {
      #expect(known[leaving.id]?.isAskedFor == false && known[leaving.id]?.isInUse == false, "seed \(seed)")
    }
    #expect(Set(plan.leaving.map(\.id)).count == plan.leaving.count, "seed \(seed)")
    let classes = plan.leaving.map(\.of)
    #expect(classes == classes.sorted(), "seed \(seed)")
    // Nothing that stays is of a class before one that goes.
    let gone = Set(plan.leaving.map(\.id))
    if let last = classes.last {
      for item in items where !gone.contains(item.id) {
        let stays = keeper.kind(of: item, needsRoom: true)
        #expect(stays.map { $0 >= last || $0 <= .stalePartial } ?? true, "seed \(seed): \(item.id)")
      }
    }
    // Either there is room afterwards, or nothing is left that could go.
    let free = usage.free + plan.freed - incoming
    let isRoom = free >= keeper.reserve && keptBytes + incoming - plan.freed <= keeper.limit
    #expect(isRoom || plan.missing > 0, "seed \(seed)")
    let without = keeper.plan(for: items, usage)
    if plan.missing > 0 {
      // For what does not fit nothing goes; what has to go without it does.
      #expect(plan.leaving == without.leaving, "seed \(seed)")
      let left = items.filter { !gone.contains($0.id) && keeper.kind(of: $0, needsRoom: true) != nil }
      let all = left.reduce(plan.freed) { $0 + $1.bytes }
      let isHopeless =
        usage.free + all - incoming < keeper.reserve || keptBytes + incoming - all > keeper.limit
        || keptBytes + incoming >= keeper.limit / 100 * 95 && all < keeper.limit / 100 * 10
      #expect(isHopeless, "seed \(seed)")
    }
    if without.missing > 0 {
      let stay = items.filter { item in !without.leaving.contains { $0.id == item.id } }
      #expect(stay.allSatisfy { keeper.kind(of: $0, needsRoom: true) == nil }, "seed \(seed)")
    }
    // Without the last one it would not have been enough.
    let spare = plan.leaving.filter { $0.of > .stalePartial }
    if plan.missing == 0, let last = spare.last {
      let before = plan.freed - last.bytes
      let wasRoom = usage.free + before - incoming >= keeper.reserve && keptBytes + incoming - before <= keeper.limit
      let wasTenth = keptBytes + incoming < keeper.limit / 100 * 95 || before >= keeper.limit / 100 * 10
      #expect(!(wasRoom && wasTenth), "seed \(seed)")
    }
  }
}
