import Canvas
import Playback
import TestSupport
import Testing

@testable import Runtime
@testable import layby

@Suite("What is chosen on the panel")
struct ChoicesTests {
  private static func settings(_ owner: String) throws -> Settings {
    try SettingsTable.all.read(board: [], owner: .success(Array(owner.utf8))) { _ in nil }.settings
  }

  private static let loudest = Setting<Int>.maxVolume.name

  @Test("a choice counts, is kept, and gives way when the file says something new")
  func order() throws {
    let first = try Self.settings("[sound]\nmax_volume = 90\n")
    var choices = Choices(in: .all)
    #expect(choices.choose(Self.loudest, "60", over: first) == true)
    #expect(choices.applied(to: first)[.maxVolume] == 60)
    let again = try Choices(choices.bytes, in: .all)
    #expect(again == choices && again.applied(to: first)[.maxVolume] == 60)
    // Whoever writes the file meant it.
    let second = try Self.settings("[sound]\nmax_volume = 80\n")
    #expect(again.applied(to: second)[.maxVolume] == 80)
    #expect(again.applied(to: Settings())[.maxVolume] == 100)
  }

  @Test("what cannot be is refused, and nothing is otherwise for it")
  func refused() throws {
    var choices = Choices(in: .all)
    let wrong: [(SettingName, String)] = [
      (Self.loudest, "101"), (Self.loudest, "loud"), (SettingName(section: "sound", key: "louder"), "1"),
      (Setting<PanelSize>.panelSize.name, "1x1"), (SettingName(section: "source kiosk", key: "url"), "http://a/"),
    ]
    for (name, text) in wrong { #expect(choices.choose(name, text, over: Settings()) == false, "\(name)") }
    #expect(choices.isEmpty)
  }

  @Test("what is as the file has it is no choice any more")
  func back() throws {
    var choices = Choices(in: .all)
    _ = choices.choose(Self.loudest, "60", over: Settings())
    _ = choices.choose(Self.loudest, "100", over: Settings())
    #expect(choices.isEmpty)
  }

  @Test("each of an owner's keys can be chosen in each of its words, and comes back from the file")
  func all() throws {
    for section in SettingsTable.all.choosableSections {
      for entry in SettingsTable.all.choosable(in: section) {
        for word in entry.choices + [entry.initial] where entry.canonical(word) != nil {
          var choices = Choices(in: .all)
          #expect(choices.choose(entry.name, word, over: Settings()) == true, "\(entry.name)")
          #expect(choices.applied(to: Settings()).text(of: entry) == entry.canonical(word), "\(entry.name)")
          #expect(try Choices(choices.bytes, in: .all) == choices, "\(entry.name)")
        }
      }
    }
  }

  @Test("in safe mode exactly those choices count that a visitor could gain by losing")
  func guarding() {
    let guarding = SettingsTable.all.choosableSections.flatMap { SettingsTable.all.choosable(in: $0) }
      .filter { entry in
        var choices = Choices(in: .all)
        return choices.choose(entry.name, entry.example, over: Settings()) && !choices.onlyGuarding().isEmpty
      }
    let expected: Set = [
      "sound.start_volume", "sound.max_volume", "panel.profile", "kiosk.allows", "kiosk.pin", "kiosk.hours",
      "kiosk.max_volume",
    ]
    #expect(Set(guarding.map(\.name.word)) == expected)
  }

  @Test("a broken file is a fault or less, never more")
  func broken() throws {
    var choices = Choices(in: .all)
    _ = choices.choose(Self.loudest, "60", over: Settings())
    let whole = choices.bytes
    for end in 0..<whole.count { _ = try? Choices(Array(whole[..<end]), in: .all) }
    let strange = #"[{"section":"sound","key":"max_volume","value":"1000","over":"100"},7,{"key":1}]"#
    #expect(try Choices(Array(strange.utf8), in: .all).isEmpty)
    #expect(choices.onlyGuarding() == choices)
    var other = Choices(in: .all)
    _ = other.choose(Setting<Bool>.resume.name, "no", over: Settings())
    #expect(other.onlyGuarding().isEmpty)
  }
}
