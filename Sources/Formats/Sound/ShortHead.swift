import Runtime

/// What stands before the sound, as far as anybody needs it. Nil: little would be spared, or it is not written as it is
/// known here; then it is read as it stands.
package struct ShortHead {
  package let bytes: [UInt8]
  /// Where the sound begins.
  package let rest: Int64

  /// Less is here before somebody else could be asked for what is behind it.
  package static let worthwhile: Int64 = 64 << 10

  /// More texts, or longer ones, are none.
  private static let mostParts = 1_000
  private static let longestPart: Int64 = 16 << 10
  /// Of all that is kept.
  private static let longest: Int64 = 1 << 20

  // MARK: FLAC

  private static let padding: UInt8 = 1
  private static let picture: UInt8 = 6

  /// `start`: of the letters `fLaC`.
  package init?(flac source: any ByteSource, from start: Int64) throws(Fault) {
    guard source.isComing else { return nil }
    var (head, last) = (Array("fLaC".utf8), 0)
    var at = start + 4
    for _ in 0..<Self.mostParts {
      let mark = try source.peek(4, at: at)
      guard mark.count == 4 else { return nil }
      let length = Int64(Chunks.number(mark[1...], bigEndian: true))
      let (kind, isLast) = (mark[0] & 0x7F, mark[0] & 0x80 != 0)
      if kind != Self.padding, kind != Self.picture {
        guard Int64(head.count) + length <= Self.longest else { return nil }
        let block = try source.peek(Int(length), at: at + 4)
        guard Int64(block.count) == length else { return nil }
        last = head.count
        head.append(kind)
        head += mark[1...]
        head += block
      }
      at += 4 + length
      guard isLast else { continue }
      guard last > 0, at - Int64(head.count) >= Self.worthwhile else { return nil }
      head[last] |= 0x80
      (bytes, rest) = (head, at)
      return
    }
    return nil
  }

  // MARK: ID3

  /// Versions 3 and 4, the plain way they are mostly written. `length`: of the whole tag.
  package init?(id3 source: any ByteSource, length: Int64) throws(Fault) {
    guard source.isComing, length >= Self.worthwhile else { return nil }
    let mark = try source.peek(10, at: 0)
    guard mark.count == 10, mark[3] == 3 || mark[3] == 4, mark[5] & 0xC0 == 0 else { return nil }
    let end = length - (mark[5] & 0x10 == 0 ? 0 : 10)
    var frames: [UInt8] = []
    var at: Int64 = 10
    for _ in 0..<Self.mostParts {
      guard at + 10 <= end else { break }
      let frame = try source.peek(10, at: at)
      guard frame.count == 10 else { return nil }
      // What is left is empty.
      if frame[0] == 0 { break }
      guard let size = Self.size(frame, version: mark[3]), at + 10 + size <= end else { return nil }
      guard Int64(frames.count) <= Self.longest else { return nil }
      if size <= Self.longestPart { frames += try source.peek(Int(10 + size), at: at) }
      at += 10 + size
    }
    guard length - Int64(frames.count) >= Self.worthwhile else { return nil }
    var head = Array(mark[..<5])
    head.append(0)
    for shift in [21, 14, 7, 0] { head.append(UInt8(frames.count >> shift & 0x7F)) }
    (bytes, rest) = (head + frames, length)
  }

  /// Of what is in a frame; nil for what begins none.
  private static func size(_ frame: [UInt8], version: UInt8) -> Int64? {
    let isNamed = frame[..<4].allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    guard isNamed else { return nil }
    if version == 3 { return Int64(Chunks.number(frame[4..<8], bigEndian: true)) }
    guard frame[4..<8].allSatisfy({ $0 < 0x80 }) else { return nil }
    return frame[4..<8].reduce(Int64(0)) { $0 << 7 | Int64($1) }
  }
}
