import Synchronization

/// A sign beside the ring: from this frame of the stream on, it is this entry. Plain data, so that the output thread
/// copies it without counting references.
package struct Mark: Equatable, Sendable {
  package enum Kind: UInt8, Sendable {
    case begin
    /// The decoder has nothing more for now.
    case end
  }

  package var kind: Kind
  /// Of the stream, which counts all frames ever put into the ring.
  package var at: UInt64
  /// Whose frames; a number that means nothing here.
  package var entry: UInt64
  /// Of the start that they belong to.
  package var generation: UInt32
  /// The place in the track that stands at `at`; of an end, how many files had been opened.
  package var frame: Int64
  package var sampleRate: Int32
  package var sourceBits: Int32
  /// The frames carry the source's bits untouched; what was mixed, filtered or resampled is dithered where it is cut.
  package var isExact = true
}

/// A bounded queue from one thread to one other. `push` belongs to the producer, all else to the consumer; neither
/// waits, locks or allocates.
final class SingleQueue<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {  // slots: by the two counters
  private let slots: UnsafeMutablePointer<Element>
  private let mask: UInt64
  private let pushed = Atomic<UInt64>(0)
  private let taken = Atomic<UInt64>(0)

  /// `capacity` is a power of two.
  init(capacity: Int, filledWith element: Element) {
    precondition(capacity.nonzeroBitCount == 1)
    slots = .allocate(capacity: capacity)
    slots.initialize(repeating: element, count: capacity)
    mask = UInt64(capacity) - 1
  }

  deinit { slots.deallocate() }

  var isFull: Bool { pushed.load(ordering: .relaxed) - taken.load(ordering: .acquiring) > mask }

  /// False when it is full.
  func push(_ element: Element) -> Bool {
    let place = pushed.load(ordering: .relaxed)
    guard place - taken.load(ordering: .acquiring) <= mask else { return false }
    slots[Int(place & mask)] = element
    pushed.store(place + 1, ordering: .releasing)
    return true
  }

  var count: Int { Int(pushed.load(ordering: .acquiring) - taken.load(ordering: .relaxed)) }

  /// `index` counts from the oldest and is below a `count` that was read before.
  subscript(index: Int) -> Element { slots[Int((taken.load(ordering: .relaxed) + UInt64(index)) & mask)] }

  func drop(_ count: Int) {
    taken.store(taken.load(ordering: .relaxed) + UInt64(count), ordering: .releasing)
  }
}

extension Mark: BitwiseCopyable {}
extension Mark.Kind: BitwiseCopyable {}
