import Glibc
import Offline
import TestSupport
import Testing

@testable import Runtime
@testable import layby

@Suite("Folders by their names")
struct NamedFolderTests {
  private func read(_ text: String) throws -> SettingsReading {
    try SettingsTable.all.read(board: Array("[paths]\nvolumes = \(text)\n".utf8), owner: nil, lastGood: { _ in nil })
  }

  @Test("several disks are read as they are written, and written as they are read")
  func several() throws {
    let settings = try read("ssd:/data/ssd/music, usb-2:/data/usb").settings
    let (ssd, usb) = (FilePath("/data/ssd/music"), FilePath("/data/usb"))
    #expect(settings[.mediaVolumes] == [NamedFolder("ssd", at: ssd), NamedFolder("usb-2", at: usb)])
    #expect(try read("").settings[.mediaVolumes].isEmpty)
  }

  @Test(
    "names that people could not tell apart, and folders that are not from the root, are refused",
    arguments: [
      "ssd", "ssd:", "ssd:data", "board:/data/x", "SSD:/data/x", "a b:/data/x", ":/data/x", "a:/x, a:/y", "a:/x, b:/x",
      "a:/x,", "abcdefghijklmnopq:/x",
    ])
  func refused(text: String) throws {
    let fault = try faultOf { _ = try read(text) }
    #expect(fault.message.contains("ssd:/data/ssd/music"), "\(fault)")
  }

  @Test("a link leads to one folder, and then to another, and nothing is left beside it")
  func leads() throws {
    let folder = TempFolder()
    let link = folder.path / "kept"
    for name in ["a", "a", "b"] {
      try Folder.make(folder.path / name)
      try AtomicFile.replace(folder.path / name / "file", with: Array(name.utf8))
      try AtomicFile.lead(link, to: folder.path / name, code: "T-1")
      #expect(try AtomicFile.read(link / "file", limit: 10) == Array(name.utf8))
    }
    #expect(try Folder.names(in: folder.path).map { "\($0)" } == ["a", "b", "kept"])
    // What is no link is not put out of the way.
    try Folder.make(folder.path / "taken" / "inside")
    let fault = try faultOf { try AtomicFile.lead(folder.path / "taken", to: folder.path / "a", code: "T-1") }
    #expect(fault.code == "T-1")
    #expect(try Folder.names(in: folder.path).map { "\($0)" } == ["a", "b", "kept", "taken"])
  }
}
