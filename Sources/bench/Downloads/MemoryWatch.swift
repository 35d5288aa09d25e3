import Glibc
import Runtime
import Synchronization

/// Looks at this process's memory again and again, from a thread of its own, until nobody holds it any more.
final class MemoryWatch {
  private static let every: UInt32 = 20_000
  private let seen = Seen()

  private final class Seen: Sendable {
    let most = Atomic<Int>(0)
    let looks = Atomic<Int>(0)
    let isOver = Atomic<Bool>(false)
  }

  init() throws(Fault) {
    let seen = seen
    try NamedThread.start("watch") {
      let reading = ProcessReading(pid: getpid())
      while !seen.isOver.load(ordering: .relaxed) {
        // One look that fails is made up for by the next, 'every' microseconds later.
        let now = (try? reading.memory())?.proportional ?? 0
        seen.most.max(now, ordering: .relaxed)
        seen.looks.add(1, ordering: .relaxed)
        usleep(Self.every)
      }
    }
  }

  deinit { seen.isOver.store(true, ordering: .relaxed) }

  var most: Int { seen.most.load(ordering: .relaxed) }
  var looks: Int { seen.looks.load(ordering: .relaxed) }
}
