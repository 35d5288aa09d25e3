import Glibc
import Remote
import Runtime
import TestSupport
import Testing

@testable import layby

extension ProgramTests {
  @Suite("The manual", .serialized)
  struct ManualTests {
    let home: Home
    private static let top = FilePath(#filePath).folder.folder.folder

    init() throws { home = try Home() }

    private func layby(_ words: String...) async throws -> String {
      let finished = try await Finished([Built.layby] + words, in: home)
      try #require(finished.code == EX_OK, "\(words): \(finished)")
      return finished.output
    }

    // MARK: Settings

    @Test("board/SETTINGS.md is what layby manual settings prints")
    func committed() async throws {
      let printed = try await layby("manual", "settings")
      let committed = try AtomicFile.read(Self.top / "board/SETTINGS.md", limit: 1 << 20)
      let isSame = printed == String(decoding: committed, as: UTF8.self)
      #expect(isSame, "The settings have changed. Renew the page: layby manual settings >board/SETTINGS.md")
    }

    @Test("the examples of the page are two files without a mistake, and set every setting to what is not its default")
    func examples() async throws {
      let page = try await layby("manual", "settings")
      let files = Self.examples(in: page)
      let (board, owner) = (try #require(files["board.conf"]), try #require(files["layby.conf"]))
      try home.write(board, to: home.board)
      try home.write(owner, to: home.owner)
      let checked = try await layby("config", "--board", "\(home.board)", "--owner", "\(home.owner)")
      #expect(checked.contains("no mistakes"), "\(checked)")
      let reading = try SettingsTable.all.read(
        board: Array(board.utf8), owner: .success(Array(owner.utf8)), lastGood: { _ in nil })
      #expect(reading.notices.isEmpty)
      for entry in SettingsTable.all.entries {
        let text = reading.settings.text(of: entry)
        #expect(text == entry.canonical(entry.example), "\(entry.name)")
        #expect(text != entry.initial || entry.choices.count == 1, "\(entry.name)")
        #expect(reading.settings.fileText(entry.file, in: .all).contains("\(entry.name.key) = "), "\(entry.name)")
        #expect(page.contains("`\(entry.name.key)`"), "\(entry.name)")
      }
    }

    /// What stands between fences, by the file whose heading stands above.
    private static func examples(in page: String) -> [String: String] {
      var files: [String: String] = [:]
      var (file, isInside) = ("", false)
      for line in page.split(separator: "\n") {
        if line.hasPrefix("## ") { file = String(line.dropFirst(3)) }
        if line.hasPrefix("```") { isInside.toggle() } else if isInside { files[file, default: ""] += "\(line)\n" }
      }
      return files
    }

    @Test("one setting or one section is explained by its name, and a wrong name is refused with the right one")
    func explained() async throws {
      let one = try await layby("config", "sound.max_volume")
      #expect(one.contains("max_volume = 100") && one.contains("Example: max_volume = 80"), "\(one)")
      #expect(!one.contains("volume_step") && !one.contains("board.conf"), "\(one)")
      try home.write("[sound]\nmax_volume = 60\n", to: home.owner)
      let own = try await layby("config", "sound", "--owner", "\(home.owner)")
      #expect(own.contains("max_volume = 60   # default: 100") && own.contains("volume_step"), "\(own)")
      let source = try await layby("config", "source.url", "--json")
      let example = try JSON(parsing: source).items?.first?["example"]?.string
      #expect(example == "https://server.example/music/", "\(source)")
      let wrong = try await Finished([Built.layby, "config", "sound.max_volum"], in: home)
      #expect(wrong.code == EX_USAGE && wrong.errors.contains("did you mean \"sound.max_volume\"?"), "\(wrong)")
    }

    // MARK: Where people find it

    @Test("board/desk/install puts program, page, completion and settings where they are looked for")
    func installed() async throws {
      let prefix = home.folder / "usr"
      let install = "\(Self.top / "board/desk/install")"
      let done = try await Finished(
        [install, "--prefix", "\(prefix)"], environment: ["LAYBY_PROGRAM=\(Built.layby)"], in: home)
      #expect(done.code == 0 && done.errors.isEmpty, "\(done)")
      for (name, what) in [
        ("man/man1/layby.1", "man"), ("bash-completion/completions/layby", "completion"),
        ("doc/layby/SETTINGS.md", "settings"),
      ] {
        let bytes = try AtomicFile.read(prefix / "share/\(name)", limit: 1 << 20)
        #expect(try await layby("manual", what) == String(decoding: bytes, as: UTF8.self), "\(name)")
      }
      let version = try await Finished(["\(prefix / "bin/layby")", "version"], in: home)
      #expect(version.code == EX_OK && version.output.hasPrefix("layby "), "\(version)")
      let wrong = try await Finished([install, "--perfix", "x"], in: home)
      #expect(wrong.code == EX_USAGE && wrong.errors.contains("--prefix DIR"), "\(wrong)")
    }

    // MARK: The manual page

    @Test("the page names every verb, every way to use it and every option, as help does")
    func page() async throws {
      let page = try await layby("manual", "man").replacing("\\-", with: "-").replacing("\\(dq", with: "\"")
      let help = try await layby("help", "all")
      let ways = Verb.all.flatMap { verb in verb.shownForms.map { "\n.B layby \(verb.usage(of: $0))\n" } }
      let options = Verb.all.flatMap(\.allOptions).map { "\n.B \($0.usage)\n" }
      let programs = ["run", "doctor", "config", "index", "manual", "help", "version"].map { "\n.B layby \($0)" }
      #expect((ways + options + programs).filter { !page.contains($0) } == [])
      let others = ["--board FILE", "--play MUSIC...", "/var/lib/layby/choices.json", "LAYBY_SOCKET", "not understood"]
      #expect(others.filter { !page.contains($0) || !help.contains($0) } == [])
      #expect(!page.contains("stick-policy") && !help.contains("stick-policy"))
    }

    @Test("every exit code and every variable of the environment that the sources name stands in the page")
    func sources() async throws {
      let page = try await layby("manual", "man")
      let codes = [
        "EX_OK": EX_OK, "EX_USAGE": EX_USAGE, "EX_DATAERR": EX_DATAERR, "EX_UNAVAILABLE": EX_UNAVAILABLE,
        "EX_CANTCREAT": EX_CANTCREAT, "EX_TEMPFAIL": EX_TEMPFAIL, "EX_NOPERM": EX_NOPERM, "EX_CONFIG": EX_CONFIG,
      ]
      var seen: Set<String> = []
      for room in try Self.folders(in: Self.top / "Sources")
      where !["bench", "depot", "keys", "virtual", "VirtualBoard"].contains("\(room)") {
        for (file, text) in try Self.swiftFiles(below: Self.top / "Sources/\(room)") {
          for found in text.matches(of: /getenv\("(\w+)"/) {
            // Only builds with DEBUG read these, for tests.
            let isOfTests = ["LAYBY_DIE_AT", "LAYBY_IDLE", "LAYBY_OPEN_MEMORY"].contains("\(found.1)")
            #expect(isOfTests, "\(file): \(found.1) belongs into EnvironmentVariable")
          }
          guard "\(room)" == "layby" else { continue }
          seen.formUnion(text.matches(of: /\bEX_[A-Z]+/).map { String($0.0) })
        }
      }
      #expect(seen.count > 5)
      let missing = seen.filter { name in codes[name].map { !page.contains("\n.B \($0)\n") } ?? true }
      #expect(missing == [])
      #expect(EnvironmentVariable.allCases.filter { !page.contains("\n.B \($0.rawValue)\n") } == [])
    }

    private static func swiftFiles(below folder: FilePath) throws -> [(FilePath, String)] {
      try Folder.names(in: folder).flatMap { name -> [(FilePath, String)] in
        let path = folder / "\(name)"
        if path.ending == "swift" {
          return [(path, String(decoding: try AtomicFile.read(path, limit: 1 << 20), as: UTF8.self))]
        }
        return isFolder(path) ? try swiftFiles(below: path) : []
      }
    }

    private static func folders(in folder: FilePath) throws -> [FilePath] {
      try Folder.names(in: folder).filter { isFolder(folder / "\($0)") }
    }

    private static func isFolder(_ path: FilePath) -> Bool {
      var status = stat()
      return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    @Test(
      "groff sets the page without a warning",
      .enabled(if: ChildProcess.find("groff") != nil, "groff is not installed, so nothing here can set a manual page"))
    func typeset() async throws {
      let page = home.folder / "layby.1"
      try home.write(try await layby("manual", "man"), to: page)
      let set = try await Finished(["groff", "-man", "-ww", "-Tascii", "-P-cbou", "\(page)"], in: home)
      #expect(set.code == 0 && set.errors.isEmpty, "\(set.errors)")
      #expect(set.output.contains("layby queue add MUSIC...") && set.output.contains("EXIT STATUS"))
    }
  }
}
