import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("Where a panel is looked for")
struct DisplayPlaceTests {
  @Test("by itself: the first framebuffer, then the cards by their numbers, as far as they are there")
  func candidates() throws {
    let folder = TempFolder()
    func names() -> [String] {
      DisplayPlace(.automatic, in: folder.path).candidates.map { "\($0)".replacing("\(folder.path)/", with: "") }
    }
    #expect(names() == [])
    #expect(try faultOf { try DisplayPlace(.automatic, in: folder.path).open() }.code == "K-159")
    try Folder.make(folder.path / "dri", mode: 0o755)
    for name in ["card10", "card2", "renderD128", "card", "card-1", "cardx", "by-path"] {
      try AtomicFile.replace(folder.path / "dri" / name, with: [])
    }
    #expect(names() == ["dri/card2", "dri/card10"])
    try AtomicFile.replace(folder.path / "fb0", with: [])
    try AtomicFile.replace(folder.path / "fb1", with: [])
    #expect(names() == ["fb0", "dri/card2", "dri/card10"])
    // None of these is a device: what is told is what may come, not what never can.
    #expect(try faultOf { try DisplayPlace(.automatic, in: folder.path).open() }.kind != .missing)
  }

  @Test("the first that opens is it; else who stands in the way is told, then what may come, then what never will")
  func first() throws {
    let paths = ["/a", "/b", "/c"].map { FilePath($0) }
    func told(_ kinds: [Fault.Kind?]) throws -> String {
      var left = kinds
      do throws(Fault) {
        return try DisplayPlace.first(paths) { path throws(Fault) in
          if let kind = left.removeFirst() { throw Fault(kind, "T-1", "\(path)") }
          return "opened \(path)"
        }
      } catch { return error.message }
    }
    #expect(try told([nil, nil, nil]) == "opened /a")
    #expect(try told([.unsupported, .missing, nil]) == "opened /c")
    #expect(try told([.unsupported, .missing, .unsupported]) == "/b")
    #expect(try told([.busy, .missing, .unsupported]) == "/a")
    #expect(try told([.missing, .missing, .denied]) == "/c")
    #expect(try told([.unsupported, .malformed, .unsupported]) == "/c")
  }

  @Test("what is named is opened as what it is, or as what it is called, and nothing else is tried")
  func named() throws {
    func code(_ path: String) throws -> String {
      try faultOf { try DisplayPlace(.named(FilePath(path))).open() }.code
    }
    #expect(try code("/dev/dri/card99") == "K-150")
    #expect(try code("/dev/fb99") == "K-130")
    #expect(try code("/dev/null") == "K-131")
    #expect(!DisplayPlace.isCard(FilePath("/dev/null")))
  }
}
