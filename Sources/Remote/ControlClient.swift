import Glibc
import Runtime

/// The command line's end of the control socket: plain blocking calls, since a client has nothing else to do. A class,
/// because Swift 6.0.3 crashes over the throwing initialiser of a struct that cannot be copied and owns another.
package final class ControlClient {
  private let socket: Descriptor
  private var reader = LineReader(limit: 64 << 20)

  /// A fault of the kind `missing` when nobody listens there.
  package init(connectingTo path: FilePath) throws(Fault) {
    socket = Descriptor(taking: try Self.connected(to: path))
  }

  private static func connected(to path: FilePath) throws(Fault) -> Int32 {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw Fault.system("X-120", doing: "make a socket") }
    var address = sockaddr_un(path: path)
    let refused = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard refused == 0 else {
      let fault = Fault.system("X-121", doing: "reach a running layby at \(path)")
      close(number)
      throw fault
    }
    return number
  }

  package func ask(_ request: Request) throws(Fault) -> JSON {
    try tell(request)
    guard let answer = try next() else {
      throw Fault(.passing, "X-122", "layby ended before it answered")
    }
    return answer
  }

  package func tell(_ request: Request) throws(Fault) {
    try socket.writeAll(request.line, code: "X-123", doing: "ask layby")
  }

  /// The next line; nil when the other end has gone.
  package func next() throws(Fault) -> JSON? {
    // Of our own program: a library's list may be long.
    let limits = JSON.Limits(depth: 32, size: 64 << 20, values: 8_000_000)
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      if let line = reader.next() { return try JSON(parsing: line, limits: limits) }
      let count = read(socket.number, &block, block.count)
      if count == 0 { return nil }
      if count < 0 {
        if errno == EINTR { continue }
        throw Fault.system("X-124", doing: "read layby's answer")
      }
      try reader.add(block[..<count])
    }
  }
}
