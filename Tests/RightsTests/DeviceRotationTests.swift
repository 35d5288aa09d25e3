import Runtime
import TestSupport
import Testing

@testable import Rights

@Suite("A device that is made anew")
struct DeviceRotationTests {
  private let folder = TempFolder()
  private static let now: Int64 = 1_800_000_000
  private static let day: Int64 = 86_400

  private func rights(_ service: MadeUpService) throws -> DeviceRights {
    try DeviceRights(in: folder.path, board: [], roots: ["depot": try service.rootKey]) {
      .init(system: Self.now, uptime: 5, boot: "1", isSynchronised: true, hasBattery: true)
    }
  }

  private func opens(_ rights: DeviceRights) throws -> [UInt8] {
    let key = try rights.key(try #require(MadeUpService.track), of: "a track")
    return try key.withBytes { Array($0) }
  }

  private func licence(_ service: MadeUpService, _ rights: DeviceRights, serial: Int64) throws -> [UInt8] {
    let licence = try service.licence(
      serial: serial, for: DeviceCard(rights.card), from: Self.now, until: Self.now + 30 * Self.day)
    return try service.bundle([licence])
  }

  private var hasFormer: Bool {
    get throws { try PlainFile.read(folder.path / "former", limit: 8_192, code: "T-1") != nil }
  }

  @Test(
    "opens its former licences until those for the new one are here, also after a start; then the old keys are gone")
  func rotates() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    #expect(try rights.take(licence(service, rights, serial: 5), from: "depot").licences == 1)
    let before = rights.name
    try rights.rotate()
    #expect(rights.name != before)
    for rights in [rights, try self.rights(service)] {
      #expect(try opens(rights) == MadeUpService.content)
      #expect(try faultOf { try rights.rotate() }.code == "E-183")
    }
    // Numbered by the service as it likes: it is another device's.
    let again = try self.rights(service)
    #expect(try again.take(licence(service, again, serial: 1), from: "depot").licences == 1)
    #expect(try opens(again) == MadeUpService.content)
    #expect(try !hasFormer)
    #expect(try opens(try self.rights(service)) == MadeUpService.content)
  }

  @Test("cut after the old keys were set aside it is the same device, which can be made anew")
  func cutBefore() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    #expect(try rights.take(licence(service, rights, serial: 1), from: "depot").licences == 1)
    try AtomicFile.replace(
      folder.path / "former", with: try AtomicFile.read(folder.path / "device", limit: 8_192))
    let again = try self.rights(service)
    #expect(again.name == rights.name)
    #expect(try opens(again) == MadeUpService.content)
    try again.rotate()
    #expect(again.name != rights.name)
  }

  @Test("cut before the clock was written anew, what was known of the time still counts")
  func cutAfter() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    #expect(try rights.take(licence(service, rights, serial: 1), from: "depot").licences == 1)
    let clock = try AtomicFile.read(folder.path / "clock.json", limit: 4_096)
    try rights.rotate()
    try AtomicFile.replace(folder.path / "clock.json", with: clock)
    // No time server: what was known is all there is.
    let again = try DeviceRights(in: folder.path, board: [], roots: ["depot": try service.rootKey]) {
      .init(system: 0, uptime: 6, boot: "1", isSynchronised: false, hasBattery: false)
    }
    #expect(try opens(again) == MadeUpService.content)
  }

  @Test("destroyed, it is another device with nothing to open")
  func destroyed() throws {
    let service = MadeUpService()
    let rights = try rights(service)
    #expect(try rights.take(licence(service, rights, serial: 1), from: "depot").licences == 1)
    try DeviceRights.destroy(in: folder.path, tpm: nil)
    let next = try self.rights(service)
    #expect(next.name != rights.name && next.lines().isEmpty)
  }
}
