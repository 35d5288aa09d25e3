/// Who waits on a loop, for a time or for a descriptor. Touched on the loop's own thread only.
///
/// Each wait has a ticket. A wait ends once: by what it waited for (true) or by being cancelled (false).
struct Waits {
  struct Waiter {
    let continuation: CheckedContinuation<Bool, Never>

    func resume(with happened: Bool) { continuation.resume(returning: happened) }
  }

  private var sleepers: [UInt64: Waiter] = [:]
  /// A binary heap, earliest deadline at the top; entries of sleepers that were cancelled stay until they come up.
  private var deadlines: [(at: Moment, ticket: UInt64)] = []
  private var readers: [UInt64: (waiter: Waiter, descriptor: Int32)] = [:]
  /// What the kernel's timer is set to; nil once it has fired.
  var alarmSet: Moment?

  /// Drops the deadlines of waits that have ended, down to the first that is still waited for.
  mutating func nextDeadline() -> Moment? {
    while let first = deadlines.first, sleepers[first.ticket] == nil, readers[first.ticket] == nil { removeFirst() }
    return deadlines.first?.at
  }

  mutating func addSleeper(_ waiter: Waiter, until moment: Moment, ticket: UInt64) {
    sleepers[ticket] = waiter
    addDeadline(moment, ticket)
  }

  private mutating func addDeadline(_ moment: Moment, _ ticket: UInt64) {
    deadlines.append((moment, ticket))
    var child = deadlines.count - 1
    while child > 0, precedes(child, (child - 1) / 2) {
      deadlines.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Those whose time has come, in the order of their deadlines, and of asking where these are equal. For a sleeper it
  /// has happened then; for one who waited for a descriptor it has not.
  mutating func takeDue(at now: Moment) -> [(waiter: Waiter, descriptor: Int32?)] {
    var due: [(Waiter, Int32?)] = []
    while let next = nextDeadline(), next <= now {
      let ticket = deadlines[0].ticket
      removeFirst()
      if let waiter = sleepers.removeValue(forKey: ticket) { due.append((waiter, nil)) }
      if let reader = readers.removeValue(forKey: ticket) { due.append((reader.waiter, reader.descriptor)) }
    }
    if let set = alarmSet, set <= now { alarmSet = nil }
    return due
  }

  mutating func addReader(_ waiter: Waiter, of descriptor: Int32, until moment: Moment?, ticket: UInt64) {
    precondition(
      !readers.values.contains { $0.descriptor == descriptor },
      "a descriptor has one waiter; the first would never wake")
    readers[ticket] = (waiter, descriptor)
    if let moment { addDeadline(moment, ticket) }
  }

  mutating func takeReader(_ ticket: UInt64) -> Waiter? { readers.removeValue(forKey: ticket)?.waiter }

  mutating func cancel(_ ticket: UInt64) -> (waiter: Waiter, descriptor: Int32?)? {
    if let sleeper = sleepers.removeValue(forKey: ticket) { return (sleeper, nil) }
    if let reader = readers.removeValue(forKey: ticket) { return (reader.waiter, reader.descriptor) }
    return nil
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    (deadlines[left].at, deadlines[left].ticket) < (deadlines[right].at, deadlines[right].ticket)
  }

  private mutating func removeFirst() {
    deadlines.swapAt(0, deadlines.count - 1)
    deadlines.removeLast()
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < deadlines.count && precedes(child, least) {
        least = child
      }
      if least == parent { return }
      deadlines.swapAt(parent, least)
      parent = least
    }
  }
}
