/// The main loop as a global actor: input, panel, queue, policies and supervision live on it, on the process's first
/// thread. No blocking call, nothing over 5 ms.
@globalActor
package actor MainLoop {
  package static let shared = MainLoop()
  package static let loop = makeLoop("main")

  nonisolated package var unownedExecutor: UnownedSerialExecutor { Self.loop.asUnownedSerialExecutor() }

  /// The one way to start a task on the main loop: it prefers the main loop's loop for all it does, so that no
  /// continuation it waits for wakes the language's thread pool.
  @discardableResult
  package static func start(_ body: @escaping @MainLoop @Sendable () async -> Void) -> Task<Void, Never> {
    Task(executorPreference: loop, operation: body)
  }

  private static func makeLoop(_ name: String) -> EventLoop {
    do throws(Fault) { return try EventLoop(name, time: time) } catch {
      // Without epoll there is no program; nothing is open yet that could be lost.
      fatalError(error.description)
    }
  }

  /// Tests choose virtual time before anything touches the loop.
  nonisolated(unsafe) package static var time = TimeSource.boot
}
