import Synchronization

/// What the main loop wants of the two sound threads and what they tell back: single values, read and written without a
/// lock. Whoever changes one rings the bell of the thread that shall see it.
///
/// `decodeSleeps` and `outputHunger` keep either thread from sleeping for ever. Each pairs two writes and two looks: the
/// sleeper says that it sleeps and then looks once more for what it waits for; the other does what is waited for and
/// then looks whether somebody sleeps. A sequentially consistent fence stands between write and look on both sides
/// (`fallAsleep` and `turn`, `rest` and `feedOutput`), so that at least one of them sees the other. Whoever ends a sleep
/// takes the word back by an exchange, so that only one of them does.
package final class SoundControls: Sendable {
  let playing = Atomic<Bool>(false)
  /// As `Gain` counts.
  let gain = Atomic<Int64>(Gain.unity)
  /// How many milliseconds of sound the device is given, as far as it and the ring hold them. The feeder looks at each
  /// turn: it then gives more, or lets the device play down, and neither is heard.
  let depth = Atomic<Int64>(3_600_000)
  /// Frames of any other start are thrown away unheard.
  let wantedGeneration = Atomic<UInt32>(0)
  let shutdown = Atomic<Bool>(false)
  /// Counts up; an output thread that is well answers with the same number.
  let beatAsked = Atomic<UInt64>(0)
  let outputBeat = Atomic<UInt64>(0)
  /// The producer sleeps until there is room enough in the ring, or until a mark was heard.
  let decodeSleeps = Atomic<Bool>(false)
  /// The output thread sleeps until there are so many frames; 0 when it does not wait for frames.
  let outputHunger = Atomic<Int>(0)
  /// How many files the decoder has tried to open.
  let openings = Atomic<Int64>(0)
  /// Where in the stream the last thing began that the device cannot play, plus one: it need not be decoded further.
  let refusedAt = Atomic<UInt64>(0)
  /// Nil before the device was ever asked.
  let ability = Mutex<DeviceAbility?>(nil)
  /// What the device is open at; 0 while it is not.
  let openRate = Atomic<Int32>(0)
  let starvations = Atomic<UInt64>(0)
  let underruns = Atomic<UInt64>(0)
  /// How often the device was lost, counted by the feeder; and for which loss the mixer has set what it has of volume.
  /// Without one nothing is waited for.
  let losses = Atomic<Int64>(0)
  let mixedFor = Atomic<Int64>(.max)
  /// How much faster than ours the device's clock runs, in parts of a thousand million; `Int64.min` before it is known.
  let drift = Atomic<Int64>(.min)

  package init() {}

  /// What music of `rate` is played at.
  func rate(for rate: Int32) -> Int32 { ability.withLock { $0 }?.rate(for: rate) ?? rate }
}

/// What the output thread tells. Plain data; a fault is fetched from beside the queue.
struct OutputNews: BitwiseCopyable {
  enum Kind: UInt8, BitwiseCopyable {
    /// The first frame behind the mark has left the device.
    case heard
    /// The last frame before the mark has, and the decoder has nothing more.
    case drained
    case deviceLost, deviceBack
    /// The device is there, and cannot play what stands behind the mark.
    case refused
    /// The device is there, and can play it at another rate than it was decoded for.
    case unfit
    case closed
  }

  var kind: Kind
  var mark: Mark
}
