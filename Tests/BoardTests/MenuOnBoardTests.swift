import Runtime
import Testing
import VirtualBoard

@Suite("The menu by the board's knob", .enabled(if: Board.isWanted, Board.whyNot))
struct MenuOnBoardTests {
  @Test("opens when it is held, is gone through by detents, and is left as it was opened")
  func menu() async throws {
    try await Board.with(.playing) { board in
      let volume = try board.status()["volume"]?.whole
      try board.press(.knob, for: 900)
      try board.waitUntilThePanelSays("Menu · Music")
      try board.turn(1)
      try board.waitUntilThePanelSays("Menu · Search")
      try board.turn(-1)
      try board.press(.knob)
      try board.waitUntilThePanelSays("Music · Artists")
      try board.press(.knob, for: 900)
      try board.waitUntilThePanelSays("Menu · Music")
      try board.press(.back)
      #expect(try board.plays, "nothing of it is a press of the music's")
      // The knob is the volume's again.
      try board.turn(1)
      try board.waitUntil("the volume is another") { () throws(Fault) in
        try board.status()["volume"]?.whole != volume
      }
    }
  }

  @Test("goes to another track when it is turned while it is pressed, and does not pause")
  func turned() async throws {
    try await Board.with(.playing) { board in
      let before = try board.status()["index"]?.whole ?? 0
      try board.hold(.knob)
      try board.turn(1)
      try board.release(.knob)
      try board.waitUntil("the next track is there") { () throws(Fault) in
        try board.status()["index"]?.whole == before + 1
      }
      #expect(try board.plays)
    }
  }

  @Test("a button's edges count in order also while the menu is looked up", arguments: [1, 2])
  func fast(round: Int) async throws {
    try await Board.with(.playing) { board in
      // To the queue and in, without waiting for any picture.
      try board.press(.knob, for: 900)
      try board.turn(2)
      try board.press(.knob)
      try board.waitUntilThePanelSays("Queue · ")
    }
  }
}

extension VirtualBoard {
  var panelWords: String { get throws(Fault) { try layby("screen")["words"]?.string ?? "" } }

  func waitUntilThePanelSays(_ words: String, within limit: Duration = .seconds(60)) throws(Fault) {
    var said = ""
    try waitUntil("the panel says \"\(words)\"", within: limit, instead: { "it says \"\(said)\"" }) {
      () throws(Fault) in
      said = try panelWords
      return said.contains(words)
    }
  }

  /// Presses, and waits until the panel shows something else.
  func pressTheRow() throws(Fault) {
    let words = try panelWords
    try press(.knob)
    try waitUntil("\(words) is pressed") { () throws(Fault) in try panelWords != words }
  }

  /// Turns to the row that is called so, and presses.
  func choose(_ row: String) throws(Fault) {
    var last = ""
    for _ in 0..<40 {
      let words = try panelWords
      // A notice may stand behind it.
      if words.hasSuffix("· \(row)") || ["· \(row):", "· \(row) · "].contains(where: { words.contains($0) }) {
        return try pressTheRow()
      }
      last = words
      try turn(1)
      try waitUntil("the panel goes on") { () throws(Fault) in try panelWords != last }
    }
    throw Fault(.missing, "T-96", "there is no row \(row): \(last)")
  }
}
