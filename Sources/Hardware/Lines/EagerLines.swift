import Glibc
import Runtime
import Synchronization

/// The lines that `EagerLines` reads: the kernel's or a test's. They are released when the last reference goes.
package protocol EdgeSource: AnyObject {
  /// Readable when there are edges. One for all lines or one a line.
  var descriptors: [Int32] { get }
  var countsAndDebounces: Bool { get }
  /// What has come since, line by line, without waiting; stamps are by the clock without sleep and moved by `shift`.
  func edges(moreThanMonotonic shift: Duration) throws(Fault) -> (edges: [LineEdge], isWhole: Bool)
  func levels() throws(Fault) -> [Bool]
}

/// Reads edges from the kernel on a thread that does nothing else. The first version of the kernel's interface keeps only
/// 16 edges for each line and silently drops later ones, and while the main loop draws a picture, a quick hand can make
/// more. Here some thousands can wait.
///
/// When the main loop fetches them, it also reads from the kernel itself, so it has all edges up to that moment, in order.
/// The main loop owns this object. When it goes, the thread ends, and then the lines are released.
package final class EagerLines: OpenedLines {
  /// What the main loop and the thread share.
  private final class Shared: Sendable {
    let state: Mutex<State>
    /// Rung for the main loop when edges wait, and for the thread when it is to end.
    let news: Bell
    let end: Bell
    let isOver = Atomic<Bool>(false)

    init(_ source: sending any EdgeSource) throws(Fault) {
      news = try Bell()
      end = try Bell()
      state = Mutex(State(source: source))
    }
  }

  private struct State {
    let source: any EdgeSource
    var basket = EdgeBasket()
    var shift = SleepShift()
    var fault: Fault?
    /// The thread pauses, and will look and ring when it comes back, edges or none.
    var isPausing = false

    /// Reads all edges that the kernel has. Gives the moment at which reading began, and how many came.
    mutating func read() -> (begin: Moment, count: Int) {
      let begin = Moment.now
      guard fault == nil else { return (begin, 0) }
      do throws(Fault) {
        let found = try source.edges(moreThanMonotonic: shift.now())
        basket.add(found.edges, isWhole: found.isWhole, readFrom: begin, to: Moment.now)
        return (begin, found.edges.count)
      } catch {
        fault = error
        return (begin, 0)
      }
    }
  }

  private let shared: Shared
  package let descriptors: [Int32]
  package let countsAndDebounces: Bool

  /// How long reading pauses for a noisy line: too short for a hand to fill the kernel's queue of edges.
  package static let pause: Duration = .milliseconds(10)

  package init(_ source: sending any EdgeSource) throws(Fault) {
    let lines = source.descriptors
    countsAndDebounces = source.countsAndDebounces
    let shared = try Shared(source)
    self.shared = shared
    descriptors = [shared.news.number]
    try NamedThread.start("lines", priority: .realtime(5)) { Self.collect(lines, shared) }
  }

  deinit {
    shared.isOver.store(true, ordering: .releasing)
    shared.end.ring()
  }

  package func edges() throws(Fault) -> (edges: [LineEdge], isWhole: Bool, until: Moment) {
    shared.news.hush()
    let (found, begin, fault, comesAgain) = shared.state.withLock { state in
      let begin = state.read().begin
      let found = state.basket.take(upTo: begin)
      return (found, begin, state.fault, !state.basket.isEmpty && !state.isPausing)
    }
    // Edges from before the fault are of no use without those that were lost by it.
    if let fault { throw fault }
    // For the edges that came while the lines were read; those of a noisy line wait for the thread's ring.
    if comesAgain { shared.news.ring() }
    return (found.edges, found.isWhole, begin)
  }

  package func levels() throws(Fault) -> [Bool] {
    let answer = shared.state.withLock { state in
      Result { () throws(Fault) in try state.source.levels() }
    }
    return try answer.get()
  }

  // MARK: The thread

  private static func collect(_ lines: [Int32], _ shared: Shared) {
    var slots = ([shared.end.number] + lines).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    let broken = Int16(POLLERR | POLLHUP | POLLNVAL)
    while true {
      let ready = poll(&slots, nfds_t(slots.count), -1)
      let error = ready < 0 ? errno : slots.contains { $0.revents & broken != 0 } ? ENODEV : 0
      if shared.isOver.load(ordering: .acquiring) { return }
      if error == EINTR { continue }
      guard read(shared, error: error) else { return }
    }
  }

  /// Reads until no line is noisy. False when no more edges will come: a descriptor is broken, or the owner has gone.
  private static func read(_ shared: Shared, error: Int32) -> Bool {
    while true {
      let (rings, isNoisy, isBroken) = shared.state.withLock { state in
        let count = state.read().count
        // A broken descriptor may still have edges that nobody has read.
        if error != 0 && count == 0 && state.fault == nil {
          state.fault = Fault.system("H-215", doing: "wait for edges of lines", errno: error)
        }
        state.isPausing = state.fault == nil && state.basket.isNoisy
        return (!state.basket.isEmpty || state.fault != nil, state.isPausing, state.fault != nil)
      }
      if rings { shared.news.ring() }
      if isBroken { return false }
      if !isNoisy { return true }
      shared.end.wait(milliseconds: Int32(pause.milliseconds))
      if shared.isOver.load(ordering: .acquiring) { return false }
    }
  }
}
