internal import CLinux
import Glibc

/// Owns one file descriptor and closes it exactly once.
package struct Descriptor: ~Copyable, Sendable {
  package let number: Int32

  package init(taking number: Int32) { self.number = number }

  deinit { if number >= 0 { close(number) } }

  /// Gives the number away; the taker closes it.
  package consuming func release() -> Int32 {
    let given = number
    discard self
    return given
  }
}

extension Descriptor {
  package static func open(
    _ path: FilePath, _ flags: Int32, mode: UInt32 = 0o600, code: String
  ) throws(Fault) -> Descriptor {
    let number = path.withCString { layby_open($0, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw Fault.system(code, doing: "open \(path)") }
    return Descriptor(taking: number)
  }

  /// All of `bytes`, or a fault: a short write is never taken for a whole one.
  package borrowing func writeAll(_ bytes: [UInt8], code: String, doing: String) throws(Fault) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(number, buffer.baseAddress?.advanced(by: written), bytes.count - written)
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Fault.system(code, doing: doing, errno: count == 0 ? ENOSPC : errno) }
      written += count
    }
  }

  /// Everything up to the end, refused when it is more than `limit` bytes: foreign files are bounded.
  package borrowing func readAll(limit: Int, code: String, doing: String) throws(Fault) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(number, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw Fault.system(code, doing: doing) }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw Fault(.malformed, code, "cannot \(doing): it is longer than \(limit) bytes")
      }
      bytes += block[..<count]
    }
  }
}

extension Descriptor {
  /// Number -1 when the kernel has none to give.
  package static func datagramSocket() -> Descriptor { Descriptor(taking: socket(AF_UNIX, layby_socket_datagram, 0)) }

  package static func streamSocket(_ family: Int32 = AF_UNIX) -> Descriptor {
    Descriptor(taking: socket(family, layby_socket_stream, 0))
  }
}
