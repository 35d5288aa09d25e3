import Runtime
import TestSupport
import Testing

@testable import Hardware

@Suite("The kernel's table of mounts")
struct MountTableTests {
  private static let folder = FilePath("/run/layby-sticks")

  private func mounts(_ text: String) -> [Mount] { MountTable.mounts(in: Array(text.utf8), below: Self.folder) }

  @Test("a stick's line is read, among others and with any number of optional words")
  func line() {
    let found = mounts(
      """
      22 1 254:2 / / ro,relatime shared:1 - squashfs /dev/vda2 ro,errors=continue
      41 29 8:1 / /run/layby-sticks/1234-ABCD ro,nosuid,nodev,noexec,noatime shared:7 master:3 - vfat /dev/sda1 ro,utf8
      42 29 8:16 / /run/layby-sticks/a1b2 rw,nosuid - ext4 /dev/sdb rw
      """)
    #expect(found.map(\.id) == [41, 42])
    #expect(found.first?.device == DeviceNumber(major: 8, minor: 1) && found.first?.fileSystem == "vfat")
    #expect(found.first?.place == Self.folder / "1234-ABCD")
    #expect(found.map(\.isHarmless) == [true, false])
  }

  @Test(
    "what is not a stick's line is no stick",
    arguments: [
      "41 29 8:1 / /run/layby-sticks ro - vfat /dev/sda1 ro",
      "41 29 8:1 / /run/layby-sticks/ ro - vfat /dev/sda1 ro",
      "41 29 8:1 / /run/layby-sticks/a/b ro - vfat /dev/sda1 ro",
      "41 29 8:1 / /run/layby-sticks/.. ro - vfat /dev/sda1 ro",
      #"41 29 8:1 / /run/layby-sticks/a\040b ro - vfat /dev/sda1 ro"#,
      #"41 29 8:1 / /run/layby-sticks/a\012b ro - vfat /dev/sda1 ro"#,
      #"41 29 8:1 / /run/layby-sticks/a\057b ro - vfat /dev/sda1 ro"#,
      "41 29 8:1 / /run/layby-sticks2/a ro - vfat /dev/sda1 ro",
      "41 29 8:1 / run/layby-sticks/a ro - vfat /dev/sda1 ro",
      "41 29 8:1 /part /run/layby-sticks/a ro - vfat /dev/sda1 ro",
      "41 29 8:1 / /run/layby-sticks/a ro vfat /dev/sda1 ro",
      "41 29 8:1 / /run/layby-sticks/a ro shared:1 -",
      "41 29 8 / /run/layby-sticks/a ro - vfat /dev/sda1 ro",
      "41 29 8:x / /run/layby-sticks/a ro - vfat /dev/sda1 ro",
      "41 29 99999:1 / /run/layby-sticks/a ro - vfat /dev/sda1 ro",
      "-1 29 8:1 / /run/layby-sticks/a ro - vfat /dev/sda1 ro",
      "99999999999999999999 29 8:1 / /run/layby-sticks/a ro - vfat /dev/sda1 ro",
      "41 29 8:1 / /run/layby-sticks/a//deleted ro - vfat /dev/sda1 ro",
      "", " ", "-", "- - - - - - - - - - - -", "\u{0}",
    ])
  func others(_ line: String) { #expect(mounts(line).isEmpty) }

  @Test("of two mounts on one place the later counts")
  func stacked() {
    let found = mounts(
      """
      41 29 8:1 / /run/layby-sticks/a ro - vfat /dev/sda1 ro
      42 29 8:2 / /run/layby-sticks/b ro - vfat /dev/sda2 ro
      43 41 8:3 / /run/layby-sticks/a ro - vfat /dev/sda3 ro
      """)
    #expect(found.map(\.id) == [42, 43])
  }

  @Test("octal numbers are bytes, and a backslash that is none stays")
  func octal() {
    func plain(_ text: String) -> String { String(decoding: MountTable.plain(Array(text.utf8)[...]), as: UTF8.self) }
    #expect(plain(#"a\040b\011c\134d"#) == "a b\tc\\d")
    #expect(plain(#"\303\274"#) == "ü")
    for text in [#"a\"#, #"\04"#, #"\089"#, #"\777"#] { #expect(plain(text) == text) }
  }

  @Test("no bytes whatever make a stick that is not below the folder")
  func nonsense() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var dice = SeededGenerator(seed: seed)
    let line = Array("41 29 8:1 / /run/layby-sticks/1234-ABCD ro,nosuid shared:7 - vfat /dev/sda1 ro".utf8)
    for _ in 0..<5_000 {
      var bytes = line + [0x0A] + line
      for _ in 0..<Int.random(in: 1...6, using: &dice) {
        bytes[Int.random(in: bytes.indices, using: &dice)] = UInt8.random(in: 0...255, using: &dice)
      }
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice))
      for mount in MountTable.mounts(in: bytes, below: Self.folder) {
        let name = mount.place.bytes.dropFirst(Self.folder.bytes.count + 1)
        #expect(mount.place.folder == Self.folder && StickIdentity.isPlain(name), "seed \(seed)")
      }
    }
  }
}
