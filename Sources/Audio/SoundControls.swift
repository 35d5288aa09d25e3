import Synchronization

/// What the deck wants of the two sound threads and what they tell back: single values, read and written without a
/// lock. Whoever changes one rings the bell of the thread that shall see it.
package final class SoundControls: Sendable {
  let playing = Atomic<Bool>(false)
  /// As `Gain` counts.
  let gain = Atomic<Int64>(Gain.unity)
  /// Frames of any other start are thrown away unheard.
  let wantedGeneration = Atomic<UInt32>(0)
  let shutdown = Atomic<Bool>(false)
  /// Counts up; a thread that is well answers with the same number.
  let beatAsked = Atomic<UInt64>(0)
  let decodeBeat = Atomic<UInt64>(0)
  let outputBeat = Atomic<UInt64>(0)
  /// The ring holds less than half, and its producer sleeps.
  let decodeSleeps = Atomic<Bool>(false)
  /// The output thread sleeps until there are so many frames; 0 when it does not wait for frames.
  let outputHunger = Atomic<Int>(0)
  /// How many files the decoder has tried to open.
  let openings = Atomic<Int64>(0)
  /// Where in the stream the last thing began that the device cannot play, plus one: it need not be decoded further.
  let refusedAt = Atomic<UInt64>(0)
  let starvations = Atomic<UInt64>(0)
  let underruns = Atomic<UInt64>(0)

  package init() {}
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
    case closed
  }

  var kind: Kind
  var mark: Mark
}
