import Testing

@testable import Runtime

private let table = SettingsTable(RuntimeSettings.settings)

@Suite("What can be switched off")
struct FlagTests {
  private static func flags(_ words: [Flags.Word], on device: String) -> Flags {
    var flags = Flags()
    flags.hear(words, on: device)
    return flags
  }

  private static let devices = (0..<5_000).map { "device \($0)" }

  private static func changed(_ flag: Flag, _ share: Double) -> Set<String> {
    Set(devices.filter { flags([.init(flag.rawValue, changedFor: share)], on: $0).isOn(flag) != flag.beginsOn })
  }

  @Test("the owner's file switches what it names, and nothing else")
  func owner() throws {
    let text = "[flags]\nsmart-downloads = off\nhttp2 = on\n"
    let reading = try table.read(board: [], owner: .success(Array(text.utf8)), lastGood: { _ in nil })
    #expect(reading.notices.isEmpty, "\(reading.notices)")
    let flags = Flags(reading.settings)
    #expect(Flag.allCases.filter { !flags.isOn($0) } == [.smartDownloads])
    #expect(flags.state(of: .smartDownloads) == .offByOwner && flags.state(of: .http2) == .onByOwner)
    #expect(Flags(Settings()) == Flags())
  }

  @Test("what is not proven begins off, and is given by the owner or for a share of devices, and taken back at once")
  func begins() {
    var flags = Flags()
    #expect(Flag.allCases.filter { !flags.isOn($0) } == [.http2])
    flags.hear([.init("http2", changedFor: 100)], on: "a")
    #expect(flags.state(of: .http2) == .onByService && flags.isOn(.http2))
    flags.hear([], on: "a")
    #expect(flags.state(of: .http2) == .off)
    // The owner's off holds, though it is how it begins.
    var settings = Settings()
    settings[.flag(.http2)] = false
    flags = Flags(settings)
    flags.hear([.init("http2", changedFor: 100)], on: "a")
    #expect(flags.state(of: .http2) == .offByOwner)
  }

  @Test("a flag that does not exist is a mistake that names those that do")
  func unknown() throws {
    let text = Array("[flags]\nsmart-download = off\n".utf8)
    let reading = try table.read(board: [], owner: .success(text), lastGood: { _ in nil })
    #expect(reading.notices.first?.message.contains("did you mean \"smart-downloads\"?") == true)
  }

  @Test("none and all of the devices are none and all; a share of them is about that many")
  func shares() {
    for flag in Flag.allCases {
      #expect(Self.changed(flag, 0).isEmpty && Self.changed(flag, 100).count == Self.devices.count)
      for share in [5.0, 30, 75] {
        let percent = Double(Self.changed(flag, share).count) * 100 / Double(Self.devices.count)
        #expect(abs(percent - share) < 3, "\(flag) \(share): \(percent)")
      }
    }
  }

  @Test("a share that grows adds devices and lets none go; another flag begins with others")
  func grows() {
    var before: Set<String> = []
    for share in stride(from: 0.0, through: 100, by: 10) {
      let now = Self.changed(.http2, share)
      #expect(now.isSuperset(of: before))
      before = now
    }
    let (one, other) = (Self.changed(.http2, 10), Self.changed(.lookAfter, 10))
    #expect(Double(one.intersection(other).count) < Double(one.count) / 4)
  }

  @Test("the owner's word comes first, a word of what nobody knows is not heard, and what was said before is over")
  func words() {
    var settings = Settings()
    settings[.flag(.http2)] = false
    var flags = Flags(settings)
    let all = ["http2", "look-after", "moon"].map { Flags.Word($0, changedFor: 100) }
    flags.hear(all, on: "a")
    #expect(flags.state(of: .http2) == .offByOwner && flags.state(of: .lookAfter) == .offByService)
    flags.hear([], on: "a")
    #expect(flags.state(of: .http2) == .offByOwner && flags.state(of: .lookAfter) == .on)
  }

  @Test("a share that is no number of any kind switches nothing that it should not")
  func nonsense() {
    #expect(Self.changed(.http2, -5).isEmpty && Self.changed(.http2, .nan).isEmpty)
    #expect(Self.changed(.http2, .infinity).count == Self.devices.count)
  }
}
