import Glibc

/// Waits for descriptors, with an end. For threads that may block; a loop has waits of its own (`EventLoop`).
package enum Readiness {
  /// Those of `numbers` that can be read, or whose other end is gone, as soon as there is one; none when time is over.
  package static func readable(_ numbers: [Int32], until: Moment) -> [Int32] {
    ready(numbers, Int16(POLLIN), until: until)
  }

  package static func writable(_ number: Int32, until: Moment) -> Bool {
    !ready([number], Int16(POLLOUT), until: until).isEmpty
  }

  private static func ready(_ numbers: [Int32], _ events: Int16, until: Moment) -> [Int32] {
    while true {
      var list = numbers.map { pollfd(fd: $0, events: events, revents: 0) }
      // Rounded up, or the last millisecond would be spent looking again and again.
      let left = max((until - Moment.now).nanoseconds, 0)
      let count = poll(&list, nfds_t(list.count), Int32(clamping: (left + 999_999) / 1_000_000))
      if count > 0 { return list.filter { $0.revents != 0 }.map(\.fd) }
      if count == 0 && Moment.now >= until || count < 0 && errno != EINTR { return [] }
    }
  }
}
