internal import CLinux
import Glibc

/// Wakes a thread that waits in poll, or a loop that waits for the descriptor. Any thread may ring; ringing twice is
/// ringing once.
package final class Bell: Sendable {
  private let descriptor: Descriptor

  package var number: Int32 { descriptor.number }

  package init() throws(Fault) {
    descriptor = Descriptor(taking: eventfd(0, layby_eventfd_flags))
    guard descriptor.number >= 0 else { throw Fault.system("R-104", doing: "make a bell for another thread") }
  }

  package func ring() { eventfd_write(descriptor.number, 1) }

  /// From now on it is silent until it is rung again.
  package func hush() {
    var count: eventfd_t = 0
    eventfd_read(descriptor.number, &count)
  }

  /// Waits until it is rung, then hushes it.
  package func wait(milliseconds: Int32 = -1) {
    var slot = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    poll(&slot, 1, milliseconds)
    hush()
  }
}
