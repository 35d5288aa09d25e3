import Testing

@testable import Formats

@Suite("AIFF headers")
struct AIFFTests {
  @Test("rates are floats of 80 bits")
  func rates() {
    let cases: [([UInt8], Int32)] = [
      ([0x40, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0], 44_100), ([0x40, 0x10, 0xBB, 0x80, 0, 0, 0, 0, 0, 0], 192_000),
      ([0x40, 0x0B, 0xFA, 0, 0, 0, 0, 0, 0, 0], 8_000), ([0x40, 0x0D, 0xAC, 0x44, 0x80, 0, 0, 0, 0, 0], 22_050),
      ([0x7F, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], 0), ([0xC0, 0x0E, 0xAC, 0x44, 0, 0, 0, 0, 0, 0], 0),
      ([UInt8](repeating: 0, count: 10), 0), ([0x40, 0x1D, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .max),
    ]
    for (bytes, rate) in cases {
      #expect(Int32(clamping: Piece.with(bytes) { AIFFHead.Common.rate($0) }) == rate, "\(bytes)")
    }
  }
}
