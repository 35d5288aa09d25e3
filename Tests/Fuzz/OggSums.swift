/// A changed Ogg page is thrown away for its sum, and nothing behind it would ever be tried. So the sums are made
/// right before the decoder sees them.
enum OggSums {
  static func mend(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    var at = 0
    while at + 27 <= bytes.count {
      guard bytes[at] == 0x4F, bytes[at + 1] == 0x67, bytes[at + 2] == 0x67, bytes[at + 3] == 0x53 else {
        at += 1
        continue
      }
      let segments = Int(bytes[at + 26])
      guard at + 27 + segments <= bytes.count else { break }
      let end = at + 27 + segments + bytes[at + 27..<at + 27 + segments].reduce(0) { $0 + Int($1) }
      guard end <= bytes.count else { break }
      for byte in 22..<26 { bytes[at + byte] = 0 }
      let sum = sum(bytes[at..<end])
      for byte in 0..<4 { bytes[at + 22 + byte] = UInt8(truncatingIfNeeded: sum >> UInt32(8 * byte)) }
      at = end
    }
    return bytes
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index) << 24) { sum, _ in sum & 0x8000_0000 == 0 ? sum << 1 : sum << 1 ^ 0x04C1_1DB7 }
  }

  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var sum: UInt32 = 0
    for byte in bytes { sum = sum << 8 ^ table[Int(sum >> 24 ^ UInt32(byte))] }
    return sum
  }
}
