import Glibc
import Runtime

/// Sockets on this machine alone.
enum Loopback {
  /// One that listens, and where.
  static func listen() throws(Fault) -> (socket: Int32, port: Int) {
    let number = make()
    let isOpen = address(port: 0, number, bind) && Glibc.listen(number, 64) == 0
    guard number >= 0, isOpen else { throw Fault.system("B-260", doing: "listen on the loopback") }
    return (number, port(of: number))
  }

  /// Where nobody listened just now, for a program that has to be told.
  static func freePort() throws(Fault) -> Int {
    let (number, port) = try listen()
    close(number)
    return port
  }

  /// Nil while nobody listens there.
  static func connection(to port: Int) -> Int32? {
    let number = make()
    if address(port: port, number, connect) { return number }
    close(number)
    return nil
  }

  private static func make() -> Int32 { socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0) }

  private typealias Call = (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32

  private static func address(port: Int, _ number: Int32, _ call: Call) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  private static func port(of number: Int32) -> Int {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &size) }
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
