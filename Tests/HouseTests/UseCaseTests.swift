import Testing

@Suite("Faces ask use cases, and only use cases touch engines")
struct UseCaseTests {
  @Test("no face names an engine")
  func faces() { #expect(UseCaseRules.faces(House.sources) == []) }

  @Test("use cases touch the engines of their line, have few collaborators and keep no closure")
  func useCases() {
    #expect(UseCaseRules.useCases(House.sources) == [])
    for name in UseCaseRules.mayTouch.keys {
      #expect(House.sources.contains { $0.type == "Application/\(name)" }, "there is no use case \(name)")
      let page = House.read("Sources/Application/README.md")
      #expect(page.contains("| `\(name)` |"), "Application's page does not name \(name)")
    }
  }

  @Test("what can be asked is mapped and judged case by case, so that the compiler names what is missing")
  func cases() {
    let switches = ["Application/AccessRights.swift", "Panel/Kiosk/AccessRights+Panel.swift", "Remote/VerbName.swift"]
    for path in switches {
      let code = House.sources.first { $0.path == "Sources/\(path)" }?.code
      #expect(code?.contains("switch self") == true || code?.contains("switch capability") == true, "\(path)")
      #expect(code?.contains("default:") == false, "\(path) has a default")
    }
  }

  private func face(_ text: String) -> [SourceFile] { [SourceFile(path: "Sources/Panel/Menu/Row.swift", text: text)] }

  @Test("a face that names an engine is told, one that names it in a comment is not")
  func badFaces() {
    let bad = face("let transport: Transport\nlet key: Catalogue.Key\n")
    let asked = "ask a use case of Application"
    #expect(
      UseCaseRules.faces(bad) == [
        "Sources/Panel/Menu/Row.swift names Catalogue: \(asked)",
        "Sources/Panel/Menu/Row.swift names Transport: \(asked)",
      ])
    let wired = UseCaseRules.faces(face("let context: ProgramContext\n"))
    #expect(wired == ["Sources/Panel/Menu/Row.swift names ProgramContext: \(asked)"])
    #expect(UseCaseRules.faces(face("// Transport\nlet transport = \"Transport\"\n")) == [])
  }

  @Test(
    "a use case that takes too much is told",
    arguments: [
      ("Looking", "  let store: SessionStore\n", "names SessionStore, which is not Looking's"),
      ("Looking", "  private let tell: (Int) -> Void\n", "stores a closure"),
      ("Looking", "  package var tell: () -> Void = {}\n", "stores a closure"),
      ("Looking", "  struct Means {\n    package var tell: (Int) -> Void\n  }\n", "stores a closure"),
      (
        "Looking", "  private let a: Int\n  let b: Int\n  let c: Int\n  let d, e: Int\n  let f: Int\n  let g: Int\n",
        "has more than 5 collaborators"
      ),
      ("Application", "  package func look() {}\n", "has a method"),
      ("Looking", "  package func look() -> JSON { .null }\n", "names JSON, which is for faces"),
    ])
  func badUseCases(name: String, body: String, complaint: String) {
    let path = "Sources/Application/\(name).swift"
    let file = SourceFile(path: path, text: "struct \(name) {\n\(body)}\n")
    #expect(UseCaseRules.useCases([file], mayTouch: ["Looking": ["Catalogue"]]) == ["\(path) \(complaint)"])
  }

  @Test("a use case with its engines, computed properties and local closures is fine")
  func goodUseCase() {
    let text = """
      final class Looking {
        private let catalogue: Catalogue
        var isOpen: Bool { true }
        static let most: (Int) -> Int = { $0 }
        func look(_ body: (Int) -> Int) {
          let a = body(1)
        }
      }

      """
    let file = SourceFile(path: "Sources/Application/Looking.swift", text: text)
    #expect(UseCaseRules.useCases([file], mayTouch: ["Looking": ["Catalogue"]]) == [])
  }
}
