import Formats
import Glibc
import Runtime

/// What the library reads from and decodes into. It knows no faults but -1.
final class MP3Bytes {
  private let source: any ByteSource
  private(set) var fault: Fault?
  let scratch = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * MP3Bytes.most)

  /// A tag of the old kind stands at the very end, and the library looks for it before it gives out a sound.
  var isOpening = true
  private static let tail = 128

  /// Frames decoded in one go.
  static let most = 8_192

  init(_ source: any ByteSource) { self.source = source }

  deinit { scratch.deallocate() }

  func isWhole() throws(Fault) -> Bool { try source.isWhole() }

  /// Whether a stream of that rate begins there, and not only damage that looks like one of its frames.
  func holdsStream(at place: Int64, rate: Int32) throws(Fault) -> Bool {
    let position = source.position
    let holds = try MPEGHeader.holdsStream(at: place, rate: rate, in: source)
    // The library does not know that somebody else has read.
    try source.seek(to: position)
    return holds
  }

  static func from(_ data: UnsafeMutableRawPointer?) -> MP3Bytes? {
    data.map { Unmanaged<MP3Bytes>.fromOpaque($0).takeUnretainedValue() }
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    do throws(Fault) {
      if isOpening, source.isComing, buffer.count == Self.tail, let length = source.length,
        source.position == length - Int64(Self.tail)
      {
        // Nobody waits for the end of a song to hear its beginning.
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
        try source.seek(to: length)
        return Self.tail
      }
      return try source.read(into: buffer)
    } catch {
      fault = error
      return -1
    }
  }

  func seek(_ offset: Int64, _ whence: Int32) -> off_t {
    guard let target = source.target(of: offset, whence) else { return -1 }
    do throws(Fault) { try source.seek(to: target) } catch { return -1 }
    return off_t(target)
  }
}
