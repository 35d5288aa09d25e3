import Glibc
import Runtime
import Synchronization

/// Every wait of a bench ends: by what was waited for, by its deadline, or because somebody wants the bench to stop.
/// Then a fault runs up through everything that owns a process or a folder, and these end what they own.
enum Patience {
  private static let stopWanted = Atomic<Bool>(false)

  /// From now on Ctrl-C and SIGTERM end the waits instead of the program.
  static func endsWithSignals() {
    let note: @convention(c) (Int32) -> Void = { _ in Patience.stopWanted.store(true, ordering: .relaxed) }
    signal(SIGINT, note)
    signal(SIGTERM, note)
    signal(SIGPIPE, SIG_IGN)
  }

  /// Whether `descriptor` could be read before `deadline`. Nil waits for the deadline alone.
  static func readable(_ descriptor: Int32?, before deadline: Moment) throws(Fault) -> Bool {
    while true {
      if stopWanted.load(ordering: .relaxed) { throw Fault(.passing, "B-100", "stopped by a signal") }
      var list = descriptor.map { [pollfd(fd: $0, events: Int16(POLLIN), revents: 0)] } ?? []
      // Rounded up, or the last millisecond would be spent looking again and again.
      let left = max((deadline - Moment.now).nanoseconds, 0)
      let count = poll(&list, nfds_t(list.count), Int32(clamping: (left + 999_999) / 1_000_000))
      if count > 0 { return true }
      if count == 0 && Moment.now >= deadline { return false }
    }
  }

  static func wait(until deadline: Moment) throws(Fault) { _ = try readable(nil, before: deadline) }

  /// A line for whoever watches; standard output has the table alone.
  static func tell(_ text: String) {
    let line = Array("bench: \(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
