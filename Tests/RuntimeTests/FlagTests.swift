import Testing

@testable import Runtime

private let table = SettingsTable(RuntimeSettings.settings)

@Suite("What can be switched off")
struct FlagTests {
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

  @Test("what is not proven begins off, and is given by the owner or by a service, and taken back at once")
  func begins() {
    var flags = Flags()
    #expect(Flag.allCases.filter { !flags.isOn($0) } == [.http2])
    flags.hear([.init("http2", isOn: true)])
    #expect(flags.state(of: .http2) == .onByService && flags.isOn(.http2))
    flags.hear([])
    #expect(flags.state(of: .http2) == .off)
    // The owner's off holds, though it is how it begins.
    var settings = Settings()
    settings[.flag(.http2)] = false
    flags = Flags(settings)
    flags.hear([.init("http2", isOn: true)])
    #expect(flags.state(of: .http2) == .offByOwner)
  }

  @Test("a flag that does not exist is a mistake that names those that do")
  func unknown() throws {
    let text = Array("[flags]\nsmart-download = off\n".utf8)
    let reading = try table.read(board: [], owner: .success(text), lastGood: { _ in nil })
    #expect(reading.notices.first?.message.contains("did you mean \"smart-downloads\"?") == true)
  }

  @Test("the owner's word comes first, a word of what nobody knows is not heard, and what was said before is over")
  func words() {
    var settings = Settings()
    settings[.flag(.http2)] = false
    var flags = Flags(settings)
    // Of two services that contradict each other the first is heard.
    flags.hear([
      .init("http2", isOn: true), .init("look-after", isOn: false), .init("look-after", isOn: true),
      .init("moon", isOn: true),
    ])
    #expect(flags.state(of: .http2) == .offByOwner && flags.state(of: .lookAfter) == .offByService)
    flags.hear([])
    #expect(flags.state(of: .http2) == .offByOwner && flags.state(of: .lookAfter) == .on)
  }
}
