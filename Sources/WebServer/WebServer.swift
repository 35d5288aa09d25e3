internal import CMicroHTTPD
import Glibc
import Runtime
import Synchronization

/// An HTTP server on one address, by libmicrohttpd with a few threads of its own. It knows requests and answers, and bounds
/// both: whoever sends too much, too slowly or too often costs one connection for a while.
///
/// It speaks no TLS. What is reachable by others stands behind a proxy that does.
package final class WebServer: Sendable {
  package struct Limits: Sendable {
    package var threads: UInt32 = 4
    package var connections: UInt32 = 512
    package var connectionsOfAddress: UInt32 = 64
    /// A connection on which nothing moves is closed after so long.
    package var idleSeconds: UInt32 = 20
    /// A request has to be here as a whole so long after it began, however steadily its bytes come.
    package var requestSeconds: Int64 = 30
    /// What a connection may use for a request's line and headers.
    package var headBytes = 24 << 10
    package var bodyBytes = 64 << 10

    package init() {}
  }

  private let exchanges: Exchanges
  // Used in `init` and `deinit` alone.
  nonisolated(unsafe) private let daemon: OpaquePointer
  /// As it listens: `127.0.0.1:8080`, `[::1]:8080`.
  package let address: String

  /// `listen`: an address of this machine in numbers. Port 0 takes one that is free.
  package init(
    listen: String, port: UInt16, limits: Limits = Limits(), _ handler: some WebHandler
  ) throws(Fault) {
    let (socket, address) = try Self.listen(listen, port)
    let exchanges = Exchanges(handler, limits)
    guard let daemon = exchanges.start(on: socket) else {
      close(socket)
      throw Fault(.passing, "N-301", "the web server at \(address) could not start; is there memory left?")
    }
    (self.exchanges, self.daemon, self.address) = (exchanges, daemon, address)
  }

  deinit { MHD_stop_daemon(daemon) }

  /// Ends connections whose request takes too long. To be called each second or so.
  package func endSlowRequests(at now: Moment = .now) { exchanges.endSlowRequests(at: now) }

  package var openConnections: Int { exchanges.count }

  private static func listen(_ host: String, _ port: UInt16) throws(Fault) -> (socket: Int32, address: String) {
    var four = sockaddr_in()
    var six = sockaddr_in6()
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let isFour = inet_pton(AF_INET, host, &four.sin_addr) == 1
    guard isFour || inet_pton(AF_INET6, host, &six.sin6_addr) == 1 else {
      throw Fault(.malformed, "N-302", "\(shownBriefly(host)) is no address; expected one such as 127.0.0.1 or ::1")
    }
    let number = socket(isFour ? AF_INET : AF_INET6, type, 0)
    let owned = Descriptor(taking: number)
    guard number >= 0 else { throw Fault.system("N-303", doing: "make a socket") }
    var one: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var taken: UInt16 = 0
    let isOpen: Bool
    if isFour {
      four.sin_family = sa_family_t(AF_INET)
      four.sin_port = port.bigEndian
      isOpen = Self.bind(number, &four)
      taken = UInt16(bigEndian: four.sin_port)
    } else {
      six.sin6_family = sa_family_t(AF_INET6)
      six.sin6_port = port.bigEndian
      isOpen = Self.bind(number, &six)
      taken = UInt16(bigEndian: six.sin6_port)
    }
    guard isOpen else { throw Fault.system("N-304", doing: "listen at \(host), port \(port)") }
    return (owned.release(), isFour ? "\(host):\(taken)" : "[\(host)]:\(taken)")
  }

  /// Afterwards `address` is the one that was taken.
  private static func bind<Address>(_ socket: Int32, _ address: inout Address) -> Bool {
    var size = socklen_t(MemoryLayout<Address>.size)
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        Glibc.bind(socket, generic, size) == 0 && Glibc.listen(socket, 128) == 0
          && getsockname(socket, generic, &size) == 0
      }
    }
  }
}
