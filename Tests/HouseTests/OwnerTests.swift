import Testing

@Suite("A type owns a handful")
struct OwnerTests {
  @Test("no type of Offline has many stored properties or many files")
  func owners() { #expect(OwnerRules.complaints(House.sources) == []) }

  @Test("each type that may be larger is there")
  func larger() {
    for name in OwnerRules.larger.keys {
      #expect(
        House.sources.contains { $0.target == "Offline" && $0.code.contains("struct \(name)") }, "\(name) is gone")
    }
  }

  private static func file(_ name: String, _ text: String, in room: String = "Offline") -> SourceFile {
    SourceFile(path: "Sources/\(room)/\(name).swift", text: text)
  }

  /// A type with so many.
  private static func type(_ properties: Int) -> String {
    let lines = (0..<properties).map { "  private(set) var p\($0): [Int] = []\n" }.joined()
    return "package final class A: Sendable {\n\(lines)}\n"
  }

  @Test("thirteen stored properties are told, twelve are not; nor in another room")
  func stored() {
    #expect(OwnerRules.complaints([Self.file("A", Self.type(12))]) == [])
    #expect(OwnerRules.complaints([Self.file("A", Self.type(13))]) == ["A has 13 stored properties"])
    #expect(OwnerRules.complaints([Self.file("A", Self.type(13), in: "Panel")]) == [])
  }

  @Test("computed ones, static ones, locals and those of a type inside do not count; each of a tuple does")
  func counted() {
    let others = """
        static let x = 1
        nonisolated var y: Int { 1 }
        struct B {
          var z = 1
        }
        func f() {
          let v = 1
        }
        // var w = 1
      }

      """
    let text = Self.type(12).dropLast(2) + others
    #expect(OwnerRules.complaints([Self.file("A", String(text))]) == [])
    let tuple = Self.type(11).dropLast(2) + "  private var (a, b) = (0, 0)\n}\n"
    #expect(OwnerRules.complaints([Self.file("A", String(tuple))]) == ["A has 13 stored properties"])
  }

  @Test("no assembly has more than ten stored properties; eleven are told, ten are not")
  func assemblies() {
    #expect(House.sources.contains { $0.path == "Sources/layby/Assemblies/SoundAssembly.swift" })
    #expect(OwnerRules.assemblies(House.sources) == [])
    #expect(OwnerRules.assemblies([Self.file("Assemblies/A", Self.type(10), in: "layby")]) == [])
    let large = Self.file("Assemblies/A", Self.type(11), in: "layby")
    #expect(OwnerRules.assemblies([large]) == ["A has 11 stored properties"])
  }

  @Test("five files are told, four are not, however they are called")
  func files() {
    let files = (0..<5).map { Self.file("F\($0)", "extension A {\n  func f\($0)() {}\n}\n") }
    #expect(OwnerRules.complaints(Array(files.prefix(4))) == [])
    #expect(OwnerRules.complaints(files) == ["A is in 5 files"])
  }

  @Test("what may be larger may not grow, and its number shrinks with it")
  func shrinks() {
    let file = Self.file("A", Self.type(14))
    #expect(OwnerRules.complaints([file], larger: ["A": 14]) == [])
    #expect(OwnerRules.complaints([file], larger: ["A": 13]) == ["A has 14 stored properties"])
    #expect(
      OwnerRules.complaints([file], larger: ["A": 15]) == ["A has 14 stored properties by now, not 15"])
  }
}
