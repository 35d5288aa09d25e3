import Canvas
import Glibc
import Hardware
import Runtime
import Synchronization
import VirtualBoard

/// A person before the virtual board: it boots, its screen is shown, keys become edges of its lines, until they quit.
/// The emulator goes with this program, however that ends.
final class Sitting {
  private let options: SittingOptions
  private let board: VirtualBoard
  private var parser = KeyParser()
  private var began = Moment.now
  private var isUp = false
  /// What the emulator shows before the board has a picture.
  private var nothingYet: Screen?

  /// How often the screen is looked at; keys are heard sooner.
  private static let frame: Duration = .milliseconds(150)
  private static let glance: Duration = .milliseconds(15)

  init(_ options: SittingOptions) throws(Fault) {
    self.options = options
    let image = BoardImage(at: options.image, machine: options.machine)
    guard image.isThere(withTools: false) else {
      throw Fault(.missing, "V-210", "there is no image in \(options.image); image/build virtual makes it")
    }
    board = try VirtualBoard(shipped: image, window: options.window)
  }

  func run() throws(Fault) -> Int32 {
    StopWish.listen()
    try powerOn()
    if isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 { try before(person: ()) } else { try aside() }
    board.cutPower()
    print("The board is off. Its console said last: \(board.consoleSays)")
    print("LAYBY_KEEP_BOARDS=1 keeps the whole console and the disk in a folder under /tmp.")
    return EX_OK
  }

  private func powerOn() throws(Fault) {
    began = .now
    isUp = false
    nothingYet = nil
    try board.powerOn()
  }

  private var isOver: Bool {
    StopWish.isThere || options.endsAfter.map { Moment.now >= started + $0 } ?? false
  }

  private let started = Moment.now

  // MARK: In a terminal

  private func before(person: Void) throws(Fault) {
    let keys = try RawTerminal(STDIN_FILENO)
    let colours = TerminalColours(colorTerm: Self.variable("COLORTERM"), term: Self.variable("TERM"))
    var terminal = try Terminal.onStandardOutput(colours: colours)
    defer { terminal.close() }
    let canvas = Canvas(size: Size(width: 800, height: 480))
    var nextLook = Moment.now
    while !isOver {
      guard let bytes = keys.read() else { return }
      for key in parser.take(bytes) where try !take(key, terminal) { return }
      if Moment.now >= nextLook {
        nextLook = .now + Self.frame
        guard try copyFrame(canvas, &terminal) else { return }
      }
      _ = Waiting.poll(until: .now + Self.glance) { false }
      if bytes.isEmpty, parser.isWaiting, let key = parser.pause(), try !take(key, terminal) { return }
    }
  }

  /// False when that was the wish to quit.
  private func take(_ key: Key, _ terminal: Terminal) throws(Fault) -> Bool {
    if key == .character("x") {
      terminal.caption = "the plug is pulled; it boots again"
      board.cutPower()
      try powerOn()
      return true
    }
    guard let input = DeskKeys.input(for: key) else { return true }
    if input == .quit { return false }
    if let moves = BoardKeys.moves(for: input) {
      try board.machine.hands.make(moves)
    } else {
      terminal.caption = "this board has no such button · \(BoardKeys.brief)"
    }
    return true
  }

  /// False when the emulator has gone: somebody closed its window.
  private func copyFrame(_ canvas: Canvas, _ terminal: inout Terminal) throws(Fault) -> Bool {
    let machine = try board.machine
    if machine.hasEnded { return false }
    let size = Terminal.measure(STDOUT_FILENO)
    if size != terminal.size { try terminal.resize(to: size) }
    let screen = try machine.screen()
    if !isUp {
      isUp = hasPicture(screen)
      let seconds = (Moment.now - began).milliseconds / 1_000
      terminal.caption = isUp ? BoardKeys.brief : "\(seconds) s: \(board.consoleSays.suffix(100))"
    }
    guard isUp else {
      canvas.fill(canvas.bounds, .black)
      try canvas.present(to: &terminal)
      try terminal.catchUp()
      return true
    }
    for y in 0..<min(screen.height, canvas.size.height) {
      for x in 0..<min(screen.width, canvas.size.width) { canvas[x, y] = Pixel(screen.pixels[y * screen.width + x]) }
    }
    try canvas.present(to: &terminal)
    try terminal.catchUp()
    return true
  }

  private func hasPicture(_ screen: Screen) -> Bool {
    if nothingYet == nil { nothingYet = screen }
    return !screen.isBlack && screen != nothingYet
  }

  // MARK: Without a terminal

  /// A line a second: how far it is, and whether the screen moves.
  private func aside() throws(Fault) {
    var before: Screen?
    while !isOver {
      let machine = try board.machine
      if machine.hasEnded { return }
      let screen = try machine.screen()
      let seconds = (Moment.now - began).milliseconds / 1_000
      let moved = before.map { screen.differences(from: $0) } ?? 0
      let shown = !hasPicture(screen) ? "the screen is dark" : "\(moved) pixels of the screen changed"
      print("\(seconds) s: \(shown); console: \(board.consoleSays.suffix(100))")
      fflush(nil)
      before = screen
      _ = Waiting.poll(until: .now + .seconds(1)) { StopWish.isThere }
    }
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// Somebody asked this program to end; the emulator has to be ended first.
enum StopWish {
  private static let wish = Atomic<Bool>(false)

  static var isThere: Bool { wish.load(ordering: .relaxed) }

  static func listen() {
    for number in [SIGTERM, SIGINT, SIGHUP] { signal(number) { _ in StopWish.wish.store(true, ordering: .relaxed) } }
    signal(SIGPIPE, SIG_IGN)
  }
}
