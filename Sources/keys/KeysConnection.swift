import Ciphers
import Glibc
import Rights
import Runtime

/// One process that asks. What it sends is taken as it comes, and its next request once the answer to this one is gone;
/// so it can make this process hold one request and one answer.
final class KeysConnection {
  /// A request, or an answer that is not taken, may be unfinished for so long.
  static let patience: Duration = .seconds(2)
  /// Who has nothing to ask goes.
  static let idle: Duration = .seconds(30)

  private let socket: Descriptor
  private var incoming: [UInt8] = []
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var hasTrusted = false
  private(set) var deadline: Moment
  private(set) var lastUsed: Moment

  init(_ socket: consuming Descriptor, at now: Moment) {
    self.socket = socket
    (deadline, lastUsed) = (now + Self.idle, now)
  }

  var number: Int32 { socket.number }
  var waitsToSend: Bool { sent < outgoing.count }
  var held: Int { incoming.count + outgoing.count }

  /// What the kernel said there is; false when the connection has come to its end.
  func serve(by service: inout KeysService, room: Int, at now: Moment) -> Bool {
    lastUsed = now
    if waitsToSend { return send(at: now) }
    var block = [UInt8](repeating: 0, count: 16_384)
    let count = recv(number, &block, block.count, 0)
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    if count == 0 { return false }
    if incoming.isEmpty { deadline = now + Self.patience }
    incoming += block[..<count]
    return answer(by: &service, room: room, at: now)
  }

  /// All requests that are whole, up to one that is to be answered.
  private func answer(by service: inout KeysService, room: Int, at now: Moment) -> Bool {
    while incoming.count >= KeysFrame.headLength {
      guard let head = KeysFrame.read(incoming), let kind = KeysRequest.Kind(rawValue: head.kind),
        head.count <= kind.longest, head.count <= room
      else { return false }
      let count = head.count
      guard incoming.count >= KeysFrame.headLength + count else { return true }
      let body = Array(incoming[KeysFrame.headLength..<KeysFrame.headLength + count])
      incoming = Array(incoming.dropFirst(KeysFrame.headLength + count))
      deadline = now + (incoming.isEmpty ? Self.idle : Self.patience)
      let request: KeysRequest
      do throws(Fault) { request = try KeysRequest(kind, body) } catch { return false }
      guard perform(request, by: &service, at: now) else { return false }
      if waitsToSend { return true }
    }
    return true
  }

  private func perform(_ request: KeysRequest, by service: inout KeysService, at now: Moment) -> Bool {
    guard hasTrusted || !request.kind.needsTrust else { return false }
    switch request {
    case .trust(let roots):
      // Once, and first.
      guard !hasTrusted else { return false }
      hasTrusted = true
      do throws(Fault) { try service.trust(roots, at: now) } catch {
        return begin(KeysAnswer.refused(error).frame)
      }
      return true
    case .key(let id, let name):
      do throws(Fault) {
        let key = try service.key(id, of: name, at: now)
        return try sendAtOnce(key)
      } catch { return begin(KeysAnswer.refused(error).frame) }
    case .card, .standing, .lines, .accounts, .forfeits, .keepClock, .rotate, .timeQuestion, .time, .playable, .take,
      .takeTime, .forget, .proof, .session, .keepSession:
      return begin(service.answer(request, at: now).frame)
    }
  }

  /// From where it lies into the socket, with no copy in between. Nothing is before it, so the kernel has room.
  private func sendAtOnce(_ key: borrowing Secret) throws(Fault) -> Bool {
    try key.withBytes { bytes in
      var head = KeysFrame.head(KeysAnswer.Kind.key.rawValue, bytes.count)
      let all = head.count + bytes.count
      let count = head.withUnsafeMutableBytes { head in
        let parts = [
          iovec(iov_base: head.baseAddress, iov_len: head.count),
          iovec(iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count),
        ]
        return writev(number, parts, 2)
      }
      return count == all
    }
  }

  private func begin(_ answer: [UInt8]) -> Bool {
    (outgoing, sent) = (answer, 0)
    // What was asked for may have taken a while.
    let now = Moment.now
    deadline = now + Self.patience
    return send(at: now)
  }

  private func send(at now: Moment) -> Bool {
    while waitsToSend {
      let count = outgoing.withUnsafeBytes { buffer in
        Glibc.send(number, buffer.baseAddress?.advanced(by: sent), outgoing.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      sent += count
    }
    let wasLarge = outgoing.count > 65_536
    (outgoing, sent) = ([], 0)
    deadline = now + (incoming.isEmpty ? Self.idle : Self.patience)
    if wasLarge { KeptHeap.end() }
    return true
  }
}
