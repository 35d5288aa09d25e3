import Glibc
import Hardware
import Runtime
import Synchronization

/// Two lines, each a pipe with a byte an edge in it, behind `EagerLines` in the kernel's place; read one after the
/// other, as version 1 of the library does.
final class PipedLines: Sendable {
  struct State {
    var coming: [[LineEdge]] = [[], []]
    var betweenLines: (@Sendable () -> Void)?
    var fault: Fault?
    var isWhole = true
    /// Each reading gives so many edges without end.
    var flood = 0
  }

  let state = Mutex(State())
  private let lines: [(read: End, write: End)]
  /// A byte for each reading by anybody; closed when the source is let go of.
  private let readings = PipedLines.pipe()

  final class End: Sendable {
    let number: Int32
    private let isOpen = Atomic<Bool>(true)
    init(_ number: Int32) { self.number = number }
    deinit { end() }
    func end() { if isOpen.exchange(false, ordering: .relaxed) { close(number) } }
  }

  init() { lines = [PipedLines.pipe(), PipedLines.pipe()] }

  private static func pipe() -> (read: End, write: End) {
    var ends: [Int32] = [-1, -1]
    if Glibc.pipe(&ends) != 0 || ends.contains(where: { fcntl($0, F_SETFL, O_NONBLOCK) != 0 }) {
      fatalError("no pipe: \(Fault.describe(errno))")
    }
    return (End(ends[0]), End(ends[1]))
  }

  func opened() throws(Fault) -> EagerLines { try EagerLines(Source(self)) }

  // MARK: Hands

  func edge(_ line: Int, at: Moment = .now) {
    state.withLock { $0.coming[line].append(LineEdge(offset: line, rises: true, at: at)) }
    ring(line)
  }

  func ring(_ line: Int) { write(lines[line].write.number, "!", 1) }

  func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

  /// The line's other end goes.
  func hangUp(_ line: Int) { lines[line].write.end() }

  /// Until the source was read so often; false when that did not happen within a minute, or the source is gone.
  func wasRead(times: Int) -> Bool {
    var byte: UInt8 = 0
    for _ in 0..<times where !isReadable(readings.read.number) || read(readings.read.number, &byte, 1) != 1 {
      return false
    }
    return true
  }

  /// Until the source was let go of.
  func wasLetGo() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while isReadable(readings.read.number) {
      if read(readings.read.number, &bytes, bytes.count) == 0 { return true }
    }
    return false
  }

  // MARK: As the thread sees them

  private final class Source: EdgeSource {
    private let wires: PipedLines
    init(_ wires: PipedLines) { self.wires = wires }
    deinit { wires.readings.write.end() }

    var descriptors: [Int32] { wires.lines.map(\.read.number) }
    var countsAndDebounces: Bool { false }
    func levels() throws(Fault) -> [Bool] { [false, true] }

    func edges(moreThanMonotonic shift: Duration) throws(Fault) -> (edges: [LineEdge], isWhole: Bool) {
      defer { write(wires.readings.write.number, "!", 1) }
      var found: [LineEdge] = []
      let (fault, flood, isWhole) = wires.state.withLock { ($0.fault, $0.flood, $0.isWhole) }
      if let fault { throw fault }
      if flood > 0 {
        // Left in the pipe, so that there is more at once.
        return ((0..<flood).map { _ in LineEdge(offset: 0, rises: true, at: .now) }, isWhole)
      }
      for (index, line) in wires.lines.enumerated() {
        if index == 1 { wires.state.withLock { $0.betweenLines.take() }?() }
        var bytes = [UInt8](repeating: 0, count: 64)
        while read(line.read.number, &bytes, bytes.count) > 0 {}
        found += wires.state.withLock { state in
          defer { state.coming[index] = [] }
          return state.coming[index]
        }
      }
      return (found, isWhole)
    }
  }
}

/// Whether the descriptor becomes readable, or its other end goes; a minute is for ever.
func isReadable(_ number: Int32) -> Bool {
  var slot = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
  return poll(&slot, 1, 60_000) > 0
}
