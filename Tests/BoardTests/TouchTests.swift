import Runtime
import Testing
import VirtualBoard

@Suite("Fingers and taught keys on the board", .enabled(if: Board.isWanted, Board.whyNot))
struct TouchTests {
  @Test("a touch screen that is plugged in is read: a tap, a hold, a swipe; pulled, it is let go")
  func touches() async throws {
    try await Board.with(.ready) { board in
      try board.says("printf '[log]\\nlevel = debug\\n' > /data/layby.conf")
      try board.startLayby()
      try board.waitUntilItPlays()
      // All of this may take longer than the album.
      try board.layby("repeat", "all")
      func count(_ words: String) throws(Fault) -> Int {
        Int(try board.shell("journalctl -b -u layby -o cat | grep -c \(VirtualBoard.quoted(words))").line) ?? 0
      }
      func wait(for words: String, _ wanted: Int) throws {
        try board.waitUntil("the log says \(words)", within: .seconds(30)) { () throws(Fault) in
          try count(words) == wanted
        }
      }
      // Nobody pays for libinput before there is anything to touch.
      let maps = "grep -c libinput /proc/$(systemctl show -P MainPID layby)/maps"
      #expect(try board.shell(maps).line == "0")
      let glass = try board.plugTouchScreen()
      try wait(for: "a touch screen is read", 1)
      #expect(try board.shell(maps).line != "0")
      // The play key, which is drawn beside the cover for fingers.
      for (taps, state) in [(1, "paused"), (2, "playing")] {
        try board.touch([(674, 348)], on: glass)
        try wait(for: "how=tap", taps)
        try board.waitUntil(state: state)
      }
      // The menu, and back from it.
      try board.touch([(400, 240)], for: 1, on: glass)
      try wait(for: "how=hold", 1)
      try board.touch([(100, 240), (700, 244)], on: glass)
      try wait(for: "how=\"swipe right\"", 1)
      #expect(try count("msg=touched") == 4)
      try board.unplugTouchScreen()
      try wait(for: "a touch screen is gone", 1)
      #expect(try board.plays)
    }
  }

  @Test("a key that was taught on the panel, and one of board.conf, do what they were given")
  func taughtKeys() async throws {
    try await Board.with(.ready) { board in
      try board.editBoardConf("$a [keys]\\nmute = KEY_ENTER")
      try board.says("printf '[keys]\\nplay = KEY_F24\\n' > /data/state/keys && chmod 644 /data/state/keys")
      let keyboard = try board.plugKeyboard()
      try board.startLayby()
      try board.waitUntilItPlays()
      try board.key("KEY_F24", on: keyboard)
      try board.waitUntil(state: "paused")
      try board.key("KEY_F24", on: keyboard)
      try board.waitUntil(state: "playing")
      // The knob's own key, which board.conf gave away.
      try board.key("KEY_ENTER", on: keyboard)
      try board.waitUntil("it is muted") { () throws(Fault) in try board.status()["muted"] == true }
      #expect(try board.state() == "playing")
    }
  }
}
