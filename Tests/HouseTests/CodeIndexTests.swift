import Glibc
import Testing

@Suite("Each code can be found")
struct CodeIndexTests {
  private static func file(_ path: String, _ codes: String...) -> SourceFile {
    SourceFile(path: "Sources/\(path).swift", text: codes.map { "throw Fault(.missing, \"\($0)\", \"no\")\n" }.joined())
  }

  @Test("codes that follow each other share a row; what two types make names both")
  func rows() {
    let index = CodeIndex([
      Self.file("Audio/Mixer", "A-100", "A-101", "A-103"), Self.file("Audio/Mixer+Levels", "A-104"),
      Self.file("Audio/Curve", "A-102"), Self.file("Store/Database", "S-113"), Self.file("Library/Art", "S-113"),
    ])
    for row in [
      "| A-100 to A-101 | Audio/Mixer |", "| A-102 | Audio/Curve |", "| A-103 to A-104 | Audio/Mixer |",
      "| S-113 | Library/Art, Store/Database |",
    ] {
      #expect(index.text.contains(row), "\(index.text)")
    }
  }

  @Test("the page is what the sources say, and each letter has a subject")
  func page() throws {
    let index = CodeIndex(House.sources)
    #expect(index.letters == Set(CodeIndex.subjects.keys))
    let made = House.top + "/.build/codes.md"
    if House.read(CodeIndex.path) != index.text {
      let file = try #require(fopen(made, "w"))
      fputs(index.text, file)
      fclose(file)
      Issue.record("\(CodeIndex.path) is not what the sources say: cp .build/codes.md \(CodeIndex.path)")
    }
  }
}
