import Runtime

/// Reads the kernel's state on a thread of its own that ends afterwards, because a driver may have to wait for a chip. A
/// read that hangs then blocks nobody else, and between two reads there is no thread.
package enum Errand: Sendable {
  case ownThread
  /// For tests, which need a fixed order.
  case onLoop(EventLoop)

  @MainLoop
  package func perform<Found: Sendable>(_ work: @escaping @Sendable () -> Found) async throws(Fault) -> Found {
    if case .onLoop(let loop) = self { return await loop.perform(work) }
    let found: Result<Found, Fault> = await withCheckedContinuation { continuation in
      do throws(Fault) {
        try NamedThread.start("kernel") { continuation.resume(returning: .success(work())) }
      } catch {
        continuation.resume(returning: .failure(error))
      }
    }
    return try found.get()
  }
}
