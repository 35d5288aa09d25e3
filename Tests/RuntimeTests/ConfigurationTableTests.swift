import Runtime
import TestSupport
import Testing

@Suite("Settings table")
struct ConfigurationTableTests {
  @Test("names are unique, defaults are accepted and written the one way there is")
  func sound() {
    #expect(Set(SettingsTable.entries.map(\.name)).count == SettingsTable.entries.count)
    for entry in SettingsTable.entries {
      #expect(entry.canonical(entry.initial) == entry.initial, "\(entry.name)")
      #expect(entry.help.hasSuffix("."), "\(entry.name)")
      let example = entry.canonical(entry.example)
      #expect(example != nil, "\(entry.name): its example \"\(entry.example)\" is not accepted")
      #expect(example != entry.initial || entry.choices.count == 1, "\(entry.name): its example is its default")
    }
    for file in SettingsFile.allCases {
      let sections = SettingsTable.sections(of: file)
      #expect(Set(sections).count == sections.count, "the sections of \(file.rawValue) stand together")
      for section in sections {
        #expect(!SettingsTable.help(ofSection: section, of: file).isEmpty, "[\(section)] of \(file.rawValue)")
      }
    }
  }

  @Test("every setting that is described stands in the table")
  func complete() throws {
    let tests = FilePath(#filePath).folder
    let folder = FilePath("\(tests.folder.folder)/Sources/Runtime/Configuration")
    func text(_ name: String) throws -> String {
      String(decoding: try AtomicFile.read(folder / name, limit: 100_000), as: UTF8.self)
    }
    let files = ["Board", "Knob", "Gestures", "Owner", "Kiosk", "Offline"].map { "Setting+\($0).swift" }
    let described = try files.flatMap { name in
      try text(name).matches(of: /static var (\w+): Self/).map { String($0.1) }
    }
    let listed = try text("SettingsTable.swift").matches(of: /SettingEntry\(\.(\w+)\)/).map { String($0.1) }
    #expect(described.sorted() == listed.sorted())
    let families =
      2 * Setting.buttonNames.count + Setting.keyMeanings.count + SettingsTable.ofSource.count
      + SettingsTable.ofFlags.count
    #expect(listed.count + families == SettingsTable.entries.count)
  }

  @Test("the explanation can be read back as both files, and names every key with its help")
  func explanation() throws {
    let text = Settings().explanation()
    for entry in SettingsTable.entries { #expect(text.contains(entry.help)) }
    let parts = text.split(separator: "layby.conf\n", maxSplits: 1).map { Array($0.utf8) }
    try #require(parts.count == 2)
    let boardPart = parts[0].drop { $0 != 0x0A }
    let reading = try Settings.read(board: Array(boardPart), owner: .success(parts[1]), lastGood: { _ in nil })
    #expect(reading.notices.isEmpty)
    for entry in SettingsTable.entries {
      #expect(reading.settings.fileText(entry.file).contains("\(entry.name.key) = "))
    }

    var changed = Settings()
    changed[.maxVolume] = 50
    #expect(changed.explanation().contains("max_volume = 50   # default: 100\n"))
    let items = try #require(try JSON(parsing: changed.explanationJSON().bytes).items)
    #expect(items.count == SettingsTable.entries.count)
    let maximum = items.first { $0["key"] == "max_volume" }
    #expect(maximum?["value"] == "50" && maximum?["default"] == "100" && maximum?["form"]?["maximum"] == 100)
  }

  @Test("a word of a command line means one setting, or all of a section in both files")
  func named() {
    for entry in SettingsTable.entries {
      #expect(SettingsTable.entries(named: entry.name.word).map(\.name) == [entry.name])
      #expect(SettingsTable.words.contains(entry.name.word))
    }
    let panel = SettingsTable.entries(named: "panel")
    #expect(Set(panel.map(\.file)) == Set(SettingsFile.allCases) && panel.allSatisfy { $0.name.section == "panel" })
    #expect(SettingsTable.entries(named: "source").count == 4 && SettingsTable.entries(named: "sound.").isEmpty)
    let one = Settings().explanation(of: SettingsTable.entries(named: "sound.max_volume"))
    #expect(one.contains("[sound]") && one.contains("max_volume = 100") && one.contains("Example: max_volume = 80"))
    #expect(!one.contains("board.conf") && !one.contains("volume_step"))
  }

  @Test("settings set in code are what is read back from the file")
  func setInCode() throws {
    var settings = Settings()
    settings[.boardName] = " \"# \\\u{301}é"
    settings[.panelFont] = [FilePath("/a b.ttf"), FilePath("/c#.ttf")]
    settings[.audioBuffer] = .milliseconds(1500)
    settings[.audioOutput] = .alsa(device: "hw:CARD=Loop,DEV=0")
    #expect(settings[.audioBuffer] == .milliseconds(1500))
    let bytes = Array(settings.fileText(.board).utf8)
    #expect(try Settings.read(board: bytes, owner: nil, lastGood: { _ in nil }).settings == settings)
  }

  @Test("mutilated files never crash, and every accepted one is written again to the same settings")
  func mutilated() throws {
    let seed: UInt64 = 2
    var generator = SeededGenerator(seed: seed)
    var board = Settings()
    board[.boardName] = "\"é\" # x"
    board[.audioOutput] = .null
    board[.audioBuffer] = .seconds(1)
    board[.panelSize] = PanelSize(width: 100, height: 50)
    let good = Array(board.fileText(.board).utf8)
    let pieces = ["\"", "#", " #", "\\", "\u{301}", "[", "]", "=", "\n", "\r", " ", "0", "1s", ",", "/", "\u{FEFF}"]
    var accepted = 0
    for round in 0..<20_000 {
      var bytes = good
      for _ in 0..<Int.random(in: 1...2, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: bytes[place] = .random(in: 0...255, using: &generator)
        case 1: bytes.remove(at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 5))
        default: bytes.insert(contentsOf: pieces.randomElement(using: &generator)?.utf8.map { $0 } ?? [], at: place)
        }
      }
      guard let read = try? Settings.read(board: bytes, owner: nil, lastGood: { _ in nil }).settings else { continue }
      accepted += 1
      let again = try Settings.read(board: Array(read.fileText(.board).utf8), owner: nil, lastGood: { _ in nil })
      #expect(again.settings == read, "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(accepted > 1_000)
  }
}
