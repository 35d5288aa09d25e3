import Glibc
import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("Files that are handed over whole")
struct ArrivalTests {
  private static func hex(_ number: Int, _ digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: digits - text.count) + text
  }

  /// As what is fetched is called: 32 digits, in a folder that is called by the first two.
  private static func stem(_ number: Int) -> String { hex(number % 256, 2) + hex(number, 30) }

  private static func name(_ number: Int, _ ending: String = "mp3") -> String {
    "\(stem(number).prefix(2))/\(stem(number)).\(ending)"
  }

  private static func facts(_ title: String) -> IndexFacts {
    var facts = IndexFacts(name: "x")
    facts.title = title
    return facts
  }

  private static func titles(_ tree: MusicTree, _ word: String) async throws -> [String] {
    try await tree.catalogue.search(SearchQuery(word), for: .tracks, count: 10).rows.map(\.title)
  }

  /// So many files, all known.
  private func tree(_ count: Int, _ disk: MischievousDisk = MischievousDisk()) async throws -> MusicTree {
    let tree = try MusicTree(disk)
    for number in 0..<count { try tree.write(Self.name(number), TinyMP3(title: "Old", sound: UInt64(number)).bytes) }
    try await tree.open()
    try await tree.run()
    return tree
  }

  private func take(_ name: String, _ title: String, _ tree: MusicTree) async throws {
    try await tree.catalogue.take(
      Arrival(tree.path(name), Self.facts(title)), of: tree.source, root: tree.music.path, today: 1_001,
      from: tree.importer.disk)
  }

  @Test("of 200 files and one more, one is read and no folder is listed; it is found at once, by the name it came with")
  func one() async throws {
    let disk = MischievousDisk()
    let tree = try await tree(200, disk)
    try tree.write(Self.name(300), TinyMP3(title: "Wrong", sound: 300).bytes)
    disk.change { ($0.opened, $0.listed) = ([], []) }
    try await take(Self.name(300), "Glacier", tree)
    #expect(disk.ways.opened == [tree.path(Self.name(300))] && disk.ways.listed.isEmpty)
    #expect(try await Self.titles(tree, "glacier") == ["Glacier"])
    #expect(try await tree.catalogue.survey().tracks == 201)
    // What looks through all of them later finds nothing to read.
    #expect(try await tree.run().read == 0)
    #expect(try await Self.titles(tree, "glacier") == ["Glacier"])
  }

  @Test("a newer version takes the older one's place, also by another ending; others in its folder stay")
  func newer() async throws {
    let tree = try await tree(2)
    try tree.write("00/\(Self.stem(256)).mp3", TinyMP3(title: "Beside", sound: 9).bytes)
    try await take("00/\(Self.stem(256)).mp3", "Beside", tree)
    for (ending, title) in [("mp3", "Second"), ("mp2", "Third")] {
      try tree.write(Self.name(0, ending), TinyMP3(title: "Wrong", sound: UInt64(title.count)).bytes)
      try await take(Self.name(0, ending), title, tree)
      #expect(try await Self.titles(tree, "wrong") == [])
      #expect(try await Self.titles(tree, title) == [title])
      #expect(try await tree.catalogue.survey().tracks == 3, "\(title)")
    }
    #expect(try await Self.titles(tree, "second") == [])
    #expect(try await Self.titles(tree, "beside") == ["Beside"])
  }

  @Test("a file that is not there is told, and what is known stays")
  func missing() async throws {
    let tree = try await tree(2)
    await #expect(throws: Fault.self) { try await take(Self.name(5), "Glacier", tree) }
    #expect(try await tree.catalogue.survey().tracks == 2)
  }

  @Test("deleted files are forgotten without a look at any other; one that is there stays")
  func deleted() async throws {
    let disk = MischievousDisk()
    let tree = try await tree(5, disk)
    for number in [1, 2] { unlink("\(tree.path(Self.name(number)))") }
    disk.change { ($0.opened, $0.listed) = ([], []) }
    let stems = [1, 2, 3, 77].map { tree.path("\(Self.stem($0).prefix(2))/\(Self.stem($0))") }
    try await tree.catalogue.forget(deleted: stems)
    #expect(disk.ways.opened.isEmpty && disk.ways.listed.isEmpty)
    #expect(try await tree.catalogue.survey().tracks == 3)
  }
}
