import Glibc
import Runtime

/// The Unix socket through which programs and the command line control the player. Only its own user and group can open
/// it, by the modes of the folder and the file.
///
/// Each connection is a task on the main loop. A client that sends garbage gets an answer and keeps its connection; one
/// that reads too slowly loses events and never delays the player. `ConnectionRoster` decides which connections are
/// closed when there are too many.
@MainLoop
package final class ControlSocket: Part {
  nonisolated package let name = "control"
  nonisolated package static let connectionLimit = 32
  /// The most bytes of unfinished lines, of all clients together: two of the longest requests.
  nonisolated private static let mostUnfinished = 2 * Request.limit
  /// The most connections that are accepted in one go, before other work on the main loop has its turn.
  private static let mostAtOnce = 16
  private static let pathLimit = 107

  private let path: FilePath
  private let service: any ControlService
  private var listener: Int32 = -1
  /// The descriptor of the lock that makes the socket ours: two players in one folder must not remove each other's
  /// socket.
  private var lock: Int32 = -1
  private var connections: [Int: (connection: Connection, task: Task<Void, Never>)] = [:]
  private var roster: ConnectionRoster
  private var nextConnection = 0
  private let log = Log("control")

  nonisolated package init(at path: FilePath, for service: any ControlService) {
    self.path = path
    self.service = service
    roster = ConnectionRoster(most: Self.connectionLimit, mostUnfinished: Self.mostUnfinished)
  }

  package func prepare() async throws(Fault) {
    guard path.bytes.count <= Self.pathLimit else {
      throw Fault(.malformed, "X-110", "the socket \(path) has a name longer than \(Self.pathLimit) bytes")
    }
    close()
    try Folder.make(path.folder, mode: 0o750)
    lock = try Self.locked(path.folder / "control.lock")
    try removeSocket()
    let socket = Descriptor.streamSocket()
    var address = sockaddr_un(path: path)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, path.withCString({ chmod($0, 0o660) }) == 0, listen(socket.number, 16) == 0 else {
      let fault = Fault.system("X-111", doing: "open the control socket \(path)")
      close()
      throw fault
    }
    listener = socket.release()
  }

  package func run() async throws(Fault) {
    defer { close() }
    while await MainLoop.loop.readable(listener) {
      var taken = 0
      while taken < Self.mostAtOnce, case let number = accept(listener, nil, nil), number >= 0 {
        serve(Descriptor(taking: number))
        taken += 1
      }
      // With no descriptor left, the client that waits cannot be accepted, and the socket stays readable: without a
      // pause this loop would do nothing but ask again.
      if taken == 0, errno == EMFILE || errno == ENFILE { await MainLoop.loop.sleep(for: .seconds(1)) }
    }
  }

  private func serve(_ client: consuming Descriptor) {
    let taken = client.release()
    let id = nextConnection
    nextConnection += 1
    let tooMany = roster.enter(id, of: Self.process(behind: taken), at: MainLoop.loop.now)
    let connection = Connection(taking: taken, service: service) { [weak self] unfinished in
      guard let self else { return }
      self.cut(self.roster.use(id, unfinished: unfinished, at: MainLoop.loop.now), Self.tooLong)
    }
    let task = MainLoop.start {
      await connection.serve()
      self.roster.leave(id)
      self.connections[id] = nil
    }
    connections[id] = (connection, task)
    cut(tooMany, Self.tooManyClients)
  }

  private func cut(_ id: Int?, _ fault: Fault) {
    guard let id, let (connection, _) = connections[id] else { return }
    log.warning("a connection was closed", ["reason": fault.message])
    connection.cut(because: fault)
  }

  private static let tooManyClients = Fault(
    .missing, "X-115",
    "the player has more than \(connectionLimit) connections, and yours was the one that was not used for the longest")
  private static let tooLong = Fault(
    .missing, "X-117", "the player waits for the ends of too many long requests, and yours came on the slowest")

  /// The process id of the client; 0 where the kernel does not say.
  private static func process(behind number: Int32) -> Int32 {
    // A `struct ucred`: process, user, group.
    var peer: (process: Int32, user: UInt32, group: UInt32) = (0, 0, 0)
    var size = socklen_t(MemoryLayout.size(ofValue: peer))
    return getsockopt(number, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.process : 0
  }

  private func close() {
    // Who is connected must not change what was saved for the last time.
    for (_, task) in connections.values { task.cancel() }
    if listener >= 0 {
      MainLoop.loop.forget(listener)
      Glibc.close(listener)
      listener = -1
      _ = path.withCString { unlink($0) }
    }
    // Also when the socket could not be opened: the next try must not find us in its way.
    if lock >= 0 { Glibc.close(lock) }
    lock = -1
  }

  private static func locked(_ file: FilePath) throws(Fault) -> Int32 {
    let lock = try Descriptor.open(file, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600, code: "X-112")
    guard flock(lock.number, LOCK_EX | LOCK_NB) == 0 else {
      throw Fault(
        .busy, "X-113", "another player has its control socket in \(file.folder); give this one its own --run")
    }
    return lock.release()
  }

  /// Removes the socket that a crash has left. Anything that is not a socket is somebody else's and stays.
  private func removeSocket() throws(Fault) {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw Fault(.busy, "X-114", "\(path) is there and is no socket; remove it, or give another --run")
    }
    _ = path.withCString { unlink($0) }
  }
}

/// What answers the requests; `PlayerService` in the program, a fake in tests.
@MainLoop
package protocol ControlService: AnyObject, Sendable {
  func answer(_ request: Request) async -> JSON
  /// Sends every event from now on to the mailbox, until that is closed.
  func follow(_ events: Mailbox<JSON>)
}

extension sockaddr_un {
  /// `path` must fit; longer ones are cut.
  init(path: FilePath) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
  }
}
