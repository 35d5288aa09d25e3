import Glibc
import Remote
import Runtime

/// A client's end of the control socket that waits without holding up other tests.
final class ControlConnection {
  private let number: Int32
  private var reader = LineReader(limit: 1 << 24)

  init(to path: FilePath) throws(Fault) {
    let socket = Descriptor.streamSocket()
    var address = sockaddr_un(to: path)
    let connected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else { throw Fault.system("T-63", doing: "reach \(path)") }
    _ = fcntl(socket.number, F_SETFL, 0)
    number = socket.release()
  }

  deinit { close(number) }

  func send(_ request: Request) throws(Fault) { try send(request.line) }

  func ask(_ verb: String, within limit: Duration) async throws -> JSON? {
    try send(Request(verb: verb))
    return try await next(within: limit)
  }

  func send(_ line: [UInt8]) throws(Fault) {
    var sent = 0
    while sent < line.count {
      let count = line.withUnsafeBytes { buffer in
        Glibc.send(number, buffer.baseAddress?.advanced(by: sent), line.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { throw Fault.system("T-64", doing: "ask layby") }
      sent += count
    }
  }

  /// The next line; nil when none came in time, or the other end has gone.
  func next(within limit: Duration) async throws -> JSON? {
    var block = [UInt8](repeating: 0, count: 65_536)
    let until = Moment.now + limit
    while true {
      if let line = reader.next() { return try JSON(parsing: line, limits: JSON.Limits(depth: 32, size: 1 << 24)) }
      let left = max(until - Moment.now, .zero)
      guard await Poll.readable([number], within: left) == [number] else { return nil }
      let count = recv(number, &block, block.count, 0)
      guard count > 0 else { return nil }
      try reader.add(block[..<count])
    }
  }

  /// Comes back as soon as there is something to be read, which is then passed over: whoever asks again after that
  /// asks once, however much has happened.
  func news(within limit: Duration) async {
    guard await Poll.readable([number], within: limit) == [number] else { return }
    var block = [UInt8](repeating: 0, count: 65_536)
    while recv(number, &block, block.count, Int32(MSG_DONTWAIT)) > 0 {}
  }
}

/// In systemd's place: the socket to which a service tells how it is.
final class FakeSystemd {
  private let socket: Int32
  private(set) var heard: [String] = []

  init(at path: FilePath) throws(Fault) {
    _ = path.withCString { unlink($0) }
    let made = Descriptor.datagramSocket()
    var address = sockaddr_un(to: path)
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(made.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw Fault.system("T-65", doing: "listen at \(path)") }
    socket = made.release()
  }

  deinit { close(socket) }

  /// The next message that says so; what came before it is in `heard`.
  func wait(for word: String, from process: ChildProcess, telling said: () -> String) async throws {
    while true {
      let first = await process.first(socket)
      guard first == .other else { throw RunningPlayer.Refused(description: "\(first) before \(word):\n\(said())") }
      var message = [UInt8](repeating: 0, count: 4_096)
      let count = recv(socket, &message, message.count, 0)
      let text = String(decoding: message.prefix(max(count, 0)), as: UTF8.self)
      heard.append(text)
      if text.split(separator: "\n").contains(Substring(word)) { return }
    }
  }
}

extension sockaddr_un {
  /// `path` must fit.
  fileprivate init(to path: FilePath) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
  }
}
