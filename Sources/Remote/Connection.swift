import Glibc
import Runtime

/// One client of the control socket, on the deck.
@Deck
final class Connection {
  /// One that neither sends nor reads for so long is gone, or wants to be in the way; listening to events is no way.
  private static let patience: Duration = .seconds(60)

  private let number: Int32
  private let service: any ControlService
  private var reader = LineReader(limit: Request.limit)

  init(taking number: Int32, service: any ControlService) {
    self.number = number
    self.service = service
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL, 0) | O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  func serve() async {
    defer {
      Deck.loop.forget(number)
      close(number)
    }
    while let line = await nextLine() {
      do throws(Fault) {
        Deck.loop.lately = "control"
        // A client that asks without end must not keep the buttons waiting.
        await Deck.loop.nextRound()
        let request = try Request(line: line)
        if request.verb == "events" { return await stream() }
        guard await send(await service.answer(request)) else { return }
      } catch {
        guard await send(Answer.refused(error)) else { return }
      }
    }
  }

  private func nextLine() async -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = reader.next() { return line }
      let count = recv(number, &block, block.count, 0)
      if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { return nil }
      if count < 0 {
        guard await Deck.loop.readable(number, within: Self.patience) else { return nil }
        continue
      }
      do throws(Fault) { try reader.add(block[..<count]) } catch {
        _ = await send(Answer.refused(error))
        return nil
      }
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
        guard await Deck.loop.writable(number, within: Self.patience) else { return false }
      } else {
        return false
      }
    }
    return true
  }

  /// Events until the client goes: noticed by its end of the stream, or when an event cannot be sent.
  private func stream() async {
    let events = Mailbox<JSON>(limit: 256)
    service.follow(events)
    // A second number for the same socket: a loop has one waiter for each, and `send` may wait on the first.
    let ear = fcntl(number, F_DUPFD_CLOEXEC, 0)
    let leaving = Deck.start {
      var byte: UInt8 = 0
      while await Deck.loop.readable(ear), recv(ear, &byte, 1, 0) > 0 {}
      events.close()
      Deck.loop.forget(ear)
      close(ear)
    }
    while let event = await events.receive() {
      guard await send(event) else { break }
    }
    events.close()
    leaving.cancel()
  }
}
