import Glibc
import Rights
import Runtime

/// Serves all connections on one thread, each a request at a time. Whoever reads or writes slowly holds up nobody;
/// verifying what a source gave holds up everybody.
struct KeysServer: ~Copyable {
  private let listener: Descriptor
  private let user: UInt32
  private var service: KeysService
  private var connections: [KeysConnection] = []
  private let log = Log("keys")

  static let mostConnections = 16
  private static let refusesFor: Duration = .seconds(10)
  /// Of unfinished requests and answers, of all connections together.
  private static let mostHeld = 2 * KeysFrame.longestAnswer

  /// `user`: whose processes may ask.
  init(_ listener: consuming Descriptor, for user: UInt32, _ service: KeysService) {
    self.listener = listener
    self.user = user
    self.service = service
  }

  /// For as long as the process lives. Where nothing can be opened it says why to whoever asks, and ends after a while, to
  /// be started again: a TPM may answer then.
  mutating func run() throws(Fault) {
    log.info("ready", ["for_user": user])
    var nextKeeping = Moment.now + KeysService.keepsClockEach
    let end = service.refusal.map { _ in Moment.now + Self.refusesFor }
    if let refusal = service.refusal { log.error(refusal.message, ["msg": refusal.code]) }
    while true {
      if let end, let refusal = service.refusal, Moment.now >= end { throw refusal }
      var asked = [pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)]
      asked += connections.map {
        pollfd(fd: $0.number, events: Int16($0.waitsToSend ? POLLOUT : POLLIN), revents: 0)
      }
      let soonest = connections.map(\.deadline).min().map { min($0, nextKeeping) } ?? nextKeeping
      let wait = max((min(soonest, end ?? soonest) - Moment.now).nanoseconds, 0)
      _ = poll(&asked, nfds_t(asked.count), Int32(clamping: (wait + 999_999) / 1_000_000))
      let now = Moment.now
      serve(asked.dropFirst().map { $0.revents != 0 }, at: now)
      if asked[0].revents != 0 { welcome(at: now) }
      if now >= nextKeeping {
        nextKeeping = now + KeysService.keepsClockEach
        do throws(Fault) { try service.keepClock(at: now) } catch {
          log.warning("the time is not kept", ["reason": error.message])
        }
      }
    }
  }

  private mutating func serve(_ areReady: [Bool], at now: Moment) {
    var staying: [KeysConnection] = []
    var held = connections.reduce(0) { $0 + $1.held }
    for (connection, isReady) in zip(connections, areReady) {
      let before = connection.held
      let room = max(Self.mostHeld - held, 0)
      if isReady ? connection.serve(by: &service, room: room, at: now) : now < connection.deadline {
        staying.append(connection)
        held += connection.held - before
      } else {
        held -= before
      }
    }
    connections = staying
  }

  private mutating func welcome(at now: Moment) {
    for _ in 0..<Self.mostConnections {
      let number = accept(listener.number, nil, nil)
      guard number >= 0 else { return }
      let client = Descriptor(taking: number)
      _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL, 0) | O_NONBLOCK)
      _ = fcntl(number, F_SETFD, FD_CLOEXEC)
      guard let asker = Self.user(behind: number), asker == user else {
        log.warning("another user's process asked, and is refused")
        continue
      }
      if connections.count >= Self.mostConnections,
        let oldest = connections.indices.min(by: { connections[$0].lastUsed < connections[$1].lastUsed })
      {
        connections.remove(at: oldest)
      }
      connections.append(KeysConnection(client, at: now))
    }
  }

  /// Nil where the kernel does not say.
  private static func user(behind number: Int32) -> UInt32? {
    // A `struct ucred`: process, user, group.
    var peer: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    return getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.user : nil
  }
}
