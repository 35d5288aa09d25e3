import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("What is fetched unasked, performed")
struct SmartDownloadPlannerTests {
  private static let date: Int64 = 1_800_000_000
  private static let container = SmartDownloadPlanner.container(of: "shop")

  private static var rules: TransferRules {
    var rules = Depot.rules
    (rules.isPredicting, rules.quality.downloads) = (true, .fixed(.high))
    return rules
  }

  private static func song(_ item: String) -> ItemKey { ItemKey(source: "shop", item: item) }

  /// Songs that were played so often of late that they are claimed.
  private static func tables(_ items: [String] = ["1", "2"]) -> ShelfRows.Tables {
    var tables = ShelfRows.Tables()
    for number in 0..<5 {
      for item in items { tables.plays.append(ItemPlay(song(item), at: date - Int64(number) * 20_000 - 600)) }
    }
    return tables
  }

  private static func depot(_ tables: ShelfRows.Tables = tables(), after last: Depot? = nil) throws -> Depot {
    try Depot(last?.source ?? OfflinePartTests.shop(), last?.disk ?? MemoryDisk(), last?.rows.all ?? tables, date: date)
  }

  /// Another round.
  private static func again(_ depot: Depot) async {
    await depot.part.refresh()
    await depot.settle()
    await depot.settle(.seconds(1))
  }

  private static func chosen(_ depot: Depot) async -> [String] {
    await depot.part.smartDownloads().map(\.item.item)
  }

  @Test("what was played often of late is fetched when nothing else is to be done, and says why")
  func often() async throws {
    let depot = try Self.depot()
    try await depot.start(Self.rules)
    await depot.settle()
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("2") && !depot.isWhole("3"))
    let lines = await depot.part.smartDownloads()
    #expect(lines.map(\.because.words) == Array(repeating: "played 5 times in two weeks", count: 2), "\(lines)")
    #expect(lines.map(\.title) == ["Song 1", "Song 2"] && lines.allSatisfy(\.isWhole))
    let line = try await OfflinePartTests.line(depot, Self.container)
    #expect(line.because.map(\.words) == ["played 5 times in two weeks"] && line.state == .whole)
  }

  @Test("what stands in the queue is fetched before it is reached; a queue that changes is looked at anew")
  func queue() async throws {
    let depot = try Self.depot(ShelfRows.Tables())
    await depot.part.noteQueued([Self.song("2"), ItemKey(source: "elsewhere", item: "1")])
    try await depot.start(Self.rules)
    await depot.settle()
    await depot.settle()
    #expect(depot.isWhole("2") && !depot.isWhole("1") && !depot.isWhole("3"))
    #expect(await depot.part.smartDownloads().map(\.because.words) == ["it is next in the queue"])
    // Nobody is to wait for the next round of all of them.
    await depot.part.noteQueued([Self.song("2"), Self.song("3")])
    await depot.settle(SmartDownloadPlanner.queueSettlesWithin)
    await depot.settle()
    #expect(depot.isWhole("3") && !depot.isWhole("1"))
    #expect(await Self.chosen(depot) == ["2", "3"])
  }

  @Test("the plan says why it may be wanted, and where bytes cost or no charger is there nothing of it comes")
  func policy() async throws {
    let depot = try Self.depot()
    try await depot.start(Self.rules)
    depot.fetching.state.withLock { $0.isHalting = true }
    await depot.settle()
    let plan = await depot.part.plan(count: 5)
    #expect(plan.map(\.because) == Array(repeating: "it may be wanted: played 5 times in two weeks", count: 2))
    for change in [\.isMetered, \.isOnBattery] as [WritableKeyPath<TransferConditions, Bool>] {
      var situation = Depot.home
      situation[keyPath: change] = true
      await depot.part.take(situation)
      await depot.settle(.seconds(1))
      let why = await depot.part.plan(count: 5).flatMap(\.why).map(\.code)
      #expect(Set(why).isSubset(of: ["O-104", "O-112"]) && why.count == 2, "\(why)")
    }
    #expect(depot.lastWaits() == nil, "nobody misses what nobody has asked for")
  }

  @Test("nobody who has not asked for it gets anything; without the time of day nothing is chosen")
  func optIn() async throws {
    for (isPredicting, minute) in [(false, 600), (true, nil)] as [(Bool, Int?)] {
      var (rules, situation) = (Self.rules, Depot.home)
      (rules.isPredicting, situation.minute) = (isPredicting, minute)
      let depot = try Self.depot()
      try await depot.start(rules, situation)
      await Self.again(depot)
      #expect(depot.fetching.state.withLock { $0.asked.isEmpty })
      #expect(await Self.chosen(depot).isEmpty)
    }
  }

  @Test("sent away it goes at once, and does not come back, not after a power cut either")
  func revoked() async throws {
    let depot = try Self.depot()
    try await depot.start(Self.rules)
    await depot.settle()
    await depot.settle()
    try await depot.part.dismissSmartDownload(Self.song("1"))
    await Self.again(depot)
    #expect(!depot.isWhole("1") && depot.isWhole("2"))
    #expect(await Self.chosen(depot) == ["2"])
    let next = try Self.depot(after: depot)
    try await next.start(Self.rules)
    await next.settle()
    #expect(await Self.chosen(next) == ["2"])
    #expect(try await next.part.dismissAllSmartDownloads() == 1)
    await Self.again(next)
    #expect(await Self.chosen(next).isEmpty)
    #expect(!next.isWhole("2") && next.disk.names.isEmpty)
    await #expect(throws: Fault.self) { try await next.part.dismissSmartDownload(Self.song("2")) }
  }

  @Test("what has left the prediction stays until its room is needed, and is the first to go then")
  func leaves() async throws {
    let depot = try Self.depot()
    try await depot.start(Self.rules)
    await depot.settle()
    await depot.settle()
    // Two weeks on nobody has listened to anything.
    let later = try Depot(depot.source, depot.disk, depot.rows.all, date: Self.date + 20 * 86_400)
    try await later.start(Self.rules)
    await later.settle()
    #expect(await Self.chosen(later).isEmpty)
    #expect(later.isWhole("1") && later.record("1")?.isCache == true)
    #expect(await later.part.list().isEmpty)
    var rules = Self.rules
    rules.limit = 130_000
    await later.part.take(rules)
    _ = try await later.part.want(OfflinePartTests.list, at: .high)
    await later.settle()
    #expect(later.told.contains { if case .gaveUp(_, .cached, _) = $0 { true } else { false } })
    #expect(later.isWhole("3") && later.isWhole("4") && later.isWhole("1") != later.isWhole("2"))
  }

  @Test("what the owner wants is no smart download; dropped, it may be again")
  func asked() async throws {
    let depot = try Self.depot()
    try await depot.start(Self.rules)
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    await depot.settle()
    #expect(await Self.chosen(depot).isEmpty)
    _ = try await depot.part.drop(OfflinePartTests.album)
    await Self.again(depot)
    #expect(await Self.chosen(depot) == ["1", "2"])
    #expect(depot.isWhole("1") && !depot.isWhole("3"))
  }

  @Test("switched off by the owner's file nothing is wanted of it any more, and the other wishes are as they were")
  func switchedOff() async throws {
    let depot = try Self.depot()
    try await depot.start(Self.rules)
    _ = try await depot.part.want(OfflinePartTests.list, at: .high)
    await depot.settle()
    await depot.settle()
    let next = try Self.depot(after: depot)
    try await next.start(Depot.rules)
    await next.settle()
    #expect(await Self.chosen(next).isEmpty)
    #expect(await next.part.list().map(\.container) == [OfflinePartTests.list])
    #expect(next.isWhole("3") && next.isWhole("4") && next.record("1")?.isCache == true)
  }

  @Test("what a smart download takes away from nobody: with the space used up by what was asked for, none is chosen")
  func crowded() async throws {
    let depot = try Self.depot(Self.tables(["4", "5"]))
    var rules = Self.rules
    (rules.limit, rules.quality.downloads) = (170_000, .fixed(.lossless))
    try await depot.start(rules)
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    await depot.settle()
    #expect(!depot.isWhole("4", .lossless) && depot.isWhole("1") && depot.isWhole("2") && depot.isWhole("3"))
    #expect(depot.lastWaits() == nil)
  }

  @Test("what made room is not fetched again at once")
  func toldOff() async throws {
    let depot = try Self.depot(Self.tables(["4", "5"]))
    var rules = Self.rules
    (rules.limit, rules.quality.downloads) = (130_000, .fixed(.lossless))
    try await depot.start(rules)
    await depot.settle()
    await depot.settle()
    #expect(depot.isWhole("4", .lossless) && depot.isWhole("5", .lossless))
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    #expect(depot.isWhole("1") && depot.isWhole("2") && depot.isWhole("3"))
    #expect(await Self.chosen(depot).count < 2)
    let asked = depot.fetching.state.withLock { $0.asked.count }
    await Self.again(depot)
    #expect(depot.fetching.state.withLock { $0.asked.count } == asked)
  }

  @Test("a smart download is in the way of no wish: with as many tracks as are allowed it goes first")
  func quota() async throws {
    let depot = try Self.depot(Self.tables(["4", "5"]))
    try await depot.start(Self.rules)
    await depot.settle()
    await depot.settle()
    #expect(await Self.chosen(depot) == ["4", "5"])
    // Where that is of no help it stays.
    await depot.part.allow(2)
    #expect(try await depot.part.want(OfflinePartTests.album, at: .high) == .refused(over: 3))
    #expect(await Self.chosen(depot) == ["4", "5"])
    await depot.part.allow(4)
    guard case .wanted = try await depot.part.want(OfflinePartTests.album, at: .high) else {
      Issue.record("it was refused")
      return
    }
    await depot.settle()
    #expect(await Self.chosen(depot).isEmpty)
    #expect(depot.isWhole("1") && depot.isWhole("2") && depot.isWhole("3") && depot.isWhole("4"))
  }

  @Test("smart downloads take no places from the next: near the limit they do not come and go")
  func nearTheLimit() async throws {
    let depot = try Self.depot(Self.tables(["4", "5"]))
    // So many more are left free for the owner.
    await depot.part.allow(1_000 + 2)
    try await depot.start(Self.rules)
    await depot.settle()
    await depot.settle()
    for round in 0..<3 {
      #expect(await Self.chosen(depot) == ["4", "5"], "round \(round)")
      await depot.settle(.seconds(26 * 3_600))
    }
  }

  @Test("a list that the source makes for the listener is looked at when it is made anew")
  func lists() async throws {
    let depot = try Self.depot(ShelfRows.Tables())
    depot.source.state.withLock {
      $0.personal = [PersonalList(ContainerID(.playlist, "b"), title: "Your day", isWeekly: false)]
    }
    try await depot.start(Self.rules)
    await depot.settle()
    #expect(await depot.part.smartDownloads().map(\.because.words) == ["it is in Your day", "it is in Your day"])
    #expect(await Self.chosen(depot) == ["3", "4"])
    depot.source.state.withLock { $0.lists["b"] = ["5"] }
    await Self.again(depot)
    #expect(await Self.chosen(depot) == ["3", "4"])
    await depot.settle(.seconds(26 * 3_600))
    #expect(await Self.chosen(depot) == ["5"])
  }

  @Test("a source that does not answer changes nothing that was chosen, and is asked again")
  func silent() async throws {
    let depot = try Self.depot()
    try await depot.start(Self.rules)
    await depot.settle()
    depot.source.state.withLock { $0.isSilent = true }
    await Self.again(depot)
    #expect(await Self.chosen(depot) == ["1", "2"])
  }

  @Test("plays of what was fetched count: for the prediction, and for what is given up last")
  func plays() async throws {
    let depot = try Self.depot(ShelfRows.Tables())
    try await depot.start(Depot.rules)
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    let path = FilePath(try #require(depot.record("2")?.path))
    for day in [1, 2] as [Int64] { await depot.part.heard(path, at: Self.date + day * 86_400) }
    await depot.part.heard(FilePath("/elsewhere/2.flac"), at: Self.date)
    await depot.settle(.seconds(1))
    #expect(depot.record("2")?.plays == 2 && depot.record("2")?.playedAt == Self.date + 2 * 86_400)
    #expect(depot.record("1")?.plays == 0 && depot.record("1")?.playedAt == nil)
    #expect(depot.rows.all.plays.map(\.item) == [Self.song("2"), Self.song("2")])
    await depot.part.heard(Self.song("4").address, at: Self.date)
    #expect(depot.rows.all.plays.last?.item == Self.song("4"))
  }
}

extension OfflinePart {
  fileprivate func allow(_ tracks: Int) { wanted.wants.quota = tracks }
}

extension TransferConditions {
  fileprivate var isOnBattery: Bool {
    get { !hasCharger }
    set { hasCharger = !newValue }
  }
}
