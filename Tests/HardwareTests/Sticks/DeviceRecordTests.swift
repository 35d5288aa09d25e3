import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("What is known of a stick's device")
struct DeviceRecordTests {
  private func record(_ lines: String...) -> DeviceRecord { DeviceRecord(Array(lines.joined(separator: "\n").utf8)) }

  @Test("identity, label, kind and model are read, and nothing else")
  func facts() {
    let record = record(
      "S:disk/by-uuid/1234-ABCD", "I:4242", #"E:ID_MODEL_ENC=Ultra\x20Fit\x20\x20"#, "E:ID_FS_TYPE=vfat",
      "E:ID_FS_UUID=1234-ABCD", "E:ID_FS_UUID_ENC=9999-0000", #"E:ID_FS_LABEL_ENC=Blue\x20st\xc3\xbcck"#, "G:systemd")
    #expect(record.uuid == "1234-ABCD" && record.fileSystem == "vfat" && record.name == "Blue stück")
    #expect(StickLabel.shown(record.model) == "Ultra Fit")
  }

  @Test("without a label its maker's name stands for it, and without that nothing")
  func names() {
    #expect(record(#"E:ID_MODEL_ENC=Ultra\x20Fit"#, #"E:ID_FS_LABEL_ENC=\x20\x0a"#).name == "Ultra Fit")
    #expect(record("E:ID_FS_TYPE=vfat").name == "" && DeviceRecord().uuid == nil)
  }

  @Test(
    "an identity that could mean something to a path is none",
    arguments: ["..", "a/b", "a b", "a\\x2fb", "", "ü", "a;b", String(repeating: "a", count: 81)])
  func identity(_ text: String) { #expect(record("E:ID_FS_UUID=\(text)").uuid == nil) }

  @Test(
    "a label is one line that steers nothing",
    arguments: [
      (Array("MUSIC".utf8), "MUSIC"),
      (Array("  My\tmusic \n 2 ".utf8), "My music 2"),
      (Array("\u{1B}[2Jx\u{7}y\u{202E}z\u{9B}1m".utf8), "[2Jx y z 1m"),
      ([0x4D, 0x81, 0x6C, 0x6C, 0x65, 0x72], "Müller"),
      ([0xFF, 0xFF], ""),
      (Array("日本の音楽".utf8), "日本の音楽"),
      ([0, 0, 0x41, 0], "A"),
      ([], ""),
      (Array(String(repeating: "x", count: 500).utf8), String(repeating: "x", count: 39) + "…"),
    ])
  func label(_ bytes: [UInt8], _ shown: String) { #expect(StickLabel.shown(bytes) == shown) }

  @Test("any bytes make a label of at most 40 plain characters")
  func labels() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let bytes = (0..<Int.random(in: 0...200, using: &dice)).map { _ in UInt8.random(in: 0...255, using: &dice) }
      let shown = StickLabel.shown(bytes)
      #expect(shown.unicodeScalars.count <= 40 && shown.unicodeScalars.allSatisfy(isPlain), "seed \(seed)")
      _ = DeviceRecord(Array("E:ID_FS_LABEL_ENC=".utf8) + bytes)
    }
  }

  @Test(
    "a file system without an identity is known by its partition, else by the stick's number, place, size and label")
  func otherIdentity() {
    let whole = "E:ID_FS_UUID=12-AB\nE:ID_PART_ENTRY_UUID=aa-01\nE:ID_SERIAL=Maker_Stick_7-0:0"
    #expect(record(whole).identity(bytes: 5) == "12-AB")
    #expect(record("E:ID_PART_ENTRY_UUID=aa-01\nE:ID_SERIAL=Maker_Stick_7-0:0").identity(bytes: 5) == "partition aa-01")
    let serial = "E:ID_SERIAL=Maker_Stick_7-0:0\nE:ID_PART_ENTRY_NUMBER=1\nE:ID_FS_LABEL_ENC=Blue"
    #expect(record(serial).identity(bytes: 5) == "stick Maker_Stick_7-0:0 1 5 Blue")
    #expect(record("E:ID_FS_TYPE=vfat").identity(bytes: 5) == nil)
  }
}
