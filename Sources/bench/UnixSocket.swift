import Glibc
import Runtime

/// Sockets that lie in the bench's own folder.
enum UnixSocket {
  static func listenForDatagrams(at path: FilePath) throws(Fault) -> Descriptor {
    _ = path.withCString { unlink($0) }
    let socket = Descriptor.datagramSocket()
    guard call(bind, socket, path) == 0 else { throw Fault.system("B-140", doing: "listen at \(path)") }
    return socket
  }

  /// Nil while nobody answers there.
  static func connection(to path: FilePath) -> Int32? {
    let socket = Descriptor(
      taking: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    return call(connect, socket, path) == 0 ? socket.release() : nil
  }

  private typealias Call = (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32

  private static func call(_ call: Call, _ socket: borrowing Descriptor, _ path: FilePath) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // The last byte stays zero: a longer path would arrive cut, and is not found then.
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.bytes.prefix($0.count - 1)) }
    let number = socket.number
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        call(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
