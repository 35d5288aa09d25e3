import Glibc
import Runtime

/// The command line's end of the control socket: plain blocking calls, since a client has nothing else to do. A class,
/// because Swift 6.0.3 crashes over the throwing initialiser of a struct that cannot be copied and owns another.
///
/// A player that is gone, full or hung is a fault of the kind `missing`: who asked did nothing wrong, and asking again
/// later may help.
package final class ControlClient {
  private let path: FilePath
  private let socket: Descriptor
  private var reader = LineReader(limit: 64 << 20)

  /// `patience`: how long the player may take to let us in.
  package init(connectingTo path: FilePath, patience: Duration = .seconds(5)) throws(Fault) {
    self.path = path
    socket = Descriptor(taking: try Self.connected(to: path, patience))
  }

  private static func connected(to path: FilePath, _ patience: Duration) throws(Fault) -> Int32 {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Fault.system("X-120", doing: "make a socket") }
    // Where the player takes nobody in any more, `connect` waits for as long as a send may take.
    limit(number, SO_SNDTIMEO, to: patience)
    var address = sockaddr_un(path: path)
    let refused = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard refused == 0 else {
      let fault: Fault =
        switch errno {
        case ENOENT, ECONNREFUSED:
          Fault(
            .missing, "X-121",
            "no player is running: nobody listens at \(path); layby run starts one, and --run DIR names another's folder"
          )
        case EAGAIN: busy(path)
        default: Fault.system("X-121", doing: "reach a running layby at \(path)")
        }
      close(number)
      throw fault
    }
    return number
  }

  private static func busy(_ path: FilePath) -> Fault {
    Fault(.missing, "X-125", "the player at \(path) does not answer: it is busy or hangs; try again in a while")
  }

  private var gone: Fault { Fault(.missing, "X-122", "the player at \(path) has ended, or has closed the connection") }

  private static func limit(_ number: Int32, _ option: Int32, to patience: Duration?) {
    let milliseconds = patience?.milliseconds ?? 0
    var limit = timeval(tv_sec: Int(milliseconds / 1_000), tv_usec: Int(milliseconds % 1_000) * 1_000)
    setsockopt(number, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  /// The answer; nil stands for as long as it takes.
  package func ask(_ request: Request, within patience: Duration? = nil) throws(Fault) -> JSON {
    Self.limit(socket.number, SO_RCVTIMEO, to: patience)
    Self.limit(socket.number, SO_SNDTIMEO, to: patience)
    let unsent: Fault?
    do throws(Fault) {
      try tell(request)
      unsent = nil
    } catch { unsent = error }
    // Who refuses us says why before it closes.
    if let answer = try next() { return answer }
    throw unsent ?? gone
  }

  package func tell(_ request: Request) throws(Fault) {
    let line = request.line
    var sent = 0
    while sent < line.count {
      let count = line.withUnsafeBytes { buffer in
        send(socket.number, buffer.baseAddress?.advanced(by: sent), line.count - sent, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        sent += count
      } else if errno == EPIPE || errno == ECONNRESET {
        throw gone
      } else if errno == EAGAIN {
        throw Self.busy(path)
      } else if errno != EINTR {
        throw Fault.system("X-123", doing: "ask layby")
      }
    }
  }

  /// The next line; nil when the other end has gone.
  package func next() throws(Fault) -> JSON? {
    // The answer is our own player's, so it may be long: a list of the whole library.
    let limits = JSON.Limits(depth: 32, size: 64 << 20, values: 8_000_000)
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = reader.next() { return try JSON(parsing: line, limits: limits) }
      let count = read(socket.number, &block, block.count)
      if count == 0 || count < 0 && errno == ECONNRESET { return nil }
      if count < 0 {
        if errno == EINTR { continue }
        if errno == EAGAIN { throw Self.busy(path) }
        throw Fault.system("X-124", doing: "read layby's answer")
      }
      try reader.add(block[..<count])
    }
  }

  /// Events until the other end goes, which is a fault: nobody wants to believe that nothing happens any more.
  package func follow(_ request: Request, _ take: (JSON) throws(Fault) -> Void) throws(Fault) {
    try tell(request)
    while let event = try next() {
      if let fault = Response.fault(in: event), event["event"] == nil { throw fault }
      try take(event)
    }
    throw gone
  }
}
