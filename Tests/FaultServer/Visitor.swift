import Glibc
import Runtime

/// One connection, on the server's thread: reads questions, and plays the steps of each answer in turn.
final class Visitor {
  let socket: Int32
  let number: Int
  private var tls: TLSSession?
  private var inbox: [UInt8] = []
  private var steps: [Step] = []
  private var waitsUntil: Moment?
  /// What the socket has not taken yet; over TLS this is no longer readable.
  private var outbox: [UInt8] = []
  private var outboxStart = 0
  /// Which of the server's questions is answered now.
  private(set) var answering: Int?
  private(set) var isGone = false

  init(taking socket: Int32, number: Int, tls: ServedTLS?) {
    (self.socket, self.number) = (socket, number)
    if let tls { self.tls = TLSSession(tls) }
    var yes: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  deinit { close(socket) }

  // MARK: Hearing

  /// Reads what there is. False: the other end has gone.
  func hear() {
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &block, block.count, Int32(MSG_DONTWAIT))
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    guard count > 0 else {
      isGone = true
      return
    }
    if tls == nil {
      inbox += block[..<count]
      return
    }
    tls?.came(block[..<count])
    if let said = tls?.said() { inbox += said } else { steps.append(.end) }
    outbox += tls?.outgoing() ?? []
  }

  /// The next question, when the answer before it is through.
  func nextRequest() -> SeenRequest? {
    guard steps.isEmpty, waitsUntil == nil, !isGone else { return nil }
    return SeenRequest.take(from: &inbox, on: number)
  }

  func answer(_ place: Int, with steps: [Step]) {
    answering = place
    self.steps = steps
  }

  // MARK: Saying

  /// It could send at once, if its line lets it.
  var hasToSay: Bool {
    if isGone || waitsUntil != nil { return outboxStart < outbox.count }
    if outboxStart < outbox.count { return true }
    switch steps.first {
    case .send, .end, .reset, .wait: return true
    case .hang, nil: return false
    }
  }

  var wakesAt: Moment? { waitsUntil }

  func wake(at now: Moment) { if let until = waitsUntil, until <= now { waitsUntil = nil } }

  /// Goes on as far as the socket and `allowance` let it; how many bytes the kernel took.
  func say(_ allowance: Int?, at now: Moment) -> Int {
    var left = allowance ?? .max
    var sent = 0
    while !isGone {
      if outboxStart < outbox.count {
        let count = flush(left)
        guard count > 0 else { return sent }
        (left, sent) = (left - count, sent + count)
        continue
      }
      (outbox, outboxStart) = ([], 0)
      guard waitsUntil == nil, let step = steps.first, take(step, at: now) else { return sent }
    }
    return sent
  }

  private func flush(_ left: Int) -> Int {
    let wanted = min(outbox.count - outboxStart, left)
    guard wanted > 0 else { return 0 }
    let count = outbox.withUnsafeBytes { buffer in
      send(socket, buffer.baseAddress?.advanced(by: outboxStart), wanted, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
    if count < 0 && errno != EAGAIN && errno != EINTR { isGone = true }
    outboxStart += max(count, 0)
    return max(count, 0)
  }

  /// False: nothing more can be done now.
  private func take(_ step: Step, at now: Moment) -> Bool {
    switch step {
    case .send(let bytes):
      guard !bytes.isEmpty else { break }
      let chunk = bytes.prefix(65_536)
      if tls == nil {
        outbox = Array(chunk)
        steps[0] = .send(bytes.dropFirst(chunk.count))
        return true
      }
      let taken = tls?.say(bytes.prefix(16_384)) ?? 0
      outbox = tls?.outgoing() ?? []
      steps[0] = .send(bytes.dropFirst(taken))
      return !outbox.isEmpty
    case .wait(let duration): waitsUntil = now + duration
    case .hang: return false
    case .end: isGone = true
    case .reset:
      // Closing a socket that lingers for no time breaks the connection.
      var none = linger(l_onoff: 1, l_linger: 0)
      setsockopt(socket, SOL_SOCKET, SO_LINGER, &none, socklen_t(MemoryLayout<linger>.size))
      isGone = true
    }
    steps.removeFirst()
    return true
  }
}
