import Runtime
import TestSupport
import Testing

@testable import Library

@Suite("A folder beside what is known of it")
struct ComparisonTests {
  /// Whether something that is known is gone.
  private func isSomeGone(
    _ there: [String], _ folders: [String], known: [String], _ knownFolders: [String]
  ) throws -> Bool {
    let folder = TempFolder()
    // All are called as music is, so that a file may become a folder.
    func names(_ names: [String]) -> [[UInt8]] { names.map { Array("\($0).mp3".utf8) } }
    for name in there { try AtomicFile.replace(folder.path / "\(name).mp3", with: [1]) }
    for name in folders { try Folder.make(folder.path / "\(name).mp3") }
    let entries = names(known).map { name in
      Catalogue.KnownFolder.Entry(name: name, known: Known(id: 1, kind: .file, size: 1, modified: 1))
    }
    let before = Catalogue.KnownFolder(
      place: Catalogue.Waypoint(id: 1, encoding: nil), entries: entries, folders: names(knownFolders))
    var comparison = Comparison(try Listing(of: folder.path), before)
    while comparison.next() != nil {}
    return comparison.isSomeGone
  }

  @Test("files and folders that are gone are noticed wherever they stand, and what came is nothing gone")
  func gone() throws {
    #expect(try !isSomeGone(["b"], ["d"], known: ["b"], ["d"]))
    #expect(try !isSomeGone(["a", "b"], ["c", "d"], known: ["b"], ["d"]))
    for (index, name) in ["a", "b", "c"].enumerated() {
      var rest = ["a", "b", "c"]
      rest.remove(at: index)
      #expect(try isSomeGone(rest, [], known: ["a", "b", "c"], []), "\(name)")
      #expect(try isSomeGone([], rest, known: [], ["a", "b", "c"]), "\(name)")
      #expect(try isSomeGone(["x"], rest, known: ["x"], ["a", "b", "c"]), "\(name)")
    }
  }

  @Test("what was a file and is a folder now, or the other way round, is not gone; another one beside it is")
  func changed() throws {
    #expect(try !isSomeGone([], ["b"], known: ["b"], []))
    #expect(try !isSomeGone(["b"], [], known: [], ["b"]))
    #expect(try isSomeGone([], ["b"], known: ["a", "b"], []))
    #expect(try isSomeGone(["b"], [], known: [], ["a", "b"]))
    #expect(try isSomeGone([], ["a"], known: ["a", "b"], []))
  }
}
