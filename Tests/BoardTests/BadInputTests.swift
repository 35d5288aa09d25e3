import Runtime
import Testing
import VirtualBoard

/// Whatever is missing, the music plays as long as there is anything to play it on, and the log says what is missing.
@Suite("A board on which something is wrong", .enabled(if: Board.isWanted, Board.whyNot))
struct BadInputTests {
  private static func expectItTells(_ board: VirtualBoard, _ words: String...) throws {
    try board.waitUntil("the log tells of \(words)") { () throws(Fault) in
      let log = try board.journal()
      return words.allSatisfy { log.contains($0) }
    }
  }

  @Test("plays without its GPIO chip, and says which it misses")
  func missingChip() async throws {
    try await Board.with(.ready) { board in
      try board.says("echo 0 > /sys/kernel/config/gpio-sim/dash/live")
      try board.startLayby()
      try board.waitUntilItPlays()
      try Self.expectItTells(board, "ENC_A")
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
      try Self.expectItTells(board, "BTN_PLAY")
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
      try Self.expectItTells(board, "BTN_NOWHERE")
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
      try Self.expectItTells(board, "/dev/fb7")
    }
  }

  @Test("plays from a data partition that cannot be written, tells, and saves nothing")
  func readOnlyData() async throws {
    try await Board.with(.ready) { board in
      try board.says("mount -o remount,ro /data")
      try board.startLayby()
      try board.waitUntilItPlays()
      try board.layby("volume", "33")
      #expect(try board.says("ls -A /data/state") == "")
    }
  }

  @Test("makes a fresh data partition when the old one is beyond repair, and plays")
  func damagedData() async throws {
    try await Board.with(.ready) { board in
      try board.says(
        "umount /data; d=$(readlink -f /dev/disk/by-partlabel/layby-data); "
          + "head -c 64M /dev/urandom > $d; sync")
      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      #expect(try board.says("stat -c %U /data/state") == "layby")
      try board.layby("volume", "21")
      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      #expect(try board.status()["volume"]?.whole == 21)
    }
  }
}
