import Glibc
import Runtime

/// What systemd is told: ready, stopping, alive. The protocol is a datagram of `KEY=value` lines to a socket named
/// in the environment, promised stable by systemd's interface portability table; libsystemd would bring five
/// libraries into the process for it.
package struct Systemd: Sendable {
  private let socketPath: [UInt8]?

  package init(environment: String? = EnvironmentVariable.notifySocket.text) {
    guard let environment, let first = environment.utf8.first else {
      socketPath = nil
      return
    }
    var path = Array(environment.utf8)
    // A leading @ stands for the abstract name space, whose names begin with a zero byte.
    if first == UInt8(ascii: "@") { path[0] = 0 }
    socketPath = (path[0] == 0 || path[0] == UInt8(ascii: "/")) && path.count < 108 ? path : nil
  }

  package var isThere: Bool { socketPath != nil }

  /// How often systemd wants to hear from us; nil when it does not watch us.
  package static var watchdogInterval: Duration? {
    guard let text = EnvironmentVariable.watchdogInterval.text, let microseconds = Int64(text), microseconds > 0
    else { return nil }
    if let wanted = EnvironmentVariable.watchdogProcess.text, Int32(wanted) != getpid() { return nil }
    return .microseconds(microseconds)
  }

  package func ready(_ status: String) { tell("READY=1\nSTATUS=\(status)") }
  package func stopping() { tell("STOPPING=1") }
  package func alive() { tell("WATCHDOG=1") }

  private func tell(_ message: String) {
    guard let socketPath else { return }
    let socket = Descriptor.datagramSocket()
    guard socket.number >= 0 else { return }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + socketPath.count + (socketPath[0] == 0 ? 0 : 1))
    let bytes = Array(message.utf8)
    let sent = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(socket.number, bytes, bytes.count, 0, $0, length)
      }
    }
    if sent != bytes.count { Log("supervisor").warning("cannot tell systemd", ["what": message]) }
  }
}
