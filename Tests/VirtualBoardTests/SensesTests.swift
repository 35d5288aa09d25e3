import Runtime
import TestSupport
import Testing
import VirtualBoard

@Suite("A picture of the screen")
struct ScreenTests {
  @Test("has the pixels of the PPM in their places")
  func pixels() throws {
    let screen = try Screen(ppm: Array("P6\n2 2\n255\n".utf8) + [1, 2, 3, 255, 0, 0, 0, 0, 0, 9, 9, 9])
    #expect(screen.pixels == [0x010203, 0xFF0000, 0, 0x090909])
    #expect(screen[1, 0] == 0xFF0000 && screen[2, 0] == 0 && !screen.isBlack)
  }

  @Test("is refused when it is another kind, or more or less than it says")
  func refused() throws {
    let black = [UInt8](repeating: 0, count: 12)
    for (head, body) in [
      ("P5\n2 2\n255\n", black), ("P6\n2 2\n65535\n", black), ("P6\n2 3\n255\n", black), ("P6\n2 1\n255\n", black),
      ("P6\n0 2\n255\n", []), ("P6\n99999 99999\n255\n", black), ("P6", []),
    ] {
      #expect(try faultOf { try Screen(ppm: Array(head.utf8) + body) }.code == "V-160", "\(head)")
    }
  }

  @Test("counts what differs")
  func differences() {
    let one = Screen(width: 2, height: 1, pixels: [1, 2])
    #expect(one.differences(from: Screen(width: 2, height: 1, pixels: [1, 3])) == 1)
    #expect(one.differences(from: one) == 0)
    #expect(one.differences(from: Screen(width: 1, height: 1, pixels: [1])) == 2)
  }
}

@Suite("A recording")
struct RecordingTests {
  @Test(
    "has the same samples in every format",
    arguments: [
      ("S16_LE", [0x01, 0x00, 0xFF, 0xFF, 0x00, 0x80]),
      ("S24_3LE", [0, 0x01, 0x00, 0, 0xFF, 0xFF, 0, 0x00, 0x80]),
      ("S24_LE", [0, 0x01, 0x00, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0x00, 0x80, 0xFF]),
      ("S32_LE", [0, 0, 0x01, 0x00, 0, 0, 0xFF, 0xFF, 0, 0, 0x00, 0x80]),
    ] as [(String, [UInt8])])
  func formats(_ format: String, _ bytes: [UInt8]) {
    #expect(Recording(rate: 44_100, channels: 1, format: format, bytes: bytes).samples16 == [1, -1, -32_768])
  }

  @Test("of more than 16 bits is no 16-bit one")
  func deeper() {
    #expect(Recording(rate: 44_100, channels: 1, format: "S32_LE", bytes: [1, 0, 0, 0]).samples16 == nil)
    #expect(Recording(rate: 44_100, channels: 1, format: "FLOAT_LE", bytes: [1, 0, 0, 0]).samples == nil)
  }
}
