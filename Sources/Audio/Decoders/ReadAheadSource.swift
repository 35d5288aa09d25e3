import Formats
import Runtime

/// Reads a few thousand bytes at once for a library that asks for single ones. libmpg123 does so wherever it searches
/// for a frame: a megabyte of damage is a million reads, each through all that stands between decoder and file.
final class ReadAheadSource: ByteSource {
  private let source: any ByteSource
  private(set) var position: Int64 = 0
  private let space = UnsafeMutableRawBufferPointer.allocate(byteCount: ReadAheadSource.most, alignment: 16)
  /// What `space` holds: so many bytes from `start` on.
  private var start: Int64 = 0
  private var filled = 0

  /// Bytes of one read. Few, because the first sound of a stream waits for them.
  private static let most = 4_096

  init(_ source: any ByteSource) { self.source = source }

  deinit { space.deallocate() }

  var name: String { source.name }
  var length: Int64? { source.length }
  var isComing: Bool { source.isComing }
  var duration: Duration? { source.duration }
  func isWhole() throws(Fault) -> Bool { try source.isWhole() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    var place = position - start
    if place < 0 || place >= filled {
      try source.seek(to: position)
      if buffer.count >= Self.most { return advance(by: try source.read(into: buffer)) }
      filled = 0
      filled = try source.read(into: space)
      (start, place) = (position, 0)
    }
    let count = min(buffer.count, filled - Int(place))
    buffer.copyBytes(from: space[Int(place)..<Int(place) + count])
    return advance(by: count)
  }

  private func advance(by count: Int) -> Int {
    position += Int64(count)
    return count
  }

  func seek(to position: Int64) throws(Fault) {
    self.position = try place(at: position)
  }
}
