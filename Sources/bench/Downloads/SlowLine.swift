import Glibc
import Runtime
import Synchronization

/// A line of the bench's own in front of a server on this machine: what comes from there arrives at the line's pace,
/// shared by all its connections, and as late as it is far away; a new connection costs a round trip and begins slowly.
/// So nothing of it needs the kernel's help or a privilege, and whoever is measured has the same.
///
/// A thread carries it; it ends with its owner.
final class SlowLine {
  let port: Int
  private let carrying: Carrying

  init(_ shape: LineShape, to server: Int) throws(Fault) {
    let (socket, port) = try Loopback.listen()
    carrying = Carrying(shape, to: server, listener: Descriptor(taking: socket), bell: try Bell())
    self.port = port
    let carrying = carrying
    try NamedThread.start("line") { carrying.run() }
  }

  deinit { carrying.end() }

  private final class Carrying: Sendable {
    private let shape: LineShape
    private let server: Int
    private let listener: Descriptor
    private let bell: Bell
    private let isOver = Atomic<Bool>(false)

    init(_ shape: LineShape, to server: Int, listener: consuming Descriptor, bell: Bell) {
      (self.shape, self.server, self.bell) = (shape, server, bell)
      self.listener = listener
      _ = fcntl(self.listener.number, F_SETFL, O_NONBLOCK)
    }

    func end() {
      isOver.store(true, ordering: .relaxed)
      bell.ring()
    }

    func run() {
      var pace = LinePace(bytesASecond: shape.bytesASecond, at: .now)
      var calls: [LineCall] = []
      while !isOver.load(ordering: .relaxed) {
        wait(for: calls)
        while case let socket = accept(listener.number, nil, nil), socket >= 0 {
          if let far = Loopback.connection(to: server) {
            calls.append(LineCall(near: socket, far: far, shape, at: .now))
          } else {
            close(socket)
          }
        }
        let now = Moment.now
        for call in calls { call.hear(at: now) }
        let talking = calls.count { $0.hasWaiting(at: now) }
        let part = pace.allowance(at: now) / max(talking, 1)
        for call in calls { pace.carry(call.say(part, at: now), at: now) }
        calls.removeAll { $0.isOver }
      }
    }

    private func wait(for calls: [LineCall]) {
      var slots = [bell.number, listener.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      for call in calls { slots += call.wanted.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) } }
      var timeout: Int32 = -1
      if let due = calls.compactMap(\.next).min() {
        // What is due waits for the pace, which is looked at every moment.
        timeout = Int32(clamping: max((due - .now).milliseconds, 0) + 1)
      }
      poll(&slots, nfds_t(slots.count), timeout)
    }
  }
}
