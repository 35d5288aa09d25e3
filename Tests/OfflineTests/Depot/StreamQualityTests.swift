import Runtime
import Services
import TestSupport
import Testing

@testable import Offline

@Suite("How good a stream is")
struct StreamQualityTests {
  struct Line: Sendable {
    let has: Set<Quality>
    let measured: Int64
    let streamed: Quality
  }

  private static let lines = [
    Line(has: [], measured: 9_000_000, streamed: .veryHigh), Line(has: [], measured: 100_000, streamed: .low),
    Line(has: [.lossless], measured: 100_000, streamed: .lossless),
    Line(has: [.normal, .lossless], measured: 9_000_000, streamed: .normal),
    Line(has: [.high, .veryHigh], measured: 100_000, streamed: .high),
  ]

  @Test(
    "unless it is said, a stream is as good as the line bears, by the name of what its source has",
    arguments: lines)
  func chosenByTheLine(it: Line) async throws {
    let quality = it.streamed
    let depot = try Depot(StreamTests.largeShop())
    depot.source.state.withLock { $0.qualities = it.has }
    try await depot.start()
    var line = Depot.home
    line.bitsASecond = it.measured
    await depot.part.take(line)
    #expect(try await depot.part.items(of: ContainerKey(source: "shop", kind: .playlist, id: "a")).count == 4)
    await depot.part.prepare([ItemKey(source: "shop", item: "2")])
    await depot.settle()
    #expect(depot.record("2", quality)?.durable ?? 0 > 0)
    guard case .stream(let stream) = try await depot.part.playable(StreamTests.item) else {
      Issue.record("it is not whole")
      return
    }
    let (all, whole) = (try await StreamTests.read(stream), try #require(depot.source.bytes("1", quality)))
    let isRight = all == whole
    #expect(isRight)
    await stream.close()
    await depot.settle()
    #expect(depot.isWhole("1", quality))
  }

  private static func line(_ bitsASecond: Int64) -> TransferConditions {
    var line = Depot.home
    line.bitsASecond = bitsASecond
    return line
  }

  private struct Heard: Equatable {
    /// By its bytes.
    var quality: Quality?
    var isComing: Bool

    init(_ quality: Quality?, isComing: Bool) { (self.quality, self.isComing) = (quality, isComing) }
  }

  private static func heard(_ depot: Depot) async throws -> Heard {
    switch try await depot.part.playable(StreamTests.item) {
    case .file(let path):
      let bytes = depot.disk.bytes(path)
      return Heard(Quality.allCases.first { depot.source.bytes("1", $0) == bytes }, isComing: false)
    case .stream(let stream):
      let bytes = try await StreamTests.read(stream)
      await stream.close()
      await depot.settle()
      return Heard(Quality.allCases.first { depot.source.bytes("1", $0) == bytes }, isComing: true)
    }
  }

  @Test("what came over a bad line is heard better when the line is, and without one it is better than nothing")
  func betterLater() async throws {
    let depot = try Depot(StreamTests.largeShop())
    depot.source.state.withLock { $0.qualities = [.low, .high] }
    try await depot.start()
    await depot.part.take(Self.line(100_000))
    #expect(try await Self.heard(depot) == Heard(.low, isComing: true))
    #expect(try await Self.heard(depot) == Heard(.low, isComing: false))
    await depot.part.take(TransferConditions())
    #expect(try await Self.heard(depot) == Heard(.low, isComing: false))
    await depot.part.take(Self.line(9_000_000))
    #expect(try await Self.heard(depot) == Heard(.high, isComing: true))
    #expect(try await Self.heard(depot) == Heard(.high, isComing: false))
    #expect(depot.record("1", .low) == nil && depot.isWhole("1", .high) && depot.disk.names.count == 1)
    await depot.part.take(Self.line(100_000))
    #expect(try await Self.heard(depot) == Heard(.high, isComing: false))
  }

  @Test("what has begun goes on under its name, whatever the line does, and after a start")
  func goesOnUnderItsName() async throws {
    let depot = try Depot(StreamTests.largeShop())
    try await depot.start()
    await depot.part.prepare([StreamTests.item])
    await depot.settle()
    #expect(depot.record("1", .veryHigh)?.durable ?? 0 > 0)
    await depot.part.take(Self.line(500_000))
    #expect(try await Self.heard(depot) == Heard(.veryHigh, isComing: true))
    #expect(depot.rows.all.downloads.count == 1)

    // Nobody has asked what there is before, and after a start nobody knows it any more.
    let other = try Depot(StreamTests.largeShop())
    other.source.state.withLock { $0.qualities = [.lossless] }
    try await other.start()
    other.fetching.state.withLock { $0.isHalting = true }
    await other.part.prepare([StreamTests.item])
    await other.settle()
    #expect(other.rows.all.downloads.keys.map(\.quality) == [.lossless])
    let next = try Depot(other.source, other.disk, other.rows.all)
    try await next.start()
    let heard = try await Self.heard(next)
    #expect(heard == Heard(.lossless, isComing: true))
    #expect(next.rows.all.downloads.count == 1 && next.isWhole("1", .lossless))
  }
}
