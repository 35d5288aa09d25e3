import Runtime

/// Where a decoder's bytes come from: a file, or a transfer that is still running. Used by one thread at a time, as a rule
/// the decode thread.
package protocol ByteSource: AnyObject {
  /// What stands in messages: the file's name as people know it.
  var name: String { get }
  /// Nil while it is not known.
  var length: Int64? { get }
  /// Not all of it is here: what stands far behind is waited for.
  var isComing: Bool { get }
  /// All of it is here, or is by now.
  func isWhole() throws(Fault) -> Bool
  /// How long it plays, as whoever has it says: for files that say it themselves only at their end.
  var duration: Duration? { get }
  var position: Int64 { get }
  /// Up to `buffer.count` bytes from `position`, which goes on by as many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  func seek(to position: Int64) throws(Fault)
}

extension ByteSource {
  package var isComing: Bool { false }
  package func isWhole() throws(Fault) -> Bool { !isComing }
  package var duration: Duration? { nil }

  /// The first `count` bytes from `offset`, or fewer when it ends there.
  package func peek(_ count: Int, at offset: Int64) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try seek(to: offset)
    var filled = 0
    while filled < count {
      let start = filled
      let result = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(Fault) in try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...])) }
      }
      let got = try result.get()
      if got == 0 { break }
      filled += got
    }
    return Array(bytes[..<filled])
  }
}
