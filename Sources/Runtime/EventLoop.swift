internal import CLinux
import Glibc
import Synchronization

/// One thread that waits in epoll and runs, between two waits, every job of the actors that live on it.
///
/// `main`, `store` and `net` are such loops. An actor names one as its executor, and the compiler then proves that
/// nobody else touches that actor's state. It is a task executor too: a task that prefers it runs its nonisolated code
/// there as well, so that Swift's own thread pool is never started. (Without that preference Swift 6.3.1 resumes every
/// continuation by way of the pool: swiftlang/swift#88157.) Each round of the loop does this: fire the timers that are
/// due, resume the tasks whose descriptors became readable, run the jobs that were queued when the round began. New
/// jobs wait for the next round, so a busy actor cannot starve a button.
///
/// `post` and `enqueue` may be called from any thread; all else runs on the loop's own thread.
///
/// Unchecked: `waits`, `batch`, `journey` and `lately` are the loop's own thread's; the rest is locked or constant.
package final class EventLoop: SerialExecutor, TaskExecutor, @unchecked Sendable {
  enum Work {
    case job(UnownedJob)
    case action(@Sendable () -> Void)
  }

  private struct Queue {
    var work: [Work] = []
    var asleep = false
    var stopped = false
    /// `startOnce` has started a thread.
    var hasThread = false
  }

  package let name: String
  let time: TimeSource
  let log: Log
  private let epoll: Descriptor
  private let alarm: Descriptor
  private let wake: Descriptor
  private let queue = Mutex(Queue())
  private let owner = Atomic<UInt>(0)
  /// Counts the beginnings and ends of jobs, so it is odd while one runs.
  private let steps = Atomic<UInt64>(0)
  private var batch: [Work] = []
  var waits = Waits()
  /// In virtual time: the moment up to which a test lets time pass, and what to call when everything due by then is
  /// done.
  var journey: (until: Moment, arrived: @Sendable () -> Void)?
  /// The name of the running job, if it sets one; the log of a long job shows it.
  package var lately: StaticString = "start"

  /// A job that takes longer than this delays buttons, so it is logged.
  package static let patience: Duration = .milliseconds(5)

  private let mayBlock: Bool

  /// `mayBlock`: jobs of this loop may wait for disks; nothing urgent runs there, so long jobs are not logged.
  package init(_ name: String, time: TimeSource = .boot, mayBlock: Bool = false) throws(Fault) {
    self.name = name
    self.mayBlock = mayBlock
    self.time = time
    log = Log(name)
    epoll = Descriptor(taking: epoll_create1(layby_epoll_cloexec))
    alarm = Descriptor(taking: timerfd_create(CLOCK_BOOTTIME, layby_timerfd_flags))
    wake = Descriptor(taking: eventfd(0, layby_eventfd_flags))
    guard epoll.number >= 0, alarm.number >= 0, wake.number >= 0 else {
      throw Fault.system("R-102", doing: "make the event loop \(name)")
    }
    for (descriptor, tag) in [(alarm.number, Tag.alarm), (wake.number, Tag.wake)] {
      guard control(EPOLL_CTL_ADD, descriptor, layby_epoll_in, tag: tag) else {
        throw Fault.system("R-102", doing: "watch the event loop \(name)'s own descriptors")
      }
    }
  }

  // MARK: From any thread

  package func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

  /// Runs `action` on the loop's thread in its next round, in the order of the calls.
  package func post(_ action: @escaping @Sendable () -> Void) { add(.action(action)) }

  private func add(_ work: Work) {
    let mustWake = queue.withLock { queue -> Bool in
      queue.work.append(work)
      defer { queue.asleep = false }
      return queue.asleep
    }
    if mustWake { eventfd_write(wake.number, 1) }
  }

  package var now: Moment { time.now }

  /// A number that grows with each job and with each `getsOn`, for the watchdog; nil between jobs.
  package var busyWith: UInt64? {
    let steps = steps.load(ordering: .acquiring)
    return steps % 2 == 1 ? steps : nil
  }

  /// A job that takes minutes calls this again and again to show the watchdog that it does not hang.
  package func getsOn() { steps.add(2, ordering: .releasing) }

  package var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

  package func checkIsolated() { precondition(isCurrent, "not on the loop \(name)") }

  /// Lets `run` return once what is queued now is done.
  package func stop() {
    queue.withLock { $0.stopped = true }
    post {}
  }

  /// Gives the loop a thread of its own.
  package func start(priority: NamedThread.Priority = .normal) throws(Fault) {
    try NamedThread.start(name, stackBytes: 524_288, priority: priority) { self.run() }
  }

  /// Starts the thread unless it runs already: for a loop that several parts use now and then.
  package func startOnce(priority: NamedThread.Priority) throws(Fault) {
    let isFirst = queue.withLock { queue -> Bool in
      defer { queue.hasThread = true }
      return !queue.hasThread
    }
    guard isFirst else { return }
    do throws(Fault) { try start(priority: priority) } catch {
      queue.withLock { $0.hasThread = false }
      throw error
    }
  }

  // MARK: On the loop's thread

  package func run() {
    owner.store(UInt(pthread_self()), ordering: .relaxed)
    var events = [epoll_event](repeating: epoll_event(), count: 32)
    while true {
      let idle = queue.withLock { queue -> Bool in
        queue.asleep = queue.work.isEmpty
        return queue.asleep
      }
      if idle && queue.withLock({ $0.stopped }) { return }
      let mayWait = idle && !travel()
      if mayWait { setAlarm() }
      let count = epoll_wait(epoll.number, &events, Int32(events.count), mayWait ? -1 : 0)
      queue.withLock { $0.asleep = false }

      fireTimers()
      for index in 0..<Int(max(count, 0)) { deliver(events[index]) }
      runBatch()
    }
  }

  private func runBatch() {
    queue.withLock { swap(&$0.work, &batch) }
    for work in batch {
      let began = Moment.now
      lately = "something without a name"
      steps.add(1, ordering: .releasing)
      defer { steps.add(1, ordering: .releasing) }
      switch work {
      case .job(let job):
        job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      case .action(let action): action()
      }
      let took = Moment.now - began
      if took > Self.patience && !mayBlock {
        log.info("a long job", ["took_ms": took.milliseconds, "what": "\(lately)"])
      }
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func deliver(_ event: epoll_event) {
    switch event.data.u64 {
    case Tag.wake:
      var count: eventfd_t = 0
      eventfd_read(wake.number, &count)
    case Tag.alarm:
      var expirations: UInt64 = 0
      _ = read(alarm.number, &expirations, 8)
      // The alarm has fired. Forget its moment: another sleeper may want the very same one, and then it must be set
      // again.
      waits.alarmSet = nil
    default: waits.takeReader(event.data.u64)?.resume(with: true)
    }
  }

  // MARK: Descriptors and the alarm

  enum Tag {
    static let wake = UInt64.max
    static let alarm = UInt64.max - 1
  }

  func control(_ operation: Int32, _ descriptor: Int32, _ events: UInt32, tag: UInt64) -> Bool {
    var event = epoll_event(events: events, data: epoll_data_t(u64: tag))
    return epoll_ctl(epoll.number, operation, descriptor, &event) == 0
  }

  /// Sets the one kernel timer to the earliest of our deadlines.
  private func setAlarm() {
    guard case .boot = time else { return }
    guard let next = waits.nextDeadline(), next != waits.alarmSet else { return }
    var value = itimerspec()
    // Zero would disarm the timer; a deadline in the past fires immediately.
    let nanoseconds = max(next.nanoseconds, 1)
    value.it_value.tv_sec = time_t(nanoseconds / 1_000_000_000)
    value.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    timerfd_settime(alarm.number, Int32(TFD_TIMER_ABSTIME), &value, nil)
    waits.alarmSet = next
  }

  private func fireTimers() {
    guard let next = waits.nextDeadline(), next <= now else { return }
    for (waiter, descriptor) in waits.takeDue(at: now) {
      if let descriptor { forget(descriptor) }
      waiter.resume(with: descriptor == nil)
    }
  }
}
