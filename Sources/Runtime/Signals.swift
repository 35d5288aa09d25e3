internal import CLinux
import Glibc

/// The signals that ask the program for something, read like any other input. Made on the first thread before there
/// is a second one: every thread inherits the block, so that none is interrupted.
package struct Signals: ~Copyable {
  package enum Request: Sendable {
    case stop, resized
  }

  private let descriptor: Descriptor

  package init() throws(Fault) {
    signal(SIGPIPE, SIG_IGN)
    let number = layby_signalfd([SIGTERM, SIGINT, SIGHUP, SIGWINCH, 0])
    guard number >= 0 else { throw Fault.system("R-103", doing: "read signals") }
    descriptor = Descriptor(taking: number)
  }

  /// Nil when the task was cancelled.
  package func next(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async -> Request? {
    while true {
      switch layby_next_signal(descriptor.number) {
      // A hang-up is the terminal's end, and the desk's.
      case SIGTERM, SIGINT, SIGHUP: return .stop
      case SIGWINCH: return .resized
      default: guard await loop.readable(descriptor.number) else { return nil }
      }
    }
  }
}
