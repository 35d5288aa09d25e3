import Runtime

/// Where a decoder's bytes come from: a file, or a transfer that is still running. Used by one thread at a time, as a
/// rule the decode thread.
package protocol ByteSource: AnyObject {
  /// The name for messages: the file's name as people know it.
  var name: String { get }
  /// The length in bytes; nil while it is not known.
  var length: Int64? { get }
  /// Whether a part of it is still being fetched, so that a read may have to wait for it.
  var isComing: Bool { get }
  /// Whether all of it is here by now. For a transfer, this waits for an answer of the loop that fetches.
  func isWhole() throws(Fault) -> Bool
  /// The playing time that the source's index states, for files that state it only at their end; nil when unknown.
  var duration: Duration? { get }
  var position: Int64 { get }
  /// Reads up to `buffer.count` bytes at `position`, moves `position` by as many, and returns how many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Fault) -> Int
  func seek(to position: Int64) throws(Fault)
}

extension ByteSource {
  package var isComing: Bool { false }
  package func isWhole() throws(Fault) -> Bool { !isComing }
  package var duration: Duration? { nil }

  /// The `count` bytes at `offset`, or fewer when the source ends before.
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
