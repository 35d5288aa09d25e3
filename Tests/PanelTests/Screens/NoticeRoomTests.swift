import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// On a small panel the word that matters is not the one that is cut.
@Suite("Notices on small panels")
struct NoticeRoomTests {
  private static func heard(_ size: Size, _ words: PanelWords, _ draw: (PanelLook, Canvas) -> Void) throws
    -> [DrawnText]
  {
    let canvas = Canvas(size: size)
    var heard: [DrawnText] = []
    canvas.heard = { heard.append($0) }
    draw(PanelLook(type: try SheetTests.type(), words: words, theme: .ink), canvas)
    canvas.heard = nil
    return heard
  }

  private static func music(_ size: Size, _ words: PanelWords, _ set: (inout NowPlaying) -> Void) throws -> [DrawnText]
  {
    try heard(size, words) { look, canvas in
      var now = Sheet.playing
      set(&now)
      NowPlayingScreen(look).draw(now, on: canvas)
    }
  }

  private static func texts(_ heard: [DrawnText]) -> [String] { heard.map(\.text) }
  private static func areWhole(_ heard: [DrawnText]) -> Bool { heard.allSatisfy(\.isWhole) }

  /// What stands until it is over.
  private static let standing = [
    Notice("H-600", "The ignition has been off since the start. The board switches off in 30 min."),
    Notice("H-602", "The ignition is off. The board switches off in 30 min."),
    Notice("H-614", "The power supply is too weak for this board. Try another one, or a shorter cable."),
    Notice("H-615", "The board is too hot (81 °C), and works slowly until it has cooled. Give it air."),
    Notice("H-610", "The battery is at 9 %: imports, downloads and copies wait for the charger."),
    Notice("H-611", "The battery is at 2 %: the board switches off in 30 s. Plug it in."),
  ]
  private static let passing = [
    Notice("P-103", "The queue is full (20000); 12 were left out."),
    Notice("P-104", "3 files in a row cannot be played. Stopped."),
    Notice("P-105", "None of the songs in the queue is here. If they are on a stick, plug it in."),
    Notice("P-109", "A song that was kept offline is no longer on this device."),
    Notice("H-601", "The ignition's line goes on and off without end. Is its wire loose?"),
    Notice("H-612", "There is power again: imports, downloads and copies go on."),
    Notice("L-440", "BLUE 2: 128 files (1.2 GB) are on the device.", names: ["BLUE 2", "128", "1.2 GB"]),
    Notice("H-714", "BLUE 2 is the twin of one that is in; only that one is looked through", names: ["BLUE 2"]),
  ]

  /// In another language, each that is a sentence of its own.
  private static func passing(_ language: PanelLanguage) -> [Notice] {
    if language == .english { return passing }
    let names = ["BLUE 2", "128", "12", "kitchen"]
    return NoticeWords.german.filter { $0.value.hasSuffix(".") || $0.value.hasSuffix("?") }.keys.sorted().map {
      phrase in
      let count = NoticeWords.german[phrase]?.count { $0 == "%" } ?? 0
      return Notice("T-1", "", as: phrase, names: Array(names.prefix(count)))
    }
  }

  @Test("on 128x64 each is read to its end, or said in short", arguments: PanelLanguage.allCases)
  func tiny(language: PanelLanguage) throws {
    let (size, words) = (ScreenClass.tiny.size, PanelWords.of(language))
    for (notices, stands) in [(Self.standing, true), (Self.passing(language), false)] {
      for notice in notices {
        let (text, inShort) = (words.said(notice), words.inShort(notice))
        let said = try Self.music(size, words) {
          ($0.notice, $0.noticeInShort, $0.noticeStands) = (text, inShort, stands)
        }
        #expect(Self.areWhole(said), "\(notice.phrase): \(Self.texts(said))")
        guard stands else { continue }
        let menu = try Self.heard(size, words) { look, canvas in
          let shown = ShownMenu { ($0.notice, $0.noticeInShort, $0.noticeStands) = (text, inShort, true) }
          MenuScreen(look).draw(shown, on: canvas)
        }
        #expect(!menu.isEmpty && Self.areWhole(menu), "\(notice.phrase): \(Self.texts(menu))")
      }
    }
  }

  @Test("so is each state that stands over the music", arguments: PanelLanguage.allCases)
  func states(language: PanelLanguage) throws {
    let words = PanelWords.of(language)
    for (name, set) in Sheet.told {
      let facts = PanelFacts(set)
      guard let warning = PanelState.all(of: facts, by: .all, words).first(where: \.isWarning) else { continue }
      for size in [ScreenClass.tiny, .square].map(\.size) {
        let said = try Self.music(size, words) { $0.warning = warning }
        #expect(Self.areWhole(said), "\(name) on \(size): \(Self.texts(said))")
      }
    }
  }

  @Test("on 240x240 what can be done is said too", arguments: PanelLanguage.allCases)
  func advice(language: PanelLanguage) throws {
    let (size, words) = (ScreenClass.square.size, PanelWords.of(language))
    func letters(_ text: String) -> String { text.filter { $0.isLetter || $0.isNumber } }
    let notice = try #require(Self.standing.last)
    let text = words.said(notice)
    let advice = letters(ToldNotice(text, inShort: nil, stands: true).advice)
    let said = try Self.music(size, words) {
      ($0.notice, $0.noticeInShort, $0.noticeStands) = (text, words.inShort(notice), true)
    }
    #expect(!advice.isEmpty && letters(Self.texts(said).joined()).contains(advice), "\(Self.texts(said))")
    for (name, set) in Sheet.told {
      let warning = PanelState.all(of: PanelFacts(set), by: .all, words).first(where: \.isWarning)
      guard let warning, let now = warning.now.first else { continue }
      let said = try Self.music(size, words) { $0.warning = warning }
      #expect(letters(Self.texts(said).joined()).contains(letters(now)), "\(name): \(Self.texts(said))")
    }
  }

  @Test("a long form has its room where the panel has room for it, whatever there is in short")
  func long() throws {
    let notice = try #require(Self.standing.last)
    let said = try Self.music(ScreenClass.large.size, .english) {
      ($0.notice, $0.noticeInShort, $0.noticeStands) = (notice.message, "Battery empty", true)
    }
    #expect(Self.texts(said).joined(separator: " ").contains("switches off in 30 s"))
    #expect(!said.contains { $0.text == "Battery empty" })
  }
}
