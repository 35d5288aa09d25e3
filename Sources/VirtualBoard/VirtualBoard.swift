import Runtime

/// A board as a test has it in its hands: it has a plug, a knob and buttons, a screen and a sound, and behind them a
/// real kernel. Its disk lives as long as it, through any number of power cuts.
///
/// Calls block, each with a limit. One thread uses it at a time.
package final class VirtualBoard {
  package enum Start: Sendable {
    /// Switched on by nobody yet.
    case off
    case ready, playing

    var saved: SavedStates.Name? {
      switch self {
      case .off: nil
      case .ready: .ready
      case .playing: .playing
      }
    }
  }

  package let image: BoardImage
  let work: WorkFolder
  var lineUp: LineUp
  private var running: Machine?
  /// Those in the board, by number.
  var sticks: Set<Int> = []
  private static let patience: Duration = .seconds(240)

  /// `logged`: every write to the disk is kept in order, for crash images.
  package init(_ start: Start, of image: BoardImage, logged: Bool = false) throws(Fault) {
    self.image = image
    work = try WorkFolder()
    let overlay = work.path / "disk.qcow2"
    var base = (path: image.disk, format: "raw")
    let states = try SavedStates(of: image)
    if let name = start.saved {
      try states.prepare(name)
      base = (states.disk(name), "qcow2")
    }
    try Overlay.make(overlay, over: base.path, format: base.format, in: work.path)
    var disk = LineUp.Disk.overlay(overlay)
    if logged {
      let raw = work.path / "disk.raw"
      try Overlay.flatten(overlay, into: raw, in: work.path)
      try Spawned.run(
        ["cp", "--sparse=always", "\(raw)", "\(work.path / "disk.before")"], output: work.path / "cp.log")
      try Spawned.run(["truncate", "--size=1M", "\(work.path / "disk.writes")"], output: work.path / "cp.log")
      disk = .logged(raw: raw, log: work.path / "disk.writes")
    }
    lineUp = LineUp(image: image, disk: disk, folder: work.path)
    lineUp.kernelWords = try image.kernelWords()
    guard let name = start.saved else { return }
    var going = lineUp
    going.incoming = states.memory(name)
    running = try Machine(going)
  }

  /// The board as it is shipped, with nothing of the tests' over it, not switched on yet.
  package init(shipped image: BoardImage, window: String?) throws(Fault) {
    self.image = image
    work = try WorkFolder()
    let overlay = work.path / "disk.qcow2"
    try Overlay.make(overlay, over: image.disk, format: "raw", in: work.path)
    lineUp = LineUp(image: image, disk: .overlay(overlay), folder: work.path)
    lineUp.kernelWords = try image.kernelWords()
    lineUp.withTools = false
    lineUp.window = window
  }

  package var machine: Machine {
    get throws(Fault) {
      guard let running else { throw Fault(.missing, "V-190", "the board has no power") }
      return running
    }
  }

  // MARK: Power

  /// Plugs it in and waits until the tests' shell answers; music may begin before or after.
  package func boot(clock: LineUp.Clock = .right, words: [String] = [], within limit: Duration? = nil) throws(Fault) {
    cutPower()
    lineUp.clock = clock
    var now = lineUp
    now.kernelWords += words
    let machine = try Machine(now)
    running = machine
    try machine.waitUntilUp(within: limit ?? Self.patience)
  }

  /// Plugs it in and waits for nothing.
  package func powerOn() throws(Fault) {
    cutPower()
    running = try Machine(lineUp)
  }

  /// It comes up again after a reset that it made by itself.
  package func waitUntilUpAgain(within limit: Duration? = nil) throws(Fault) {
    try machine.waitUntilUp(within: limit ?? Self.patience)
  }

  /// At any moment, without a word to anyone.
  package func cutPower() {
    running?.cut()
    running = nil
    sticks = []
  }

  // MARK: Shell

  /// Runs a command of the tools' inside the board, as root, whatever it ends with.
  @discardableResult
  package func shell(_ command: String, within limit: Duration = .seconds(60)) throws(Fault) -> Agent.Ran {
    try machine.agent.run(command, within: limit)
  }

  /// The same, and what it says; ending with anything but 0 is a fault.
  @discardableResult
  package func says(_ command: String, within limit: Duration = .seconds(60)) throws(Fault) -> String {
    let ran = try shell(command, within: limit)
    guard ran.code == 0 else { throw Fault(.malformed, "V-191", "\(command) ended with \(ran.code): \(ran.line)") }
    return ran.line
  }

  /// Looks until it is so. What it was that did not come is part of the fault.
  package func waitUntil(
    _ what: String, within limit: Duration = .seconds(60), every pause: Duration = .milliseconds(100),
    instead: () -> String = { "" }, _ isSo: () throws(Fault) -> Bool
  ) throws(Fault) {
    let end = Moment.now + limit
    while true {
      if try isSo() { return }
      guard Moment.now < end else {
        throw Fault(.passing, "V-192", "it was not so within \(limit) that \(what) \(instead())")
      }
      _ = Waiting.poll(until: .now + pause) { false }
    }
  }

  // MARK: Hands and eyes

  package func press(_ button: Hands.Switch, for time: Int = 60) throws(Fault) {
    try machine.hands.make(Hands.press(button, for: time))
  }

  package func hold(_ button: Hands.Switch) throws(Fault) { try machine.hands.make(Hands.hold(button)) }
  package func release(_ button: Hands.Switch) throws(Fault) { try machine.hands.make(Hands.release(button)) }

  /// Clockwise when positive.
  package func turn(_ detents: Int) throws(Fault) { try machine.hands.make(Hands.turn(detents)) }

  /// Whatever else a hand does.
  package func make(_ moves: [Hands.Move]) throws(Fault) { try machine.hands.make(moves) }

  package func screen() throws(Fault) -> Screen { try machine.screen() }

  /// The last lines of the kernel's console, for messages.
  package var consoleSays: String { (work.path / "console").lastWords }
}
