import Runtime
import TestSupport
import Testing

@testable import Offline

@Suite("Disks in state.db")
struct VolumeTableTests {
  @Test("what is stored is read as it was; of another target nothing is known to be moved")
  func stores() throws {
    let (_, connection, _) = try WishTableTests.open()
    let table = VolumeTable(there: connection)
    #expect(try table.volumes() == StoredVolumes())
    var volumes = StoredVolumes()
    (volumes.home, volumes.target) = ("usb", "ssd")
    volumes.marks = ["usb": "usb 1", "ssd": "ssd 2"]
    try table.store(volumes)
    let copy = Move.Copy(size: 1 << 40, hash: "ab")
    try table.store(copy, of: "1.flac")
    try table.store(volumes)
    #expect(try table.volumes() == volumes)
    #expect(try table.moved() == ["1.flac": copy])
    (volumes.home, volumes.target, volumes.marks["usb"]) = ("ssd", nil, nil)
    try table.store(volumes)
    #expect(try table.volumes() == volumes)
    #expect(try table.moved().isEmpty)
  }
}
