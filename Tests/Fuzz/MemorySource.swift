import Formats
import Runtime

/// Bytes that the fuzzer made up, as a file.
final class MemorySource: ByteSource {
  private let bytes: [UInt8]
  private(set) var position: Int64 = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var name: String { "made up" }
  var length: Int64? { Int64(bytes.count) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    guard position < bytes.count else { return 0 }
    let part = bytes[Int(position)...].prefix(buffer.count)
    buffer.copyBytes(from: part)
    position += Int64(part.count)
    return part.count
  }

  func seek(to position: Int64) throws(Fault) {
    guard position >= 0 else { throw Fault(.malformed, "A-999", "a seek before the beginning") }
    self.position = position
  }
}
