import Glibc
import Synchronization

/// Decoded frames on their way from the decode thread to the output thread, without a lock.
///
/// Three counters go through one endless stream: `written` is the producer's; `read` is what the consumer has given to
/// the device; `released` is what the device has played. Only what is released may be overwritten, so the consumer can
/// take back what the device has not played yet and give it again. `released <= read <= written <= released + capacity`.
///
/// Safe from the producer only: `space`, `place`, `commit`, `push`. From the consumer only: `read`, `marks`, `take`,
/// `takeBack`, `release`. From any thread: `written`, `released`, `buffered`.
package final class Ring: @unchecked Sendable {  // samples: by the counters; `read`: the consumer's own
  package let capacity: Int
  private let samples: UnsafeMutablePointer<Int32>
  private let mask: UInt64
  private let writtenCount = Atomic<UInt64>(0)
  private let releasedCount = Atomic<UInt64>(0)
  package private(set) var read: UInt64 = 0
  let marks = SingleQueue<Mark>(
    capacity: 256,
    filledWith: Mark(kind: .end, at: 0, entry: 0, generation: 0, frame: 0, sampleRate: 1, sourceBits: 16))

  /// 2^19 frames are twelve seconds of a CD, so the decoder sleeps for six at a time; and 4 MB.
  package static let usual = 1 << 19

  package init(capacity: Int = Ring.usual) {
    precondition(capacity.nonzeroBitCount == 1)
    self.capacity = capacity
    mask = UInt64(capacity) - 1
    // The kernel's own zeros: it makes a page when the first frames are written there, and not 4 MB of them before there
    // is any music. It is the producer that waits for the page.
    guard let zeros = calloc(2 * capacity, MemoryLayout<Int32>.stride) else { preconditionFailure("no memory") }
    samples = zeros.bindMemory(to: Int32.self, capacity: 2 * capacity)
  }

  deinit { free(samples) }

  package var written: UInt64 { writtenCount.load(ordering: .acquiring) }
  package var released: UInt64 { releasedCount.load(ordering: .acquiring) }

  /// Frames the device has not played, given to it or not.
  package var buffered: Int {
    let released = released  // first, so that it is not beyond `written`
    return Int(written - released)
  }

  /// So much room, and the producer is woken: not at each look of the consumer, who fills two seconds in the device, but
  /// once for several.
  var worthFilling: Int { capacity / 16 * 9 }

  // MARK: Producer

  /// Frames that may be written now.
  package var space: Int {
    capacity - Int(writtenCount.load(ordering: .relaxed) - releasedCount.load(ordering: .acquiring))
  }

  /// Where to write next, and for how many frames without a turn.
  package var place: (frames: UnsafeMutablePointer<Int32>, count: Int) {
    let start = Int(writtenCount.load(ordering: .relaxed) & mask)
    return (samples + 2 * start, min(space, capacity - start))
  }

  package func commit(_ count: Int) {
    writtenCount.store(writtenCount.load(ordering: .relaxed) + UInt64(count), ordering: .releasing)
  }

  /// A sign at a frame that is still to be written, the next one as a rule. False when too many wait to be heard.
  package func push(
    _ kind: Mark.Kind, at place: UInt64? = nil, entry: UInt64, generation: UInt32, frame: Int64, sampleRate: Int32,
    sourceBits: Int32, isExact: Bool = true
  ) -> Bool {
    marks.push(
      Mark(
        kind: kind, at: place ?? writtenCount.load(ordering: .relaxed), entry: entry, generation: generation,
        frame: frame, sampleRate: sampleRate, sourceBits: sourceBits, isExact: isExact))
  }

  // MARK: Consumer

  /// The next frames to give to the device, and how many stand there without a turn.
  package var next: (frames: UnsafePointer<Int32>, count: Int) {
    let start = Int(read & mask)
    return (UnsafePointer(samples + 2 * start), min(Int(written - read), capacity - start))
  }

  package func take(_ count: Int) { read += UInt64(count) }

  /// The device has given back the last `count` frames it got.
  package func takeBack(to index: UInt64) { read = max(index, released) }

  /// The device has played everything before `index`.
  package func release(to index: UInt64) { releasedCount.store(max(released, min(index, read)), ordering: .releasing) }

  /// Everything before `index` is of no use to anyone.
  package func skip(to index: UInt64) {
    read = max(read, index)
    release(to: read)
  }
}
