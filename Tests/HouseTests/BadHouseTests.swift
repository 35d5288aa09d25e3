import Testing

/// Houses made up to break one rule each: a rule that cannot complain is no rule.
@Suite("The house's rules can fail")
struct BadHouseTests {
  /// A small house that keeps every rule.
  let package = """
    func room(_ name: String, uses: [String] = [], c: [String] = []) -> Target { .target(name: name) }
    let package = Package(name: "Bad", targets: [
      library("CZ", pkgConfig: "zlib", apt: "zlib1g-dev"),
      room("Runtime", c: ["CLinux"]),
      room("Canvas", uses: ["Runtime"], c: ["CZ"]),
      room("Audio", uses: ["Runtime"]),
      room("Library", uses: ["Runtime", "Audio"]),
      program(
        "layby",
        uses: [
          "Runtime", "Canvas",
          "Library",
        ]),
    ])
    """
  let files = [
    SourceFile(path: "Sources/CLibraries/CZ/shim.h", text: "#include <zlib.h>\n"),
    SourceFile(path: "Sources/CLibraries/CLinux/include/CLinux.h", text: "int layby;\n"),
    SourceFile(path: "Sources/Runtime/Fault.swift", text: "internal import CLinux\nimport Glibc\n"),
    SourceFile(path: "Sources/Canvas/Picture.swift", text: "internal import CZ\nimport Runtime\n"),
    SourceFile(path: "Sources/Library/Track.swift", text: "import Audio\nimport struct Runtime.Fault\n"),
  ]

  func with(_ path: String, _ text: String) -> [SourceFile] { files + [SourceFile(path: path, text: text)] }
  var plan: Plan { Plan(package: package) }

  @Test("the plan is read from Package.swift's text, definitions of functions left out")
  func readsPlan() {
    #expect(plan.rooms.map(\.name) == ["Runtime", "Canvas", "Audio", "Library", "layby"])
    #expect(plan.rooms.last?.uses == ["Runtime", "Canvas", "Library"])
    #expect(plan.rooms[1].c == ["CZ"])
  }

  @Test("the good house passes")
  func passes() {
    #expect(HouseRules.floors(plan) == [])
    #expect(HouseRules.imports(files, plan) == [])
    #expect(HouseRules.libraries(files, plan) == [])
    #expect(HouseRules.noFoundation(files) == [])
    #expect(HouseRules.shares(files) == [])
    #expect(HouseRules.forbidden(files) == [])
  }

  @Test(
    "a room that looks up, sideways, or at what is no room is told",
    arguments: [
      ("room(\"Audio\", uses: [\"Library\"])", "Audio uses Library, which is not below it"),
      ("room(\"Audio\", uses: [\"Canvas\"])", "Audio uses Canvas, which is not below it"),
      ("room(\"Audio\", uses: [\"Audio\"])", "Audio uses Audio, which is not below it"),
      ("room(\"Audio\", uses: [\"Garage\"])", "Audio uses Garage, which is no room"),
      ("room(\"Garage\")", "Garage stands on no floor of Plan.floors"),
    ])
  func floors(bad: String, complaint: String) { #expect(HouseRules.floors(Plan(package: bad)) == [complaint]) }

  @Test(
    "an import that the room does not name is told, however it is written",
    arguments: [
      "import Audio", "internal import Audio", "@preconcurrency import Audio", "import struct Audio.Ring",
      "@testable package import Audio",
    ])
  func imports(line: String) {
    let bad = with("Sources/Canvas/Ear.swift", "/* a\nb */ let text = \"//\"\n\(line)\n")
    #expect(HouseRules.imports(bad, plan) == ["Sources/Canvas/Ear.swift imports Audio, which Canvas does not use"])
  }

  @Test("an import in a comment or a string is none")
  func importsInText() {
    let fine = with(
      "Sources/Canvas/Ear.swift",
      "// import Audio\n/*\nimport Audio\n*/\nlet a = \"\"\"\n  import Audio\n  \"\"\"\nlet b = #\"\"\"\nimport Audio\n\"\"\"#\n"
    )
    #expect(HouseRules.imports(fine, plan) == [])
  }

  @Test("a file in a folder that is no room is told")
  func homeless() {
    let bad = with("Sources/Shed/Spade.swift", "let spade = 1\n")
    #expect(HouseRules.imports(bad, plan).count == 1)
  }

  @Test("a C library in a second room, or shown to others, is told")
  func libraries() {
    let second = with("Sources/Audio/Pack.swift", "internal import CZ\n")
    #expect(HouseRules.libraries(second, plan) == ["CZ is used by more than one room: Audio, Canvas"])
    let shown = with("Sources/Canvas/PNG.swift", "import CZ\n")
    #expect(HouseRules.libraries(shown, plan) == ["Sources/Canvas/PNG.swift imports CZ without `internal`"])
    let declared = Plan(package: package + "room(\"Panel\", uses: [], c: [\"CZ\"])")
    #expect(HouseRules.libraries(files, declared).count == 1)
    let linux = with("Sources/Audio/Kernel.swift", "internal import CLinux\n")
    #expect(HouseRules.libraries(linux, plan) == ["CLinux is used by Audio, Runtime"])
    let hardware = with("Sources/Hardware/Line.swift", "internal import CLinux\n")
    #expect(HouseRules.libraries(hardware, plan) == [])
  }

  @Test("a target with more than a third of the lines is told, one with just a third is not")
  func shares() {
    func file(_ room: String, _ lines: Int) -> SourceFile {
      SourceFile(path: "Sources/\(room)/A.swift", text: String(repeating: "\n", count: lines))
    }
    #expect(HouseRules.shares([file("Runtime", 10), file("Audio", 10), file("Canvas", 10)]) == [])
    #expect(HouseRules.shares([file("Runtime", 11), file("Audio", 10), file("Canvas", 10)]).count == 1)
    let twoFiles = [file("Runtime", 6), file("Runtime", 6), file("Audio", 10), file("Canvas", 10)]
    #expect(HouseRules.shares(twoFiles) == ["Runtime holds 12 of 32 lines"])
  }

  @Test(
    "Foundation, and its parts, are told", arguments: ["Foundation", "FoundationEssentials", "FoundationNetworking"])
  func foundation(module: String) {
    #expect(HouseRules.noFoundation(with("Sources/Audio/A.swift", "import \(module)\n")).count == 1)
  }

  @Test("an ignored error is told unless a comment is near")
  func reasons() {
    func told(_ text: String) -> Int {
      HouseRules.reasons([SourceFile(path: "Sources/Audio/A.swift", text: text)]).count
    }
    #expect(told("let a = try? b()\n") == 1)
    #expect(told("let a = { [unowned self] in b }\n") == 1)
    #expect(told("let a = try? b()  // It is asked again.\n") == 0)
    #expect(told("// It is asked again.\nlet a = try? b()\n") == 0)
    #expect(told("// Another thing.\n\n\n\n\nlet a = try? b()\n") == 1)
    #expect(told("/// Says `try? b()`.\nlet a = entry?.id\n") == 0)
  }

  @Test("pictures that are many, large, on no page or not there are told")
  func pictures() {
    let page = SourceFile(path: "Sources/Panel/README.md", text: "![One](../../Tests/one.png) ![Two](two.png)\n")
    let two = [(path: "Tests/one.png", bytes: 100_000), (path: "Sources/Panel/two.png", bytes: 200_000)]
    #expect(HouseRules.pictures(two, pages: [page]) == [])
    #expect(HouseRules.pictures([two[0]], pages: [page]) == ["Sources/Panel/two.png is shown and not there"])
    #expect(
      HouseRules.pictures(two + [(path: "two.png", bytes: 1)], pages: [page])
        == ["two.png is on no page", "the pictures have 300001 bytes"])
    let many = (0..<11).map { (path: "\($0).png", bytes: 1) } + [(path: "a.svg", bytes: 1)]
    let all = SourceFile(path: "README.md", text: many.map { "![A](\($0.path))" }.joined())
    #expect(HouseRules.pictures(many, pages: [all]) == ["11 pictures are kept"])
  }

  @Test("a stranger at the top is told")
  func topLevel() {
    #expect(HouseRules.topLevel(["Package.swift", "Sources", ".ci", "Makefile"]) == ["Makefile lies at the top"])
  }

  @Test("a code that two types make is told; one that a type makes twice, or that is only asked for, is not")
  func codes() {
    func file(_ path: String, _ line: String) -> SourceFile {
      SourceFile(path: "Sources/\(path).swift", text: "\(line)\n")
    }
    let made = "throw Fault(.full, \"A-180\", \"no\")"
    let mixer = file("Audio/Output/Mixer", made)
    #expect(
      HouseRules.codes([mixer, file("Audio/Curve+Text", made)]) == ["A-180 is made by Audio/Curve and Audio/Mixer"])
    #expect(HouseRules.codes([mixer, file("Panel/Mixer", "code: \"A-180\"")]).count == 1)
    let fine = [
      mixer, file("Audio/Mixer+Levels", made), file("Panel/Sound", "if error.code == \"A-180\" { return }"),
      file("bench/Bench", made), file("Panel/Screen", "let text = \"A-1800\" + \"A-18\""),
    ]
    #expect(HouseRules.codes(fine) == [])
    let shared = "Fault(.malformed, \"A-106\", \"no\")"
    #expect(HouseRules.codes([file("Audio/A", shared), file("Audio/B", shared)]) == [])
  }

  @Test("a declaration that nothing but tests calls is told; one that is called, or that is for tests, is not")
  func unused() {
    let rule = SourceFile(path: "Sources/Audio/A.swift", text: "  package static func odd() -> Int { 1 }\n")
    let told = ["odd of Sources/Audio/A.swift is called by nothing but tests"]
    #expect(HouseRules.unused([rule]) == told)
    #expect(HouseRules.unused([rule, SourceFile(path: "Sources/Panel/B.swift", text: "// odd\n")]) == told)
    #expect(HouseRules.unused([rule, SourceFile(path: "Sources/Panel/B.swift", text: "let b = A.odd()\n")]) == [])
    #expect(HouseRules.unused([SourceFile(path: "Sources/VirtualBoard/A.swift", text: rule.text)]) == [])
    let state = SourceFile(path: "Sources/Panel/C.swift", text: "  package var isSpeaking: Bool { true }\n")
    #expect(HouseRules.unused([state]) == [])
  }

  @Test("what dies instead of telling is told in code, and not in words")
  func forbidden() {
    let tries = "try" + "!"
    #expect(HouseRules.forbidden(with("Sources/Audio/A.swift", "let a = \(tries) b()\n")).count == 1)
    #expect(HouseRules.forbidden(with("Tests/AudioTests/A.swift", "let a = b as! C\n")).count == 1)
    #expect(HouseRules.forbidden(with("Sources/Audio/A.swift", "// \(tries)\nlet a = \"\(tries)\"\n")) == [])
    let promise = "final class A: @unchecked Sendable {}  // the lock\n"
    let many = (0..<10).map { SourceFile(path: "Sources/Audio/\($0).swift", text: promise) }
    #expect(HouseRules.forbidden(many) == [])
    #expect(HouseRules.forbidden(many + [SourceFile(path: "Sources/Audio/a.swift", text: promise)]).count == 1)
  }
}
