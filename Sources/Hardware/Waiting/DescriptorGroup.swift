internal import CLinux
import Glibc
import Runtime

/// One descriptor (epoll) that becomes readable when any of several does, so that a part can wait for all its devices.
struct DescriptorGroup: ~Copyable {
  private let epoll: Descriptor

  init(code: String) throws(Fault) {
    // Stored only after the last `throw`: Swift 6.0.3 crashes on the other order.
    let epoll = Descriptor(taking: epoll_create1(layby_epoll_cloexec))
    guard epoll.number >= 0 else { throw Fault.system(code, doing: "wait for several devices at once") }
    self.epoll = epoll
  }

  var number: Int32 { epoll.number }

  /// `urgently`: for a file that can always be read, and by which the kernel tells that what it says has changed. It tells
  /// once, whoever asks.
  borrowing func add(_ descriptor: Int32, urgently: Bool = false, code: String) throws(Fault) {
    var event = epoll_event(events: urgently ? layby_epoll_urgent : layby_epoll_in, data: epoll_data_t(fd: descriptor))
    guard epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
      throw Fault.system(code, doing: "wait for a device")
    }
  }

  /// Before its number can mean another file.
  borrowing func remove(_ descriptor: Int32) {
    var event = epoll_event()
    _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, &event)
  }
}
