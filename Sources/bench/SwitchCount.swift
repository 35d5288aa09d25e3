/// Switches of all threads of a process, summed up from looks at it. A thread that begins and ends between two looks
/// is not seen, so look every second.
struct SwitchCount: Equatable {
  private struct Counted: Equatable {
    var name: String
    var last: Int
    var sum: Int
  }

  private var byID: [Int: Counted]

  /// What was before the first look does not count.
  init(first look: [Int: ThreadReading]) {
    byID = look.mapValues { Counted(name: $0.name, last: $0.switches, sum: 0) }
  }

  /// A thread that was not there before counts with all it did; its beginning is a wake-up too.
  mutating func add(_ look: [Int: ThreadReading]) {
    for (id, thread) in look {
      let before = byID[id] ?? Counted(name: thread.name, last: 0, sum: 0)
      // An id that was given to a new thread starts from nothing.
      let more = thread.switches >= before.last ? thread.switches - before.last : thread.switches
      byID[id] = Counted(name: thread.name, last: thread.switches, sum: before.sum + more)
    }
  }

  var threads: Int { byID.count }
  var all: Int { byID.values.reduce(0) { $0 + $1.sum } }

  /// Switches of threads that are none of `names`. A thread that nobody named goes by the name of the one that
  /// started it, so only the oldest of each name is believed.
  func foreign(to names: Set<String>) -> Int {
    var believed: Set<String> = []
    var sum = 0
    for (_, thread) in byID.sorted(by: { $0.key < $1.key }) {
      if names.contains(thread.name), believed.insert(thread.name).inserted { continue }
      sum += thread.sum
    }
    return sum
  }

  /// `decode 12, output 40`: for the progress line.
  var words: String {
    byID.sorted { $0.key < $1.key }.map { "\($0.value.name) \($0.value.sum)" }.joined(separator: ", ")
  }
}
