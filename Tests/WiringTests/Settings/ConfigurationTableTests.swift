import Audio
import Canvas
import Hardware
import Playback
import TestSupport
import Testing

@testable import Runtime
@testable import layby

@Suite("Settings table")
struct ConfigurationTableTests {
  @Test("names are unique, defaults are accepted and written the one way there is")
  func sound() {
    #expect(Set(SettingsTable.all.entries.map(\.name)).count == SettingsTable.all.entries.count)
    for entry in SettingsTable.all.entries {
      #expect(entry.canonical(entry.initial) == entry.initial, "\(entry.name)")
      #expect(entry.help.hasSuffix("."), "\(entry.name)")
      let example = entry.canonical(entry.example)
      #expect(example != nil, "\(entry.name): its example \"\(entry.example)\" is not accepted")
      #expect(example != entry.initial || entry.choices.count == 1, "\(entry.name): its example is its default")
    }
    for file in SettingsFile.allCases {
      let sections = SettingsTable.all.sections(of: file)
      #expect(Set(sections).count == sections.count, "the sections of \(file.rawValue) stand together")
      for section in sections {
        #expect(!SettingsTable.all.help(ofSection: section, of: file).isEmpty, "[\(section)] of \(file.rawValue)")
        let keys = SettingsTable.all.entries(of: file, section: section).map(\.name.key)
        let order = SettingsTable.all.order(ofSection: section, of: file)
        #expect(Array(keys.prefix(order.count)) == order, "[\(section)] of \(file.rawValue) orders a key that is gone")
      }
    }
  }

  @Test("keys stand in the order that their section gives; those that it does not name stand behind them")
  func order() {
    let one = SettingEntry(Setting<Bool>.resume)
    let two = SettingEntry(Setting<Int>.unplayableLimit)
    let three = SettingEntry(Setting<Duration>.bookmarksAfter)
    let log = SettingEntry(Setting<Log.Level>.logLevel)
    let sections = [
      SettingsSection(.owner, "log", ""), SettingsSection(.owner, "none", ""),
      SettingsSection(.owner, "playback", "", order: ["bookmarks_after", "gone", "resume"]),
    ]
    let table = SettingsTable([one, two, log, three], sections: sections)
    #expect(table.entries == [log, three, one, two])
    #expect(table.sections(of: .owner) == ["log", "playback"] && table.sections(of: .board) == [])
    #expect(SettingsTable([two, log, one]).entries == [two, one, log])
  }

  @Test("the explanation can be read back as both files, and names every key with its help")
  func explanation() throws {
    let text = SettingsTable.all.explanation(of: Settings())
    for entry in SettingsTable.all.entries { #expect(text.contains(entry.help)) }
    let parts = text.split(separator: "layby.conf\n", maxSplits: 1).map { Array($0.utf8) }
    try #require(parts.count == 2)
    let boardPart = parts[0].drop { $0 != 0x0A }
    let reading = try SettingsTable.all.read(board: Array(boardPart), owner: .success(parts[1]), lastGood: { _ in nil })
    #expect(reading.notices.isEmpty)
    for entry in SettingsTable.all.entries {
      #expect(reading.settings.fileText(entry.file, in: .all).contains("\(entry.name.key) = "))
    }

    var changed = Settings()
    changed[.maxVolume] = 50
    #expect(SettingsTable.all.explanation(of: changed).contains("max_volume = 50   # default: 100\n"))
    let items = try #require(try JSON(parsing: SettingsTable.all.explanationJSON(of: changed).bytes).items)
    #expect(items.count == SettingsTable.all.entries.count)
    let maximum = items.first { $0["key"] == "max_volume" }
    #expect(maximum?["value"] == "50" && maximum?["default"] == "100" && maximum?["form"]?["maximum"] == 100)
  }

  @Test("a word of a command line means one setting, or all of a section in both files")
  func named() {
    for entry in SettingsTable.all.entries {
      #expect(SettingsTable.all.entries(named: entry.name.word).map(\.name) == [entry.name])
      #expect(SettingsTable.all.words.contains(entry.name.word))
    }
    let panel = SettingsTable.all.entries(named: "panel")
    #expect(Set(panel.map(\.file)) == Set(SettingsFile.allCases) && panel.allSatisfy { $0.name.section == "panel" })
    #expect(SettingsTable.all.entries(named: "source").count == 5 && SettingsTable.all.entries(named: "sound.").isEmpty)
    let one = SettingsTable.all.explanation(of: Settings(), only: SettingsTable.all.entries(named: "sound.max_volume"))
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
    let bytes = Array(settings.fileText(.board, in: .all).utf8)
    #expect(try SettingsTable.all.read(board: bytes, owner: nil, lastGood: { _ in nil }).settings == settings)
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
    let good = Array(board.fileText(.board, in: .all).utf8)
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
      guard let read = try? SettingsTable.all.read(board: bytes, owner: nil, lastGood: { _ in nil }).settings else {
        continue
      }
      accepted += 1
      let again = try SettingsTable.all.read(
        board: Array(read.fileText(.board, in: .all).utf8), owner: nil, lastGood: { _ in nil })
      #expect(again.settings == read, "seed \(seed), round \(round): \(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(accepted > 1_000)
  }
}
