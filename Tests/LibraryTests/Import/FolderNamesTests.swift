import Runtime
import Testing

@testable import Library

@Suite("Folders that playlists lead to")
struct FolderNamesTests {
  private let root = FilePath("/stick")

  private func resolve(_ written: String, _ folders: inout FolderNames) -> FilePath? {
    folders.beginEntry()
    return PlaylistPath.resolve(Array(written.utf8), beside: [], root: root) { folders.names(in: $0) }
  }

  @Test("one that is not there, or is a file, is none; one that does not answer is told from them, each time")
  func failed() throws {
    let tree = try MusicTree()
    try tree.write("a/1.mp3", [1])
    try tree.write("b/1.mp3", [1])
    let disk = MischievousDisk()
    disk.change { $0.silent = [tree.path("b")] }
    var folders = FolderNames(root: tree.music.path, disk: disk)
    folders.beginList(of: 10)
    func find(_ written: String) -> (Bool, Bool) {
      folders.beginEntry()
      let found = PlaylistPath.resolve(Array(written.utf8), beside: [], root: tree.music.path) {
        folders.names(in: $0)
      }
      return (found != nil, folders.hasFailed)
    }
    for _ in 0..<2 {
      #expect(find("a/1.mp3") == (true, false))
      #expect(find("a/none.mp3") == (false, false) && find("none/1.mp3") == (false, false))
      #expect(find("a/1.mp3/1.mp3") == (false, false))
      #expect(find("b/1.mp3") == (false, true))
    }
    #expect(disk.ways.listed.count == 4, "each is looked at once: the root, a, b and a file")
  }

  @Test("no more names are remembered than there is room for, and what was forgotten is looked at again")
  func room() {
    let disk = EndlessDisk(names: (0..<9).map { "folder \($0)" })
    var limits = ImportLimits()
    limits.names = 35
    var folders = FolderNames(root: root, disk: disk, limits: limits)
    folders.beginList(of: 1)
    for round in 0..<3 {
      for first in 0..<9 {
        folders.beginEntry()
        let names = folders.names(in: [FilePath("folder \(first)")])
        #expect(names?.count == 9 && folders.held <= 35, "\(round)")
      }
    }
  }

  @Test("an entry that leads through folders without end is given up, told, and costs the next one nothing")
  func endless() {
    // In as many ways as there are kinds of one name.
    var folders = FolderNames(root: root, disk: EndlessDisk(names: ["a", "A"]))
    folders.beginList(of: 1)
    #expect(resolve("/" + String(repeating: "a/", count: 60) + "x.mp3", &folders) == nil)
    #expect(folders.isSpent && !folders.hasFailed)
    #expect(resolve("a/A/a", &folders) == FilePath("/stick/a/A/a") && !folders.isSpent)
  }

  @Test("a list gets so many looks for each entry, however it spends them")
  func list() {
    var folders = FolderNames(root: root, disk: EndlessDisk(names: ["a", "A"]))
    for count in [1, 2_000] {
      folders.beginList(of: count)
      var (entries, sinceRest) = (0, 0)
      while true {
        _ = resolve("/" + String(repeating: "a/", count: 60) + "x.mp3", &folders)
        if resolve("a", &folders) == nil { break }
        entries += 1
        sinceRest += 1
        if folders.needsRest() { sinceRest = 0 }
        #expect(sinceRest <= 2 && entries < 1_000)
        if entries >= 1_000 { break }
      }
      // 2,000 for each, of 250,000 and 50 for each that the list has.
      #expect(entries >= (250_000 + 50 * count) / 2_200 && entries <= (250_000 + 50 * count) / 2_000, "\(entries)")
    }
  }
}
