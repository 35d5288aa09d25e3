internal import CLinux
import Glibc

/// Many descriptors as one that a loop can wait for: it is readable when something has happened to any of them. For a
/// library that has sockets of its own and says of each what it wants to know.
package struct DescriptorSet: ~Copyable {
  package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let reading = Interest(rawValue: 1)
    package static let writing = Interest(rawValue: 2)
    /// Its other end is gone, or it is broken: told unasked.
    package static let failing = Interest(rawValue: 4)
  }

  private let epoll: Descriptor

  package var number: Int32 { epoll.number }

  package init() throws(Fault) {
    let number = epoll_create1(layby_epoll_cloexec)
    guard number >= 0 else { throw Fault.system("R-105", doing: "make a set of descriptors") }
    epoll = Descriptor(taking: number)
  }

  /// From now on this is what is wanted of it, whatever was before.
  package borrowing func watch(_ descriptor: Int32, for interest: Interest) {
    var events: UInt32 = 0
    if interest.contains(.reading) { events |= layby_epoll_in }
    if interest.contains(.writing) { events |= layby_epoll_out }
    var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
    if epoll_ctl(epoll.number, EPOLL_CTL_MOD, descriptor, &event) == 0 { return }
    if epoll_ctl(epoll.number, EPOLL_CTL_ADD, descriptor, &event) == 0 { return }
    let reason = Fault.describe(errno)
    Log("loop").error("cannot watch a descriptor of a set", ["number": descriptor, "reason": reason])
  }

  /// Before its number can mean another file.
  package borrowing func forget(_ descriptor: Int32) {
    var event = epoll_event()
    _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, descriptor, &event)
  }

  /// What has happened until now, of a bounded number of them; the rest is told the next time.
  package borrowing func happened() -> [(descriptor: Int32, what: Interest)] {
    var events = [epoll_event](repeating: epoll_event(), count: 32)
    let count = epoll_wait(epoll.number, &events, Int32(events.count), 0)
    var told: [(Int32, Interest)] = []
    for event in events.prefix(Int(max(count, 0))) {
      var what: Interest = []
      if event.events & layby_epoll_in != 0 { what.insert(.reading) }
      if event.events & layby_epoll_out != 0 { what.insert(.writing) }
      if event.events & ~(layby_epoll_in | layby_epoll_out) != 0 { what.insert(.failing) }
      told.append((event.data.fd, what))
    }
    return told
  }
}
