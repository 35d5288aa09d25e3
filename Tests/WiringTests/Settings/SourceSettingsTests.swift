import Offline
import Runtime
import Testing

@testable import layby

@Suite("Sources in the owner's file")
struct SourceSettingsTests {
  private func read(_ text: String) throws -> SettingsReading {
    try SettingsTable.all.read(board: [], owner: .success(Array(text.utf8)), lastGood: { _ in nil })
  }

  private func mistake(_ text: String) throws -> String { try read(text).notices.first?.message ?? "" }

  @Test("each has a section of its own, and what they say is read back as it was written")
  func several() throws {
    let sum = String(repeating: "A", count: 43) + "="
    let reading = try read(
      """
      [source kiosk]
      url = http://kiosk.local/music
      [offline]
      hours = 22:00 - 6:00
      [source  attic.2 ]
      url = https://attic/
      pin = \(sum)
      kind = directory
      [source empty]
      kind = directory
      """)
    #expect(reading.notices.isEmpty, "\(reading.notices)")
    let settings = reading.settings
    #expect(settings.sources == ["attic.2", "kiosk"])
    #expect(settings[.sourceURL("kiosk")] == "http://kiosk.local/music")
    #expect(settings[.sourcePin("kiosk")] == nil && settings[.sourcePin("attic.2")] == sum)
    #expect(settings[.offlineHours] == DayHours(from: 22 * 60, to: 6 * 60))
    let text = settings.fileText(.owner, in: .all)
    #expect(text.contains("hours = 22:00-6:00\n") && text.contains("[source attic.2]\n"), "\(text)")
    #expect(try read(text).settings == settings)
  }

  @Test("what one says is not what the other says, and twice is a mistake only within one")
  func apart() throws {
    let two = "[source one]\nurl = http://a/\n[source two]\nurl = http://b/\n"
    #expect(try read(two).settings[.sourceURL("two")] == "http://b/")
    #expect(try mistake(two + "[source one]\nurl = http://c/\n").contains("stands already in line 2"))
  }

  @Test(
    "a mistake says what was expected",
    arguments: [
      ("[source]\nurl = http://a/", "such as [source kiosk]"),
      ("[source a/b]\nurl = http://a/", "such as [source kiosk]"),
      ("[source a b]\nurl = http://a/", "expected a section"),
      ("[source one]\nurk = http://a/", "did you mean \"url\"?"),
      ("[source one]\nurl = ftp://a/", "expected an address"),
      ("[source one]\nurl = http:///a", "expected an address"),
      ("[source one]\nurl = http://a/ b", "expected an address"),
      ("[source one]\npin = AAAA", "44 signs"),
      ("[offline]\nproxy = ftp://proxy", "expected an address"),
      ("[offline]\nhours = 22:00-24:00", "two times of day"),
      ("[offline]\nhours = 22:00-22:00", "two times of day"),
      ("[offline]\nhours = 2:0-3:00", "two times of day"),
    ])
  func mistakes(text: String, expected: String) throws {
    let told = try mistake(text)
    #expect(told.contains(expected), "\(told)")
  }

  @Test("the board's file has none of them")
  func board() throws {
    let reading = Result {
      try SettingsTable.all.read(board: Array("[source one]\n".utf8), owner: nil, lastGood: { _ in nil })
    }
    #expect(throws: Fault.self) { try reading.get() }
    guard case .failure(let fault) = reading else { return }
    #expect("\(fault)".contains("layby.conf"), "\(fault)")
  }

  @Test(
    "a mistake in the owner's file names the line, and no password that stands in it",
    arguments: [
      "url = https://me:pass word@kiosk.local/", "urk = https://me:password@kiosk.local/",
      "url = \"https://kiosk.local/?token=password", "url = https://kiosk.local/#password",
    ])
  func secrets(line: String) throws {
    let file = Array("[source one]\n\(line)\n".utf8)
    let reading = try SettingsTable.all.read(board: [], owner: .success(file), lastGood: { _ in nil })
    let told = try #require(reading.notices.first?.message)
    #expect(told.contains(":2: ") && !told.contains("word"), "\(told)")
  }
}
