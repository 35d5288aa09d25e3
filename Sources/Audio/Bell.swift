internal import CALSA
import Glibc
import Runtime

/// Wakes a thread that waits in poll, or a loop that waits for the descriptor. Any thread may ring; ringing twice is
/// ringing once.
package final class Bell: Sendable {
  private let descriptor: Descriptor

  package var number: Int32 { descriptor.number }

  package init() throws(Fault) {
    descriptor = Descriptor(taking: layby_alsa_bell())
    guard descriptor.number >= 0 else { throw Fault.system("A-170", doing: "make a bell for the sound threads") }
  }

  package func ring() { eventfd_write(descriptor.number, 1) }

  /// From now on it is silent until it is rung again.
  package func hush() {
    var count: eventfd_t = 0
    eventfd_read(descriptor.number, &count)
  }

  /// Waits until it is rung, then hushes it.
  func wait(milliseconds: Int32 = -1) {
    var slot = pollfd(fd: descriptor.number, events: Int16(POLLIN), revents: 0)
    poll(&slot, 1, milliseconds)
    hush()
  }
}
