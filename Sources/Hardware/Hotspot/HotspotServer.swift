import Glibc
import Runtime

/// Serves the hotspot's page and its names on sockets that are handed to it, on one thread. It runs as nobody in
/// particular, can open no socket and no file but the one for its answer, and everything from outside is bounded: how
/// many are connected, how long each may take, how much each may send, and how many there are at all.
package final class HotspotServer {
  private final class Visitor {
    let socket: Descriptor
    let until: Moment
    var received: [UInt8] = []
    /// Empty when this one is done with.
    var answer: [UInt8]?
    var sent = 0
    var chosen: StickSetup.Network?

    init(_ socket: consuming Descriptor, until: Moment) {
      self.socket = socket
      self.until = until
    }
  }

  static let mostVisitors = 16
  /// A telephone on the other side of the room is slow.
  static let patience: Duration = .seconds(15)
  /// Telephones ask several times a minute whether the internet is there.
  private static let mostRequests = 5_000
  private static let mostQuestionsATurn = 32

  private let page: Descriptor
  private let names: Descriptor
  private let content: HotspotPage
  private let choose: (StickSetup.Network) throws(Fault) -> Void
  private var visitors: [Visitor] = []
  private var requests = 0
  private let log = Log("hotspot")

  /// Both sockets listen, and block nobody.
  package init(
    page: consuming Descriptor, names: consuming Descriptor, _ content: HotspotPage,
    choose: @escaping (StickSetup.Network) throws(Fault) -> Void
  ) {
    self.page = page
    self.names = names
    self.content = content
    self.choose = choose
  }

  /// Until so many have asked that somebody means no good, or the unit ends it.
  package func run() throws(Fault) {
    while requests < Self.mostRequests { try turn(for: .seconds(60)) }
    log.warning("too many have asked", ["requests": requests])
  }

  /// Waits for whatever happens first, at most so long, and does it.
  func turn(for longest: Duration) throws(Fault) {
    let now = Moment.now
    leave { $0.until <= now }
    // While all places are taken, new connections wait in the kernel.
    var watched = [pollfd(fd: visitors.count < Self.mostVisitors ? page.number : -1, events: Int16(POLLIN), revents: 0)]
    watched.append(pollfd(fd: names.number, events: Int16(POLLIN), revents: 0))
    for visitor in visitors {
      let events = Int16(visitor.answer == nil ? POLLIN : POLLOUT)
      watched.append(pollfd(fd: visitor.socket.number, events: events, revents: 0))
    }
    let wait = visitors.map { $0.until - now }.min().map { min($0, longest) } ?? longest
    let count = poll(&watched, nfds_t(watched.count), Int32(clamping: wait.nanoseconds / 1_000_000 + 1))
    guard count >= 0 || errno == EINTR else { throw Fault.system("X-284", doing: "wait for telephones") }
    guard count > 0 else { return }
    if watched[1].revents != 0 { answerNames() }
    for (visitor, facts) in zip(visitors, watched.dropFirst(2)) where facts.revents != 0 { serve(visitor) }
    leave { $0.answer?.isEmpty == true }
    if watched[0].revents != 0 { welcome() }
  }

  private func welcome() {
    let number = accept(page.number, nil, nil)
    guard number >= 0 else { return }
    let socket = Descriptor(taking: number)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL, 0) | O_NONBLOCK)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    requests += 1
    visitors.append(Visitor(socket, until: .now + Self.patience))
  }

  /// What somebody has chosen is handed over when they are gone, so that the page has said what happens now: the hotspot
  /// ends soon after.
  private func leave(where isOver: (Visitor) -> Bool) {
    let gone = visitors.filter(isOver)
    guard !gone.isEmpty else { return }
    visitors.removeAll(where: isOver)
    for network in gone.compactMap(\.chosen) {
      do throws(Fault) { try choose(network) } catch {
        log.error("what was chosen cannot be handed over", ["reason": error.message])
      }
    }
  }

  private func serve(_ visitor: Visitor) {
    if visitor.answer == nil { hear(visitor) }
    guard let answer = visitor.answer, visitor.sent < answer.count else { return }
    let count = answer.withUnsafeBytes { bytes in
      send(
        visitor.socket.number, bytes.baseAddress?.advanced(by: visitor.sent), answer.count - visitor.sent,
        Int32(MSG_NOSIGNAL))
    }
    if count < 0 {
      if errno != EAGAIN && errno != EINTR { visitor.answer = [] }
      return
    }
    visitor.sent += count
    guard visitor.sent == answer.count else { return }
    // So that a telephone whose request was refused half-way reads the answer before the connection is gone.
    shutdown(visitor.socket.number, Int32(SHUT_WR))
    visitor.answer = []
  }

  private func hear(_ visitor: Visitor) {
    var block = [UInt8](repeating: 0, count: 4_096)
    let count = recv(visitor.socket.number, &block, block.count, 0)
    if count < 0 && (errno == EAGAIN || errno == EINTR) { return }
    guard count > 0 else {
      visitor.answer = []
      return
    }
    visitor.received += block[..<count]
    switch HotspotRequest.read(visitor.received) {
    case .more: break
    case .wrong(let status): visitor.answer = content.refused(status).bytes()
    case .whole(let request):
      let reply = content.answer(request)
      visitor.answer = reply.bytes(withBody: request.method != .head)
      visitor.chosen = reply.chosen
    }
    // It may be a password.
    visitor.received.removeAll(where: { _ in visitor.answer != nil })
  }

  private func answerNames() {
    let number = names.number
    let address = HotspotFacts.address.split(separator: ".").compactMap { UInt8($0) }
    for _ in 0..<Self.mostQuestionsATurn {
      var question = [UInt8](repeating: 0, count: NameAnswer.mostQuestion + 1)
      var sender = sockaddr_storage()
      var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = withUnsafeMutablePointer(to: &sender) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { from in
          recvfrom(number, &question, question.count, Int32(MSG_DONTWAIT), from, &length)
        }
      }
      guard count >= 0 else { return }
      guard let answer = NameAnswer.answer(to: Array(question[..<count]), with: address) else { continue }
      _ = withUnsafePointer(to: &sender) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { to in
          sendto(number, answer, answer.count, Int32(MSG_DONTWAIT), to, length)
        }
      }
    }
  }
}
