import Runtime
import TestSupport
import Testing
import VirtualBoard

/// A stick goes all its way: the kernel, udev, the unit that mounts, the player without rights.
@Suite("Sticks", .enabled(if: Board.isWanted, Board.whyNot))
struct SticksTests {
  @Test("one is listed when it comes, is heard while it is imported, changed by nobody, and gone when it is pulled")
  func sample() async throws {
    try await Board.with(.playing) { board in
      let folder = TempFolder()
      let copy = folder.path / "track.flac"
      let tree = folder.path / "tree"
      let first = try #require(try board.album.first)
      try AtomicFile.replace(copy, with: try board.shell("cat \(VirtualBoard.quoted(first))").bytes)
      try MusicOnStick.write(below: tree)
      let stick = try MadeUpStick(fatFromHere: "BLUE", holding: copy, and: tree)
      let before = try stick.sum()
      let number = try board.plugStick(stick.image)
      let found = try #require(try board.waitUntilListed(1).first)
      #expect(found["label"] == "BLUE" && found["file_system"] == "vfat")
      let root = try #require(found["path"]?.string)
      try Self.check(root, on: board)
      #expect(try board.asPlayer("cmp \(root)/Музыка/01.flac \(VirtualBoard.quoted(first))").code == 0)
      try MusicOnStick(track: "Музыка/01.flac").takeIn(number, at: root, on: board)
      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      try MusicOnStick.expectItIsAway(board)
      #expect(try board.told("H-710") == 1 && board.told("H-711") == 1)
      #expect(try board.shell("ls -A /run/layby-sticks").line == "" && stick.sum() == before)
    }
  }

  @Test("one whose first block names its file system and a partition that is the same is one stick, and no damaged one")
  func twice() async throws {
    try await Board.with(.playing) { board in
      let stick = try MadeUpStick(twiceFromHere: "BLUE")
      let number = try board.plugStick(stick.image)
      let found = try #require(try board.waitUntilListed(1).first)
      #expect(found["label"] == "BLUE" && found["file_system"] == "vfat")
      try board.says("udevadm settle")
      try board.waitUntil("both were looked at", within: .seconds(60)) { () throws(Fault) in
        let units = "systemctl show --property Result,ActiveState layby-stick@sd*.service"
        return try !board.says(units).contains("activating")
      }
      let sticks = try board.layby("sticks")
      #expect(sticks["sticks"]?.items?.count == 1 && sticks["refused"] == [], "\(sticks)")
      try board.pullStick(number)
    }
  }

  @Test("NTFS, for which this board's kernel has no driver, is refused in plain words, and no program reads it instead")
  func noDriver() async throws {
    try await Board.with(.playing) { board in
      #expect(try board.shell("grep -w ntfs3 /proc/filesystems || modprobe --dry-run --quiet ntfs3").code != 0)
      let stick = try MadeUpStick(asNTFS: ())
      let before = try stick.sum()
      let number = try board.plugStick(stick.image)
      var refused: [JSON] = []
      try board.waitUntil("it is refused", within: .seconds(90)) { () throws(Fault) in
        refused = try board.layby("sticks")["refused"]?.items ?? []
        return !refused.isEmpty
      }
      #expect(refused.first?["reason"] == "no_driver" && refused.first?["file_system"] == "ntfs")
      #expect(try board.told("H-718") == 1 && board.shell("command -v ntfs-3g").code != 0)
      try board.pullStick(number)
      try board.waitUntil("the word about it is gone") { () throws(Fault) in
        try board.layby("sticks")["refused"]?.items?.isEmpty == true
      }
      #expect(try stick.sum() == before)
    }
  }

  /// As the player sees it: read-only, and without what could be run or give rights.
  static func check(_ root: String, on board: VirtualBoard) throws {
    let table = try board.says("cat /proc/$(systemctl show -P MainPID layby)/mountinfo")
    let row = try #require(table.split(separator: "\n").first { $0.contains(" \(root) ") })
    let options = row.split(separator: " ")[5].split(separator: ",").map(String.init)
    #expect(Set(options).isSuperset(of: ["ro", "nosuid", "nodev", "noexec"]), "\(row)")
    #expect(try board.shell("touch \(root)/x").code != 0)
    #expect(try board.asPlayer("touch \(root)/x").code != 0)
    let name = root.split(separator: "/").last ?? ""
    #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }, "\(root)")
  }
}

/// All that take longer.
@Suite("Sticks of every kind", .enabled(if: Board.isWanted && Board.isLong, "LAYBY_BOARD=1 LAYBY_LONG=1 not set"))
struct SticksOfEveryKindTests {
  @Test(
    "each kind, with a table of partitions and without, is heard while it is imported, and no byte of it is changed",
    arguments: MadeUpStick.Kind.allCases, [true, false])
  func kinds(_ kind: MadeUpStick.Kind, _ inPartition: Bool) async throws {
    try await Board.with(.playing) { board in
      let folder = TempFolder()
      try MusicOnStick.write(below: folder.path)
      let stick = try MadeUpStick(
        kind, inPartition: inPartition, label: "Blue 2", by: board, and: try MadeUpStick(carrying: folder.path))
      let before = try stick.sum()
      let number = try board.plugStick(stick.image)
      let found = try #require(try board.waitUntilListed(1).first)
      #expect(found["label"] == "Blue 2" && found["file_system"] == JSON(kind.rawValue))
      let size = try #require(found["bytes"]?.whole)
      #expect((MadeUpStick.bytes - 4 << 20...MadeUpStick.bytes).contains(size))
      let root = try #require(found["path"]?.string)
      try SticksTests.check(root, on: board)
      let first = try #require(try board.album.first)
      let track = VirtualBoard.quoted("\(root)/\(MadeUpStick.track)")
      #expect(try board.asPlayer("cmp \(track) \(VirtualBoard.quoted(first))").code == 0)
      // The junk is there, for whoever imports to leave out.
      #expect(try board.asPlayer("ls -A \(root)").text.contains("System Volume Information"))
      try MusicOnStick(track: MadeUpStick.track).takeIn(number, at: root, on: board)
      // Open in the player's view while it is pulled.
      try board.start("exec 3<\(track); sleep 60", into: "/tmp/open")
      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      #expect(try board.told("H-710") == 1 && board.told("H-711") == 1)
      try board.waitUntil("nothing is left of it") { () throws(Fault) in
        try board.shell("ls -A /run/layby-sticks").line == ""
      }
      try MusicOnStick.expectItIsAway(board)
      #expect(try stick.sum() == before)
    }
  }

  @Test("two copies of one stick are two sticks with one identity, and each is pulled alone")
  func twins() async throws {
    try await Board.with(.playing) { board in
      let one = try MadeUpStick(.fat32, inPartition: true, label: "Twin", by: board)
      let two = try MadeUpStick(like: one.image)
      let numbers = [try board.plugStick(one.image), try board.plugStick(two.image)]
      let found = try board.waitUntilListed(2)
      #expect(Set(found.map { $0["uuid"]?.string ?? "" }).count == 1 && found[0]["uuid"]?.string != nil)
      let roots = found.compactMap { $0["path"]?.string }
      #expect(Set(roots).count == 2)
      for root in roots { try SticksTests.check(root, on: board) }
      try board.pullStick(numbers[0])
      let left = try #require(try board.waitUntilListed(1).first?["path"]?.string)
      #expect(try board.asPlayer("cat \(VirtualBoard.quoted("\(left)/\(MadeUpStick.track)")) >/dev/null").code == 0)
      try board.pullStick(numbers[1])
      _ = try board.waitUntilListed(0)
      #expect(try board.told("H-710") == 2 && board.told("H-711") == 2)
    }
  }

  @Test("an unfinished journal is left as it is, and what steers a terminal is left out of a label")
  func unfinished() async throws {
    try await Board.with(.playing) { board in
      // The power goes, as it were, in the middle: nothing is unmounted.
      let stick = try MadeUpStick(
        .ext4, inPartition: true, label: "a\u{1B}[2J\nb", by: board, then: "sync; echo more >more; sync; exit 0")
      try stick.run(#"dumpe2fs -h "$1?offset=1048576" 2>&1 | grep needs_recovery"#)
      let before = try stick.sum()
      let number = try board.plugStick(stick.image)
      let found = try #require(try board.waitUntilListed(1).first)
      #expect(found["label"] == "a [2J b")
      try board.pullStick(number)
      _ = try board.waitUntilListed(0)
      #expect(try stick.sum() == before)
    }
  }

  @Test("one that is damaged, made for another system or empty is told of once, with the reason, and mounted nowhere")
  func refused() async throws {
    try await Board.with(.playing) { board in
      let damaged = try MadeUpStick(.ext4, inPartition: false, label: "Torn", by: board)
      try damaged.run(#"dd if=/dev/urandom of="$1" bs=1024 seek=2 count=64 conv=notrunc status=none"#)
      let other = try MadeUpStick()
      try other.run(#"mkswap "$1""#)
      for (stick, reason) in [(damaged, "broken"), (other, "unknown"), (try MadeUpStick(), "empty")] {
        let number = try board.plugStick(stick.image)
        var refused: [JSON] = []
        try board.waitUntil("it is refused", within: .seconds(90)) { () throws(Fault) in
          refused = try board.layby("sticks")["refused"]?.items ?? []
          return !refused.isEmpty
        }
        #expect(refused.map { $0["reason"]?.string } == [reason])
        #expect(try board.listedSticks().isEmpty && board.shell("grep layby-sticks /proc/self/mountinfo").code != 0)
        try board.pullStick(number)
        try board.waitUntil("the word about it is gone") { () throws(Fault) in
          try board.layby("sticks")["refused"]?.items?.isEmpty == true
        }
      }
      #expect(try board.told("H-712") == 3 && board.told("H-710") == 0)
    }
  }
}
