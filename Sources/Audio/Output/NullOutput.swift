import Runtime

/// A sound card that is not there: it takes frames and plays them silently, as fast as the clock says. Its buffer is
/// deep and can be rewound, as a good card's can.
package final class NullOutput: Output {
  package let isLive = true
  package let mayReopen = true
  package private(set) var underruns = 0
  private let now: @Sendable () -> Moment
  private var rate: Int64 = 44_100
  /// When the first of `given` frames began to play.
  private var started = Moment(nanoseconds: 0)
  private var given: Int64 = 0

  private static let depth: Duration = .seconds(2)
  /// Room is worth waking up for when it is this much.
  private static let period: Duration = .milliseconds(500)
  /// What is so close to being heard is not given back.
  private static let untouched: Duration = .milliseconds(20)

  package init(now: @escaping @Sendable () -> Moment = { .now }) { self.now = now }

  package func open(rate: Int32, bits: Int32) {
    self.rate = Int64(rate)
    given = 0
  }

  private func frames(_ duration: Duration) -> Int64 { duration.nanoseconds / 1_000 * rate / 1_000_000 }

  private var played: Int64 { min(given, frames(now() - started)) }

  package func room() -> Int { Int(max(0, frames(Self.depth) - (given - played))) }

  package func write(_ frames: UnsafePointer<Int32>, count: Int) -> Int {
    let taken = min(count, room())
    if given == played {
      if given > 0 { underruns += 1 }
      started = now()
      given = 0
    }
    given += Int64(taken)
    return taken
  }

  package func delay() -> Int { Int(given - played) }

  package func rewind(_ count: Int) -> Int {
    let back = max(0, min(Int64(count), given - played - frames(Self.untouched)))
    given -= back
    return Int(back)
  }

  package func nextRoom() -> Moment? {
    let missing = frames(Self.period) - Int64(room())
    return now() + .nanoseconds(max(0, missing) * 1_000_000_000 / rate + 1_000)
  }

  package func close() { given = 0 }
}

/// Takes everything at once and forgets it: what remains is the cost of decoding.
package final class DiscardingOutput: Output {
  package let isLive = false
  package let mayReopen = true

  package init() {}

  package func open(rate: Int32, bits: Int32) {}
  package func room() -> Int { 1 << 16 }
  package func write(_ frames: UnsafePointer<Int32>, count: Int) -> Int { count }
  package func delay() -> Int { 0 }
  package func close() {}
}
