/// Which picture it is, by its bytes alone: the same cover in twelve files of an album, and beside them, is one. Not
/// against malice: who wants to show another cover only has to put it there.
package struct ArtIdentity: Hashable, Sendable {
  let upper: UInt64
  let lower: UInt64

  init(upper: UInt64, lower: UInt64) {
    self.upper = upper
    self.lower = lower
  }

  /// Two sums of eight bytes at a time, each multiplied and turned; the number of bytes goes in as well.
  init(of bytes: [UInt8]) {
    var (one, other) = (UInt64(0x9E37_79B9_7F4A_7C15), UInt64(0xC2B2_AE3D_27D4_EB4F))
    bytes.withUnsafeBytes { raw in
      let whole = raw.count & ~7
      for at in stride(from: 0, to: whole, by: 8) {
        let word = UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        one = Self.turned(one ^ word &* 0x87C3_7B91_1142_53D5, 31) &* 0x4CF5_AD43_2745_937F
        other = Self.turned(other &+ word &* 0x1656_67B1_9E37_79F9, 27) &* 0x9FB2_1C65_1E98_DF25 ^ one
      }
      var rest = UInt64(raw.count) << 56
      for at in whole..<raw.count { rest ^= UInt64(raw[at]) << UInt64(8 * (at - whole)) }
      one ^= rest
      other &+= rest &+ UInt64(raw.count)
    }
    upper = Self.stirred(one &+ other)
    lower = Self.stirred(other ^ Self.turned(one, 17))
  }

  private static func turned(_ value: UInt64, _ by: UInt64) -> UInt64 { value << by | value >> (64 - by) }

  /// Each bit that comes in changes about half of those that go out.
  private static func stirred(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ value >> 33) &* 0xFF51_AFD7_ED55_8CCD
    value = (value ^ value >> 33) &* 0xC4CE_B9FE_1A85_EC53
    return value ^ value >> 33
  }

  /// 32 digits.
  var text: String { Self.hex(upper) + Self.hex(lower) }

  init?(text: some StringProtocol) {
    let digits = Array(text.utf8)
    guard digits.count == 32 else { return nil }
    func half(_ part: ArraySlice<UInt8>) -> UInt64? {
      var value: UInt64 = 0
      for digit in part {
        switch digit {
        case 0x30...0x39: value = value << 4 | UInt64(digit - 0x30)
        case 0x61...0x66: value = value << 4 | UInt64(digit - 0x57)
        default: return nil
        }
      }
      return value
    }
    guard let upper = half(digits[..<16]), let lower = half(digits[16...]) else { return nil }
    self.init(upper: upper, lower: lower)
  }

  private static func hex(_ value: UInt64) -> String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
