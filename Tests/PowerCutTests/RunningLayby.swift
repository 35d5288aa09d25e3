import Glibc
import Remote
import Runtime
import TestSupport

/// One life of the real program on a watched state folder, from its start until it is killed or stopped.
struct RunningLayby: ~Copyable {
  enum Ending: Error, Equatable {
    /// The program is gone: it died at the step it was told to, or by itself.
    case died
    case refused(String)
    case silent
  }

  private let home: Home
  private let process: Spawned
  private let ready: Descriptor
  private var socket: Descriptor?
  private var reader = LineReader(limit: 1 << 22)
  let began = Moment.now

  /// Where a round keeps everything: the state, the socket, the log of the disk, what the program says.
  struct Home: Sendable {
    let folder: FilePath
    let life: Int
    var state: FilePath { folder / "state\(life)" }
    var diskLog: FilePath { folder / "disk\(life)" }
    var output: FilePath { folder / "output" }
    var run: FilePath { folder / "run" }
  }

  init(_ home: Home, play: [String] = [], dieAt step: String? = nil) throws {
    let board = home.folder / "board.conf"
    try AtomicFile.replace(board, with: Array("[board]\nname = power cut\n[panel]\nsize = 64x48\n".utf8))
    let notify = home.folder / "notify"
    var environment = Built.watching(home.state, log: home.diskLog) + ["NOTIFY_SOCKET=\(notify)"]
    if let step { environment.append("LAYBY_DIE_AT=\(step)") }
    var words = ["\(Built.layby)", "run", "--board", "\(board)", "--state", "\(home.state)", "--run", "\(home.run)"]
    words += ["--output", "null"]
    if !play.isEmpty { words += ["--play"] + play }
    let listener = try Self.listen(at: notify)
    let started = try Spawned(words, environment: environment, output: home.output)
    self.init(home, ready: listener, process: started)
  }

  private init(_ home: Home, ready: consuming Descriptor, process: Spawned) {
    self.home = home
    self.ready = ready
    self.process = process
  }

  /// The socket to which a service says that it is ready.
  private static func listen(at path: FilePath) throws(Fault) -> Descriptor {
    _ = path.withCString { unlink($0) }
    let socket = Descriptor.datagramSocket()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw Fault.system("T-52", doing: "listen at \(path)") }
    return socket
  }

  private static let patience: Duration = .seconds(60)

  mutating func waitUntilReady() throws {
    while true {
      switch process.first(ready.number, within: Self.patience) {
      case .end: throw Ending.died
      case .neither: throw Ending.silent
      case .other:
        var message = [UInt8](repeating: 0, count: 4096)
        let count = recv(ready.number, &message, message.count, 0)
        guard String(decoding: message.prefix(max(count, 0)), as: UTF8.self).contains("READY=1") else { continue }
        return try connect()
      }
    }
  }

  private mutating func connect() throws {
    let socket = Descriptor.streamSocket()
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (home.run / "control").bytes) }
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { throw Ending.died }
    _ = fcntl(socket.number, F_SETFL, 0)
    self.socket = consume socket
  }

  /// Sends and does not wait.
  mutating func tell(_ request: Request) throws {
    let line = request.line
    let number = socket?.number ?? -1
    guard send(number, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { throw Ending.died }
  }

  mutating func ask(_ request: Request) throws -> JSON {
    try tell(request)
    let answer = try answer()
    if let fault = Response.fault(in: answer) { throw Ending.refused("\(request.verb): \(fault)") }
    return answer
  }

  private mutating func answer() throws -> JSON {
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = reader.next() { return try JSON(parsing: line) }
      guard let number = socket?.number, !Readiness.readable([number], until: .now + Self.patience).isEmpty else {
        throw Ending.silent
      }
      let count = recv(number, &block, block.count, 0)
      guard count > 0 else { throw Ending.died }
      try reader.add(block[..<count])
    }
  }

  /// True when it has ended by itself meanwhile.
  func endsBefore(_ moment: Moment) -> Bool { process.first(within: max(moment - Moment.now, .zero)) == .end }

  /// As the power does it. True when it had died by itself before.
  mutating func kill() -> Bool {
    let wasDead = process.first(within: .zero) == .end
    process.signal(SIGKILL)
    process.wait()
    return wasDead
  }

  /// As systemd does it; gives the exit code, or nil when it took longer than two seconds.
  mutating func stop() -> Int32? {
    process.signal(SIGTERM)
    // Two seconds are promised on a machine of its own; here many run at once.
    guard process.first(within: .seconds(10)) == .end else { return nil }
    return process.wait()
  }

  func log() throws -> DiskLog {
    var found = stat()
    guard home.diskLog.withCString({ lstat($0, &found) }) == 0 else { return DiskLog([]) }
    return try DiskLog(bytes: AtomicFile.read(home.diskLog, limit: 1 << 28))
  }

  /// How long the disk's log is now: what was done before this moment lies before it.
  func logLength() -> Int {
    var found = stat()
    return home.diskLog.withCString({ lstat($0, &found) }) == 0 ? Int(found.st_size) : 0
  }
}
