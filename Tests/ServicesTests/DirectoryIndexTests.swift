import Runtime
import TestSupport
import Testing

@testable import Services

@Suite("The index of a server's folder")
struct DirectoryIndexTests {
  /// Not among the arguments of a test: Swift 6.0, which compiles for the boards, crashes over an interpolation there.
  private static let empty = #"{"path":"a","size":0,"sha256":"\#(sum)"}"#
  static let sum = String(repeating: "0123456789abcdef", count: 4)

  static func index(_ items: String, lists: String = "[]") -> [UInt8] {
    Array(#"{"format":"layby-index","version":1,"name":"Shop","items":[\#(items)],"lists":\#(lists)}"#.utf8)
  }

  /// An item with these members besides what it must have.
  static func item(_ path: String, _ more: String = "") -> String {
    #"{"path":"\#(path)","size":10,"sha256":"\#(sum)"\#(more.isEmpty ? "" : "," + more)}"#
  }

  @Test("texts that are hard to compare as Unicode cost no more than plain ones", arguments: [20_000, 200_000])
  func marks(bytes: Int) throws {
    func read(_ text: String) throws {
      _ = try DirectoryIndex(parsing: Self.index(Self.item("1.flac", #""\#(text)1":1,"1\#(text)":2"#)))
    }
    let marks = combiningMarks(bytes: bytes / 2)
    let plain = String(repeating: "a", count: marks.utf8.count)
    #expect(try timesAsLong({ try read(marks) }, as: { try read(plain) }) < 20)
  }

  @Test("two paths that differ in nothing but how Unicode writes a letter are two items")
  func twins() throws {
    let items = [Self.item("\u{E9}.flac"), Self.item("e\u{301}.flac")].joined(separator: ",")
    let lists = #"[{"name":"\#u{E9}","items":["\#u{E9}.flac"]},{"name":"e\#u{301}","items":["e\#u{301}.flac"]}]"#
    let index = try DirectoryIndex(parsing: Self.index(items, lists: lists))
    #expect(index.items.count == 2 && index.lists.count == 2)
    for name in ["\u{E9}", "e\u{301}"] {
      let listed = index.items(of: ContainerID(.playlist, name))
      #expect(listed?.map { Array($0.id.utf8) } == [Array("\(name).flac".utf8)])
      #expect(index.item("\(name).flac").map { Array($0.id.utf8) } == Array("\(name).flac".utf8))
    }
  }

  @Test("everything that an index can say is read")
  func reads() throws {
    let more = #"""
      "title":"Air","artist":"Bach","album":"Suites","album_artist":"Ensemble","disc":2,"track":7,"duration_s":61.25,
      "art":"a/cover.jpg","later":[1],"variants":{"low":{"path":"low/1.opus","size":3,"sha256":"\#(Self.sum)"}}
      """#
    let index = try DirectoryIndex(
      parsing: Self.index(Self.item("a/1.flac", more), lists: #"[{"name":"Mornings","items":["a/1.flac"]}]"#))
    let item = try #require(index.items.first)
    #expect(index.name == "Shop" && index.items.count == 1)
    #expect([item.title, item.artist, item.album, item.albumArtist] == ["Air", "Bach", "Suites", "Ensemble"])
    #expect(item.disc == 2 && item.track == 7 && item.length == .milliseconds(61_250))
    #expect(item.art?.text == "a/cover.jpg" && item.variants[.low]?.path.text == "low/1.opus")
    #expect(index.lists == [.init(name: "Mornings", items: ["a/1.flac"])])
  }

  @Test(
    "a mistake is told with its item and key",
    arguments: [
      (#"{"size":1}"#, #"item 1: "path""#), (item("../a"), #"item 1: "path" leads out"#),
      (item("a") + "," + item("a"), #"item 2: "path" is there already"#),
      (item("ok") + "," + item("b", #""title":7"#), #"item 2 (b): "title""#),
      (item("b", #""track":-1"#), #"(b): "track""#), (item("b", #""duration_s":1e9"#), #"(b): "duration_s""#),
      (item("b", #""art":"/c""#), #"(b): "art" begins at"#),
      (item("b", #""title":"a\nb""#), #"(b): "title" has control"#),
      (item("b", #""variants":{"best":{}}"#), #"(b): "variants" names no quality"#),
      (item("b", #""variants":{"low":{"path":"c"}}"#), #"(b), low: "size""#),
      (empty, #"item 1: "size""#),
      (#"{"path":"a","size":1,"sha256":"12"}"#, #"item 1: "sha256""#), ("7", "item 1: must be an object"),
    ])
  func mistakes(items: String, words: String) throws {
    let fault = try faultOf { try DirectoryIndex(parsing: Self.index(items)) }
    #expect(fault.message.has(words), "\(fault.message)")
  }

  @Test("an index of another kind or a later version, lists of what is not there, and what is too long are refused")
  func refuses() throws {
    for (text, code) in [
      (#"{"format":"other","version":1}"#, "G-101"), (#"{"format":"layby-index"}"#, "G-101"),
      (#"{"format":"layby-index","version":2}"#, "G-102"), ("[[[[[[[[[]]]]]]]]]", "R-131"), ("<html>", "R-131"),
    ] {
      #expect(try faultOf { try DirectoryIndex(parsing: Array(text.utf8)) }.code == code)
    }
    let lists = [#"[{"name":"A","items":["b"]}]"#, #"[{"items":[]}]"#, #"[{"name":"A"},{"name":"A"}]"#, "7"]
    for list in lists {
      let bytes = Self.index(Self.item("a"), lists: list)
      #expect(try faultOf { try DirectoryIndex(parsing: bytes) }.code == "G-103")
    }
    let many = (0...DirectoryIndex.mostItems).map { _ in "0" }.joined(separator: ",")
    #expect(try faultOf { try DirectoryIndex(parsing: Self.index(many)) }.message.has("at most 20000"))
    let long = [UInt8](repeating: 0x20, count: DirectoryIndex.longestFile + 1)
    #expect(try faultOf { try DirectoryIndex(parsing: long) }.code == "R-130")
  }

  @Test("a file of nothing but brackets is refused before it is many times as large in memory")
  func brackets() throws {
    let text = "{\"items\":[" + String(repeating: "[0],", count: DirectoryIndex.mostValues / 2) + "0]}"
    let fault = try faultOf { try DirectoryIndex(parsing: Array(text.utf8)) }
    #expect(fault.code == "R-131" && fault.message.has("values"), "\(fault.message)")
  }

  @Test("the most that an index can say has as many values as are taken")
  func most() throws {
    var index = DirectoryIndex(name: "All")
    for path in ["1", "2"] {
      let file = DirectoryIndex.File(path: try FolderPath(path), size: 1, hash: Self.sum)
      var item = DirectoryIndex.Item(file)
      (item.quality, item.title, item.artist, item.album, item.albumArtist) = (.normal, "a", "b", "c", "d")
      (item.disc, item.track, item.length, item.art) = (1, 1, .seconds(1), file.path)
      for quality in Quality.allCases where quality != item.quality { item.variants[quality] = file }
      index.items.append(item)
    }
    index.lists = [.init(name: "L", items: ["1", "2", "1"])]
    let values = 6 + 2 * 30 + 3 + 3
    #expect(throws: Never.self) { try JSON(parsing: index.fileBytes, limits: .init(values: values)) }
    #expect(throws: Fault.self) { try JSON(parsing: index.fileBytes, limits: .init(values: values - 1)) }
    #expect(try DirectoryIndex(parsing: index.fileBytes) == index)
  }

  static func made(_ generator: inout SeededGenerator) throws -> DirectoryIndex {
    let words = ["", "Air", "Ärger", "a/b\"c", "音", "x y"]
    func word(_ generator: inout SeededGenerator) -> String? {
      words.randomElement(using: &generator).flatMap { $0.isEmpty ? nil : $0 }
    }
    var index = DirectoryIndex(name: word(&generator) ?? "")
    for number in 0..<Int.random(in: 0...12, using: &generator) {
      func file(_ folder: String) throws -> DirectoryIndex.File {
        let path = try FolderPath("\(folder)/\(number).flac")
        return .init(path: path, size: Int64.random(in: 1...9_999, using: &generator), hash: sum)
      }
      var item = DirectoryIndex.Item(try file("all"))
      (item.title, item.artist) = (word(&generator), word(&generator))
      (item.album, item.albumArtist) = (word(&generator), word(&generator))
      item.disc = Int.random(in: 0...2, using: &generator)
      item.track = Bool.random(using: &generator) ? Int.random(in: 0...20, using: &generator) : nil
      item.length = Bool.random(using: &generator) ? .milliseconds(Int.random(in: 0...999_999, using: &generator)) : nil
      item.art = Bool.random(using: &generator) ? try FolderPath("cover.jpg") : nil
      item.quality = [.high, .lossless].randomElement(using: &generator) ?? .lossless
      for quality in [Quality.low, .normal] where Bool.random(using: &generator) {
        item.variants[quality] = try file("\(quality)")
      }
      index.items.append(item)
    }
    let ids = index.items.map(\.id).shuffled(using: &generator)
    index.lists = [.init(name: "All", items: ids), .init(name: "Few", items: Array(ids.prefix(2)))]
    return index
  }

  @Test("what is written is read as it was")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      let index = try Self.made(&generator)
      #expect(try DirectoryIndex(parsing: index.fileBytes) == index)
    }
  }

  @Test("of a quality the best is given that is not better; of none that is as small, the smallest")
  func qualities() throws {
    var item = DirectoryIndex.Item(.init(path: try FolderPath("l"), size: 1, hash: Self.sum))
    item.variants[.normal] = .init(path: try FolderPath("n"), size: 1, hash: Self.sum)
    item.variants[.high] = .init(path: try FolderPath("h"), size: 1, hash: Self.sum)
    let given = Quality.allCases.map { item.file(at: $0).path.text }
    #expect(given == ["n", "n", "h", "h", "l"])
  }

  @Test("an album's items come by disc and track, a list's in its order, and what is not there is nothing")
  func containers() throws {
    let album = #""album":"A","artist":"B""#
    let items = [
      Self.item("3", album + #","disc":2,"track":1"#), Self.item("2", album + #","track":2"#),
      Self.item("1", album + #","track":1"#), Self.item("0", #""album":"A","artist":"C""#),
    ]
    let index = try DirectoryIndex(
      parsing: Self.index(items.joined(separator: ","), lists: #"[{"name":"L","items":["0","3"]}]"#))
    #expect(index.items(of: .init(.album, "B/A"))?.map(\.id) == ["1", "2", "3"])
    #expect(index.items(of: .init(.playlist, "L"))?.map(\.id) == ["0", "3"])
    #expect(index.items(of: .init(.artist, "C"))?.map(\.id) == ["0"])
    #expect(index.items(of: .init(.track, "2"))?.map(\.id) == ["2"])
    #expect(index.items(of: .init(.album, "A")) == nil && index.items(of: .init(.playlist, "M")) == nil)
  }

  @Test("changes are what was added, taken away and replaced, and the containers that hold others now")
  func changes() throws {
    func read(_ items: [String], _ lists: String) throws -> DirectoryIndex {
      try DirectoryIndex(parsing: Self.index(items.joined(separator: ","), lists: lists))
    }
    let album = #""album":"A","artist":"B""#
    let (one, four) = (Self.item("1", album), Self.item("4"))
    let old = try read([one, Self.item("2", album), Self.item("3")], #"[{"name":"L","items":["1"]}]"#)
    let other = #"{"path":"3","size":11,"sha256":"\#(Self.sum)"}"#
    let new = try read([one, other, four], #"[{"name":"L","items":["1","4"]}]"#)
    let changes = new.changes(since: old, token: "t")
    #expect(changes.changed == ["3", "4"] && changes.removed == ["2"])
    #expect(changes.containers == [.init(.album, "B/A"), .init(.artist, "B"), .init(.playlist, "L")])
    #expect(old.changes(since: old, token: "t").isEmpty)
  }

  @Test("what can be wanted is listed once, in the index's order, with how much it holds")
  func wantable() throws {
    let one = Self.item("1.flac", #""title":"Air","artist":"Bach","album":"Suites""#)
    let two = Self.item("2.flac", #""artist":"Holst","album":"Planets","album_artist":"LSO""#)
    let three = Self.item("3.flac", #""artist":"Bach","album":"Suites""#)
    let index = try DirectoryIndex(
      parsing: Self.index(
        [one, two, three, Self.item("4.mp3")].joined(separator: ","), lists: #"[{"name":"M","items":["1.flac"]}]"#))
    let albums = index.containers(.album)
    #expect(albums.map(\.title) == ["Suites", "Planets"])
    #expect(albums.map(\.artist) == ["Bach", "LSO"] && albums.map(\.count) == [2, 1])
    #expect(index.containers(.artist).map(\.title) == ["Bach", "LSO"])
    #expect(index.containers(.track).map(\.title) == ["Air", "2.flac", "3.flac", "4.mp3"])
    let song = index.items[0].id
    #expect(index.containers(.playlist) == [MediaContainer(ContainerID(.playlist, "M"), title: "M", items: [song])])
    #expect(index.containers(.album).map(\.items.count) == [2, 1] && index.containers(.album)[0].items[0] == song)
    for kind in ContainerID.Kind.allCases {
      for container in index.containers(kind) {
        #expect(index.items(of: container.id)?.count == container.count, "\(container)")
      }
    }
  }
}
