import Kit
import Runtime
import Testing

@testable import Canvas
@testable import Panel

@Suite("What the house tells, in each language")
struct NoticeWordsTests {
  static let languages = PanelLanguage.allCases.filter { $0 != .english }

  @Test("no code is missing in one language that another has", arguments: languages)
  func complete(language: PanelLanguage) {
    let all = Set(Self.languages.flatMap { PanelWords.of($0).notices.keys })
    let missing = all.subtracting(PanelWords.of(language).notices.keys)
    #expect(all.count > 30 && missing.isEmpty, "\(language.rawValue) lacks \(missing.sorted())")
  }

  @Test("each code is one that the house tells")
  func told() throws {
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
    for code in NoticeWords.german.keys { #expect(text.contains("\"\(code)\""), "\(code)") }
  }

  @Test("each can be read: letters that fonts have, and no more than a notice has room for", arguments: languages)
  func letters(language: PanelLanguage) async throws {
    let type = try SheetTests.type()
    let missing = await aloneOnDeck { () async -> [String] in
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

  @Test("a question keeps its answers in their order, whatever they are called", arguments: PanelLanguage.allCases)
  func questions(language: PanelLanguage) {
    let words = PanelWords.of(language)
    for count in 3...4 {
      let answers = ["Not now", "Yes, each time it is in", "Yes, and play it now", "Never from this stick"]
      let question = OwnersQuestion(
        "H-713", "Take in the music of \"BLUE\"?", about: "\"BLUE\"", answers: Array(answers.prefix(count)))
      let said = words.said(question)
      #expect(said.text.contains("\"BLUE\"") && said.answers.count == count && Set(said.answers).count == count)
      if language == .english { #expect(said.text == question.text && said.answers == question.answers) }
    }
    let other = OwnersQuestion("T-1", "Shall it?", answers: ["No", "Yes"])
    #expect(words.said(other) == (other.text, other.answers))
  }
}
