import Runtime
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

@Suite("What the house tells, in each language")
struct NoticeWordsTests {
  static let languages = PanelLanguage.allCases.filter { $0 != .english }

  static let paths: [(String, String)] = [
    ("no music.", "no music."), ("/a/b.flac is gone", "/a/b.flac is gone"),
    ("/media/usb/Music/Miles/So-What.flac: gone", "/media/…/So-What.flac: gone"),
    ("cannot read \"/var/lib/layby/media/music/x.flac\" now", "cannot read \"/var/…/x.flac\" now"),
    ("https://music.example/share/rest/ping.view?u=1", "https://music.example/share/rest/ping.view?u=1"),
    ("two or more/less/or/so/of/it/all", "two or more/less/or/so/of/it/all"),
  ]

  @Test("long paths are shortened in their middle, and nothing else is", arguments: paths)
  func shortened(text: String, shown: String) {
    #expect(PanelWords.shorteningPaths(in: text) == shown)
    #expect(PanelWords.german.said(Notice("T-1", text)) == shown)
  }

  @Test("no code is missing in one language that another has", arguments: languages)
  func complete(language: PanelLanguage) {
    let all = Set(Self.languages.flatMap { PanelWords.of($0).notices.keys })
    let missing = all.subtracting(PanelWords.of(language).notices.keys)
    #expect(all.count > 30 && missing.isEmpty, "\(language.rawValue) lacks \(missing.sorted())")
  }

  /// Made of the panel's own words where they are posted; of the first, what is wrong in which line.
  static let elsewhere: Set<String> = ["C-103", "H-723", "N-120", "N-125", "N-126", "N-127"]

  @Test("each notice that is written down in the house has words in each language")
  func all() throws {
    let text = try Self.sources()
    let codes = Set(text.matches(of: /Notice\(\s*"([A-Z]-[0-9]{3})"/).map { String($0.1) })
    #expect(codes.count > 30)
    let spoken = Set(PanelWords.german.notices.keys)
    let forgotten = codes.subtracting(spoken).subtracting(Self.elsewhere)
    #expect(forgotten.isEmpty, "\(forgotten.sorted())")
    #expect(Self.elsewhere.isSubset(of: codes) && Self.elsewhere.isDisjoint(with: spoken))
  }

  @Test("phrases of one notice take as many names in each language", arguments: languages)
  func names(language: PanelLanguage) {
    for (phrase, text) in PanelWords.of(language).notices {
      let other = PanelWords.german.notices[phrase] ?? ""
      #expect(text.filter { $0 == "%" }.count == other.filter { $0 == "%" }.count, "\(phrase): \(text)")
    }
  }

  @Test("each code is one that the house tells")
  func told() throws {
    let text = try Self.sources()
    for code in NoticeWords.german.keys { #expect(text.contains("\"\(code)\""), "\(code)") }
  }

  private static func sources() throws -> String {
    let sources =
      FilePath(String(#filePath.dropLast("/Tests/PanelTests/Words/NoticeWordsTests.swift".count))) / "Sources"
    var text = ""
    var folders = [sources]
    while let folder = folders.popLast() {
      for name in try Folder.names(in: folder) {
        let path = folder / "\(name)"
        if "\(name)".hasSuffix(".swift"), name.description != "NoticeWords.swift" {
          text += String(decoding: try AtomicFile.read(path, limit: 1 << 20), as: UTF8.self)
        } else if !"\(name)".contains(".") {
          folders.append(path)
        }
      }
    }
    return text
  }

  @Test("each can be read: letters that fonts have, and no more than a notice has room for", arguments: languages)
  func letters(language: PanelLanguage) async throws {
    let type = try SheetTests.type()
    let missing = await aloneOnMainLoop { () async -> [String] in
      PanelWords.of(language).notices.values.filter { text in
        text.isEmpty || text.count > 80
          || text.unicodeScalars.contains { type.bold.find($0).glyph == 0 || type.regular.find($0).glyph == 0 }
      }
    }
    #expect(missing.isEmpty, "\(missing)")
  }

  @Test("what a language has no words for is said as the house says it")
  func fallback() {
    let words = PanelWords.german
    #expect(words.said(Notice("P-102", "The queue has ended.")) == "Die Warteschlange ist zu Ende.")
    #expect(words.said(Notice("X-999", "Nobody knows.")) == "Nobody knows.")
    #expect(PanelWords.english.said(Notice("P-102", "The queue has ended.")) == "The queue has ended.")
    #expect(words.said("O-111", "the battery is low") == "O-111: der Akku ist schwach")
  }

  @Test("sizes, labels and codes are written as each language writes them")
  func written() {
    let size: Int64 = 5_900_000_000
    let table: [(PanelWords, String, String)] = [
      (.english, "Free: 5.9 GB", "O-111: the battery is low"), (.german, "Frei: 5,9 GB", "O-111: der Akku ist schwach"),
      (.french, "Libre\u{A0}: 5,9 Go", "O-111\u{A0}: batterie faible"),
      (.spanish, "Libre: 5,9 GB", "O-111: batería baja"),
    ]
    for (words, free, why) in table {
      #expect(words.labelled(.free, words.bytes(size)) == free && words.said("O-111", "the battery is low") == why)
    }
    // What begins with Latin letters would run from the left.
    #expect(PanelWords.arabic.said("O-111", "the battery is low").hasSuffix(" (\u{2068}O-111\u{2069})"))
    #expect(PanelWords.arabic.said("O-199", "for nobody knows what") == "O-199: for nobody knows what")
    for (count, text) in [(-1, "0 B"), (999, "999 B"), (1_000, "1.0 kB"), (999_600, "1.0 MB"), (12_400_000, "12 MB")] {
      #expect(PanelWords.english.bytes(Int64(count)) == text)
    }
    #expect(!PanelWords.english.bytes(.max).isEmpty)
    // Also where the house has written it into a notice.
    let taken = PanelWords.german.said(Notice("L-410", "", names: ["BLUE 2", "1.2 GB"]))
    #expect(taken == "BLUE 2: 1,2 GB Titel sind in der Bibliothek.")
    #expect(PanelWords.french.said(Notice("L-410", "", names: ["1.2.3 GB", "900 MB"])).contains("900 Mo"))
  }

  @Test("in Arabic names and numbers keep their own order within what is said, and facts stand in its order")
  func isolated() {
    let (words, name) = (PanelWords.arabic, "a\u{2069}b")
    #expect(words.filled(.addedTo).unicodeScalars.allSatisfy { $0.value != 0x2068 })
    #expect(words.labelled(.free, "5 GB").hasSuffix("\u{2068}5 GB\u{2069}"))
    #expect(words.filled(.serverAway, name).hasPrefix("\u{2068}ab\u{2069} "))
    #expect(words.joined(["1.2", "2:04"]) == "\u{200F}\u{2068}1.2\u{2069} · \u{2068}2:04\u{2069}")
    #expect(words.joined(["", "2:04"]) == "2:04" && PanelWords.german.joined(["1,2", "", "2:04"]) == "1,2 · 2:04")
  }

  @Test("when a place opens is said in each language's own words", arguments: PanelLanguage.allCases)
  func opening(language: PanelLanguage) {
    let words = PanelWords.of(language)
    let today = words.said(KioskHours.Opening(day: nil, clock: "9:00"))
    let monday = words.said(KioskHours.Opening(day: 0, clock: "9:00"))
    #expect(today.contains("9:00") && !today.contains("%"))
    #expect(monday.contains("9:00") && monday.contains(words[.monday]) && !monday.contains("%"))
  }

  @Test("a reason is a piece of a notice; what has no words for all of it is said as the house says it")
  func reasons() {
    let words = PanelWords.german
    let waits = Notice("O-111", "Downloads wait: the battery is low.", as: "downloads wait", because: "O-111")
    #expect(words.said(waits) == "Downloads warten: der Akku ist schwach.")
    #expect(words.said(Notice("O-111", "Something else: the battery is low.")) == "Something else: the battery is low.")
    let unknown = Notice("O-199", "Downloads wait: for nobody knows what.", as: "downloads wait", because: "O-199")
    #expect(words.said(unknown) == unknown.message && PanelWords.english.said(waits) == waits.message)
    let lost = Notice("O-143", "A of B is not here", as: "not fetched", names: ["A%", "B"], because: "O-143")
    #expect(words.said(lost) == "A% von B kam nicht: der Server liefert gerade nicht.")
    for names in [[], ["A"], ["A", "B", "C"]] {
      let wrong = Notice("L-410", "as the house says it", names: names)
      #expect(words.said(wrong) == wrong.message)
    }
    #expect(words.said(Notice("L-410", "", names: ["BLUE", "12"])) == "BLUE: 12 Titel sind in der Bibliothek.")
  }

  @Test("a question keeps its answers in their order, whatever they are called", arguments: PanelLanguage.allCases)
  func questions(language: PanelLanguage) {
    let words = PanelWords.of(language)
    for count in 3...4 {
      let answers = ["Not now", "Yes, each time it is in", "Yes, and play it now", "Never from this stick"]
      let question = OwnersQuestion(
        "H-713", "Take in the music of \"BLUE\"?", about: "\"BLUE\"", answers: Array(answers.prefix(count)))
      let said = words.said(question)
      #expect(
        said.text.contains(words[.quoted].replacing("%", with: "BLUE")) && said.answers.count == count
          && Set(said.answers).count == count)
      if language == .english { #expect(said.text == question.text && said.answers == question.answers) }
    }
    let nameless = OwnersQuestion("H-713", "Take in the music of this stick?", answers: ["Not now", "Yes"])
    #expect(words.said(nameless).text.contains(words[.thisStick]))
    if language == .english { #expect(words.said(nameless).text == nameless.text) }
    let other = OwnersQuestion("T-1", "Shall it?", answers: ["No", "Yes"])
    #expect(words.said(other) == (other.text, other.answers))
  }
}
