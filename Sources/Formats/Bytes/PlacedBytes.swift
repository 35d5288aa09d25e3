import Runtime

/// A file's bytes by their place, as the parsers of containers and tags ask for them. The library reads files that are
/// there (`FileBytes`); a decoder reads a `ByteSource` that may still be coming (`SourceBytes`).
protocol PlacedBytes: AnyObject {
  /// Behind the file's last byte; nil where its length is not known yet.
  var fileEnd: Int64? { get }

  /// `count` bytes, fewer at the end of the file, and never more than `FileBytes.most`. The piece is good until the next
  /// call.
  func piece(at offset: Int64, count: Int) throws(Fault) -> Piece
}

extension FileBytes: PlacedBytes {
  var fileEnd: Int64? { size }
}

/// The bytes of a decoder's source. It reads what a parser asks for and nothing more, because the bytes behind that may
/// still be on their way.
final class SourceBytes: PlacedBytes {
  private let source: any ByteSource
  private var space = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
  private var capacity = 256

  init(_ source: any ByteSource) { self.source = source }

  deinit { space.deallocate() }

  var fileEnd: Int64? { source.length }

  func piece(at offset: Int64, count: Int) throws(Fault) -> Piece {
    let count = offset < 0 ? 0 : min(max(count, 0), FileBytes.most)
    if count > capacity {
      space.deallocate()
      space = .allocate(capacity: count)
      capacity = count
    }
    var filled = 0
    if count > 0 { try source.seek(to: offset) }
    while filled < count {
      let got = try source.read(into: UnsafeMutableRawBufferPointer(start: space + filled, count: count - filled))
      if got == 0 { break }
      filled += got
    }
    return Piece(start: space, count: filled)
  }
}
