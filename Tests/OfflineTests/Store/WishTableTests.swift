import Runtime
import Services
import Store
import TestSupport
import Testing

@testable import Offline

@Suite("Wishes in state.db")
struct WishTableTests {
  static func open() throws -> (TempFolder, Connection, WishTable) {
    let folder = TempFolder()
    let connection = try DownloadTableTests.open(folder.path)
    try OfflineSchema.additions.apply(to: connection)
    return (folder, connection, WishTable(there: connection))
  }

  static func wish(_ id: String, _ kind: ContainerKey.Kind = .album, items: [String]) -> StoredWish {
    let media = items.enumerated().map { number, id in
      var item = MediaItem(id: id)
      (item.title, item.artist, item.album) = ("t\(id)", number % 2 == 0 ? "it's" : nil, "音")
      (item.disc, item.track, item.length) = (number % 3 == 0 ? nil : number, number, .nanoseconds(number * 7))
      (item.size, item.hash, item.art) = (Int64(number) << 33, "ab", nil)
      return item
    }
    return StoredWish(ContainerKey(source: "shop", kind: kind, id: id), at: .high, wantedAt: 7, media)
  }

  @Test("what is stored is read as it was, in its order, and a wish stored again takes the old one's place")
  func stores() throws {
    let (_, _, table) = try Self.open()
    var wishes = [
      Self.wish("a", items: ["z", "b", "c"]), Self.wish("a", .playlist, items: []), Self.wish("b", items: ["b"]),
    ]
    for wish in wishes { try table.store(wish) }
    #expect(try table.wishes() == wishes.sorted { $0.container < $1.container })
    wishes[0] = Self.wish("a", items: ["c", "d"])
    (wishes[0].isPaused, wishes[0].quality) = (true, .lossless)
    try table.store(wishes[0])
    #expect(try table.wishes() == wishes.sorted { $0.container < $1.container })
    wishes[2].isExcepted = true
    try table.change(wishes[2])
    try table.forget([wishes[0].container])
    #expect(try table.wishes() == wishes.dropFirst().sorted { $0.container < $1.container })
    let facts = try table.facts(of: [ItemKey(source: "shop", item: "b"), ItemKey(source: "shop", item: "c")])
    #expect(facts.count == 1 && facts[ItemKey(source: "shop", item: "b")] == wishes[2].items[0])
  }

  @Test("a container of a kind that only a newer program knows stays as it is")
  func newer() throws {
    let (_, connection, table) = try Self.open()
    try table.store(Self.wish("a", items: ["1"]))
    try connection.run("UPDATE wish SET kind = 'mood' WHERE 0")
    try connection.run("INSERT INTO wish VALUES ('shop', 'mood', 'x', 3, 1, 0, 0)")
    #expect(try table.wishes().count == 1)
    #expect(try connection.first("SELECT count(*) FROM wish") { $0.integer(0) } == 2)
  }

  @Test("what is left out, tokens and numbers are read as they were stored")
  func others() throws {
    let (_, _, table) = try Self.open()
    let items = ["b", "a"].map { ItemKey(source: "shop", item: $0) }
    for item in items + items { try table.leaveOut(item, true) }
    #expect(try table.leftOut() == items.sorted())
    try table.leaveOut(items[0], false)
    #expect(try table.leftOut() == [items[1]])
    try table.store(token: "x", of: "shop")
    try table.store(token: nil, of: "other")
    #expect(try table.tokens() == ["shop": "x"])
    try table.store(["a": 1, "b": 2])
    try table.store(["b": 3])
    #expect(try table.numbers() == ["a": 1, "b": 3])
  }
}
