import Runtime
import Testing
import VirtualBoard

@Suite("The panel on the board's screen", .enabled(if: Board.isWanted, Board.whyNot))
struct PanelOnScreenTests {
  /// What the panel's own picture shows, drawn apart from the framebuffer.
  private static func drawn(_ board: VirtualBoard) throws -> Screen {
    try board.says("layby screen /tmp/panel.png")
    return try Screen(png: try board.shell("cat /tmp/panel.png").bytes)
  }

  @Test("is what layby screen draws, pixel for pixel, and another picture at another moment")
  func pixels() async throws {
    try await Board.with(.playing) { board in
      let playing = try board.screen()
      #expect(playing.width == 800 && playing.height == 480 && !playing.isBlack)
      try board.press(.play)
      try board.waitUntil(state: "paused")
      let paused = try Self.alike(board)
      #expect(paused.differences(from: playing) > 0, "pausing is not seen")
      try board.turn(-3)
      let quieter = try Self.alike(board, unlike: paused)
      #expect(quieter.differences(from: paused) > 0)
    }
  }

  @Test("has a band of its own in safe mode, at its foot")
  func safeMode() async throws {
    try await Board.with(.playing) { board in
      try board.press(.play)
      try board.waitUntil(state: "paused")
      let before = try Self.alike(board)
      var crashes = 0
      while try board.status()["safe_mode"]?.truth != true, crashes < 10 {
        try CrashLoopTests.crash(board)
        crashes += 1
      }
      try board.waitUntil("it is paused or playing") { () throws(Fault) in try board.state() != nil }
      if try board.plays { try board.press(.play) }
      try board.waitUntil("it does not play") { () throws(Fault) in try !board.plays }
      let safe = try Self.alike(board, unlike: before)
      let foot = (0..<safe.width).map { (before: before[$0, safe.height - 1], now: safe[$0, safe.height - 1]) }
      #expect(foot.allSatisfy { $0.before != $0.now }, "the lowest row has nothing new")
      #expect(Set(foot.map(\.now)).count == 1, "the lowest row is no band")
    }
  }

  /// Waits until both are the same, because one of them may be a frame behind; then what they show.
  private static func alike(_ board: VirtualBoard, unlike other: Screen? = nil) throws -> Screen {
    var difference = "nothing to compare yet"
    var shown: Screen?
    var mistake: (any Error)?
    try board.waitUntil(
      "the screen is what layby screen draws",
      instead: { mistake.map { "\($0)" } ?? difference }
    ) { () throws(Fault) in
      do {
        let drawn = try drawn(board)
        let screen = try board.screen()
        difference = try describe(screen, drawn, board)
        shown = screen
        return screen == drawn && screen != other
      } catch {
        mistake = error
        return false
      }
    }
    return try #require(shown)
  }

  /// Where they differ, and whether the kernel's framebuffer has the right picture or the wrong one.
  private static func describe(_ screen: Screen, _ drawn: Screen, _ board: VirtualBoard) throws -> String {
    let places = screen.pixels.indices.filter { screen.pixels[$0] != drawn[$0 % screen.width, $0 / screen.width] }
    guard let first = places.first, let last = places.last else { return "they are the same, and as before" }
    let columns = places.map { $0 % screen.width }
    let memory = try board.shell("head -c \(screen.pixels.count * 4) /dev/fb0").bytes
    let same = zip(stride(from: 0, to: memory.count - 3, by: 4), drawn.pixels).allSatisfy { at, pixel in
      pixel == UInt32(memory[at]) | UInt32(memory[at + 1]) << 8 | UInt32(memory[at + 2]) << 16
    }
    return "\(places.count) pixels differ, in rows \(first / screen.width) to \(last / screen.width), columns "
      + "\(columns.min() ?? 0) to \(columns.max() ?? 0); the framebuffer has \(same ? "the right" : "another") picture"
  }
}
