import Runtime
import Synchronization
import TestSupport

@testable import Audio

/// A file that comes over a line: as far as a test lets it come, in pieces of odd sizes, on a thread of its own.
final class SlowLine: ComingBytes {
  private struct Question {
    var offset: Int64
    var count: Int
    var then: @Sendable (Result<[UInt8], Fault>) -> Void
  }

  private struct State {
    var there: Int
    var fault: Fault?
    var isWhole = false
    var waiting: [Question] = []
    var generator = SeededGenerator(seed: 7)
    var asked: [Int64] = []
  }

  let name = "slow"
  let length: Int64?
  let duration: Duration?
  /// What never comes: who asks for it is told so.
  private let gap: Range<Int>
  private let bytes: [UInt8]
  private let state: Mutex<State>
  private let loop: EventLoop

  init(
    _ bytes: [UInt8], upTo there: Int? = nil, but gap: Range<Int> = 0..<0, knowsLength: Bool = true,
    lasting duration: Duration? = nil, on loop: EventLoop
  ) {
    (self.bytes, self.gap, self.duration) = (bytes, gap, duration)
    self.loop = loop
    length = knowsLength ? Int64(bytes.count) : nil
    state = Mutex(State(there: there ?? bytes.count))
  }

  /// From where it was asked, in order.
  var asked: [Int64] { state.withLock { $0.asked } }
  var isWaited: Bool { state.withLock { !$0.waiting.isEmpty } }

  func come(upTo there: Int? = nil) {
    state.withLock { $0.there = there ?? bytes.count }
    answer()
  }

  /// And it is known that nothing is missing.
  func becomeWhole() {
    state.withLock { $0.isWhole = true }
    come()
  }

  func askIfWhole(then: @escaping @Sendable (Bool) -> Void) {
    loop.post { [self] in then(state.withLock { $0.isWhole }) }
  }

  func fail(_ fault: Fault) {
    state.withLock { $0.fault = fault }
    answer()
  }

  func read(at offset: Int64, most count: Int, then: @escaping @Sendable (Result<[UInt8], Fault>) -> Void) {
    state.withLock { state in
      state.asked.append(offset)
      state.waiting.append(Question(offset: offset, count: count, then: then))
    }
    answer()
  }

  private func answer() {
    loop.post { [self] in
      while let (question, answer) = state.withLock({ next(&$0) }) { question.then(answer) }
    }
  }

  private func next(_ state: inout State) -> (Question, Result<[UInt8], Fault>)? {
    guard let question = state.waiting.first else { return nil }
    let from = Int(question.offset)
    if gap.contains(from) {
      state.waiting.removeFirst()
      return (question, .failure(Fault(.passing, "T-8", "byte \(from) is asked for")))
    }
    if from < state.there {
      state.waiting.removeFirst()
      let end = from < gap.lowerBound ? min(gap.lowerBound, state.there) : state.there
      let most = min(question.count, end - from)
      let count = Int.random(in: 1...most, using: &state.generator)
      return (question, .success(Array(bytes[from..<from + count])))
    }
    if let fault = state.fault {
      state.waiting.removeFirst()
      return (question, .failure(fault))
    }
    guard from >= bytes.count else { return nil }
    state.waiting.removeFirst()
    return (question, .success([]))
  }
}

/// Knows where some things are; what it does not know is a file.
final class KnownPlaces: MusicFinder {
  private let places: Mutex<[FilePath: @Sendable () -> FoundMusic]>
  private let stops = Mutex(0)
  /// Of these nobody can say where they are.
  private let lost: Set<FilePath>

  init(_ places: [FilePath: @Sendable () -> FoundMusic], lost: Set<FilePath> = []) {
    self.places = Mutex(places)
    self.lost = lost
  }

  var stopped: Int { stops.withLock { $0 } }

  func find(
    _ path: FilePath, then: @escaping @Sendable (Result<FoundMusic, Fault>) -> Void
  ) -> (@Sendable () -> Void)? {
    let stop: @Sendable () -> Void = { self.stops.withLock { $0 += 1 } }
    if lost.contains(path) { return stop }
    guard let found = places.withLock({ $0[path] }) else { return nil }
    then(.success(found()))
    return stop
  }
}
