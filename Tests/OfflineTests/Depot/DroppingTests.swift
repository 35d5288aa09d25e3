import Testing

@testable import Offline

@Suite("Dropping everything")
struct DroppingTests {
  @Test("leaves nothing, neither rows nor files, and is told")
  func dropsAll() async throws {
    let depot = try Depot(OfflinePartTests.shop())
    try await depot.start()
    _ = try await depot.part.want(OfflinePartTests.album, at: .high)
    _ = try await depot.part.want(OfflinePartTests.list, at: .high)
    await depot.settle()
    let here = depot.disk.names.count
    #expect(here > 2)
    #expect(try await depot.part.dropAll() == here)
    await depot.settle()
    await depot.settle()
    #expect(depot.disk.names.isEmpty && depot.rows.all.downloads.isEmpty)
    #expect(depot.told.contains { if case .download(.allDeleted) = $0 { true } else { false } })
    #expect(try await depot.part.dropAll() == 0)
  }
}
