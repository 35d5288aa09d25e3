import Testing

@Suite("The house keeps its plan")
struct HouseTests {
  @Test("the plan and the sources are read at all")
  func isRead() {
    #expect(House.plan.rooms.contains { $0.name == "Runtime" && $0.c == ["CLinux"] })
    #expect(House.plan.rooms.contains { $0.name == "layby" && $0.uses.contains("Runtime") })
    #expect(House.sources.contains { $0.path == "Sources/Runtime/Fault.swift" && $0.lines > 10 })
    #expect(House.tests.contains { $0.path == "Tests/HouseTests/HouseTests.swift" })
  }

  @Test("rooms use rooms below them only")
  func floors() { #expect(HouseRules.floors(House.plan) == []) }

  @Test("a file imports only what its room says it uses")
  func imports() { #expect(HouseRules.imports(House.sources, House.plan) == []) }

  @Test("a C library is imported by one room, internally")
  func libraries() { #expect(HouseRules.libraries(House.sources, House.plan) == []) }

  @Test("no target holds more than a third of the lines")
  func shares() { #expect(HouseRules.shares(House.sources) == []) }

  @Test("Foundation is nowhere in what ships")
  func foundation() { #expect(HouseRules.noFoundation(House.sources) == []) }

  @Test("what ignores an error, or trusts that an owner is there, says why")
  func reasons() { #expect(HouseRules.reasons(House.sources) == []) }

  @Test("few pictures are kept, they are small, and a page shows each")
  func pictures() {
    #expect(!House.pictures.isEmpty && House.pages.contains { $0.path == "README.md" })
    #expect(HouseRules.pictures(House.pictures, pages: House.pages) == [])
  }

  @Test("pages name files that are there")
  func namedFiles() {
    #expect(HouseRules.files(namedBy: House.pages, in: House.sources + House.tests) == [])
    let wrong = SourceFile(path: "Sources/README.md", text: "It is in `Nowhere/Lost.swift` and `HouseRules.swift`.")
    #expect(HouseRules.files(namedBy: [wrong], in: House.tests).count == 1)
  }

  @Test("the top level holds what was agreed")
  func topLevel() {
    let names = House.topLevel
    #expect(names.contains("Package.swift"))
    #expect(HouseRules.topLevel(names) == [])
  }

  @Test("a code that people read out means one thing")
  func codes() {
    #expect(HouseRules.codes(House.sources) == [])
    #expect(House.sources.reduce(into: Set<String>()) { $0.formUnion($1.codes) }.count > 300)
  }

  @Test("no rule and no table is there for tests alone, and the list of exceptions is true")
  func unused() {
    #expect(HouseRules.unused(House.sources) == [])
    let names = House.sources.map(\.text).joined(separator: "\n")
    for name in HouseRules.askedByTestsAlone.keys { #expect(names.contains(name), "\(name) is gone") }
  }

  @Test("nothing dies instead of telling; few promises go unchecked")
  func forbidden() { #expect(HouseRules.forbidden(House.sources + House.tests) == []) }
}
