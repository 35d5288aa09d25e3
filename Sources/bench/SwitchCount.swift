/// Switches of all threads of a process, summed up from looks at it. A thread that begins and ends between two looks
/// is not seen, so look every second.
struct SwitchCount: Equatable {
  private var last: [Int: ThreadReading]
  /// By the thread's name: there may be several of one.
  private(set) var byName: [String: Int] = [:]

  /// What was before the first look does not count.
  init(first look: [Int: ThreadReading]) {
    last = look
    for thread in look.values { byName[thread.name, default: 0] += 0 }
  }

  /// A thread that was not there before counts with all it did; its beginning is a wake-up too.
  mutating func add(_ look: [Int: ThreadReading]) {
    for (id, thread) in look {
      let before = last[id]?.switches ?? 0
      // An id that was given to a new thread starts from nothing.
      byName[thread.name, default: 0] += thread.switches >= before ? thread.switches - before : thread.switches
    }
    last = look
  }

  var all: Int { byName.values.reduce(0, +) }

  func sum(except known: Set<String>) -> Int {
    byName.filter { !known.contains($0.key) }.values.reduce(0, +)
  }

  /// `decode 12, output 40`: for the progress line.
  var words: String {
    byName.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
