import Formats
import Runtime

/// What is still coming, without what nobody hears: a cover of half a megabyte may stand before the first sound. A head made
/// anew takes the place of the file's own, and what is behind that follows.
final class ShortenedSource: ByteSource {
  private let source: any ByteSource
  private let head: [UInt8]
  /// Where in the file stands what follows `head`.
  private let rest: Int64
  private(set) var position: Int64 = 0

  init(_ source: any ByteSource, head: [UInt8], then rest: Int64) {
    (self.source, self.head, self.rest) = (source, head, rest)
  }

  var name: String { source.name }
  var length: Int64? { source.length.map { max($0 - rest, 0) + Int64(head.count) } }
  var isComing: Bool { source.isComing }
  var duration: Duration? { source.duration }
  func isWhole() throws(Fault) -> Bool { try source.isWhole() }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int {
    let behind = position - Int64(head.count)
    var count = 0
    if behind < 0 {
      count = min(buffer.count, Int(-behind))
      buffer.copyBytes(from: head[Int(position)..<Int(position) + count])
    } else {
      try source.seek(to: rest + behind)
      count = try source.read(into: buffer)
    }
    position += Int64(count)
    return count
  }

  func seek(to position: Int64) throws(Fault) {
    self.position = try place(at: position)
  }
}
