/// Some bytes of a file that lie in a buffer of `PlacedBytes`, good until that buffer is filled again. What a format
/// says about places and lengths is not trusted: beyond the end all bytes are zero.
struct Piece {
  let start: UnsafePointer<UInt8>
  let count: Int

  @inline(__always)
  subscript(at: Int) -> UInt8 { at >= 0 && at < count ? start[at] : 0 }

  var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
  var isEmpty: Bool { count == 0 }

  /// Less where there is less.
  func part(_ at: Int, _ length: Int) -> Piece {
    let begin = min(max(at, 0), count)
    return Piece(start: start + begin, count: min(max(length, 0), count - begin))
  }

  func from(_ at: Int) -> Piece { part(at, count) }

  func begins(_ text: StaticString, at: Int = 0) -> Bool {
    let length = text.utf8CodeUnitCount
    guard at >= 0, at <= count, length <= count - at else { return false }
    for index in 0..<length where start[at + index] != text.utf8Start[index] { return false }
    return true
  }

  /// The whole of it, whatever the case of the letters; `text` is in upper case.
  func isNamed(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count {
      let byte = start[index]
      let upper = byte >= 0x61 && byte <= 0x7A ? byte & 0xDF : byte
      if upper != text.utf8Start[index] { return false }
    }
    return true
  }

  func first(_ byte: UInt8, from at: Int = 0) -> Int? {
    var index = max(at, 0)
    while index < count {
      if start[index] == byte { return index }
      index += 1
    }
    return nil
  }
}

extension Piece {
  /// Bytes that lie in an array. The piece is good within `read`.
  static func with<Result>(_ bytes: some Collection<UInt8>, _ read: (Piece) -> Result) -> Result {
    // One more byte, so that there is an address even for no bytes.
    let array = Array(bytes) + [0]
    return array.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { preconditionFailure("an array of one byte has no address") }
      return read(Piece(start: start, count: buffer.count - 1))
    }
  }
}

/// Numbers as formats write them: the larger end first, or the smaller.
extension Piece {
  func big16(_ at: Int) -> Int { Int(self[at]) << 8 | Int(self[at + 1]) }
  func big24(_ at: Int) -> Int { big16(at) << 8 | Int(self[at + 2]) }
  func big32(_ at: Int) -> UInt32 { UInt32(big16(at)) << 16 | UInt32(big16(at + 2)) }
  func big64(_ at: Int) -> UInt64 { UInt64(big32(at)) << 32 | UInt64(big32(at + 4)) }
  func little16(_ at: Int) -> Int { Int(self[at + 1]) << 8 | Int(self[at]) }
  func little32(_ at: Int) -> UInt32 { UInt32(little16(at + 2)) << 16 | UInt32(little16(at)) }
  func little64(_ at: Int) -> UInt64 { UInt64(little32(at + 4)) << 32 | UInt64(little32(at)) }

  /// Seven bits of each of four bytes.
  func syncSafe(_ at: Int) -> Int {
    Int(self[at] & 0x7F) << 21 | Int(self[at + 1] & 0x7F) << 14 | Int(self[at + 2] & 0x7F) << 7
      | Int(self[at + 3] & 0x7F)
  }
}

/// Four letters by which formats name their parts, as one number.
struct Letters: Hashable, ExpressibleByStringLiteral {
  let value: UInt32

  init(_ value: UInt32) { self.value = value }

  /// As it stands in the file.
  var text: String { String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }, as: UTF8.self) }

  init(stringLiteral text: StaticString) {
    var value: UInt32 = 0
    for index in 0..<min(4, text.utf8CodeUnitCount) { value = value << 8 | UInt32(text.utf8Start[index]) }
    self.value = value
  }
}
