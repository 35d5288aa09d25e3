import Glibc

/// The course of a limiter's loudness: down before a peak arrives, up again slowly. Whole numbers (1.0 is 2^30), so
/// that sums over a window never drift and what needs nothing stays at exactly 1.
///
/// The least of the last `window` wishes is taken, let go at `release`, and averaged twice: over `first`, then over
/// `second` frames. Every value under the averages has seen the peak's wish, so the average is not above it.
struct LimiterGain {
  static var unity: Int64 { 1 << 30 }

  let window: Int
  private let first: Int
  private let second: Int
  private let release: Int64
  /// It comes back by at least so much a frame, or it would be on its way for seconds.
  private let least: Int64
  private let wishes: UnsafeMutablePointer<Int64>
  private let times: UnsafeMutablePointer<Int64>
  private let firstLine: UnsafeMutablePointer<Int64>
  private let secondLine: UnsafeMutablePointer<Int64>
  private var oldest = 0
  private var held = 0
  private var time: Int64 = 0
  private var level = unity
  private var firstSum: Int64 = 0
  private var secondSum: Int64 = 0
  private var firstPlace = 0
  private var secondPlace = 0
  /// Frames since anything was below unity.
  private var calmFor = 0

  /// `ramp` frames from one loudness to the other; a wish is held for `hold` frames more.
  init(ramp: Int, hold: Int, releaseFrames: Double) {
    first = (ramp + 1) / 2
    second = ramp + 1 - first
    window = ramp + hold
    release = Int64((0x1p32 * (1 - exp(-1 / releaseFrames))).rounded(.up))
    least = max(1, Int64(0x1p30 / releaseFrames / 14))
    wishes = .allocate(capacity: window + 1)
    times = .allocate(capacity: window + 1)
    firstLine = .allocate(capacity: first)
    secondLine = .allocate(capacity: second)
    forget()
  }

  func free() {
    wishes.deallocate()
    times.deallocate()
    firstLine.deallocate()
    secondLine.deallocate()
  }

  mutating func forget() {
    wishes.initialize(repeating: Self.unity, count: window + 1)
    times.initialize(repeating: 0, count: window + 1)
    firstLine.initialize(repeating: Self.unity, count: first)
    secondLine.initialize(repeating: Self.unity * Int64(first), count: second)
    firstSum = Self.unity * Int64(first)
    secondSum = firstSum * Int64(second)
    (oldest, held, time, firstPlace, secondPlace, level) = (0, 0, 0, 0, 0, Self.unity)
    calmFor = window + first + second
  }

  /// Every gain is 1 until a wish below it comes.
  var isCalm: Bool { calmFor >= window + first + second }

  /// The gain of each of `count` frames, for the wish of each; both 1.0 = 2^30, the gain as Float.
  @_noLocks
  mutating func follow(
    _ wanted: UnsafePointer<Int64>, count: Int, into gains: UnsafeMutablePointer<Float>
  ) {
    let full = Self.unity * Int64(first) * Int64(second)
    let scale = 1 / Double(full)
    let room = window + 1
    for frame in 0..<count {
      let wish = wanted[frame]
      time &+= 1
      // Only wishes that a later, lower one has not made pointless wait; the lowest stands first.
      while held > 0 {
        let last = wrap(oldest &+ held &- 1, room)
        if wishes[last] < wish { break }
        held &-= 1
      }
      let place = wrap(oldest &+ held, room)
      wishes[place] = wish
      times[place] = time
      held &+= 1
      if times[oldest] <= time &- Int64(window) {
        oldest = wrap(oldest &+ 1, room)
        held &-= 1
      }
      let goal = wishes[oldest]
      if goal <= level {
        level = goal
      } else {
        let step = ((goal &- level) &* release) &>> 32
        level = min(goal, level &+ (step > least ? step : least))
      }
      firstSum = firstSum &+ level &- firstLine[firstPlace]
      firstLine[firstPlace] = level
      firstPlace = firstPlace &+ 1 == first ? 0 : firstPlace &+ 1
      secondSum = secondSum &+ firstSum &- secondLine[secondPlace]
      secondLine[secondPlace] = firstSum
      secondPlace = secondPlace &+ 1 == second ? 0 : secondPlace &+ 1
      calmFor = level == Self.unity ? calmFor &+ 1 : 0
      gains[frame] = secondSum == full ? 1 : Float(Double(secondSum) * scale)
    }
  }

  @inline(__always)
  private func wrap(_ place: Int, _ room: Int) -> Int { place >= room ? place &- room : place }
}
