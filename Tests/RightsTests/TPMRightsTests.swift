import Ciphers
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Rights

/// One that is made, and the way to it.
private struct Chip {
  let made: SoftwareTPM
  let tpm: TPM

  init(in folder: FilePath) throws {
    var opened: TPM?
    made = try SoftwareTPM(in: folder) { address in
      opened = try? TPM(address)  // it may not be there yet
      return opened != nil
    }
    tpm = try #require(opened)
  }
}

@Suite(
  "A device whose secret a TPM seals", .enabled(if: SoftwareTPM.isThere, "swtpm or libtss2-tcti-swtpm is not installed")
)
struct TPMRightsTests {
  private let folder = TempFolder()
  private static let now: Int64 = 1_800_000_000

  private func rights(_ service: MadeUpService, in name: String, _ tpm: TPM?) throws -> DeviceRights {
    try DeviceRights(in: folder.path / name, board: [], tpm: tpm, roots: ["depot": try service.rootKey]) {
      .init(system: Self.now, uptime: 5, boot: "1", isSynchronised: true, hasBattery: true)
    }
  }

  private func opens(_ rights: DeviceRights) throws -> [UInt8] {
    let key = try rights.key(try #require(MadeUpService.track), of: "a track")
    return try key.withBytes { Array($0) }
  }

  private func bundle(_ service: MadeUpService, _ rights: DeviceRights) throws -> [UInt8] {
    let licence = try service.licence(
      for: DeviceCard(rights.card), from: Self.now, until: Self.now + 30 * 86_400)
    return try service.bundle([licence])
  }

  private func copy(_ from: String, to: String) throws {
    try Folder.make(folder.path / to / "licences")
    for name in ["device.tpm", "clock.json", "licences/depot.json"] {
      try AtomicFile.replace(
        folder.path / to / name, with: try AtomicFile.read(folder.path / from / name, limit: 1 << 20))
    }
  }

  @Test("opens its licences after a start; a copy on a board with another TPM opens nothing, and says why")
  func copied() throws {
    let service = MadeUpService()
    let (one, other) = (try Chip(in: folder.path / "tpm1"), try Chip(in: folder.path / "tpm2"))
    let rights = try rights(service, in: "a", one.tpm)
    #expect(try rights.take(bundle(service, rights), from: "depot").licences == 1)
    #expect(rights.standing.hasTPM && !Self.exists(folder.path / "a/device"))
    #expect(try opens(try self.rights(service, in: "a", one.tpm)) == MadeUpService.content)
    try copy("a", to: "b")
    #expect(try faultOf { try self.rights(service, in: "b", other.tpm) }.code == "E-182")
    #expect(try faultOf { try self.rights(service, in: "b", nil) }.code == "E-181")
    #expect(try opens(try self.rights(service, in: "a", one.tpm)) == MadeUpService.content)
  }

  @Test("a folder that is put back from a copy plays nothing until its source was asked again")
  func putBack() throws {
    let service = MadeUpService()
    let chip = try Chip(in: folder.path / "tpm")
    let first = try rights(service, in: "a", chip.tpm)
    let licences = try bundle(service, first)
    #expect(try first.take(licences, from: "depot").licences == 1)
    try copy("a", to: "kept")
    // A later start counts on.
    try rights(service, in: "a", chip.tpm).keepClock()
    #expect(try opens(try rights(service, in: "a", chip.tpm)) == MadeUpService.content)
    try copy("kept", to: "a")
    let back = try rights(service, in: "a", chip.tpm)
    #expect(try faultOf { try opens(back) }.code == "E-184")
    // It does not become the newest by being used.
    try back.keepClock()
    #expect(try faultOf { try opens(try rights(service, in: "a", chip.tpm)) }.code == "E-184")
    #expect(try back.take(licences, from: "depot").licences == 0)
    #expect(try opens(back) == MadeUpService.content)
    #expect(try opens(try rights(service, in: "a", chip.tpm)) == MadeUpService.content)
  }

  @Test("a device that had a plain file keeps its name and licences when a TPM is named")
  func sealedLater() throws {
    let service = MadeUpService()
    let chip = try Chip(in: folder.path / "tpm")
    let plain = try rights(service, in: "a", nil)
    #expect(try plain.take(bundle(service, plain), from: "depot").licences == 1)
    let sealed = try rights(service, in: "a", chip.tpm)
    #expect(sealed.name == plain.name && !Self.exists(folder.path / "a/device"))
    #expect(try opens(sealed) == MadeUpService.content)
  }

  private static func exists(_ path: FilePath) -> Bool {
    var status = stat()
    return path.withCString { lstat($0, &status) } == 0
  }
}
