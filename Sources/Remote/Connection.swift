import Glibc
import Runtime

/// One client of the control socket, on the main loop.
@MainLoop
final class Connection {
  /// A client that neither sends nor reads for this long is disconnected. Waiting for events does not count as idle.
  static let patience: Duration = .seconds(60)

  private let number: Int32
  private let service: any ControlService
  private var reader = LineReader(limit: Request.limit)
  /// Called whenever the client has sent something or has read an event, with the number of bytes of its unfinished line.
  private let used: @MainLoop (_ unfinished: Int) -> Void
  /// How many bytes of answers and events were sent.
  private var sentBytes = 0
  /// Runs while an event is unread; see `watchReading`.
  private var watch: Task<Void, Never>?
  /// Shared by all connections: one at a time reads into it, and never across an `await`.
  private static var block = [UInt8](repeating: 0, count: blockSize)
  private static let blockSize = 65_536

  init(taking number: Int32, service: any ControlService, used: @escaping @MainLoop (Int) -> Void = { _ in }) {
    self.number = number
    self.service = service
    self.used = used
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL, 0) | O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  func serve() async {
    defer {
      MainLoop.loop.forget(number)
      close(number)
    }
    while let line = await nextLine() {
      do throws(Fault) {
        MainLoop.loop.lately = "control"
        // A client that asks without end must not keep the buttons waiting.
        await MainLoop.loop.nextRound()
        let request = try Request(line: line)
        if request.verb == "events" {
          try Verb.named("events")?.check(request.arguments)
          return await stream()
        }
        guard await send(await service.answer(request)) else { return }
        used(reader.unfinished)
      } catch {
        guard await send(Response.refused(error)) else { return }
      }
    }
  }

  /// Closes the connection, and tells the client why if it reads.
  func cut(because fault: Fault) {
    let bytes = Response.refused(fault).bytes + [UInt8(ascii: "\n")]
    _ = bytes.withUnsafeBytes { Glibc.send(number, $0.baseAddress, bytes.count, Int32(MSG_NOSIGNAL)) }
    // Whatever it waits for comes to an end, and `serve` closes.
    shutdown(number, Int32(SHUT_RDWR))
  }

  private func nextLine() async -> [UInt8]? {
    while true {
      if let line = reader.next() { return line }
      let count = recv(number, &Self.block, Self.blockSize, 0)
      if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return nil }
      if count < 0 {
        guard await MainLoop.loop.readable(number, within: Self.patience) else { return nil }
        continue
      }
      do throws(Fault) { try reader.add(Self.block[..<count]) } catch {
        _ = await send(Response.refused(error))
        return nil
      }
      used(reader.unfinished)
    }
  }

  private func send(_ answer: JSON) async -> Bool {
    let bytes = answer.bytes + [UInt8(ascii: "\n")]
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.send(number, buffer.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EAGAIN || errno == EINTR {
        guard await MainLoop.loop.writable(number, within: Self.patience) else { return false }
      } else {
        return false
      }
    }
    sentBytes += sent
    return true
  }

  // MARK: Events

  /// Sends events until the client has gone: its stream has ended, or an event cannot be sent.
  private func stream() async {
    let events = Mailbox<JSON>(limit: 256)
    service.follow(events)
    // A second number for the same socket: a loop has one waiter for each, and `send` may wait on the first.
    let ear = fcntl(number, F_DUPFD_CLOEXEC, 0)
    let leaving = MainLoop.start {
      var byte: UInt8 = 0
      while await MainLoop.loop.readable(ear), recv(ear, &byte, 1, 0) > 0 {}
      events.close()
      MainLoop.loop.forget(ear)
      close(ear)
    }
    while let event = await events.receive() {
      guard await send(event) else { break }
      watchReading()
    }
    watch?.cancel()
    events.close()
    leaving.cancel()
  }

  /// Disconnects a follower that has not read for as long as `patience` although there was something to read. Events
  /// are few, so it would take long to fill the socket, and the client would keep its place. The timer runs only while
  /// something is unread.
  private func watchReading() {
    guard watch == nil else { return }
    watch = MainLoop.start {
      var (sent, unread) = (self.sentBytes, self.unreadBytes)
      while unread > 0, await MainLoop.loop.sleep(for: Self.patience) {
        let (nowSent, nowUnread) = (self.sentBytes, self.unreadBytes)
        if nowUnread > 0, nowUnread - unread >= nowSent - sent {
          self.cut(because: Self.unread)
          break
        }
        (sent, unread) = (nowSent, nowUnread)
      }
      self.watch = nil
      if unread == 0 { self.used(0) }
    }
  }

  private static let unread = Fault(
    .missing, "X-116", "nothing was read of the last events for \(patience.milliseconds / 1_000) seconds")

  /// How many sent bytes the client has not read. The kernel's count includes its own overhead for each piece.
  private var unreadBytes: Int {
    var count: Int32 = 0
    return ioctl(number, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }
}
