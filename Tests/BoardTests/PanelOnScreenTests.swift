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
      try board.press(.knob, for: 900)
      let menu = try Self.alike(board, unlike: paused)
      #expect(menu.differences(from: paused) > 0)
    }
  }

  @Test("has a band of its own in safe mode")
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
      // What passes by may be shown before it, in a darker band.
      let were = Self.brightBands(before)
      var bands: Set<UInt32> = []
      var mistake: (any Error)?
      try board.waitUntil(
        "there is a bright band", within: .seconds(120), instead: { "\(mistake.map { "\($0)" } ?? "\(bands)")" }
      ) { () throws(Fault) in
        do {
          bands = Self.brightBands(try Self.alike(board)).subtracting(were)
          return !bands.isEmpty
        } catch {
          mistake = error
          return false
        }
      }
    }
  }

  /// The colours, brighter than half, that fill a third of a row without a gap, in three rows or more.
  private static func brightBands(_ screen: Screen) -> Set<UInt32> {
    var rows: [UInt32: Int] = [:]
    for y in 0..<screen.height {
      var (run, longest) = (0, 0)
      var colour: UInt32 = 0
      for x in 0..<screen.width {
        run = x > 0 && screen[x, y] == screen[x - 1, y] ? run + 1 : 1
        if run > longest { (longest, colour) = (run, screen[x, y]) }
      }
      if longest >= screen.width / 3 { rows[colour, default: 0] += 1 }
    }
    return Set(rows.filter { $0.value >= 3 }.keys).filter { colour in
      (colour >> 16 & 0xFF) + (colour >> 8 & 0xFF) + (colour & 0xFF) > 384
    }
  }

  @Test("hangs at a graphics card where the kernel makes no framebuffer, and is found there by itself")
  func graphicsCardAlone() async throws {
    try await Board.with(.off) { board in
      try board.boot(words: ["drm_kms_helper.fbdev_emulation=0"])
      #expect(try board.says("ls /dev/dri; ls /dev | grep '^fb' || true").contains("card0"))
      #expect(try board.shell("ls /dev/fb0").code != 0, "there is a framebuffer")
      try board.waitUntilItPlays()
      try board.editBoardConf("s,^device = /dev/fb0,device = auto,")
      try board.says("systemctl restart layby")
      try Self.expectChanges(board)
      let process = try board.says("systemctl show -P MainPID layby")
      #expect(try board.says("ls -l /proc/\(process)/fd").contains("/dev/dri/card0"))
    }
  }

  @Test("is turned as board.conf says, at a graphics card and on a framebuffer", arguments: ["dri/card0", "fb0"])
  func turned(device: String) async throws {
    try await Board.with(.ready) { board in
      try board.editBoardConf("s,^device = /dev/fb0,device = /dev/\(device)\\nrotate = 90,")
      try board.startLayby()
      try Self.expectChanges(board) { upright in
        let pixels = (0..<upright.width).flatMap { x in
          (0..<upright.height).map { y in upright[x, upright.height - 1 - y] }
        }
        return Screen(width: upright.height, height: upright.width, pixels: pixels)
      }
    }
  }

  /// Paused, and the menu after that: it stays, where the volume goes away by itself.
  private static func expectChanges(_ board: VirtualBoard, _ hung: (Screen) -> Screen = { $0 }) throws {
    try board.waitUntilItPlays()
    try board.press(.play)
    try board.waitUntil(state: "paused")
    let paused = try alike(board, hung)
    #expect(!paused.isBlack)
    try board.press(.knob, for: 900)
    let menu = try alike(board, unlike: paused, hung)
    #expect(menu.differences(from: paused) > 0)
  }

  @Test("with 16 bits a pixel it is what layby screen draws, as near as these come")
  func fewColours() async throws {
    try await Board.with(.off) { board in
      board.solderCirrus()
      try board.boot()
      #expect(try board.says("cat /sys/class/graphics/fb0/bits_per_pixel") == "16")
      try board.waitUntilItPlays()
      try board.press(.play)
      try board.waitUntil(state: "paused")
      var what = "nothing to compare yet"
      try board.waitUntil("the screen is near to what layby screen draws", instead: { what }) { () throws(Fault) in
        do {
          let drawn = try Self.drawn(board)
          what = try Self.farthest(board.screen(), drawn)
        } catch { what = "\(error)" }
        return what.isEmpty
      }
      let screen = try board.screen()
      #expect(!screen.isBlack && screen.width == 1_024 && screen.height == 768)
      // It is a test only if another picture does not pass it: the menu, once it is open.
      try board.press(.knob, for: 900)
      var mistake: (any Error)?
      try board.waitUntil("another picture is told apart", instead: { mistake.map { "\($0)" } ?? "it passes too" }) {
        () throws(Fault) in
        do { return Self.farthest(screen, try Self.drawn(board)) != "" } catch {
          mistake = error
          return false
        }
      }
    }
  }

  /// Each colour stands on one of the two levels around it, and on the right one in the mean; empty when it is so.
  private static func farthest(_ screen: Screen, _ drawn: Screen) -> String {
    guard screen.width == drawn.width, screen.height == drawn.height else {
      return "\(screen.width) x \(screen.height), and \(drawn.width) x \(drawn.height) are drawn"
    }
    for (name, shift, bits) in [("red", 16, 5), ("green", 8, 6), ("blue", 0, 5)] {
      let most = Double((1 << bits) - 1)
      var sum = 0.0
      for (index, pixels) in zip(screen.pixels, drawn.pixels).enumerated() {
        let level = Double((pixels.0 >> UInt32(shift) & 0xFF) >> UInt32(8 - bits))
        let off = level - Double(pixels.1 >> UInt32(shift) & 0xFF) * most / 255
        sum += off
        if abs(off) >= 1 { return "\(name) is \(off) levels off at (\(index % screen.width), \(index / screen.width))" }
      }
      let mean = sum / Double(screen.pixels.count)
      if abs(mean) > 0.5 { return "\(name) is \(mean) levels off in the mean" }
    }
    return ""
  }

  /// Waits until both are the same, because one of them may be a frame behind; then what they show.
  private static func alike(
    _ board: VirtualBoard, unlike other: Screen? = nil, _ hung: (Screen) -> Screen = { $0 }
  ) throws -> Screen {
    var difference = "nothing to compare yet"
    var shown: Screen?
    var mistake: (any Error)?
    try board.waitUntil(
      "the screen is what layby screen draws",
      instead: { mistake.map { "\($0)" } ?? difference }
    ) { () throws(Fault) in
      do {
        let drawn = hung(try drawn(board))
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
    // Nothing where there is none.
    let memory = try board.shell("head -c \(screen.pixels.count * 4) /dev/fb0").bytes
    let same = zip(stride(from: 0, to: memory.count - 3, by: 4), drawn.pixels).allSatisfy { at, pixel in
      let (blue, green, red) = (UInt32(memory[at]), UInt32(memory[at + 1]), UInt32(memory[at + 2]))
      return pixel == blue | green << 8 | red << 16
    }
    return "\(places.count) pixels differ, in rows \(first / screen.width) to \(last / screen.width), columns "
      + "\(columns.min() ?? 0) to \(columns.max() ?? 0); the framebuffer has \(same ? "the right" : "another") picture"
  }
}
