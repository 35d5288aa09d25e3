import Glibc
import Runtime
import Synchronization

/// Takes edges from the kernel as they come, on a thread of its own that does nothing else: the first generation of the
/// kernel's interface keeps 16 edges a line and drops the rest in silence, and a deck that draws a picture may be away
/// for longer than a quick hand needs for those. Here some thousands wait for it.
///
/// The deck owns this; its end ends the thread, and the lines are free when that has gone.
final class EagerLines: OpenedLines {
  /// What the deck and the thread share.
  private final class Shared: Sendable {
    let request: Mutex<LineRequest>
    let waiting = Mutex(Waiting())
    /// Rung for the deck when edges wait, and for the thread when it is to end.
    let news: Bell
    let end: Bell
    let isOver = Atomic<Bool>(false)

    init(_ request: consuming sending LineRequest) throws(Fault) {
      news = try Bell()
      end = try Bell()
      self.request = Mutex(request)
    }
  }

  private struct Waiting {
    var edges: [LineEdge] = []
    var isWhole = true
    var fault: Fault?
  }

  private let shared: Shared
  let descriptors: [Int32]

  /// A line that swings without end must not fill the memory.
  private static let mostWaiting = 8_192

  init(_ wish: LineWish) throws(Fault) {
    let request = try LineRequest(wish)
    let own = request.descriptors
    let shared = try Shared(request)
    self.shared = shared
    descriptors = [shared.news.number]
    try NamedThread.start("lines", realtimePriority: 5) { Self.collect(own, shared) }
  }

  deinit {
    shared.isOver.store(true, ordering: .releasing)
    shared.end.ring()
  }

  var countsAndDebounces: Bool { LineRequest.countsAndDebounces }

  func edges() throws(Fault) -> (edges: [LineEdge], isWhole: Bool) {
    shared.news.hush()
    let found = shared.waiting.withLock { waiting in
      defer { waiting = Waiting(fault: waiting.fault) }
      return waiting
    }
    // What came before the fault is of no use without what it stopped.
    if let fault = found.fault { throw fault }
    return (found.edges, found.isWhole)
  }

  func levels() throws(Fault) -> [Bool] {
    let answer = shared.request.withLock { request in
      Result { () throws(Fault) in try request.levels() }
    }
    return try answer.get()
  }

  // MARK: The thread

  private static func collect(_ lines: [Int32], _ shared: Shared) {
    var slots = ([shared.end.number] + lines).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let ready = poll(&slots, nfds_t(slots.count), -1)
      if shared.isOver.load(ordering: .acquiring) { return }
      guard ready > 0 else { continue }
      // The lock is the deck's for as long as it takes to read levels, which is microseconds.
      let answer = shared.request.withLock { request in
        Result { () throws(Fault) in try request.edges(moreThanMonotonic: sleptSoFar) }
      }
      let goesOn = shared.waiting.withLock { waiting in
        switch answer {
        case .success(let found):
          waiting.edges += found.edges.prefix(max(mostWaiting - waiting.edges.count, 0))
          waiting.isWhole = waiting.isWhole && found.isWhole && waiting.edges.count < mostWaiting
          return true
        case .failure(let fault):
          waiting.fault = fault
          return false
        }
      }
      shared.news.ring()
      if !goesOn { return }
    }
  }

  /// The kernel stamps edges by the clock that stands still while the board sleeps.
  private static var sleptSoFar: Duration {
    var monotonic = timespec()
    clock_gettime(CLOCK_MONOTONIC, &monotonic)
    let now = Moment(nanoseconds: Int64(monotonic.tv_sec) * 1_000_000_000 + Int64(monotonic.tv_nsec))
    return Moment.now - now
  }
}
