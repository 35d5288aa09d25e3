/// Samples as devices and files take them: the highest bits of our Int32, little endian. Rounded to the nearest, which
/// changes nothing when the source had no more bits than are kept.
enum SampleWriter {
  /// `width` bytes a sample: 2, 3 or 4.
  static func write(_ source: UnsafePointer<Int32>, samples: Int, width: Int, into target: UnsafeMutablePointer<UInt8>)
  {
    switch width {
    case 2:
      for sample in 0..<samples {
        let value = rounded(source[sample], 16)
        target[2 &* sample] = UInt8(truncatingIfNeeded: value)
        target[2 &* sample &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
      }
    case 3:
      for sample in 0..<samples {
        let value = rounded(source[sample], 8)
        target[3 &* sample] = UInt8(truncatingIfNeeded: value)
        target[3 &* sample &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
        target[3 &* sample &+ 2] = UInt8(truncatingIfNeeded: value &>> 16)
      }
    default: UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: 4 * samples)
    }
  }

  /// 24 bits in the lower three bytes of four.
  static func write24In32(_ source: UnsafePointer<Int32>, samples: Int, into target: UnsafeMutablePointer<Int32>) {
    for sample in 0..<samples { target[sample] = rounded(source[sample], 8) }
  }

  @inline(__always)
  private static func rounded(_ sample: Int32, _ shift: Int32) -> Int32 {
    let half: Int32 = 1 &<< (shift &- 1)
    return (min(sample, Int32.max &- half) &+ half) &>> shift
  }
}
