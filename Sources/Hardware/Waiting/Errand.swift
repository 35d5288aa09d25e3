import Runtime

/// Looking at the kernel may mean waiting for a driver that waits for a chip. So it is done on a thread that lives no
/// longer than the look: a minute later there is nothing left of it, and one that hangs keeps nobody else.
package enum Errand: Sendable {
  case ownThread
  /// For tests, in whose order of things it has its place.
  case onLoop(EventLoop)

  @MainLoop
  func perform<Found: Sendable>(_ work: @escaping @Sendable () -> Found) async throws(Fault) -> Found {
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
