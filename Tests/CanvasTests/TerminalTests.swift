import Glibc
import Runtime
import TestSupport
import Testing

@testable import Canvas

@Suite("Terminal page")
struct TerminalPageTests {
  let canvasSize = Size(width: 96, height: 72)

  @Test(
    "a terminal that got only the differences shows the same as one drawn from nothing",
    arguments: 1...6, [TerminalColours.full, .palette])
  func differences(seed: Int, colours: TerminalColours) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let size = Size(width: .random(in: 1..<60, using: &random), height: .random(in: 1..<30, using: &random))
    let canvas = Canvas(size: canvasSize)
    var page = TerminalPage(size: size, colours: colours)
    var model = TerminalModel(columns: size.width, rows: size.height)
    for round in 0..<40 {
      for _ in 0..<Int.random(in: 0..<3, using: &random) { canvas.scribble(&random) }
      let changed = canvas.changes()
      canvas.markShown(changed)
      page.want(canvas, changed: changed)
      let caption = String(repeating: "Lied ", count: .random(in: 0..<9, using: &random))
      page.want(caption: caption)
      // Some frames are dropped.
      if Bool.random(using: &random) { continue }
      try model.take(page.difference())
      #expect(!page.isBehind)

      var anew = TerminalPage(size: size, colours: colours)
      anew.want(canvas, changed: [canvas.bounds])
      anew.want(caption: caption)
      var fresh = TerminalModel(columns: size.width, rows: size.height)
      try fresh.take(anew.difference())
      #expect(model.seen == fresh.seen, "seed \(seed), round \(round), \(size)")
    }
  }

  @Test("nothing changed writes nothing, a dot writes a cell")
  func little() throws {
    let canvas = Canvas(size: canvasSize)
    var page = TerminalPage(size: Size(width: 96, height: 37), colours: .full)
    page.want(canvas, changed: [canvas.bounds])
    var model = TerminalModel(columns: 96, rows: 37)
    try model.take(page.difference())
    #expect(model.written == 96 * 36)
    page.want(canvas, changed: [canvas.bounds])
    #expect(page.difference() == [])
    canvas[50, 41] = .white
    page.want(canvas, changed: [Rect(x: 50, y: 41, width: 1, height: 1)])
    try model.take(page.difference())
    #expect(model.written == 96 * 36 + 1)
    #expect(model.cells[20 * 96 + 50].character == "▀")
    #expect(model.cells[20 * 96 + 50].ground == "2:255,255,255")
  }

  @Test(
    "the picture is as large as fits, with square dots, and never enlarged",
    arguments: [
      (320, 240, 80, 23, 61, 23), (320, 240, 400, 200, 320, 120), (320, 240, 20, 50, 20, 8),
      (240, 240, 240, 10, 20, 10),
      (800, 480, 1, 1, 1, 1),
    ])
  func fitting(width: Int, height: Int, columns: Int, rows: Int, usedColumns: Int, usedRows: Int) {
    let blocks = HalfBlocks(
      canvas: Size(width: width, height: height), fitting: Size(width: columns, height: rows))
    #expect(blocks.columns == usedColumns)
    #expect(blocks.rows == usedRows)
  }

  @Test(
    "a colour that fills the canvas fills the cells, unmixed", arguments: [Pixel(0x123456), .white, Pixel(0xFF0001)])
  func flat(colour: Pixel) {
    let canvas = Canvas(size: Size(width: 100, height: 77))
    canvas.fill(canvas.bounds, colour)
    let blocks = HalfBlocks(canvas: canvas.size, fitting: Size(width: 37, height: 23))
    for row in 0..<blocks.rows {
      for column in 0..<blocks.columns {
        let cell = blocks.cell(column, row, of: canvas, .full)
        #expect(cell.top == colour.value && cell.bottom == colour.value)
      }
    }
  }

  @Test("colours of the palette are near the asked ones, and its own colours are exact")
  func palette() {
    #expect(TerminalColours.palette.ink(for: .black) == 16)
    #expect(TerminalColours.palette.ink(for: .white) == 231)
    #expect(TerminalColours.palette.ink(for: Pixel(0xFF0000)) == 196)
    #expect(TerminalColours.palette.ink(for: Pixel(0x080808)) == 232)
    #expect(TerminalColours.palette.ink(for: Pixel(0x808080)) == 244)
    #expect(TerminalColours.palette.ink(for: Pixel(0x5F87AF)) == 67)
  }

  @Test("full colours only where the terminal says so")
  func environment() {
    func isFull(_ colorTerm: String?, _ term: String?) -> Bool {
      if case .full = TerminalColours(colorTerm: colorTerm, term: term) { true } else { false }
    }
    #expect(isFull("truecolor", "xterm") && isFull("24bit", nil) && isFull(nil, "xterm-direct"))
    #expect(!isFull(nil, "xterm-256color") && !isFull("yes", nil) && !isFull(nil, nil))
  }

  @Test("a colour is chosen once for as long as it stays, and the cursor moved once a row")
  func short() {
    let canvas = Canvas(size: Size(width: 40, height: 20))
    for y in stride(from: 0, to: 20, by: 2) { canvas.fill(Rect(x: 0, y: y, width: 40, height: 1), .white) }
    var page = TerminalPage(size: Size(width: 40, height: 11), colours: .full)
    page.want(canvas, changed: [canvas.bounds])
    let text = String(decoding: page.difference(), as: UTF8.self)
    #expect(text.split(separator: "38;2;").count == 2)
    #expect(text.split(separator: "48;2;").count == 2)
    #expect(text.filter { $0 == "H" }.count == 10)
    #expect(text.filter { $0 == "▀" }.count == 400)
  }

  @Test("foreign text in the caption cannot steer the terminal")
  func caption() throws {
    var page = TerminalPage(size: Size(width: 20, height: 2), colours: .full)
    page.want(caption: "a\u{1B}[2Jb\u{9B}3J\r\n\u{7}c日本語日本語日本語日本語")
    var model = TerminalModel(columns: 20, rows: 2)
    try model.take(page.difference())
    #expect(model.text(row: 1).hasPrefix("a[2Jb3Jc日本語日本語"))
  }
}

/// A pipe whose reader is a test that may be slow.
struct SlowTerminal: ~Copyable {
  let reader: Descriptor
  let terminal: Terminal

  init(_ size: Size) throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    // F_SETPIPE_SZ: one page, so that a frame does not fit.
    _ = fcntl(ends[1], 1031, 4096)
    reader = Descriptor(taking: ends[0])
    terminal = try Terminal(taking: Descriptor(taking: ends[1]), size: size, colours: .full)
  }

  /// At most `limit` bytes of what stands in the pipe.
  func receive(_ limit: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = read(reader.number, &bytes, limit)
    return Array(bytes[..<max(0, count)])
  }
}

@Suite("Terminal")
struct TerminalTests {
  @Test("a slow terminal sees fewer frames, never half an escape, and at the end the right one", arguments: 1...6)
  func slow(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let size = Size(width: 60, height: 24)
    let slow = try SlowTerminal(size)
    var terminal = slow.terminal
    let canvas = Canvas(size: Size(width: 96, height: 72))
    var model = TerminalModel(columns: size.width, rows: size.height)
    for round in 0..<80 {
      canvas.scribble(&random)
      terminal.caption = "round \(round)"
      try canvas.present(to: &terminal)
      try model.take(slow.receive(.random(in: 1..<3_000, using: &random)))
    }
    #expect(terminal.isBehind)
    while terminal.isBehind {
      try model.take(slow.receive(4_096))
      try terminal.catchUp()
    }
    try model.take(slow.receive(8_192))
    #expect(model.isOtherScreen && !model.isCursorShown && !model.wraps)
    var anew = TerminalPage(size: size, colours: .full)
    anew.want(canvas, changed: [canvas.bounds])
    anew.want(caption: "round 79")
    var fresh = TerminalModel(columns: size.width, rows: size.height)
    try fresh.take(anew.difference())
    #expect(model.seen == fresh.seen, "seed \(seed)")

    terminal.close()
    try model.take(slow.receive(4_096))
    #expect(model.isWhole && !model.isOtherScreen && model.isCursorShown && model.wraps)
  }

  @Test("a window of another size is drawn anew, in the middle of a frame too")
  func resize() throws {
    let slow = try SlowTerminal(Size(width: 60, height: 24))
    var terminal = slow.terminal
    let canvas = Canvas(size: Size(width: 96, height: 72))
    var random = SeededGenerator(seed: 3)
    for _ in 0..<20 { canvas.scribble(&random) }
    try canvas.present(to: &terminal)
    #expect(terminal.isBehind)
    let size = Size(width: 100, height: 40)
    try terminal.resize(to: size)
    // The model is as large as both, as a window is that grew.
    var model = TerminalModel(columns: size.width, rows: size.height)
    while terminal.isBehind {
      try model.take(slow.receive(4_096))
      try terminal.catchUp()
    }
    try model.take(slow.receive(8_192))
    var anew = TerminalPage(size: size, colours: .full)
    anew.want(canvas, changed: [canvas.bounds])
    var fresh = TerminalModel(columns: size.width, rows: size.height)
    try fresh.take(anew.difference())
    #expect(model.seen == fresh.seen)
  }

  @Test("a terminal that is gone gives a fault, and closing it ends")
  func gone() throws {
    signal(SIGPIPE, SIG_IGN)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    var terminal = try Terminal(
      taking: Descriptor(taking: ends[1]), size: Size(width: 20, height: 10), colours: .full)
    let canvas = Canvas(size: Size(width: 32, height: 24))
    #expect(throws: Fault.self) { try canvas.present(to: &terminal) }
    terminal.close()
    #expect(!terminal.isBehind)
  }
}
