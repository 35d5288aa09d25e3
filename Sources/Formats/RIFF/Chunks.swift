import Runtime

/// The chunks of which WAV and AIFF files are made: four letters, a length, so many bytes, and one more where the
/// length is odd. Only their heads are read here.
struct Chunks {
  struct Head: Equatable {
    var name: String
    /// Of what is inside.
    var start: Int64
    var length: Int64
  }

  let bigEndian: Bool
  private var at: Int64
  private var left = Chunks.most

  /// Music has a dozen; a thousand of them are there to keep us busy.
  static let most = 1_000
  /// Of text that is read into memory, and of a tag with its picture.
  static let longestText: Int64 = 65_536
  static let longestTag: Int64 = 16 << 20

  init(from start: Int64, bigEndian: Bool) {
    at = start
    self.bigEndian = bigEndian
  }

  /// Nil at the end, and where there are no chunks any more.
  mutating func next(in source: any ByteSource) throws(Fault) -> Head? {
    guard left > 0 else { return nil }
    left -= 1
    let bytes = try source.peek(8, at: at)
    guard bytes.count == 8 else { return nil }
    let head = Head(
      name: String(decoding: bytes[..<4], as: UTF8.self), start: at + 8,
      length: Int64(Chunks.number(bytes[4...], bigEndian: bigEndian)))
    at = head.start
    return head
  }

  /// Goes on behind `head`, whose length may be known better than it says.
  mutating func pass(_ head: Head, length: Int64, in source: any ByteSource) throws(Fault) {
    let (end, overflow) = head.start.addingReportingOverflow(length)
    guard !overflow, end < .max - 16 else {
      left = 0
      return
    }
    at = end
    guard length % 2 == 1 else { return }
    // Some programs forget the byte that makes it even: then letters follow at once.
    let bytes = try source.peek(4, at: end)
    if !(bytes.count == 4 && bytes.allSatisfy { $0 >= 0x20 && $0 < 0x7F }) { at += 1 }
  }

  static func number(_ bytes: some Collection<UInt8>, bigEndian: Bool) -> UInt64 {
    bigEndian ? bytes.reduce(0) { $0 << 8 | UInt64($1) } : bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Text up to the first zero, in UTF-8 or, where it is none, in ISO 8859-1.
  static func text(_ bytes: some Collection<UInt8>) -> String {
    let bytes = Array(bytes.prefix { $0 != 0 })
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes { text.append(Unicode.Scalar(byte)) }
    return String(text)
  }
}
