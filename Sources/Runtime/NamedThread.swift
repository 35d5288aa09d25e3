internal import CLinux
import Glibc

/// A thread of our own, named as in the house plan, so that `top -H` and a crash report can be read.
package enum NamedThread {
  package enum Priority: Sendable {
    case normal
    /// Asked for, and done without when refused: the sound is then only as steady as the machine is idle.
    case realtime(Int32)
    /// What comes after the music, the panel and the hands, and so does what it starts.
    case low
    /// What nobody waits for.
    case idle
  }

  #if DEBUG
    /// On a machine that is busy for minutes, as with many suites at once, a thread that waits until nobody else wants
    /// the processor does nothing for minutes. With `LAYBY_IDLE=takes-part` it takes its turn like any other.
    private static let letsIdleWait = getenv("LAYBY_IDLE").map { String(cString: $0) } != "takes-part"
  #else
    private static let letsIdleWait = true
  #endif

  private final class Start: Sendable {
    let name: String
    let stackBytes: Int
    let priority: Priority
    let body: @Sendable () -> Void

    init(name: String, stackBytes: Int, priority: Priority, body: @escaping @Sendable () -> Void) {
      self.name = name
      self.stackBytes = stackBytes
      self.priority = priority
      self.body = body
    }

    func takePriority() {
      switch priority {
      case .normal: break
      // Of this thread alone: Linux counts it so.
      case .low: _ = nice(5)
      case .idle: if NamedThread.letsIdleWait { _ = layby_go_idle() }
      case .realtime(let priority):
        if layby_go_realtime(priority) != 0 { Log(name).info("no real-time priority", ["asked_for": priority]) }
      }
    }
  }

  /// Starts `body` on a new thread that nobody joins.
  package static func start(
    _ name: String, stackBytes: Int = 262_144, priority: Priority = .normal, _ body: @escaping @Sendable () -> Void
  ) throws(Fault) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))

    let start = Unmanaged.passRetained(Start(name: name, stackBytes: stackBytes, priority: priority, body: body))
    var thread = pthread_t()
    let refused = pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
        layby_name_thread(start.name)
        layby_note_stack(start.stackBytes)
        start.takePriority()
        start.body()
        return nil
      }, start.toOpaque())
    guard refused == 0 else {
      start.release()
      throw Fault.system("R-101", doing: "start the thread \(name)", errno: refused)
    }
  }

  /// Bytes of stack that the calling thread has left of those it was started with, even where it was given more: what
  /// it can decode today it must be able to decode tomorrow. 0 when the system does not say.
  package static var stackLeft: Int { layby_stack_left() }
}
