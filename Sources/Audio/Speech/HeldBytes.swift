import Formats
import Runtime

/// Bytes that are here already, for decoders: what a program said.
final class HeldBytes: ByteSource {
  let name: String
  private let bytes: [UInt8]
  private(set) var position: Int64 = 0

  init(_ bytes: [UInt8], named name: String) { (self.bytes, self.name) = (bytes, name) }

  var length: Int64? { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    let count = min(buffer.count, bytes.count - Int(position))
    guard count > 0 else { return 0 }
    buffer.copyBytes(from: bytes[Int(position)..<Int(position) + count])
    position += Int64(count)
    return count
  }

  func seek(to position: Int64) throws(Fault) { self.position = min(max(position, 0), Int64(bytes.count)) }
}
