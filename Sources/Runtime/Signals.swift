internal import CLinux
import Glibc

/// The signals that ask the program for something, read like any other input. Made on the first thread before there
/// is a second one: every thread inherits the block, so that none is interrupted.
package struct Signals: ~Copyable {
  package enum Request: Sendable {
    case stop, reload, resized, report
  }

  private let descriptor: Descriptor

  package init() throws(Fault) {
    signal(SIGPIPE, SIG_IGN)
    descriptor = Descriptor(taking: layby_signalfd([SIGTERM, SIGINT, SIGHUP, SIGWINCH, SIGUSR1, 0]))
    guard descriptor.number >= 0 else { throw Fault.system("R-103", doing: "read signals") }
  }

  /// Nil when the task was cancelled.
  package func next(on loop: EventLoop, isolation: isolated (any Actor)? = #isolation) async -> Request? {
    while true {
      switch layby_next_signal(descriptor.number) {
      case SIGTERM, SIGINT: return .stop
      case SIGHUP: return .reload
      case SIGWINCH: return .resized
      case SIGUSR1: return .report
      default: guard await loop.readable(descriptor.number) else { return nil }
      }
    }
  }
}
