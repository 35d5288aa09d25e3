import Hardware
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel
@testable import layby

@Suite("The owner's settings in each language", .serialized)
struct SettingWordsTests {
  private static let entries = SettingsTable.all.entries.filter { SettingsTable.all.choosable($0.name) != nil }

  private static func path(_ name: SettingName) -> String { "\(name.section)/\(name.key)" }

  /// What the panel has words of its own for: yes and no, on and off.
  private static let plain: Set = ["yes", "no", "on", "off"]

  /// These are called alike in every language here.
  private static let places = Set(TimeZones.names).union(RadioCountry.codes)

  private static func unit(of entry: SettingEntry) -> String? {
    if case .text(let unit)? = entry.form["unit"] { unit } else { nil }
  }

  /// All that a table lacks, by what it should have stood under.
  private static func missing(in words: SettingWords) -> [String] {
    var missing = SettingsTable.all.choosableSections.filter { words.sections[$0] == nil }
    for entry in entries {
      let path = path(entry.name)
      if words.names[path] == nil { missing.append(path) }
      for choice in entry.choices where !plain.contains(choice) && !places.contains(choice) {
        if words.choices["\(path)/\(choice)"] ?? words.choices[choice] == nil { missing.append("\(path) = \(choice)") }
      }
      if let unit = unit(of: entry), words.units[unit] == nil { missing.append("the unit \(unit)") }
    }
    return missing
  }

  @Test("nothing is missing: each section, setting, choice and unit has its word", arguments: PanelLanguage.allCases)
  func complete(language: PanelLanguage) {
    let missing = Self.missing(in: PanelWords.of(language).settings)
    #expect(missing.isEmpty, "\(language.rawValue) lacks \(missing.joined(separator: ", "))")
  }

  @Test("a table that lacks something is told of it, and English stands in")
  func fallback() throws {
    let none = SettingWords(sections: [:], names: [:], choices: [:], units: [:], help: [:])
    #expect(Self.missing(in: none).count > Self.entries.count)
    let loudest = Setting<Int>.maxVolume.name
    #expect(none.name(of: loudest) == "Highest volume" && none.name(ofSection: "sound") == "Sound options")
    #expect(none.name(of: SettingName(section: "x", key: "not_known-yet")) == "Not known yet")
    #expect(none.unit("percent") == "%" && none.unit("lamps") == "lamps")
    let stick = try #require(SettingsTable.all.choosable(Setting<StickImport>.stickImport.name))
    #expect(none.choice("ask", of: stick) == "Ask" && none.choice("what I wrote", of: stick) == nil)
  }

  @Test("no page of settings is called as another page is", arguments: PanelLanguage.allCases)
  func pages(language: PanelLanguage) {
    let words = PanelWords.of(language)
    // Of a section with one setting alone there is no page.
    let sections = MenuPages(MenuContext(words), .all).settings(waiting: []).filter { row in
      if case .open(.settingsOf) = row.action { true } else { false }
    }
    let pages: [MenuPlace] = [
      .menu, .more, .queue, .library, .search, .playlists, .sleep, .sound, .equaliser, .normaliser, .settings, .keys,
      .keep, .downloads, .smart, .licences, .storage, .sources, .sticks, .notices, .about,
    ]
    let names = sections.map(\.title) + pages.map { $0.title(words) }
    #expect(sections.count > 4 && Set(names).count == names.count, "\(names)")
  }

  @Test("no table has words for what is not there any more", arguments: PanelLanguage.allCases)
  func nothingLeft(language: PanelLanguage) {
    let words = PanelWords.of(language).settings
    let paths = Set(Self.entries.map { Self.path($0.name) })
    #expect(Set(words.names.keys).subtracting(paths).isEmpty)
    #expect(Set(words.help.keys).subtracting(paths).isEmpty)
    #expect(Set(words.sections.keys).subtracting(SettingsTable.all.choosableSections).isEmpty)
    let all = Set(Self.entries.flatMap(\.choices))
    let stray = words.choices.keys.filter { key in
      guard let slash = key.lastIndex(of: "/") else { return !all.contains(key) }
      guard let entry = Self.entries.first(where: { Self.path($0.name) == String(key[..<slash]) }) else { return true }
      return entry.canonical(String(key[key.index(after: slash)...])) == nil
    }
    #expect(stray.isEmpty, "\(stray)")
  }

  @Test("within a list no two lines say the same", arguments: PanelLanguage.allCases)
  func distinct(language: PanelLanguage) {
    let words = PanelWords.of(language).settings
    let sections = SettingsTable.all.choosableSections.map { words.name(ofSection: $0) }
    #expect(Set(sections).count == sections.count)
    for section in SettingsTable.all.choosableSections {
      let names = Self.entries.filter { $0.name.section == section }.map { words.name(of: $0.name) }
      #expect(Set(names).count == names.count, "\(section)")
    }
    for entry in Self.entries {
      let choices = entry.choices.compactMap { words.choice($0, of: entry) }
      #expect(Set(choices).count == choices.count, "\(entry.name)")
    }
  }

  @Test("each setting that can be chosen has a row: on the page of its section, or under Sound alone if it says so")
  func oneRow() async {
    await aloneOnMainLoop { () async in
      let pages = MenuPages(MenuContext(), .all)
      let rows = SettingsTable.all.choosableSections.flatMap { pages.settings(of: $0, Settings(), waiting: []) }
      let titles = Set(rows.map(\.title))
      let sound = Set(pages.sound(PlayerStatus()).map(\.title))
      let words = PanelWords.english.settings
      for entry in Self.entries {
        let title = words.name(of: entry.name)
        #expect(titles.contains(title) != entry.hasRowElsewhere, "\(title)")
        if entry.hasRowElsewhere { #expect(sound.contains(title), "\(title)") }
      }
      let elsewhere = Self.entries.filter(\.hasRowElsewhere).map { Self.path($0.name) }
      #expect(elsewhere.sorted() == ["sound/crossfade", "sound/equaliser", "sound/normaliser"])
      #expect(rows.count == Self.entries.count - 3)
    }
  }

  @Test("another language's reader is not shown an English sentence", arguments: PanelLanguage.allCases)
  func sentences(language: PanelLanguage) {
    let words = PanelWords.of(language).settings
    for entry in Self.entries {
      let help = words.help(of: entry)
      #expect(language == .english ? help == entry.help : help != entry.help, "\(entry.name)")
    }
  }

  @Test(
    "each name is whole on a panel of 320 x 240 in two lines, in a car's letters in four, and in letters that a font has",
    arguments: PanelLanguage.allCases, [PanelProfile.home, .car])
  func width(language: PanelLanguage, profile: PanelProfile) async throws {
    let type = try SheetTests.type()
    let wrong = await aloneOnMainLoop { () async -> [String] in
      let words = PanelWords.of(language)
      let size = Size(width: 320, height: 240)
      let look = PanelLook(type: type, words: words, style: PanelStyle(profile))
      let screen = MenuScreen(look)
      let pages = MenuPages(MenuContext(words), .all)
      var wrong: [String] = []
      for section in SettingsTable.all.choosableSections {
        var lists = [(section, pages.settings(of: section, Settings(), waiting: []))]
        for entry in Self.entries where entry.name.section == section {
          let rows = pages.setting(entry.name, Settings()).filter { $0.action != .none }
          lists.append(("\(entry.name)", rows))
        }
        for (name, rows) in lists {
          for index in rows.indices {
            let shown = ShownMenu { $0.content = .rows(rows, focus: index, goesOn: false, goesBack: false) }
            let laid = screen.laidOut(rows, index, screen.layout(shown, size)).first { $0.index == index }
            let lines = laid?.lines.map(\.text) ?? []
            if lines.count > (profile == .car ? 4 : 2)
              || Self.letters(lines.joined()) != Self.letters(rows[index].title)
            {
              wrong.append("\(name): \(rows[index].title) \(lines)")
            }
            for scalar in (rows[index].title + rows[index].value).unicodeScalars
            where type.bold.find(scalar).glyph == 0 || type.regular.find(scalar).glyph == 0 {
              wrong.append("\(name): \(scalar)")
            }
          }
        }
      }
      return wrong
    }
    #expect(wrong.isEmpty, "\(wrong.joined(separator: "\n"))")
  }

  /// Lines lose the space between them, and the signs that keep a number's own order.
  private static func letters(_ text: String) -> String {
    text.filter { !$0.isWhitespace && !"\u{200F}\u{2068}\u{2069}".contains($0) }
  }

  private static let shown: [(SettingName, String, String, String)] = [
    (Setting<Int>.maxVolume.name, "60", "60 %", "60 %"), (Setting<Int>.offlineReserve.name, "50", "50 MB", "50 Mo"),
    (Setting<Int>.offlineLimit.name, "32", "32 GB", "32 Go"),
    (Setting<StartVolume>.startVolume.name, "30", "30 %", "30 %"),
    (Setting<StartVolume>.startVolume.name, "last", "As it was", "Comme avant"),
    (Setting<Duration>.panelDimsAfter.name, "10s", "10 s", "10 s"),
    (Setting<Duration>.panelDimsAfter.name, "0s", "Never", "Jamais"),
    (Setting<Duration>.crossfade.name, "500ms", "500 ms", "500 ms"),
    (Setting<Duration>.bookmarksAfter.name, "15m", "15 min", "15 min"),
    (Setting<Duration>.bookmarksAfter.name, "2h", "2 h", "2 h"),
    (Setting<Int>.offlineBandwidth.name, "0", "No limit", "Illimité"),
    (Setting<Int>.offlineBandwidth.name, "500", "500 KB/s", "500 Ko/s"),
    (Setting<Bool>.resume.name, "yes", "On", "Oui"),
    (Setting<DayHours?>.daylight.name, "7:00-19:00", "7–19", "7–19"),
    (Setting<DayHours?>.daylight.name, "7:30-19:00", "7:30–19:00", "7:30–19:00"),
  ]

  @Test("each value has its unit, and what is no value is a word", arguments: shown)
  func values(name: SettingName, text: String, english: String, french: String) throws {
    let entry = try #require(SettingsTable.all.choosable(name))
    var choices = Choices(in: .all)
    let isChosen = choices.choose(name, text, over: Settings())
    #expect(isChosen)
    let settings = choices.applied(to: Settings())
    for (words, expected) in [(PanelWords.english, english), (.french, french)] {
      #expect(MenuPages(MenuContext(words), .all).setting(entry, settings, waiting: []).value == expected)
    }
  }

  @Test("the language is found by who cannot read it, in each script once")
  func languages() {
    for (words, detail) in [
      (PanelWords.english, "言語 · اللغة"), (.german, "Language · 言語 · اللغة"), (.japanese, "Language · اللغة"),
    ] {
      let row = MenuPages(MenuContext(words), .all).settings(waiting: []).first
      #expect(row?.title == words.settings.name(of: Setting<PanelLanguage>.language.name) && row?.detail == detail)
    }
    let arabic = MenuPages(MenuContext(.arabic), .all).settings(waiting: []).first
    #expect(arabic?.title == "اللغة" && arabic?.detail.contains("اللغة") == false)
  }

  @Test("in Arabic hours and lists of keys run as the words do")
  func rightToLeft() {
    let pages = MenuPages(MenuContext(.arabic), .all)
    let daylight = pages.settings(of: "panel", Settings(), waiting: []).first { row in
      row.title == PanelWords.arabic.settings.name(of: Setting<DayHours?>.daylight.name)
    }
    #expect(daylight?.value == "\u{200F}7–20")
    let keys = KeyMap().rows
    let lists = pages.keys(keys, knob: .none, settings: Settings()).map(\.detail).filter { $0.contains("\u{2068}") }
    #expect(!lists.isEmpty && lists.allSatisfy { $0.contains("، ") && !$0.contains(", ") }, "\(lists)")
  }

  @Test("no value on any page of settings is a bare number", arguments: PanelLanguage.allCases)
  func numbers(language: PanelLanguage) {
    let pages = MenuPages(MenuContext(PanelWords.of(language)), .all)
    for section in SettingsTable.all.choosableSections {
      for row in pages.settings(of: section, Settings(), waiting: []) {
        #expect(Int(row.value) == nil && !row.value.hasSuffix("0m"), "\(row.title): \(row.value)")
      }
    }
  }

  @Test("what only a file should set is not on the panel, and nothing is there twice")
  func files() {
    let pages = MenuPages(MenuContext(), .all)
    let first = pages.settings(waiting: []).map(\.title)
    #expect(Set(first).count == first.count)
    #expect(!first.contains("Log") && !first.contains("New features") && first.contains("Music on a stick"))
    let names = SettingsTable.all.choosableSections.flatMap { SettingsTable.all.choosable(in: $0) }.map(\.name.word)
    for word in ["log.level", "network.probe", "offline.proxy", "flags.http2", "flags.smart-downloads"] {
      #expect(!names.contains(word), "\(word)")
    }
    let sound = pages.settings(of: "sound", Settings(), waiting: []).map(\.title)
    #expect(!sound.contains("Equaliser") && !sound.contains("Crossfade") && sound.contains("Highest volume"))
  }

  @Test("the settings' screens are in the panel's language, values and titles too")
  func pages() {
    let words = PanelWords.german
    let pages = MenuPages(MenuContext(words), .all)
    var settings = Settings()
    settings[.stickImport] = .always
    settings[.maxVolume] = 60
    #expect(pages.settings(waiting: []).map(\.title).contains("Klangoptionen"))
    let sound = pages.settings(of: "sound", settings, waiting: [])
    let loudest = sound.first { $0.title == "Höchste Lautstärke" }
    #expect(loudest?.value == "60 %")
    #expect(pages.settings(of: "sticks", settings, waiting: []).map(\.value) == ["Immer"])
    let stick = pages.setting(Setting<StickImport>.stickImport.name, settings)
    #expect(stick.map(\.title) == ["Fragen", "Immer", "Nie"], "and no English sentence below it")
    #expect(stick.map(\.sign) == [.none, .current, .none])
    let daylight = pages.setting(Setting<DayHours?>.daylight.name, settings)
    #expect(daylight.contains { $0.title == "Gilt, wenn die Farben automatisch wechseln." })
    #expect(MenuPlace.setting(Setting<Int>.maxVolume.name).title(words) == "Höchste Lautstärke")
    #expect(MenuPlace.settingsOf("offline").title(words) == "Offline-Musik")
    guard case .open(.dial(let dial))? = loudest?.action else {
      Issue.record("a number is turned")
      return
    }
    #expect(dial.subject.title(words) == "Höchste Lautstärke" && dial.subject.unit(words) == "%")
  }
}
