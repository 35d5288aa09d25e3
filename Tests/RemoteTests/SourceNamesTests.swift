import Library
import Runtime
import TestSupport
import Testing

@testable import Remote

@Suite("Naming a source")
struct SourceNamesTests {
  private func source(_ id: Int64, _ label: String) -> Source {
    Source(id: id, kind: .stick, key: [UInt8(id)], label: label, root: FilePath("/sticks/\(id)"), isPresent: false)
  }

  @Test("by number, path or label; a label that two have is refused with their numbers")
  func names() throws {
    let all = [source(3, "Blue"), source(4, "Red"), source(9, "Red"), source(12, "3")]
    for name in ["3", "/sticks/3", "Blue"] { #expect(try LibraryVerbs.source(JSON(name), among: all).id == 3) }
    #expect(try LibraryVerbs.source(JSON(12), among: all).id == 12)
    let twice = try faultOf { try LibraryVerbs.source("Red", among: all) }
    #expect(twice.code == "X-171" && twice.message.contains("4 Red (/sticks/4), 9 Red (/sticks/9)"))
    let none = try faultOf { try LibraryVerbs.source("Green", among: all) }
    #expect(none.code == "X-170" && none.kind == .missing && none.message.contains("3 Blue"))
  }
}
