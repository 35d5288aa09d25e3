import Glibc
import Runtime
import Synchronization

/// The server's thread, which waits in poll for all its connections.
final class ServingThread: Sendable {
  struct Waiting {
    let condition: @Sendable (FaultServer.Seen) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  struct State {
    var resources: [String: Resource] = [:]
    var scripts: [String: [Act]] = [:]
    var otherwise = Act.honest
    var pace = Pace.unpaced
    var seen = FaultServer.Seen()
    var waiting: [Waiting] = []
    var isStopped = false
  }

  let state = Mutex(State())
  let tls: ServedTLS?
  let port: Int
  private let listener: Descriptor
  private let bell: Bell

  init(_ tls: ServedTLS?) throws(Fault) {
    self.tls = tls
    bell = try Bell()
    let (socket, port) = try Self.listen()
    listener = Descriptor(taking: socket)
    self.port = port
  }

  private static func listen() throws(Fault) -> (Int32, Int) {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(number, generic, size) == 0 && Glibc.listen(number, 64) == 0 && getsockname(number, generic, &size) == 0
      }
    }
    guard number >= 0, isOpen else { throw Fault.system("T-302", doing: "listen on the loopback") }
    return (number, Int(UInt16(bigEndian: address.sin_port)))
  }

  // MARK: From any thread

  func change(_ change: (inout State) -> Void) {
    state.withLock { change(&$0) }
    bell.ring()
  }

  func stop() { change { $0.isStopped = true } }

  // MARK: On its thread

  func run() {
    var visitors: [Visitor] = []
    var budget = LineBudget()
    var connections = 0
    while true {
      let (pace, isStopped) = state.withLock { ($0.pace, $0.isStopped) }
      if isStopped { break }
      let ready = wait(for: visitors, pace)
      if ready.contains(bell.number) { bell.hush() }
      if ready.contains(listener.number) {
        while case let socket = accept(listener.number, nil, nil), socket >= 0 {
          connections += 1
          visitors.append(Visitor(taking: socket, number: connections, tls: tls))
        }
      }
      let now = Moment.now
      for visitor in visitors {
        if ready.contains(visitor.socket) { visitor.hear() }
        visitor.wake(at: now)
        if let request = visitor.nextRequest() { answer(request, of: visitor, after: pace.delay) }
      }
      talk(visitors, &budget, pace, at: now)
      visitors.removeAll { $0.isGone }
      tell(open: visitors.count, all: connections)
    }
    visitors = []
    tell(open: 0, all: connections)
  }

  /// Which descriptors have something.
  private func wait(for visitors: [Visitor], _ pace: Pace) -> Set<Int32> {
    let isPaced = pace.bytesASecond != nil
    var slots = [bell.number, listener.number].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    for visitor in visitors {
      // A paced line is looked at every moment instead: its sockets could nearly always take more.
      let wantsOut = visitor.hasToSay && !isPaced
      slots.append(pollfd(fd: visitor.socket, events: Int16(POLLIN | (wantsOut ? POLLOUT : 0)), revents: 0))
    }
    var timeout: Int32 = -1
    if isPaced && visitors.contains(where: \.hasToSay) { timeout = 1 }
    if let first = visitors.compactMap(\.wakesAt).min() {
      let left = Int32(clamping: max((first - .now).milliseconds + 1, 0))
      timeout = timeout < 0 ? left : min(timeout, left)
    }
    poll(&slots, nfds_t(slots.count), timeout)
    return Set(slots.filter { $0.revents & ~Int16(POLLOUT) != 0 }.map(\.fd))
  }

  private func answer(_ request: SeenRequest, of visitor: Visitor, after delay: Duration) {
    let (place, act, resource) = state.withLock { state -> (Int, Act, Resource?) in
      state.seen.requests.append(request)
      var act = state.otherwise
      if var script = state.scripts[request.path], !script.isEmpty {
        act = script.removeFirst()
        state.scripts[request.path] = script
      }
      return (state.seen.requests.count - 1, act, state.resources[request.path])
    }
    let steps = act.steps(for: request, resource)
    visitor.answer(place, with: delay > .zero ? [.wait(delay)] + steps : steps)
  }

  private func talk(_ visitors: [Visitor], _ budget: inout LineBudget, _ pace: Pace, at now: Moment) {
    let talking = visitors.filter(\.hasToSay)
    let part = budget.part(of: pace, for: talking.count, at: now)
    for visitor in talking {
      let sent = visitor.say(part, at: now)
      budget.spend(sent)
      guard sent > 0, let place = visitor.answering else { continue }
      state.withLock { $0.seen.requests[place].sent += sent }
    }
  }

  private func tell(open: Int, all: Int) {
    let happy = state.withLock { state -> [Waiting] in
      (state.seen.openConnections, state.seen.allConnections) = (open, all)
      let seen = state.seen
      let happy = state.waiting.filter { $0.condition(seen) }
      if !happy.isEmpty { state.waiting.removeAll { $0.condition(seen) } }
      return happy
    }
    for waiting in happy { waiting.continuation.resume() }
  }
}
