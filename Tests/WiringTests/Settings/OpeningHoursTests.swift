import Panel
import Playback
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("Opening hours")
struct OpeningHoursTests {
  private static func hours(_ text: String) -> OpeningHours? {
    Setting<OpeningHours?>.kioskHours.type.parse(text) ?? nil
  }

  /// `Tue 9:30` as a minute of the week.
  private static func minute(_ text: String) -> Int {
    let parts = text.split(separator: " ")
    let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    let clock = parts[1].split(separator: ":").compactMap { Int($0) }
    return (days.firstIndex(of: String(parts[0])) ?? 0) * 1_440 + clock[0] * 60 + clock[1]
  }

  struct Case: Sendable {
    let hours: String
    let at: String
    let isOpen: Bool
    /// In minutes.
    let changesIn: Int?
  }

  static let cases: [Case] = [
    Case(hours: "9:00-18:00", at: "Mon 9:00", isOpen: true, changesIn: 540),
    Case(hours: "9:00-18:00", at: "Mon 18:00", isOpen: false, changesIn: 900),
    Case(hours: "9:00-18:00", at: "Sun 23:59", isOpen: false, changesIn: 541),
    Case(hours: "Mon-Fri 9:00-18:00", at: "Fri 18:00", isOpen: false, changesIn: 3_780),
    Case(hours: "Mon-Fri 9:00-18:00, Sat 10:00-14:00", at: "Sat 13:59", isOpen: true, changesIn: 1),
    Case(hours: "Mon-Fri 9:00-18:00, Sat 10:00-14:00", at: "Sat 14:00", isOpen: false, changesIn: 2_580),
    // Past midnight, and past the end of the week.
    Case(hours: "Fri 20:00-2:00", at: "Sat 1:59", isOpen: true, changesIn: 1),
    Case(hours: "Sun 20:00-2:00", at: "Sun 23:00", isOpen: true, changesIn: 180),
    Case(hours: "Sun 20:00-2:00", at: "Mon 1:00", isOpen: true, changesIn: 60),
    Case(hours: "Sun 20:00-2:00", at: "Mon 2:00", isOpen: false, changesIn: 9_720),
    // Days named round the week's end; what touches is one.
    Case(hours: "Sat-Mon 8:00-12:00", at: "Mon 8:00", isOpen: true, changesIn: 240),
    Case(hours: "8:00-12:00, 12:00-20:00", at: "Wed 11:00", isOpen: true, changesIn: 540),
    // Never closed, and never open again for a week.
    Case(hours: "6:00-18:00, 18:00-6:00", at: "Wed 3:00", isOpen: true, changesIn: nil),
    Case(hours: "Wed 3:00-3:01", at: "Wed 3:01", isOpen: false, changesIn: 10_079),
  ]

  @Test("a minute of the week is open or not, until it changes", arguments: cases)
  func state(one: Case) throws {
    let hours = try #require(Self.hours(one.hours))
    let state = hours.state(at: Self.minute(one.at))
    #expect(state.isOpen == one.isOpen && state.changesIn == one.changesIn, "\(state)")
  }

  @Test("the minute it names is the first at which it stands otherwise")
  func law() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<60 {
      let rules = (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let from = Int.random(in: 0..<1_440, using: &random)
        let to = (from + Int.random(in: 1..<1_440, using: &random)) % 1_440
        return OpeningHours.Rule(
          first: Int.random(in: 0..<7, using: &random), count: Int.random(in: 1...7, using: &random),
          DayHours(from: from, to: to))
      }
      let hours = OpeningHours(rules)
      let type = Setting<OpeningHours?>.kioskHours.type
      #expect(type.parse(type.format(hours)) == hours, "\(rules)")
      for _ in 0..<20 {
        let now = Int.random(in: 0..<OpeningHours.week, using: &random)
        let state = hours.state(at: now)
        // The week goes round, so a change is found within it or not at all.
        let found = (1...OpeningHours.week).first { hours.state(at: now + $0).isOpen != state.isOpen }
        #expect(found == state.changesIn, "\(rules), \(now)")
      }
    }
  }

  @Test(
    "what is no time is refused",
    arguments: [
      "", "9-18", "9:00", "Mon", "Mon 9:00", "Moon 9:00-18:00", "9:00-9:00", "24:00-1:00", "Mon-Tue-Wed 9:00-10:00",
      "9:00-18:00,", "Mon 9:00-18:00 x",
    ])
  func refused(text: String) {
    #expect(Setting<OpeningHours?>.kioskHours.type.parse(text) == nil)
  }

  @Test(
    "a secret is in no message, whatever its line looks like",
    arguments: [
      "pin = \"98765", "pin 98765", "pin: 98765", "pni = 98765", "PIN = 98765", "kiosk_pin = 98765",
      "allows = none, pin = 98765", "pin = 9876 5",
    ])
  func mistypedSecret(line: String) throws {
    let read = try SettingsTable.all.read(
      board: [], owner: .success(Array("[kiosk]\n\(line)\n".utf8)), lastGood: { _ in nil })
    #expect(!read.notices.isEmpty)
    for notice in read.notices { #expect(!notice.message.contains("9876"), "\(notice.message)") }
  }

  @Test("a secret is in no explanation, no message and no list of what can be chosen in plain text")
  func secrets() throws {
    var settings = Settings()
    settings[.kioskPIN] = "471147"
    #expect(
      !SettingsTable.all.explanation(of: settings).contains("471147")
        && SettingsTable.all.explanation(of: settings).contains("pin = ****"))
    #expect(!SettingsTable.all.explanationJSON(of: settings).description.contains("471147"))
    for section in ["kiosk", "panel"] {
      let owner = Array("[\(section)]\npin = 471147x\n".utf8)
      let reading = try SettingsTable.all.read(board: [], owner: .success(owner), lastGood: { _ in nil })
      #expect(reading.notices.count == 1)
      #expect(reading.notices.allSatisfy { !$0.message.contains("471147") }, "\(reading.notices)")
    }
  }

  @Test("whatever goes wrong with a start, what was closed stays closed and as loud as it may be")
  func guarded() throws {
    var owners = Settings()
    (owners[.profile], owners[.kioskPIN], owners[.kioskAllows]) = (.kiosk, "4711", [.queue])
    (owners[.kioskMaxVolume], owners[.maxVolume], owners[.crossfade]) = (30, 60, .seconds(4))
    let safe = SettingsReading(settings: Settings(), owner: .defaults, notices: []).asGuarded(as: owners, in: .all)
      .settings
    #expect(safe.isKiosk && safe[.kioskPIN] == "4711" && safe[.kioskAllows] == [.queue] && safe.loudest == 30)
    #expect(safe[.crossfade] == .zero)
    var home = owners
    home[.profile] = .home
    #expect(home.loudest == 60)
  }
}
