import Glibc
import Hardware
import Runtime
import Synchronization

/// A GPIO chip that is not there: its edges are made here, stamped as the kernel stamps them, and taken by `EagerLines`
/// from a pipe a line, as it takes them from version 1 of the library, which neither counts nor debounces.
final class RigHand: LineSource {
  enum Line: Int, CaseIterable {
    case first, second, play, ignition

    var name: String {
      switch self {
      case .first: "ENC_A"
      case .second: "ENC_B"
      case .play: "BTN_PLAY"
      case .ignition: "IGNITION"
      }
    }
  }

  static let plan = LinePlan(
    encoder: [.named(Line.first.name), .named(Line.second.name)], buttons: [(.play, .named(Line.play.name))],
    ignition: .named(Line.ignition.name))

  private struct State {
    var coming = Line.allCases.map { _ in [LineEdge]() }
    var levels = Line.allCases.map { _ in false }
  }

  private let state = Mutex(State())
  private let bells: [Bell]

  init() throws(Fault) {
    var bells: [Bell] = []
    for _ in Line.allCases { bells.append(try Bell()) }
    self.bells = bells
  }

  /// It happens now.
  @discardableResult
  func edge(_ line: Line, closed: Bool) -> Moment {
    let now = Moment.now
    state.withLock { state in
      state.levels[line.rawValue] = closed
      state.coming[line.rawValue].append(LineEdge(offset: line.rawValue, rises: closed, at: now))
    }
    bells[line.rawValue].ring()
    return now
  }

  func directory() -> LineDirectory {
    let lines = Line.allCases.map { LineDirectory.Line(name: $0.name) }
    return LineDirectory(chips: [
      LineDirectory.Chip(path: FilePath("/dev/gpiochip-rig"), name: "gpiochip-rig", lines: lines)
    ])
  }

  func open(_ wish: LineWish) throws(Fault) -> any OpenedLines { try EagerLines(Source(self, wish.offsets)) }

  private final class Source: EdgeSource {
    private let hand: RigHand
    private let offsets: [Int]

    init(_ hand: RigHand, _ offsets: [Int]) { (self.hand, self.offsets) = (hand, offsets) }

    var descriptors: [Int32] { offsets.map { hand.bells[$0].number } }
    var countsAndDebounces: Bool { false }

    func edges(moreThanMonotonic shift: Duration) throws(Fault) -> (edges: [LineEdge], isWhole: Bool) {
      for offset in offsets { hand.bells[offset].hush() }
      return hand.state.withLock { state in
        defer { state.coming = state.coming.map { _ in [] } }
        return (offsets.flatMap { state.coming[$0] }, true)
      }
    }

    func levels() throws(Fault) -> [Bool] { hand.state.withLock { state in offsets.map { state.levels[$0] } } }
  }
}
