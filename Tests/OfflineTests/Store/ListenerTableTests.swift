import Runtime
import Store
import TestSupport
import Testing

@testable import Offline

@Suite("What is known of the listener, in state.db")
struct ListenerTableTests {
  private static func item(_ number: Int) -> ItemKey { ItemKey(source: "shop", item: "\(number)") }

  @Test("plays are read as they were, oldest first, and the oldest are forgotten whatever the clock said")
  func plays() throws {
    let (_, connection, _) = try WishTableTests.open()
    let table = ListenerTable(there: connection, most: 5)
    // For a day the clock was years ahead.
    for (number, date) in [10, 20, 2_000_000, 30, 15, 40, 50].enumerated() {
      try table.note(ItemPlay(Self.item(number), at: Int64(date)))
    }
    let kept = [(4, 15), (3, 30), (5, 40), (6, 50), (2, 2_000_000)] as [(Int, Int64)]
    #expect(try table.plays(in: 0...3_000_000) == kept.map { ItemPlay(Self.item($0.0), at: $0.1) })
    #expect(try table.plays(in: 30...40).map(\.item) == [3, 5].map(Self.item))
  }

  @Test("what was chosen and what was refused is read as it was stored, in the place of what was there")
  func smart() throws {
    let (_, connection, _) = try WishTableTests.open()
    let table = ListenerTable(there: connection)
    #expect(try table.smartDownloads() == SmartDownloads())
    var smart = SmartDownloads()
    _ = smart.round(
      (1...4).map { SmartDownloads.Offer(Self.item($0), because: [.list("it's \($0)")], bytes: 1 << 28) }, at: 0)
    _ = smart.dismiss(Self.item(2), at: 7)
    #expect(smart.chosen.count == 2)
    try table.store(smart)
    #expect(try table.smartDownloads() == smart)
    _ = smart.forgetAll()
    try table.store(smart)
    #expect(try table.smartDownloads() == smart && smart.refused.count == 1)
  }
}
