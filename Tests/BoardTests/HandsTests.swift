import Runtime
import Testing
import VirtualBoard

@Suite("A hand on the board", .enabled(if: Board.isWanted, Board.whyNot))
struct HandsTests {
  @Test("pauses by the play button's edge and plays by the next")
  func playButton() async throws {
    try await Board.with(.playing) { board in
      try board.press(.play)
      try board.waitUntil(state: "paused")
      try board.press(.play)
      try board.waitUntil(state: "playing")
    }
  }

  @Test("pauses by the knob too, and goes to the next track and back")
  func others() async throws {
    try await Board.with(.playing) { board in
      try board.press(.knob)
      try board.waitUntil(state: "paused")
      let before = try board.status()["index"]?.whole ?? 0
      try board.press(.next)
      try board.waitUntil("the next track is there") { () throws(Fault) in
        try board.status()["index"]?.whole == before + 1
      }
      try board.press(.previous)
      try board.waitUntil("the track before is there") { () throws(Fault) in
        try board.status()["index"]?.whole == before
      }
    }
  }

  @Test("leaves it playing when it touches nothing")
  func nothing() async throws {
    try await Board.with(.playing) { board in
      let before = try board.status()["frame"]?.whole ?? 0
      try board.says("sleep 2")
      let after = try board.status()
      #expect(after["state"]?.string == "playing" && (after["frame"]?.whole ?? 0) > before)
    }
  }

  @Test("changes the volume by exactly the detents it turned, over a thousand edges at 2 ms")
  func turns() async throws {
    try await Board.with(.playing) { board in
      try board.layby("volume", "50")
      let step = try Self.step(board)
      // To and fro around the middle, so that the ends of the scale take none of them away.
      let turns = [10] + (0..<12).map { $0 % 2 == 0 ? -20 : 20 }
      #expect(turns.reduce(0) { $0 + abs($1) * 4 } == 1_000)
      var place = 0
      for turn in turns {
        try board.turn(turn)
        place += turn
        let expected = Int64(50 + step * place)
        var volume: Int64?
        try board.waitUntil("the volume is \(expected)", within: .seconds(20), instead: { "it is \(volume ?? -1)" }) {
          () throws(Fault) in
          volume = try board.status()["volume"]?.whole
          return volume == expected
        }
      }
      // And stays there: no edge comes late.
      try board.says("sleep 1")
      #expect(try board.status()["volume"]?.whole == Int64(50 + step * place))
    }
  }

  @Test("turns the other way when the knob was found to, and presses what board.conf binds a double press to")
  func taught() async throws {
    try await Board.with(.ready) { board in
      try board.editBoardConf("$a [gestures]\\nnext = double play")
      try board.says(
        "printf '[encoder]\\nlines = ENC_A, ENC_B\\nreverse = yes\\n' > /data/state/knob && chmod 644 /data/state/knob")
      try board.startLayby()
      try board.waitUntilItPlays()
      try board.layby("volume", "50")
      try board.turn(3)
      try board.waitUntil("it is softer") { () throws(Fault) in try board.status()["volume"]?.whole == 44 }
      let before = try board.status()["index"]?.whole ?? 0
      try board.make(Hands.press(.play) + Hands.press(.play))
      try board.waitUntil("the next track is there") { () throws(Fault) in
        try board.status()["index"]?.whole == before + 1
      }
      #expect(try board.plays)
      // One alone waits for a second and is a press.
      try board.press(.play)
      try board.waitUntil(state: "paused")
    }
  }

  /// Per cent a detent, as the owner has it.
  private static func step(_ board: VirtualBoard) throws -> Int {
    try board.turn(1)
    try board.waitUntil("one detent is heard") { () throws(Fault) in try board.status()["volume"]?.whole != 50 }
    let step = Int(try board.status()["volume"]?.whole ?? 50) - 50
    try board.turn(-1)
    try board.waitUntil("it is turned back") { () throws(Fault) in try board.status()["volume"]?.whole == 50 }
    #expect(step > 0, "clockwise is louder")
    return step
  }
}
