import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Who listens is served first")
struct ListeningFirstTests {
  private func told(_ depot: Depot) -> [Bool] { depot.fetching.state.withLock { $0.listened.map(\.isListened) } }

  @Test("a fetch is told that somebody listens, whoever came first, and that nobody does any more")
  func told() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    depot.fetching.state.withLock { $0.isHalting = true }
    let first = try await depot.part.stream(StreamTests.item, at: .high)
    _ = try await StreamTests.read(first, upTo: 10)
    #expect(told(depot) == [true])
    let second = try await depot.part.stream(StreamTests.item, at: .high)
    await first.close()
    await depot.settle(.seconds(1))
    #expect(told(depot) == [true, true])
    await second.close()
    await depot.settle(.seconds(1))
    #expect(told(depot) == [true, true, false])
  }

  @Test("what is only wanted is not served first, until somebody listens to it")
  func wanted() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    depot.fetching.state.withLock { $0.isHalting = true }
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    await depot.settle()
    #expect(told(depot) == [])
    let stream = try await depot.part.stream(StreamTests.item, at: .high)
    await depot.settle(.seconds(1))
    #expect(depot.fetching.state.withLock { $0.listened.map(\.item) } == ["1"] && told(depot) == [true])
    await stream.close()
    await depot.settle()
  }
}
