import Application
import Audio
import Hardware
import Playback
import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel
@testable import layby

extension Notice {
  /// As a start tells it of an owner's file.
  static func ofMistakes(in file: String, shownAs name: String = "/etc/layby/layby.conf") -> Notice {
    let reading = try? SettingsTable.all.read(
      board: [], shownAs: "board.conf", owner: .success(Array(file.utf8)), shownAs: name, lastGood: { _ in nil })
    guard let notice = reading?.notices.first else { fatalError("there is no mistake in it") }
    return notice
  }
}

@Suite("A panel speaks one language")
struct OneLanguageTests {
  static let languages = NoticeWordsTests.languages

  // MARK: Every page

  /// What stands on pages and is somebody's: names of music, sticks, sources and settings of files.
  private static let names: Set = [
    "an", "album", "another", "third", "somebody", "guest", "track", "mine", "first", "second", "gone", "blue",
    "kitchen", "ssd", "part", "book", "layby", "conf", "etc", "sound", "loud", "sonud", "max", "volume", "max_volum",
    "flac", "songs", "battery", "language", "red", "stick", "bandwidth", "all", "equaliser", "crossfade",
    // Signs that are no words.
    "hz", "db", "ms", "ok", "esc",
  ]

  private static func words(of text: String) -> Set<String> {
    // Sections and keys of files are the same in every language.
    let text = text.replacing(/\[\w+\] \S+/, with: "")
    return Set(text.lowercased().split { !$0.isLetter }.map(String.init).filter { $0.count > 1 })
  }

  /// Words that English has and German has not.
  private static let english: Set<String> = {
    let own = SettingWords.english
    let ours: [String] =
      Word.allCases.map(\.rawValue) + KeyLabels.printed.values + own.sections.values + own.names.values
      + own.choices.values + SettingsTable.all.entries.map(\.help) + notices.map(\.message)
      + SettingsTable.all.entries.map(\.expected)
    let german = PanelWords.german
    let theirs: [String] =
      Word.allCases.map { german[$0] } + KeyLabels.german.values + german.notices.values
      + german.settings.sections.values + german.settings.names.values + german.settings.choices.values
      + german.settings.help.values
    return ours.reduce(into: Set<String>()) { $0.formUnion(words(of: $1)) }
      .subtracting(theirs.reduce(into: Set<String>()) { $0.formUnion(words(of: $1)) }).subtracting(names)
  }()

  /// One of each kind: a mistake in a file, a fault of a database, of a file of music, of a transfer, and a reason.
  private static let notices: [Notice] = [
    .ofMistakes(in: "[sonud]\nx = 1\n[sound]\nmax_volume = loud\nmax_volum = 3\nthis is no line\n"),
    Notice(Fault(.full, "S-106", "the database is full"), instead: "what was fetched is not in the library yet"),
    Notice(Fault(.malformed, "A-122", "cannot read /music/9.flac: it has no header")).about(FilePath("/music/9.flac")),
    Notice(Fault(.passing, "O-1503", "the server answered 503"), instead: "nothing is fetched"),
    Notice("O-200", "Downloads go on."),
  ]

  @MainLoop
  private struct Walk {
    let hand: MenuHand
    var texts: Set<String> = []
    private var seen: Set<String> = []

    init(_ hand: MenuHand) { self.hand = hand }

    private mutating func look() {
      guard let shown = hand.desk.shown else { return }
      texts.insert(shown.title)
      switch shown.content {
      case .rows(let rows, _, _, _):
        for row in rows {
          texts.formUnion([row.title, row.detail, row.value])
          if let head = row.head { texts.formUnion([head.name, head.artist] + head.facts) }
        }
      case .words(let why): texts.insert(why)
      default: break
      }
    }

    mutating func visit(depth: Int) async {
      look()
      guard depth < 6 else { return }
      for row in hand.rows.prefix(30) {
        for (place, move) in [(Self.place(row.action), Controls.MenuMove.press), (row.more, .more)] {
          guard let place, seen.insert(Self.name(place)).inserted,
            let index = hand.rows.firstIndex(of: row)
          else { continue }
          await hand.move(.turn(index - hand.focus))
          await hand.move(move)
          await visit(depth: depth + 1)
          await hand.move(.back)
        }
      }
    }

    private static func place(_ action: MenuRow.Action) -> MenuPlace? {
      if case .open(let place) = action { place } else { nil }
    }

    private static func name(_ place: MenuPlace) -> String {
      switch place {
      case .list(let list, _): String("\(list)".prefix { $0 != "(" })
      case .thing(let thing): "thing " + "\(thing.kind)".prefix { $0 != "(" }
      default: "\(place)"
      }
    }
  }

  @Test("no page of a German one has an English word")
  func pages() async {
    let (texts, made) = await aloneOnMainLoop { () async -> (Set<String>, Set<String>) in
      let world = MenuWorld(12)
      (world.former, world.because, world.whyNone) = (ShownFormerQueue("Nachtlied", count: 3), "", "")
      world.waiting = [Setting<Bool>.resume.name]
      world.kept = [
        ShownDownload(DownloadID("1", "An album"), .running), ShownDownload(DownloadID("2", "Another"), .failed),
        ShownDownload(DownloadID("3", "A third"), .paused),
      ]
      for key in KeyName.codes.values.sorted().prefix(40) {
        if let key = KeyName(code: Int(key)) { world.map.bind(key, to: .button(.play)) }
      }
      let hand = MenuHand(world)
      hand.desk.manner.words = .german
      hand.notices.clear()
      hand.notices.withdraw("T-2")
      for notice in Self.notices { hand.notices.post(notice) }
      let held = PanelFacts {
        ($0.unsaved, $0.sources) = (.init(Fault(.full, "S-106", "the database is full")), ["kitchen"])
        $0.away = .init(
          "kitchen", since: .init(nanoseconds: 0), again: nil, code: "O-1503", message: "the server answered 503")
        ($0.isEmpty, $0.isSafe, $0.missingDevice) = (false, true, "hw:1")
      }
      hand.desk.states = { PanelState.all(of: held, by: .all, .german) }
      hand.notices.stand(Notice("S-170", "the data partition was repaired"))
      var walk = Walk(hand)
      await hand.move(.open)
      await walk.visit(depth: 0)
      world.fails = true
      await hand.move(.at(.list(.artists, named: "x")))
      await walk.visit(depth: 5)
      return (walk.texts, Set(world.songs.flatMap { [$0.title, $0.artist] }))
    }
    let music = made.reduce(into: Set<String>()) { $0.formUnion(Self.words(of: $1)) }
    #expect(texts.count > 300, "\(texts.count)")
    // Places are called alike in every language here: zones as the world's table has them, countries as their people do.
    let zones = TimeZones.names.flatMap { name in name.split(separator: "/").map { $0.replacing("_", with: " ") } }
    let countries = RadioCountry.codes.map { code in RadioCountry.name(of: code).map { "\($0) (\(code))" } ?? code }
    let places = Set(zones.map { String($0) }).union(countries)
    let wrong = texts.compactMap { text -> String? in
      guard !places.contains(text) else { return nil }
      let found = Self.words(of: text).intersection(Self.english).subtracting(music)
      return found.isEmpty ? nil : "\(text): \(found.sorted())"
    }
    #expect(wrong.isEmpty, "\(wrong.sorted().joined(separator: "\n"))")
    #expect(Self.english.isSuperset(of: ["the", "expected", "full", "queue", "speech", "database"]))
    // They were looked at.
    for title in ["Gespeichertes: kein Platz mehr", "9.flac: nicht lesbar"] {
      #expect(texts.contains { $0.hasPrefix(title) }, "\(title): \(texts.sorted())")
    }
  }

  // MARK: What went wrong

  @Test(
    "a mistake in layby.conf is told in each language: the line, the key and what was expected", arguments: languages)
  func mistakes(language: PanelLanguage) {
    let words = PanelWords.of(language)
    let most = words.isRightToLeft ? "100%" : "100 %"
    let table: [(file: String, line: Int, parts: [String])] = [
      ("[sound]\nmax_volume = loud", 2, ["[sound] max_volume = loud", "0", most]),
      ("[sound]\nvolume_stepp = 5", 2, ["volume_step"]), ("[sonud]\n", 1, ["sound"]),
      ("[playback]\nmax_volume = 4", 2, ["[sound]"]), ("x = 1\n", 1, ["[sound]"]),
      ("[playback]\nresume = maybe", 2, ["yes", "no"]), ("[sound]\n\nmax_volume = 3\nmax_volume = 4", 4, ["3"]),
      ("[playback]\nprevious_restarts_after = 1h", 2, ["0s", "1m"]), ("[source !]\n", 1, ["[source kiosk]"]),
      ("[sound]\nwhat", 2, ["# …"]), ("[offline]\nhours = always", 2, ["-"]),
    ]
    for (file, line, parts) in table {
      let notice = Notice.ofMistakes(in: file)
      let said = words.said(notice)
      let first = said.split(separator: "\n").first.map(String.init) ?? ""
      #expect(first.contains("layby.conf") && !first.contains("/etc") && first.contains("\(line)"), "\(said)")
      for part in parts { #expect(first.contains(part), "\(part): \(said)") }
      #expect(!said.contains("%") || said.contains(most), "\(said)")
      let english = PanelWords.english.said(notice)
      #expect(said != english && english.hasPrefix("layby.conf:\(line): ") && !english.contains("/etc"), "\(english)")
    }
    let thirty = Notice.ofMistakes(in: String(repeating: "what\n", count: 30))
    #expect(!PanelWords.english.said(thirty).contains("/etc"), "each line names the file alone")
    let many = words.said(thirty)
    #expect(many.split(separator: "\n").count == 22 && many.contains("10"))
  }

  @Test("a mistake has a row of its own on the page of its notice")
  func rows() {
    let notice = Notice.ofMistakes(in: "[sound]\nmax_volume = loud\nwhat\n")
    let pages = MenuPages(MenuContext(.german, on: .large), .all)
    let rows = pages.notice(notice, nil, at: .init(now: Moment(nanoseconds: 0))).map(\.title)
    #expect(rows.first == "layby.conf, Zeile 2: [sound] max_volume = loud: erwartet: 0 bis 100 %", "\(rows)")
    #expect(rows.contains("Alles Übrige in der Datei gilt.") && rows.contains("C-103"), "\(rows)")
    #expect(!rows.contains { $0.contains("\n") })
  }

  @Test("a fault without words of its own is told by what it is about and what kind it is", arguments: languages)
  func faults(language: PanelLanguage) {
    let words = PanelWords.of(language)
    let fault = Fault(.full, "S-106", "the database is full")
    #expect(words.said(fault).contains("S-106") && !words.said(fault).contains("database"))
    let notice = Notice(fault, instead: "nothing is kept")
    #expect(!words.said(notice).contains("database") && !words.said(notice).contains("S-106"))
    #expect(
      words.said(Notice(Fault(.damaged, "A-1", "bad")).about(FilePath("/m/So What.flac"))).contains("So What.flac"))
    var told: Set<String> = []
    for kind: Fault.Kind in [.passing, .missing, .denied, .malformed, .unsupported, .full, .damaged, .busy] {
      told.insert(words.said(Notice(Fault(kind, "S-106", "x"), instead: "y")))
    }
    #expect(told.count == 8)
    #expect(PanelWords.english.said(fault) == "S-106: the database is full")
    #expect(PanelWords.english.reason(fault) == "the database is full")
  }

  @Test("letters of the codes: each of the house's has its subject", arguments: languages)
  func subjects(language: PanelLanguage) {
    let about = PanelWords.of(language).faults?.about ?? [:]
    // B and V are of the bench and the virtual board, and come to no panel.
    #expect(Set(about.keys) == Set("ACEGHKLNOPRSXY"))
  }

  @Test("all that faults and mistakes are told by can be read: fonts have its letters", arguments: languages)
  func letters(language: PanelLanguage) async throws {
    let type = try SheetTests.type()
    let words = PanelWords.of(language)
    let faults = try #require(words.faults)
    let texts = Mirror(reflecting: faults).children.compactMap { $0.value as? String } + faults.about.values
    let missing = await aloneOnMainLoop { () async -> [String] in
      (texts + words.keys.values).filter { text in
        text.isEmpty
          || text.unicodeScalars.contains { type.bold.find($0).glyph == 0 || type.regular.find($0).glyph == 0 }
      }
    }
    #expect(texts.count > 30 && missing.isEmpty, "\(missing)")
  }

  // MARK: Keys and curves

  /// The same on keyboards of every language.
  static let everywhere: Set = [
    "Esc", "Alt", "Alt Gr", "Super", "OK", "TV", "CD", "DVD", "AUX", "MP3", "Zoom +", "Zoom -", "Zoom 100 %", "A-B",
    "Radio", "Web", "PC", "VCR", "HP", "Wi-Fi", "L1", "R1", "L2", "R2", "< >",
  ]

  @Test("keys with words on them have words of each language", arguments: languages)
  func keys(language: PanelLanguage) throws {
    let words = PanelWords.of(language)
    #expect(Set(words.keys.keys) == Set(KeyLabels.german.keys))
    for (name, label) in KeyLabels.printed where label.contains(where: \.isLetter) && label.count > 1 {
      let isSaid = words.keys[name] != nil || KeyLabels.meanings[name] != nil || Self.everywhere.contains(label)
      #expect(isSaid, "\(name): \(label)")
    }
    for name in ["KEY_NEXTSONG", "KEY_STOPCD", "KEY_RED", "KEY_MICMUTE", "KEY_CAMERA", "KEY_CONTEXT_MENU"] {
      let key = try #require(KeyName(name))
      #expect(words.name(of: key) != PanelWords.english.name(of: key), "\(name): \(words.name(of: key))")
    }
    #expect(words.name(of: try #require(KeyName("KEY_KPENTER"))).hasSuffix(" \(words.keys["ENTER"] ?? "?")"))
    #expect(words.name(of: try #require(KeyName("KEY_F5"))) == "F5")
  }

  @Test("each curve of the equaliser has its word, and bands are shown as they are")
  func presets() {
    var status = PlayerStatus()
    let names = EqualiserCurve.presets.map(\.name)
    let rows = MenuPages(MenuContext(.german), .all).equaliser(names, status).dropLast()
    #expect(Array(rows.map(\.title)) != names && rows.map(\.title).contains("Stimme"))
    for (row, name) in zip(rows, names) {
      #expect(row.title != name && row.title.first?.isUppercase == true, "\(name)")
    }
    status.sounding.equaliser = OwnCurve.curve(.flat, hertz: OwnCurve.bands[0], decibels: 3)
    let own = MenuPages(MenuContext(.german), .all).sound(status).first { $0.title == PanelWords.german[.equaliser] }
    #expect(own?.value == status.sounding.equaliser.description)
  }
}
