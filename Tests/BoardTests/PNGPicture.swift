import CZ
import Runtime
import VirtualBoard

extension Screen {
  /// A picture as `layby screen` makes it: 8-bit RGB, rows as they are or as differences from the left or from above.
  init(png bytes: [UInt8]) throws(Fault) {
    let broken = Fault(.malformed, "T-95", "that is no picture that layby screen makes")
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    guard bytes.count > 33, bytes.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]) else { throw broken }
    let (width, height) = (number(16), number(20))
    guard (1...8_192).contains(width), (1...8_192).contains(height), bytes[24..<26] == [8, 2] else { throw broken }
    var packed: [UInt8] = []
    var at = 8
    while at + 12 <= bytes.count {
      let end = at + 8 + number(at)
      guard end <= bytes.count else { throw broken }
      if bytes[at + 4..<at + 8].elementsEqual("IDAT".utf8) { packed += bytes[at + 8..<end] }
      at = end + 4
    }
    var raw = [UInt8](repeating: 0, count: (width * 3 + 1) * height)
    var length = uLong(raw.count)
    guard uncompress(&raw, &length, packed, uLong(packed.count)) == Z_OK, Int(length) == raw.count else { throw broken }
    var above = [UInt8](repeating: 0, count: width * 3)
    var pixels: [UInt32] = []
    for y in 0..<height {
      let start = y * (width * 3 + 1)
      var row = Array(raw[start + 1..<start + 1 + width * 3])
      for x in row.indices {
        switch raw[start] {
        case 0: break
        case 1: row[x] &+= x >= 3 ? row[x - 3] : 0
        case 2: row[x] &+= above[x]
        default: throw broken
        }
      }
      for x in 0..<width {
        pixels.append(UInt32(row[x * 3]) << 16 | UInt32(row[x * 3 + 1]) << 8 | UInt32(row[x * 3 + 2]))
      }
      above = row
    }
    self.init(width: width, height: height, pixels: pixels)
  }
}
