import Glibc
import Runtime
import Synchronization

/// An HTTP server on the loopback, with real sockets and a thread of its own, that does what a script says: it serves
/// files well, and as badly as is wanted. What it was asked and how much it sent can be looked at afterwards.
///
///     let server = try FaultServer(serving: ["/a.flac": .noise(100_000)])
///     server.script("/a.flac", [.cut(at: 5_000), .status(503)])    // the third question is answered honestly
///
/// It ends with its last owner.
package final class FaultServer: Sendable {
  private let thread: ServingThread

  package init(
    serving resources: [String: Resource] = [:], over tls: ServedTLS? = nil, pace: Pace = Pace()
  ) throws(Fault) {
    thread = try ServingThread(tls)
    thread.change { ($0.resources, $0.pace) = (resources, pace) }
    let running = thread
    try NamedThread.start("server", stackBytes: 1 << 20) { running.run() }
  }

  deinit { thread.stop() }

  package var port: Int { thread.port }

  package func url(_ path: String) -> String {
    "\(thread.tls == nil ? "http" : "https")://127.0.0.1:\(port)\(path)"
  }

  package func serve(_ path: String, _ resource: Resource?) { thread.change { $0.resources[path] = resource } }

  /// What is done with the next questions for `path`, one act a question; afterwards it is honest again.
  package func script(_ path: String, _ acts: [Act]) { thread.change { $0.scripts[path] = acts } }

  /// What is done with every question that no script is for.
  package func always(_ act: Act) { thread.change { $0.otherwise = act } }

  package func setPace(_ pace: Pace) { thread.change { $0.pace = pace } }

  /// In the order in which they came.
  package var requests: [SeenRequest] { thread.state.withLock { $0.seen.requests } }

  /// What a test can wait for.
  package struct Seen: Sendable {
    package var requests: [SeenRequest] = []
    package var openConnections = 0
    /// Since the beginning.
    package var allConnections = 0
  }

  package var seen: Seen { thread.state.withLock { $0.seen } }

  /// Comes back as soon as `condition` is true of what the server has seen.
  package func until(_ condition: @escaping @Sendable (Seen) -> Bool) async {
    await withCheckedContinuation { continuation in
      thread.change { $0.waiting.append(ServingThread.Waiting(condition: condition, continuation: continuation)) }
    }
  }
}
