import Runtime
import Synchronization

/// An answer that comes on another thread, and that the decode thread waits for as long as somebody wants it.
final class Awaited<Value: Sendable>: Sendable {
  private let answer = Mutex<Result<Value, Fault>?>(nil)
  private let bell: Bell

  init() throws(Fault) { bell = try Bell() }

  func give(_ answer: Result<Value, Fault>) {
    self.answer.withLock { $0 = $0 ?? answer }
    bell.ring()
  }

  /// Nil: nobody wants it any more. A line may be gone for hours, and is waited for.
  func wait(_ help: ForeignHelp) -> Result<Value, Fault>? {
    while true {
      if let answer = answer.withLock({ $0 }) { return answer }
      let until = Moment.now + .seconds(3_600)
      if help.wait(for: bell.number, until: until, slice: Self.slice, unless: { false }) == .unwanted { return nil }
    }
  }

  /// So long the ring may run down unnoticed, which is less than is kept for that.
  private static var slice: Duration { .milliseconds(200) }
}
