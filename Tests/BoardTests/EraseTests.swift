import Glibc
import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("A board that is made as on its first day", .enabled(if: Board.isWanted, Board.whyNot))
struct EraseTests {
  /// What an owner leaves behind.
  private static func leaveTraces(_ board: VirtualBoard) throws {
    let first = try #require(try board.album.first)
    try board.layby("volume", "31")
    try board.layby("playlist", "make", "Mine")
    try board.says(
      """
      set -e
      cp \(VirtualBoard.quoted(first)) /data/music/own.flac && chown layby:layby /data/music/own.flac
      printf '[sound]\\nstart_volume = 12\\n' > /data/layby.conf
      mkdir -p -m 700 /data/network && echo secret > /data/network/wifi.conf
      echo secret > /data/keys/secret && chown layby-keys:layby-keys /data/keys/secret && sync
      """)
  }

  private static func isAsNew(_ board: VirtualBoard, hasMusic: Bool) throws {
    #expect(
      try board.shell(
        "test -e /data/layby.conf || test -e /data/network || test -e /data/erase || test -e /data/keys/secret"
      ).code != 0)
    #expect(try board.layby("playlist")["playlists"]?.items?.isEmpty == true)
    #expect(try board.status()["volume"]?.whole != 31)
    #expect((try board.shell("test -e /data/music/own.flac").code == 0) == hasMusic)
    let owners = "layby layby 755\nlayby-keys layby-keys 700"
    #expect(try board.says("stat -c '%U %G %a' /data/state /data/keys") == owners)
    let steps = try board.says("journalctl -b -u layby-data --no-pager -o cat")
    #expect(steps.contains("erasing what was saved") && !steps.contains("could not destroy"), "\(steps)")
    #expect(try board.journal().contains("Everything that was set on this board is erased."))
  }

  /// To the last row of the page, and in.
  private static func takeLast(_ board: VirtualBoard, _ words: String) throws {
    try board.turn(60)
    try board.waitUntilThePanelSays(words)
    try board.press(.knob)
  }

  private static func waitForTheStart(_ board: VirtualBoard) throws {
    try board.machine.qmp.event("RESET", within: .seconds(120))
    try board.waitUntilUpAgain()
    try board.waitUntilItPlays()
  }

  @Test("by the panel, after a question: what was set goes, the music stays, and it plays by itself")
  func byThePanel() async throws {
    try await Board.with(.playing) { board in
      try Self.leaveTraces(board)
      try board.press(.knob, for: 900)
      try board.waitUntilThePanelSays("Menu · Music")
      try Self.takeLast(board, "Settings")
      try board.waitUntilThePanelSays("Settings · ")
      try Self.takeLast(board, "About")
      try Self.takeLast(board, "Erase this device")
      try board.waitUntilThePanelSays("Cancel")
      try board.turn(1)
      try board.waitUntilThePanelSays("Erase, keep the music")
      try board.press(.knob)
      // Whoever presses on without looking has changed nothing.
      try board.waitUntilThePanelSays("Cancel")
      try board.turn(1)
      try board.press(.knob)
      try Self.waitForTheStart(board)
      try Self.isAsNew(board, hasMusic: true)
    }
  }

  @Test("by two buttons that are held while it starts; one of them alone does nothing")
  func byButtons() async throws {
    try await Board.with(.playing) { board in
      try Self.leaveTraces(board)
      // The simulated lines take a pull-up for a button that is let go.
      try board.editBoardConf("$a [lines]\\nbias = none")
      try board.hold(.back)
      try board.says("systemctl restart layby")
      try board.waitUntilItPlays()
      #expect(try board.layby("playlist")["playlists"]?.items?.count == 1)
      try board.hold(.mute)
      try board.says("systemctl restart --no-block layby")
      try Self.waitForTheStart(board)
      try Self.isAsNew(board, hasMusic: true)
    }
  }

  @Test(
    "with a power cut at any moment of it: it begins as new, and plays",
    arguments: 0..<(Board.isLong ? 12 : 2) as Range<UInt64>)
  func cut(seed: UInt64) async throws {
    var dice = SeededGenerator(seed: seed)
    let wait = Int.random(in: 0...20_000, using: &dice)
    try await Board.with(.playing) { board in
      try Self.leaveTraces(board)
      // Taken up when this has answered.
      try board.layby("erase", "all")
      usleep(UInt32(wait) * 1_000)
      board.cutPower()
      try board.boot()
      try board.waitUntilItPlays()
      try Self.isAsNew(board, hasMusic: false)
    }
  }
}
