import CZ

/// Reads back what the format's own text says, with none of the encoder's code but zlib.
package struct PNGPicture {
  package private(set) var width = 0
  package private(set) var height = 0
  /// 0x00RRGGBB, row after row.
  package private(set) var pixels: [UInt32] = []

  package enum Mistake: Error { case signature, checksum, order, data, filter }

  package init(_ bytes: [UInt8]) throws {
    guard bytes.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]) else { throw Mistake.signature }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    var at = 8
    var packed: [UInt8] = []
    var names: [String] = []
    while at + 12 <= bytes.count {
      let length = number(at)
      guard length <= bytes.count - at - 12 else { throw Mistake.data }
      let body = Array(bytes[at + 4..<at + 8 + length])
      guard Int(crc32(0, body, uInt(body.count))) == number(at + 8 + length) else { throw Mistake.checksum }
      names.append(String(decoding: body[..<4], as: UTF8.self))
      if names.last == "IHDR" {
        guard body.count == 17 else { throw Mistake.data }
        (width, height) = (number(at + 8), number(at + 12))
        guard (1...8_192).contains(width), (1...8_192).contains(height), Array(body[12...]) == [8, 2, 0, 0, 0] else {
          throw Mistake.data
        }
      }
      if names.last == "IDAT" { packed += body[4...] }
      at += length + 12
    }
    guard names == ["IHDR", "IDAT", "IEND"] else { throw Mistake.order }
    let stride = width * 3
    var raw = [UInt8](repeating: 0, count: (stride + 1) * height)
    var length = uLong(raw.count)
    guard uncompress(&raw, &length, packed, uLong(packed.count)) == Z_OK, Int(length) == raw.count else {
      throw Mistake.data
    }
    var above = [UInt8](repeating: 0, count: stride)
    for y in 0..<height {
      let start = y * (stride + 1)
      var row = Array(raw[start + 1..<start + 1 + stride])
      for x in 0..<stride {
        switch raw[start] {
        case 0: break
        case 1: row[x] &+= x >= 3 ? row[x - 3] : 0
        case 2: row[x] &+= above[x]
        default: throw Mistake.filter
        }
      }
      for x in 0..<width {
        pixels.append(UInt32(row[x * 3]) << 16 | UInt32(row[x * 3 + 1]) << 8 | UInt32(row[x * 3 + 2]))
      }
      above = row
    }
  }
}
