import Glibc
import Hardware
import Runtime
import Synchronization
import TestSupport

/// GPIO chips that a test makes, wires, presses and pulls.
final class MadeUpLines: LineSource, Sendable {
  struct State {
    var directory = LineDirectory()
    /// What is not here is not active.
    var active: Set<LineDirectory.Location> = []
    var coming: [LineDirectory.Location: [LineEdge]] = [:]
    /// Lines of which a queue ran over, uncounted.
    var hasLost = false
    /// The next reading knows all edges up to so long ago, and this comes while it goes on.
    var whileRead: (lag: Duration, hand: @Sendable () -> Void)?
    var refused: [Int: Fault] = [:]
    var wishes: [LineWish] = []
    var bells: [FilePath: [Int32]] = [:]
    var looks = 0
  }

  let state = Mutex(State())
  /// As version 2 of the library does.
  let countsAndDebounces: Bool

  static let chip = FilePath("/dev/gpiochip0")
  static let names = ["ENC_A", "ENC_B", "ENC_SW", "BTN_PLAY", "BTN_NEXT", "LED_READY"]

  init(countsAndDebounces: Bool = false, chips: [LineDirectory.Chip] = [MadeUpLines.dash]) {
    self.countsAndDebounces = countsAndDebounces
    state.withLock { $0.directory.chips = chips }
  }

  static var dash: LineDirectory.Chip {
    LineDirectory.Chip(path: chip, name: "gpiochip0", label: "dash", lines: names.map { LineDirectory.Line(name: $0) })
  }

  /// The same lines on another chip.
  static func dash(as name: String) -> LineDirectory.Chip {
    var chip = dash
    (chip.path, chip.name) = (FilePath("/dev") / name, name)
    return chip
  }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Who holds each line that is held.
  var holders: [String: String] {
    state.withLock { state in
      Dictionary(
        state.directory.chips.flatMap(\.lines).compactMap { line in line.holder.map { (line.name, $0) } },
        uniquingKeysWith: { first, _ in first })
    }
  }

  var wishes: [LineWish] { state.withLock { $0.wishes } }
  var looks: Int { state.withLock { $0.looks } }

  // MARK: As the part sees them

  func directory() -> LineDirectory {
    state.withLock { state in
      state.looks += 1
      return state.directory
    }
  }

  func open(_ wish: LineWish) throws(Fault) -> any OpenedLines {
    let refusal = state.withLock { state in
      state.wishes.append(wish)
      return wish.offsets.compactMap { state.refused[$0] }.first
    }
    if let refusal { throw refusal }
    return MadeUpRequest(wish, of: self)
  }

  // MARK: Hands

  /// The line's level changes, and the kernel notes an edge: `number` is its own count when there is one.
  func edge(_ name: String, _ rises: Bool, at: Moment, number: UInt32 = 0, isLost: Bool = false) {
    state.withLock { state in
      for chip in state.directory.chips {
        guard let offset = chip.lines.firstIndex(where: { $0.name == name }) else { continue }
        let place = LineDirectory.Location(chip: chip.path, offset: offset)
        if rises { state.active.insert(place) } else { state.active.remove(place) }
        guard !isLost else { return }
        state.coming[place, default: []].append(LineEdge(offset: offset, rises: rises, at: at, number: number))
      }
    }
  }

  /// Tells whoever waits that edges are there.
  func ring() { for bell in state.withLock({ $0.bells.values.flatMap { $0 } }) { write(bell, "!", 1) } }
}

/// Holds its lines, by the name "layby", until it is let go of.
final class MadeUpRequest: OpenedLines {
  private let wish: LineWish
  private let source: MadeUpLines
  private let readingEnd: Int32
  private let bell: Int32

  init(_ wish: LineWish, of source: MadeUpLines) {
    (self.wish, self.source) = (wish, source)
    var ends: [Int32] = [-1, -1]
    if pipe(&ends) != 0 || fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0 { fatalError("no pipe: \(Fault.describe(errno))") }
    (readingEnd, bell) = (ends[0], ends[1])
    source.change { [bell] in $0.bells[wish.chip, default: []].append(bell) }
    hold("layby")
  }

  deinit {
    hold(nil)
    source.change { [bell, wish] state in state.bells[wish.chip]?.removeAll { $0 == bell } }
    close(bell)
    close(readingEnd)
  }

  private func hold(_ holder: String?) {
    source.change { [wish] state in
      guard let chip = state.directory.chips.firstIndex(where: { $0.path == wish.chip }) else { return }
      for offset in wish.offsets { state.directory.chips[chip].lines[offset].holder = holder }
    }
  }

  var descriptors: [Int32] { [readingEnd] }
  var countsAndDebounces: Bool { source.countsAndDebounces }

  private func checkThere() throws(Fault) {
    let isThere = source.state.withLock { [wish] in $0.directory.chips.contains { $0.path == wish.chip } }
    guard isThere else { throw Fault(.missing, "T-1", "No such device") }
  }

  /// Line by line, as version 1 of the library gives them.
  func edges() throws(Fault) -> (edges: [LineEdge], isWhole: Bool, until: Moment) {
    try checkThere()
    var rings = [UInt8](repeating: 0, count: 64)
    while read(readingEnd, &rings, rings.count) > 0 {}
    let interrupted = source.state.withLock { $0.whileRead.take() }
    defer { interrupted?.hand() }
    return source.state.withLock { [wish] state in
      var found: [LineEdge] = []
      for offset in wish.offsets {
        found += state.coming.removeValue(forKey: LineDirectory.Location(chip: wish.chip, offset: offset)) ?? []
      }
      defer { state.hasLost = false }
      return (found, !state.hasLost, TestMainLoop.time.now - (interrupted?.lag ?? .zero))
    }
  }

  func levels() throws(Fault) -> [Bool] {
    try checkThere()
    return source.state.withLock { [wish] state in
      wish.offsets.map { state.active.contains(LineDirectory.Location(chip: wish.chip, offset: $0)) }
    }
  }
}
