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

  /// `start`: of the letters `fLaC`.
  package init?(flac source: any ByteSource, from start: Int64) throws(Fault) {
    guard source.isComing else { return nil }
    let bytes = SourceBytes(source)
    var (head, last) = (Array("fLaC".utf8), 0)
    var blocks = FLACBlocks(from: start)
    while let block = try blocks.next(in: bytes) {
      if block.kind != FLACBlocks.padding, block.kind != FLACBlocks.picture {
        guard Int64(head.count) + block.length <= Self.longest else { return nil }
        let whole = try source.peek(Int(FLACBlocks.headLength + block.length), at: block.start - FLACBlocks.headLength)
        guard Int64(whole.count) == FLACBlocks.headLength + block.length else { return nil }
        last = head.count
        head += whole
        head[last] = block.kind
      }
      guard block.isLast else { continue }
      guard last > 0, blocks.end - Int64(head.count) >= Self.worthwhile else { return nil }
      head[last] |= 0x80
      (self.bytes, rest) = (head, blocks.end)
      return
    }
    return nil
  }

  // MARK: ID3

  /// Versions 3 and 4, the plain way they are mostly written. `length`: of the whole tag. `ID3v2Frame` reads more kinds of
  /// frames; to know where one ends it looks at bytes far behind, which are not waited for here.
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
    return Piece.with(frame) { piece in
      if version == 3 { return Int64(piece.big32(4)) }
      return (4..<8).allSatisfy { piece[$0] < 0x80 } ? Int64(piece.syncSafe(4)) : nil
    }
  }
}
