import Offline
import Runtime

/// What is going to happen, the next first.
struct Agenda {
  enum Happening {
    /// The surroundings change.
    case road(Int)
    /// The board hears of it.
    case told
    case poll
    /// The policy wanted to look again.
    case look
    case probe
    case clockIsSet
    case resolve(MediaKey, Download.Ticket)
    case head(MediaKey, Download.Ticket)
    case piece(MediaKey, Download.Ticket)
    case due(MediaKey, Download.Ticket)
    case owner
    case hour
    case powerOn
  }

  /// Small, because it is moved about.
  private struct Entry {
    var at: Moment
    var number: UInt64
    var slot: Int

    func isBefore(_ other: Entry) -> Bool { at != other.at ? at < other.at : number < other.number }
  }

  private var heap: [Entry] = []
  private var slots: [(life: Int?, happening: Happening)] = []
  private var free: [Int] = []
  private var number: UInt64 = 0

  /// `life`: what a board has begun means nothing to the next; nil for what is the world's.
  mutating func add(_ happening: Happening, at: Moment, life: Int? = nil) {
    number += 1
    let slot = free.popLast() ?? slots.count
    if slot == slots.count { slots.append((life, happening)) } else { slots[slot] = (life, happening) }
    heap.append(Entry(at: at, number: number, slot: slot))
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  mutating func next() -> (at: Moment, life: Int?, happening: Happening)? {
    guard let first = pop() else { return nil }
    free.append(first.slot)
    return (first.at, slots[first.slot].life, slots[first.slot].happening)
  }

  private mutating func pop() -> Entry? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return first }
    heap[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].isBefore(heap[least]) {
        least = child
      }
      if least == parent { return first }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}

extension Moment {
  static func + (moment: Moment, seconds: Double) -> Moment {
    Moment(nanoseconds: moment.nanoseconds + Int64(seconds * 1e9))
  }
}
