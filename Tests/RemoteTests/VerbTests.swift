import Runtime
import Testing

@testable import Remote

@Suite("Verbs and their forms")
struct VerbTests {
  private func kinds(_ words: String) -> [ArgumentKind?]? {
    let all = words.split(separator: " ").map { JSON(String($0)) }
    return Verb.named(all[0].string ?? "")?.kinds(of: Array(all.dropFirst()))
  }

  @Test("the table of verbs has every verb that is answered, and no other for a running player")
  func names() {
    #expect(Verb.all.map(\.name).sorted() == VerbName.allCases.map(\.rawValue).sorted())
  }

  @Test("every word in capitals is a kind, and every form has help or is for programs")
  func table() {
    for verb in Verb.all {
      #expect(Verb.all.filter { $0.name == verb.name }.count == 1, "\(verb.name)")
      for form in verb.forms {
        for word in form.text.split(whereSeparator: { " []|".contains($0) }) {
          let name = word.hasSuffix("...") ? String(word.dropLast(3)) : String(word)
          let isCapital = name.first?.isUppercase == true
          #expect(!isCapital || ArgumentKind(rawValue: name) != nil, "\(verb.name) \(form.text)")
        }
      }
      #expect(verb.explanation.split(separator: "\n").allSatisfy { $0.count <= 160 }, "\(verb.name)")
    }
  }

  @Test(
    "arguments are what the form that they fit says",
    arguments: [
      ("play", []), ("queue", []), ("queue add /a /b", [nil, .music, .music]),
      ("queue list 3 2", [nil, .entry, .count]),
      ("queue next", [nil]), ("queue fill album 7", [nil, .list, .id]), ("volume +5", [.volume]), ("volume", []),
      ("seek -1:00", [.time]), ("normaliser track -3", [nil, .decibels]), ("copy album 7", [nil, .id]),
      ("copy album", [.path]), ("copy plan /a", [nil, .path]), ("import stop", [nil]), ("import /a", [.path]),
      ("press turn 2 with knob", [nil, .steps, nil, .button]), ("press long knob", [nil, .button]),
      ("bookmarks forget 2", [nil, .entry]), ("bookmarks forget /a", [nil, .path]), ("history all", [nil]),
      ("offline want album Meet me at noon", [nil, .container, .words, .words, .words, .words]),
      ("playlist add Mine /a", [nil, .playlist, .music]), ("equaliser 60:+3 8000:-2", [.bands, .bands]),
    ] as [(String, [ArgumentKind?])])
  func fitting(words: String, expected: [ArgumentKind?]) { #expect(kinds(words) == expected, "\(words)") }

  @Test("what fits no form is refused at the argument that is wrong")
  func refused() throws {
    for (words, told) in [
      ("play money", "\"money\""), ("queue add", "is missing"), ("queue addd /a", "did you mean \"add\""),
      ("seek 10 20", "\"20\""), ("playlist offline Mine maybe", "\"maybe\""), ("move 1", "is missing"),
      ("copy", nil), ("offline want albums", "is missing"),
    ] as [(String, String?)] {
      let all = words.split(separator: " ").map { JSON(String($0)) }
      let verb = try #require(Verb.named(all[0].string ?? ""))
      do throws(Fault) {
        try verb.check(Array(all.dropFirst()))
        #expect(told == nil, "\(words)")
      } catch { #expect(told.map { error.message.contains($0) } == true, "\(words): \(error)") }
    }
  }

  @Test("a form without brackets is each way in which it can be written")
  func withoutBrackets() throws {
    let queue = try #require(Verb.named("queue"))
    let list = try #require(queue.forms.first { $0.text.hasPrefix("list") })
    #expect(list.withoutBrackets == ["list N COUNT", "list N", "list"])
    let offline = try #require(Verb.named("offline"))
    let want = try #require(offline.forms.first { $0.text.hasPrefix("want") })
    #expect(want.withoutBrackets.count == 8)
    #expect(want.withoutBrackets.first == "want KIND WORDS... from SOURCE at QUALITY anyway")
    #expect(want.kinds == [.container, .words, .source, .quality])
  }

  @Test("ten thousand paths are checked in no time, and a long word is shown in part")
  func long() throws {
    let verb = try #require(Verb.named("queue"))
    let paths = [JSON("add")] + (0..<10_000).map { JSON("/\($0)") }
    #expect(verb.kinds(of: paths)?.count == 10_001)
    let fault = #expect(throws: Fault.self) { try verb.check([JSON(String(repeating: "x", count: 100_000))]) }
    #expect((fault?.message.utf8.count ?? .max) < 1_000)
  }
}

@Suite("Who is connected")
struct ConnectionRosterTests {
  private func moment(_ second: Int64) -> Moment { Moment(nanoseconds: second * 1_000_000_000) }

  @Test("the process with the most connections loses the one that it used least lately")
  func places() {
    var roster = ConnectionRoster(most: 4, mostUnfinished: 1_000_000)
    #expect(roster.enter(0, of: 7, at: moment(0)) == nil)
    for id in 1...3 { #expect(roster.enter(id, of: 8, at: moment(Int64(id))) == nil) }
    #expect(roster.use(1, unfinished: 0, at: moment(9)) == nil)
    // Another process, one more of the crowd, and again: the crowd pays each time.
    #expect(roster.enter(4, of: 9, at: moment(10)) == 2)
    #expect(roster.enter(5, of: 8, at: moment(11)) == 3)
    #expect(roster.enter(6, of: 8, at: moment(12)) == 1)
    #expect(Set(roster.clients.keys) == [0, 4, 5, 6])
    roster.leave(0)
    #expect(roster.enter(7, of: 7, at: moment(13)) == nil)
  }

  @Test("whoever comes is let in, however many processes hold a place")
  func crowd() {
    var roster = ConnectionRoster(most: 3, mostUnfinished: 1_000_000)
    for id in 0..<100 {
      let gone = roster.enter(id, of: Int32(id), at: moment(Int64(id)))
      #expect(gone == (id < 3 ? nil : id - 3) && roster.clients[id] != nil)
    }
  }

  @Test("unfinished lines are bounded together; short ones and the newest stay")
  func lines() {
    var roster = ConnectionRoster(most: 10, mostUnfinished: 300_000)
    for id in 0..<4 { _ = roster.enter(id, of: 1, at: moment(0)) }
    #expect(roster.use(0, unfinished: 60_000, at: moment(1)) == nil)
    #expect(roster.use(1, unfinished: 100_000, at: moment(2)) == nil)
    #expect(roster.use(2, unfinished: 100_000, at: moment(3)) == nil)
    #expect(roster.use(3, unfinished: 100_000, at: moment(4)) == 1)
    #expect(roster.use(3, unfinished: 0, at: moment(5)) == nil)
  }
}
