import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("Which container comes first")
struct RankingTests {
  private static let seconds: Int64 = 2 * 86_400
  private static let days = Duration.seconds(seconds)
  /// Without a network, but with the time of day.
  private static var nowhere: TransferConditions {
    var situation = TransferConditions()
    situation.minute = 600
    return situation
  }

  private static func list(_ name: String) -> ContainerKey { ContainerKey(source: "shop", kind: .playlist, id: name) }

  private static func shop() -> ChangingSource {
    var generator = SeededGenerator(seed: 21)
    var items: [String: [UInt8]] = [:]
    for name in ["a1", "a2", "b1", "b2", "c1", "c2"] { items[name] = PartFileTests.bytes(20_000, &generator) }
    return ChangingSource(items, lists: ["a": ["a1", "a2"], "b": ["b1", "b2"], "c": ["c1", "c2"]])
  }

  private static func ranks(_ depot: Depot) async -> [String: Rank] {
    let lines = await depot.part.plan(count: 20)
    return Dictionary(lines.map { ($0.key.item.item, $0.rank) }) { first, _ in first }
  }

  /// All three are wanted, and nothing of them is here: there is no network.
  private static func depot() async throws -> Depot {
    let depot = try Depot(Self.shop())
    try await depot.start()
    await depot.part.take(Self.nowhere)
    for name in ["a", "b", "c"] { _ = try await depot.part.want(Self.list(name), at: .high) }
    await depot.settle()
    return depot
  }

  @Test("what is a day old makes way for what is asked for now, and asked for again it is new again")
  func aging() async throws {
    let depot = try await Self.depot()
    #expect(Set(await Self.ranks(depot).values) == [.askedFor])
    await depot.settle(Self.days)
    _ = try await depot.part.want(Self.list("b"), at: .high)
    var ranks = await Self.ranks(depot)
    #expect(ranks["a1"] == .older && ranks["b2"] == .askedFor && ranks["c2"] == .older)
    #expect(await depot.part.plan(count: 2).map(\.key.item.item) == ["b1", "b2"])
    // After a start as before.
    let next = try Depot(depot.source, depot.disk, depot.rows.all, date: 1_000 + Self.seconds)
    try await next.start(Depot.rules, Self.nowhere)
    ranks = await Self.ranks(next)
    #expect(ranks["a1"] == .older && ranks["b1"] == .askedFor)
  }

  @Test("what is being played goes before what is not, for as long as it is")
  func played() async throws {
    let depot = try await Self.depot()
    await depot.settle(Self.days)
    await depot.part.notePlaying([ItemKey(source: "shop", item: "c1").address, FilePath("/somewhere/else.flac")])
    let ranks = await Self.ranks(depot)
    #expect(ranks["c1"] == .currentPlaylist && ranks["c2"] == .currentPlaylist && ranks["a1"] == .older)
    #expect(await depot.part.plan(count: 2).map(\.key.item.item) == ["c1", "c2"])
    await depot.part.notePlaying([])
    #expect(await Self.ranks(depot)["c2"] == .older)
  }

  @Test("what is about to be played comes before what was heard lately and what is played, its start first")
  func aboutToBePlayed() async throws {
    let depot = try await Self.depot()
    await depot.settle(Self.days)
    func address(_ item: String) -> FilePath { ItemKey(source: "shop", item: item).address }
    await depot.part.notePlaying([address("c1")], next: [address("c2"), address("b1")])
    let ranks = await Self.ranks(depot)
    #expect(ranks["b1"] == .start && ranks["b2"] == .start, "\(ranks)")
    #expect(ranks["c1"] == .currentPlaylist && ranks["c2"] == .currentPlaylist && ranks["a1"] == .older)
    #expect(await depot.part.plan(count: 4).map(\.key.item.item) == ["b1", "b2", "c1", "c2"])
    // Its turn has come, and then it is over.
    await depot.part.notePlaying([address("b1")], next: [address("b2")])
    #expect(await Self.ranks(depot)["b2"] == .currentPlaylist)
    await depot.part.notePlaying([])
    #expect(Set(await Self.ranks(depot).values) == [.older])
  }

  @Test("something of it was heard: the rest of it comes sooner")
  func heard() async throws {
    let depot = try await Self.depot()
    // Of one list the first is here.
    _ = try await depot.part.want(ContainerKey(source: "shop", kind: .track, id: "b1"), at: .high)
    for name in ["a", "c"] { try await depot.part.pause(Self.list(name)) }
    try await depot.part.leaveOut(ItemKey(source: "shop", item: "b2"))
    await depot.part.take(Depot.home)
    await depot.settle(.seconds(60))
    #expect(depot.isWhole("b1"))
    await depot.part.take(Self.nowhere)
    try await depot.part.takeIn(ItemKey(source: "shop", item: "b2"))
    for name in ["a", "c"] { try await depot.part.resume(Self.list(name)) }
    await depot.settle(Self.days)
    let whole = try #require(depot.record("b1")?.path)
    await depot.part.heard(FilePath(whole), at: 1_000 + Self.seconds)
    let ranks = await Self.ranks(depot)
    #expect(ranks["b2"] == .recentlyPlayed && ranks["a2"] == .older)
    #expect(await depot.part.plan(count: 1).map(\.key.item.item) == ["b2"])
  }
}
