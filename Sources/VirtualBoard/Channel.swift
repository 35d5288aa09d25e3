import Glibc
import Runtime

/// A connection to a Unix socket of the emulator. QMP, the agent and the hands have one each. Every wait has a limit,
/// because the guest may hang.
final class Channel {
  private let socket: Descriptor
  private let name: String
  private var unread: [UInt8] = []
  private static let longestLine = 1 << 22

  /// Tries again until the emulator has made the socket.
  init(connectingTo path: FilePath, named name: String, within limit: Duration) throws(Fault) {
    self.name = name
    let until = Moment.now + limit
    var number: Int32 = -1
    let connected = Waiting.poll(until: until) {
      number = Self.connected(to: path)
      return number >= 0
    }
    guard connected else {
      throw Fault(.missing, "V-110", "the emulator does not open \(name) at \(path) within \(limit)")
    }
    socket = Descriptor(taking: number)
  }

  private static func connected(to path: FilePath) -> Int32 {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { return -1 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
    let refused = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if refused == 0 { return number }
    close(number)
    return -1
  }

  func send(_ bytes: [UInt8], within limit: Duration = .seconds(30)) throws(Fault) {
    let until = Moment.now + limit
    var sent = 0
    while sent < bytes.count {
      guard Waiting.isWritable(socket.number, until: until) else {
        throw Fault(.passing, "V-111", "\(name) takes nothing more; \(bytes.count - sent) bytes were left")
      }
      let count = bytes.withUnsafeBytes {
        Glibc.send(
          socket.number, $0.baseAddress?.advanced(by: sent), bytes.count - sent, Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
      }
      if count < 0 && (errno == EINTR || errno == EAGAIN) { continue }
      guard count > 0 else { throw Fault.system("V-112", doing: "write to \(name)") }
      sent += count
    }
  }

  /// The next line without its end.
  func line(until: Moment) throws(Fault) -> [UInt8] {
    var looked = 0
    while true {
      if let end = unread[looked...].firstIndex(of: 0x0A) {
        let line = Array(unread[..<end])
        unread.removeFirst(end + 1)
        return line
      }
      looked = unread.count
      guard looked < Self.longestLine else { throw Fault(.malformed, "V-113", "\(name) sends a line without end") }
      try receive(until: until)
    }
  }

  func bytes(_ count: Int, until: Moment) throws(Fault) -> [UInt8] {
    while unread.count < count { try receive(until: until) }
    defer { unread.removeFirst(count) }
    return Array(unread[..<count])
  }

  /// A line that is there already; nil when there is none.
  func lineNow() throws(Fault) -> [UInt8]? {
    while !unread.contains(0x0A) {
      guard Waiting.isReadable(socket.number, until: .now) else { return nil }
      try receive(until: .now)
    }
    return try line(until: .now)
  }

  private func receive(until: Moment) throws(Fault) {
    guard Waiting.isReadable(socket.number, until: until) else {
      throw Fault(.passing, "V-114", "\(name) says nothing more\(soFar)")
    }
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket.number, &block, block.count, 0)
    if count < 0 && errno == EINTR { return }
    guard count > 0 else { throw Fault(.missing, "V-115", "\(name) is gone\(soFar)") }
    unread += block[..<count]
  }

  private var soFar: String {
    unread.isEmpty ? "" : "; its last bytes are \(logQuoted(String(decoding: unread.suffix(200), as: UTF8.self)))"
  }
}
