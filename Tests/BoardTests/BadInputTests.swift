import Runtime
import Testing
import VirtualBoard

/// Whatever is missing, the music plays as long as there is anything to play it on, and the log says what is missing.
@Suite("A board on which something is wrong", .enabled(if: Board.isWanted, Board.whyNot))
struct BadInputTests {
  private static func expectItTells(_ board: VirtualBoard, _ words: String...) throws {
    var told: [Substring] = []
    try board.waitUntil("the log tells of \(words)", instead: { "but of \(told)" }) { () throws(Fault) in
      let log = try board.journal(5_000)
      told = log.split(separator: "\n").filter { !$0.contains("level=info") }
      return words.allSatisfy { log.contains($0) }
    }
  }

  @Test("plays without its GPIO chip, and says so")
  func missingChip() async throws {
    try await Board.with(.ready) { board in
      try board.says("echo 0 > /sys/kernel/config/gpio-sim/dash/live")
      try board.startLayby()
      try board.waitUntilItPlays()
      try Self.expectItTells(board, "H-202")
    }
  }

  @Test("plays when another program has a line, says which, and takes the line when it is free again")
  func takenLine() async throws {
    try await Board.with(.ready) { board in
      try board.start("exec gpiomon $(gpiofind BTN_PLAY)", into: "/tmp/taker")
      try board.waitUntil("the line is taken") { () throws(Fault) in
        try board.shell("gpioinfo | grep BTN_PLAY | grep -q used").code == 0
      }
      try board.startLayby()
      try board.waitUntilItPlays()
      try Self.expectItTells(board, "H-209", "BTN_PLAY", "gpiomon")
      let doctor = try board.shell("layby doctor --board /etc/layby/board.conf").line
      #expect(doctor.contains("the line BTN_PLAY of the button \"play\" is taken by \"gpiomon\""), "\(doctor)")
      try board.press(.next)
      try board.waitUntil("another button works all the same") { () throws(Fault) in
        try board.status()["index"]?.whole == 1
      }
      try board.says("pkill -x gpiomon")
      try board.waitUntil("the button works", every: .seconds(2)) { () throws(Fault) in
        try board.press(.play)
        return try board.state() == "paused"
      }
    }
  }

  @Test("plays when board.conf names a line that does not exist, and says which")
  func unknownLine() async throws {
    try await Board.with(.ready) { board in
      try board.editBoardConf("s/^mute = .*/mute = BTN_NOWHERE/")
      try board.startLayby()
      try board.waitUntilItPlays()
      try Self.expectItTells(board, "H-203", "BTN_NOWHERE")
      try board.press(.play)
      try board.waitUntil(state: "paused")
    }
  }

  @Test("runs without a sound card, says so, and plays when one comes")
  func noSoundCard() async throws {
    try await Board.with(.ready) { board in
      try board.says("modprobe -r snd_aloop")
      try board.startLayby()
      try board.waitUntil("it says that it waits") { () throws(Fault) in
        try board.status()["waits_for_device"]?.truth == true
      }
      try Self.expectItTells(board, "A-152")
      try board.says("modprobe snd_aloop")
      try board.waitUntil("it plays", within: .seconds(120)) { () throws(Fault) in
        try board.status()["waits_for_device"]?.truth == false
      }
      try board.waitUntilItPlays()
    }
  }

  @Test("plays without a screen, and says so")
  func noFramebuffer() async throws {
    try await Board.with(.ready) { board in
      try board.editBoardConf("s,^device = /dev/fb0,device = /dev/fb7,")
      try board.startLayby()
      try board.waitUntilItPlays()
      try Self.expectItTells(board, "K-130", "/dev/fb7")
    }
  }

  @Test("plays when the data partition became one that cannot be written, and tells that nothing is remembered")
  func readOnlyMount() async throws {
    try await Board.with(.ready) { board in
      try board.says("mount -o remount,ro /data")
      try board.startLayby()
      try board.waitUntilItPlays()
      try board.layby("volume", "33")
      try Self.expectItTells(board, "S-130", "nothing will be remembered")
    }
  }

  /// What keeps the time has a folder of the data partition in a mount of its own, once it runs: at a start nothing has.
  private static let letGo = "systemctl stop systemd-timesyncd && umount /data"

  @Test("plays when the disk is write-protected, and tells that nothing will be saved")
  func readOnlyDisk() async throws {
    try await Board.with(.ready) { board in
      try board.says(
        "\(Self.letGo) && blockdev --setro $(readlink -f /dev/disk/by-partlabel/layby-data) "
          + "&& systemctl restart layby-data")
      // What the data partition has to say is told once a boot; this is as if this were the first start of it.
      try board.says("rm -f /run/layby/starts")
      #expect(try board.says("findmnt -n -o OPTIONS /data").split(separator: ",").contains("ro"))
      try board.startLayby()
      try board.waitUntilItPlays()
      try Self.expectItTells(board, "S-170", "write-protected", "Nothing will be saved")
      try board.press(.play)
      try board.waitUntil(state: "paused")
    }
  }

  @Test("mends a data partition of which half a superblock was written when the power went, and nothing is lost")
  func tornSuperblock() async throws {
    try await Board.with(.ready) { board in
      try board.startLayby()
      try board.waitUntilItPlays()
      try board.layby("volume", "21")
      // While all of it is in use, so there is a journal to be replayed. Its checksum is in its last four bytes.
      try board.says(
        "printf torn | dd of=/dev/disk/by-partlabel/layby-data bs=1 seek=2044 conv=notrunc,fsync status=none")
      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      #expect(try board.status()["volume"]?.whole == 21)
      try Self.expectItTells(board, "S-170", "is mended")
    }
  }

  @Test("makes a fresh data partition when the old one is beyond repair, keeps that, tells, and plays")
  func damagedData() async throws {
    try await Board.with(.ready) { board in
      // With fsync: a plain `sync` leaves what a block device was given in the drive's cache, and the plug takes it.
      try board.says(
        "\(Self.letGo) && yes broken | dd of=/dev/disk/by-partlabel/layby-data bs=1M count=250 iflag=fullblock conv=fsync"
          + " status=none")
      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      try Self.expectItTells(board, "S-170", "beyond repair")
      // There was room, since the same word again and again packs to little.
      #expect(try board.says("zstd -dc /data/lost/data.ext4.zst 2>/dev/null | head -n 1") == "broken")
      #expect(try board.says("stat -c %U /data/state") == "layby")
      try board.layby("volume", "21")
      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      #expect(try board.status()["volume"]?.whole == 21)
    }
  }
}
