import Runtime
import Synchronization

/// Values that the main loop and the two sound threads share: what the main loop wants, and what the threads report.
/// Each is read and written without a lock. Whoever changes one rings the bell of the thread that should see it.
///
/// `decodeSleeps` and `outputHunger` keep either thread from sleeping for ever. The thread that falls asleep sets its
/// flag and then checks once more for what it waits for; the other thread does its work and then checks the flag. On
/// both sides a sequentially consistent fence stands between the write and the check (`fallAsleep` and `turn`, `rest`
/// and `feedOutput`), so at least one of them sees the other. Whoever ends the sleep clears the flag by an exchange, so
/// that only one of them does.
package final class SoundControls: Sendable {
  let playing = Atomic<Bool>(false)
  /// The wanted volume, as a fixed-point number of `Gain`.
  let gain = Atomic<Int64>(Gain.unity)
  /// How many milliseconds of sound the device is given ahead, within what it and the ring can hold. The feeder reads
  /// it at each turn and gives more, or waits while the device plays; neither is audible.
  let depth = Atomic<Int64>(3_600_000)
  /// The start that is wanted. Frames of any other are dropped.
  let wantedGeneration = Atomic<UInt32>(0)
  let shutdown = Atomic<Bool>(false)
  /// Counts up at each question; a living output thread answers by storing the same number in `outputBeat`.
  let beatAsked = Atomic<UInt64>(0)
  let outputBeat = Atomic<UInt64>(0)
  /// The decode thread sleeps until there is enough room in the ring, or until a mark was heard.
  let decodeSleeps = Atomic<Bool>(false)
  /// The output thread sleeps until the ring holds this many frames; 0 when it does not wait for any.
  let outputHunger = Atomic<Int>(0)
  /// How many files the decoder has tried to open.
  let openings = Atomic<Int64>(0)
  /// The position, plus one, of the last track that the device refused: its rest need not be decoded.
  let refusedAt = Atomic<UInt64>(0)
  /// What the device can play; nil until it was asked for the first time.
  let ability = Mutex<DeviceAbility?>(nil)
  /// The sample rate at which the device is open; 0 while it is closed.
  let openRate = Atomic<Int32>(0)
  /// What the device said when it was last asked or opened; nil before that.
  let answer = Mutex<DeviceAnswer?>(nil)
  /// Somebody wants to know what the device says by now. It is asked only while it is closed, and at the
  /// first turn without anybody wanting it.
  let asksDevice = Atomic<Bool>(true)
  /// How many frames the device has played, silence included.
  let played = Atomic<Int64>(0)
  let starvations = Atomic<UInt64>(0)
  let underruns = Atomic<UInt64>(0)
  /// `losses`: how often the device was lost. `mixedFor`: up to which loss the mixer has set its volume again, which
  /// the feeder waits for; the greatest number where there is no mixer, so that nothing is waited for.
  let losses = Atomic<Int64>(0)
  let mixedFor = Atomic<Int64>(.max)
  /// How much faster the device's clock runs than the system's, in parts per thousand million; `Int64.min` until that
  /// is known.
  let drift = Atomic<Int64>(.min)

  package init() {}

  /// The sample rate at which the device plays music of `rate`.
  func rate(for rate: Int32) -> Int32 { ability.withLock { $0 }?.rate(for: rate) ?? rate }
}

/// What the output thread reports. It is plain data, since the queue is lock-free; a fault lies beside the queue, in
/// the feeder.
struct OutputNews: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The first frame after the mark was played.
    case heard
    /// The last frame before the mark was played, and the decoder has nothing more.
    case drained
    case deviceLost, deviceBack
    /// The device works, but cannot play the track after the mark.
    case refused
    /// The device works, and can play the track at another sample rate than it was decoded for.
    case unfit
    case closed
  }

  var kind: Kind
  var mark: Mark
}
