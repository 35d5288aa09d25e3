import Runtime

/// The chunks of which WAV and AIFF files are made: four letters, a length, so many bytes, and one more where the
/// length is odd. Only their heads are read here.
struct Chunks {
  struct Head: Equatable {
    let name: Letters
    /// Of what is inside.
    let start: Int64
    /// As it is stated: the file may have fewer bytes.
    let length: Int64

    /// What is inside, as far as `end` allows.
    func range(upTo end: Int64) -> Range<Int64> { start..<max(start, start + min(length, max(0, end - start))) }
  }

  private let bigEndian: Bool
  private let end: Int64
  private var at: Int64
  private var left = Chunks.most

  /// Music has a dozen; a thousand of them are there to keep us busy.
  private static let most = 1_000
  /// Of text that is read into memory, and of a tag with its picture.
  static let longestText: Int64 = 65_536
  static let longestTag: Int64 = 16 << 20
  /// Where nobody knows how long the file is.
  private static let farthest: Int64 = 1 << 62

  /// `end` is nil where the file's length is not known yet.
  init(from start: Int64, to end: Int64?, bigEndian: Bool) {
    at = start
    self.end = end ?? Self.farthest
    self.bigEndian = bigEndian
  }

  /// Nil at the end, and where there are no chunks any more.
  mutating func next(in bytes: any PlacedBytes) throws(Fault) -> Head? {
    guard left > 0, end - at >= 8 else { return nil }
    left -= 1
    let head = try bytes.piece(at: at, count: 8)
    guard head.count == 8 else { return nil }
    at += 8
    return Head(
      name: Letters(head.big32(0)), start: at, length: Int64(bigEndian ? head.big32(4) : head.little32(4)))
  }

  /// Goes on behind what `next` gave; its length may be known better than it says.
  mutating func pass(_ length: Int64, in bytes: any PlacedBytes) throws(Fault) {
    guard length < end - at else {
      at = end
      return
    }
    at += length
    guard length % 2 == 1 else { return }
    // Some programs forget the byte that makes it even: then letters follow at once.
    let next = try bytes.piece(at: at, count: 4)
    if !(next.count == 4 && next.buffer.allSatisfy { $0 >= 0x20 && $0 < 0x7F }) { at += 1 }
  }
}

extension Piece {
  /// Text up to the first zero, in UTF-8 or, where it is none, in ISO 8859-1.
  var localText: String {
    let bytes = Array(part(0, first(0) ?? count).buffer)
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}
