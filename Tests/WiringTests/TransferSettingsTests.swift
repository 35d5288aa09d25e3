import HTTP
import Runtime
import Testing

@testable import layby

@Suite("What the owner says of all transfers")
struct TransferSettingsTests {
  private static let sums = ["A", "B"].map { String(repeating: $0, count: 43) + "=" }

  private func read(_ text: String) throws -> TransferSettings {
    let reading = try SettingsTable.all.read(board: [], owner: .success(Array(text.utf8)), lastGood: { _ in nil })
    #expect(reading.notices.isEmpty, "\(reading.notices)")
    return try TransferSettings(reading.settings)
  }

  private func pinned(_ name: String, _ url: String) -> String {
    "[source \(name)]\nurl = \(url)\npin = \(Self.sums[0])\nbackup_pin = \(Self.sums[1])\n"
  }

  @Test("each source's keys are pinned to its host, by whatever name it is written")
  func pins() throws {
    let file =
      pinned("a", "https://Kiosk.local:8443/music/") + pinned("b", "https://[::1]/m") + pinned("c", "https://10.1/m")
      + pinned("d", "https://%61ttic/") + "[source e]\nurl = https://other/\n"
    #expect(Set(try read(file).pins.keys) == ["kiosk.local", "[::1]", "10.0.0.1", "attic"])
    #expect(try read("").pins.isEmpty)
  }

  @Test("a proxy, and who is asked without it")
  func proxy() throws {
    let settings = try read("[offline]\nproxy = socks5h://proxy.example:1080\ndirect = kiosk.local, .lan\n")
    #expect(settings.proxy == "socks5h://proxy.example:1080" && settings.withoutProxy == "kiosk.local,.lan")
    #expect(try read("").proxy == nil && read("").withoutProxy == nil)
  }

  @Test("where keys cannot be pinned nothing is fetched, and the source is named, without its secrets")
  func refused() throws {
    let alone = "[source shop]\nurl = https://shop/\npin = \(Self.sums[0])\n"
    for (file, code) in [(pinned("shop", "https://me:secret@a:b:c/"), "N-225"), (alone, "C-110")] {
      let fault = #expect(throws: Fault.self) { try read(file) }
      #expect(fault?.code == code && fault?.message.contains("[source shop]") == true)
      #expect(fault?.message.contains("secret") == false)
    }
    // Nothing is fetched from what is no folder.
    #expect(try read(pinned("shop", "https://shop/?token=abc")).pins.isEmpty)
  }
}
