internal import CLinux
import Glibc
import Synchronization

/// Waiting without a thread: an actor that lives on the loop suspends, and the loop resumes it. `isolation` is the
/// caller's, so the call never leaves the loop for the language's own thread pool.
extension EventLoop {
  private static let tickets = Atomic<UInt64>(1)

  /// False when it was cancelled, or the loop could not take it.
  @discardableResult
  package func sleep(for duration: Duration, isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await sleep(until: now + duration)
  }

  @discardableResult
  package func sleep(until moment: Moment, isolation: isolated (any Actor)? = #isolation) async -> Bool {
    await wait { waiter, ticket in self.waits.addSleeper(waiter, until: moment, ticket: ticket) }
  }

  /// Lets everybody else have a turn: descriptors, timers, and what is queued already.
  package func nextRound(isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation(isolation: isolation) { continuation in post { continuation.resume() } }
  }

  /// Has `work` done on this loop, which may block, while the caller's goes on.
  package func perform<Result: Sendable>(
    _ work: @escaping @Sendable () -> Result, isolation: isolated (any Actor)? = #isolation
  ) async -> Result {
    await withCheckedContinuation(isolation: isolation) { continuation in
      post { continuation.resume(returning: work()) }
    }
  }

  /// Until `descriptor` can be read, or its other end is gone; false when that takes longer than `limit`. One waiter a
  /// descriptor.
  @discardableResult
  package func readable(
    _ descriptor: Int32, within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let end = limit.map { now + $0 }
    return await wait { waiter, ticket in self.wait(for: layby_epoll_in, of: descriptor, until: end, waiter, ticket) }
  }

  /// Until `descriptor` takes bytes again.
  @discardableResult
  package func writable(
    _ descriptor: Int32, within limit: Duration? = nil, isolation: isolated (any Actor)? = #isolation
  ) async -> Bool {
    let end = limit.map { now + $0 }
    return await wait { waiter, ticket in self.wait(for: layby_epoll_out, of: descriptor, until: end, waiter, ticket) }
  }

  /// The loop must forget a descriptor before its number can mean another file.
  package func forget(_ descriptor: Int32) {
    _ = control(EPOLL_CTL_DEL, descriptor, 0, tag: 0)
  }

  private func wait(
    for events: UInt32, of descriptor: Int32, until end: Moment?, _ waiter: Waits.Waiter, _ ticket: UInt64
  ) {
    // Stored before the kernel is told, so that no event can be lost in between.
    waits.addReader(waiter, of: descriptor, until: end, ticket: ticket)
    let once = events | layby_epoll_oneshot
    if control(EPOLL_CTL_MOD, descriptor, once, tag: ticket) { return }
    if errno == ENOENT, control(EPOLL_CTL_ADD, descriptor, once, tag: ticket) { return }
    log.error("cannot watch a descriptor", ["number": descriptor, "reason": Fault.describe(errno)])
    waits.takeReader(ticket)?.resume(with: false)
  }

  private func wait(
    isolation: isolated (any Actor)? = #isolation, _ register: (Waits.Waiter, UInt64) -> Void
  ) async -> Bool {
    precondition(isCurrent, "only what lives on the loop \(name) may wait on it")
    if Task.isCancelled { return false }
    let ticket = Self.tickets.wrappingAdd(1, ordering: .relaxed).oldValue
    return await withTaskCancellationHandler {
      await withCheckedContinuation(isolation: isolation) { continuation in
        register(Waits.Waiter(continuation: continuation), ticket)
      }
    } onCancel: {
      // Queued behind the registration even when it comes from the loop's own thread.
      post { [self] in
        guard let (waiter, descriptor) = waits.cancel(ticket) else { return }
        if let descriptor { forget(descriptor) }
        waiter.resume(with: false)
      }
    }
  }
}
