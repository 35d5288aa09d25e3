import Runtime

/// The main loop in a test: the product's loop on virtual time, one test on it at a time.
package enum TestMainLoop {
  /// Started by the first test that needs it; the same for the whole process.
  package static let time: VirtualTime = {
    let time = VirtualTime()
    MainLoop.time = .virtual(time)
    do throws(Fault) { try MainLoop.loop.start() } catch { fatalError("the main loop cannot start: \(error)") }
    return time
  }()

  private static let turn = Turn()

  /// Runs `body` while no other test advances the main loop's time.
  package static func alone<Result: Sendable>(_ body: @Sendable () async throws -> Result) async rethrows -> Result {
    _ = time
    await turn.take()
    do {
      let result = try await body()
      await turn.pass()
      return result
    } catch {
      await turn.pass()
      throw error
    }
  }

  private actor Turn {
    private var taken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
      await withCheckedContinuation { next in
        // Looked at here: any `await` gives others a turn.
        if taken { return waiting.append(next) }
        taken = true
        next.resume()
      }
    }

    func pass() {
      if waiting.isEmpty { taken = false } else { waiting.removeFirst().resume() }
    }
  }
}

/// Runs `body` on the main loop as the product's tasks run: preferring its loop. A test that called the main loop's
/// functions itself would have their continuations resumed by the language's thread pool (see `EventLoop`).
package func onMainLoop<Result: Sendable>(_ body: @escaping @MainLoop @Sendable () async -> Result) async -> Result {
  // Whichever test comes first: a main loop that was begun by the real clock has it for the whole process.
  _ = TestMainLoop.time
  return await withCheckedContinuation { continuation in
    MainLoop.start { continuation.resume(returning: await body()) }
  }
}

/// The same while no other test is on the main loop.
package func aloneOnMainLoop<Result: Sendable>(_ body: @escaping @MainLoop @Sendable () async -> Result) async -> Result
{
  await TestMainLoop.alone { await onMainLoop(body) }
}
