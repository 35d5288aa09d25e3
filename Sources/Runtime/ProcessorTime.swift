import Glibc

/// What a thread, or the process with all its threads, has used of a processor so far. Unlike a clock it stands still
/// while they wait, for a disk or for a turn.
package enum ProcessorTime {
  package static var ofThread: Duration { read(CLOCK_THREAD_CPUTIME_ID) }
  package static var ofProcess: Duration { read(CLOCK_PROCESS_CPUTIME_ID) }

  private static func read(_ clock: clockid_t) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
