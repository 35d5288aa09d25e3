import Runtime
import Services
import Store
import TestSupport
import Testing

@testable import Offline

@Suite("What is known of items in state.db")
struct ItemTableTests {
  private static func key(_ item: String) -> ItemKey { ItemKey(source: "shop", item: item) }

  private static func facts(_ id: String, _ title: String?) -> MediaItem {
    var item = MediaItem(id: id)
    (item.title, item.artist, item.album, item.albumArtist) = (title, "It's", "音", "Various")
    (item.disc, item.track, item.length) = (2, 7, .seconds(3))
    (item.size, item.hash, item.art) = (9, "ab", "https://a/cover.png")
    return item
  }

  @Test("it is read as it was remembered, by item and by file; a later word keeps the file; what is wanted goes first")
  func remembers() throws {
    let (_, connection, wishes) = try WishTableTests.open()
    let table = ItemTable(there: connection)
    try table.remember([KnownItem(Self.key("1"), Self.facts("1", "One"), in: "f1")])
    try table.remember([KnownItem(Self.key("1"), Self.facts("1", "Uno")), KnownItem(Self.key("2"), MediaItem(id: "2"))])
    #expect(try wishes.facts(of: [Self.key("1")])[Self.key("1")] == Self.facts("1", "Uno"))
    let inFile = KnownItem(Self.key("1"), Self.facts("1", "Uno"), in: "f1")
    #expect(try table.items(inFiles: ["f1", "f2"]) == ["f1": inFile])
    #expect(try wishes.facts(of: [Self.key("2"), Self.key("3")]) == [Self.key("2"): MediaItem(id: "2")])
    try wishes.store(WishTableTests.wish("a", items: ["1"]))
    #expect(try wishes.facts(of: [Self.key("1")])[Self.key("1")]?.title == "t1")
  }

  @Test("when there are too many, those told of least lately go, but not those of downloads")
  func prunes() throws {
    let (_, connection, wishes) = try WishTableTests.open()
    try DownloadTable(there: connection).store(DownloadRecord(Self.key("2").at(.high)))
    var table = ItemTable(there: connection)
    table.most = 3
    for number in 1...6 { try table.remember([KnownItem(Self.key("\(number)"), MediaItem(id: "\(number)"))]) }
    let known = try wishes.facts(of: (1...6).map { Self.key("\($0)") })
    #expect(Set(known.keys.map(\.item)) == ["2", "4", "5", "6"])
  }

  @Test("what was whole before anything was remembered is known by its file, with what its container said")
  func older() throws {
    let folder = TempFolder()
    let connection = try DownloadTableTests.open(folder.path)
    let all = OfflineSchema.additions
    try Additions(of: "offline", Array(all.steps.prefix(5))).apply(to: connection)
    try WishTable(there: connection).store(WishTableTests.wish("a", items: ["1"]))
    let name = String(repeating: "ab", count: 16)
    for (item, state) in [("1", DownloadRecord.State.completed), ("2", .completed), ("3", .queued)] {
      var record = DownloadRecord(Self.key(item).at(.high))
      (record.state, record.path) = (state, state == .completed ? "/kept/ab/\(name.dropLast())\(item).flac" : nil)
      try DownloadTable(there: connection).store(record)
    }
    try all.apply(to: connection)
    let names = ["1", "2", "3"].map { "\(name.dropLast())\($0)" }
    let found = try ItemTable(there: connection).items(inFiles: names)
    #expect(found.mapValues(\.key) == [names[0]: Self.key("1"), names[1]: Self.key("2")])
    #expect(found[names[0]]?.facts.title == "t1" && found[names[1]]?.facts.title == nil)
  }
}
