import Synchronization

/// One aside as the output thread has it: plain data, for that thread neither counts references nor asks the heap.
struct AsideBlock: BitwiseCopyable, Sendable {
  /// Of the first sample.
  var address: UInt
  /// None: what sounds in this lane ends.
  var count: Int
  var rate: Int32
  var lane: SoundOverlay.Lane
  /// As `Gain` counts.
  var softness: Int64

  static let none = AsideBlock(address: 0, count: 0, rate: 1, lane: .words, softness: Gain.unity)

  var samples: UnsafePointer<Int16>? { UnsafePointer(bitPattern: address) }
}

/// Through which asides come to the output thread, and what is over goes back: memory is asked for and given up on this
/// side of it alone.
///
/// From any thread: `offer`, `hush`. From the output thread: the rest.
final class AsideDoor: Sendable {
  private let offered = SingleQueue<AsideBlock>(capacity: 16, filledWith: .none)
  /// All that can be on the other side has room in it.
  private let over = SingleQueue<AsideBlock>(capacity: 64, filledWith: .none)
  /// One after the other goes in.
  private let queue = Mutex<Void>(())

  deinit {
    free(offered)
    free(over)
  }

  /// False when nobody has taken what was offered before: then nothing sounds either.
  @discardableResult
  func offer(_ aside: SoundOverlay) -> Bool {
    guard !aside.samples.isEmpty else { return hush(aside.lane) }
    return push {
      let place = UnsafeMutablePointer<Int16>.allocate(capacity: aside.samples.count)
      aside.samples.withUnsafeBufferPointer { samples in
        if let first = samples.baseAddress { place.initialize(from: first, count: samples.count) }
      }
      return AsideBlock(
        address: UInt(bitPattern: place), count: aside.samples.count, rate: aside.rate, lane: aside.lane,
        softness: Gain.fixed(aside.softness))
    }
  }

  @discardableResult
  func hush(_ lane: SoundOverlay.Lane) -> Bool {
    push {
      var block = AsideBlock.none
      block.lane = lane
      return block
    }
  }

  private func push(_ block: () -> AsideBlock) -> Bool {
    queue.withLock { _ in
      free(over)
      return !offered.isFull && offered.push(block())
    }
  }

  private func free(_ queue: SingleQueue<AsideBlock>) {
    let count = queue.count
    for index in 0..<count { queue[index].samples?.deallocate() }
    queue.drop(count)
  }

  // MARK: The output thread's side

  var isKnocked: Bool { offered.count > 0 }

  /// The first that can be heard, still in front of the door: a hush before it needs nothing, and hides nothing.
  var firstSound: AsideBlock? {
    for index in 0..<offered.count where offered[index].count > 0 { return offered[index] }
    return nil
  }

  func take() -> AsideBlock? {
    guard offered.count > 0 else { return nil }
    let block = offered[0]
    offered.drop(1)
    return block
  }

  /// It is over, or was never wanted.
  func giveBack(_ block: AsideBlock) { _ = over.push(block) }
}
