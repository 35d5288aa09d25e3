/// Samples as devices and files take them: the highest bits of our Int32, little endian. What has no more bits than are
/// kept comes through untouched; of anything else the rest is cut with noise, once and here.
enum SampleWriter {
  /// `width` bytes a sample: 2, 3 or 4. `bits`: how many of the upper ones carry something.
  static func write(
    _ source: UnsafePointer<Int32>, samples: Int, width: Int, into target: UnsafeMutablePointer<UInt8>,
    bits: Int32, noise: inout DitherNoise
  ) {
    switch width {
    case 2:
      cut(source, samples, 16, bits, &noise) { sample, value in
        target[2 &* sample] = UInt8(truncatingIfNeeded: value)
        target[2 &* sample &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
      }
    case 3:
      cut(source, samples, 8, bits, &noise) { sample, value in
        target[3 &* sample] = UInt8(truncatingIfNeeded: value)
        target[3 &* sample &+ 1] = UInt8(truncatingIfNeeded: value &>> 8)
        target[3 &* sample &+ 2] = UInt8(truncatingIfNeeded: value &>> 16)
      }
    default: UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: 4 * samples)
    }
  }

  /// 24 bits in four bytes: in the lower three, or in the upper ones of a device that says 32 and uses no more.
  static func write24In32(
    _ source: UnsafePointer<Int32>, samples: Int, upper: Bool = false, into target: UnsafeMutablePointer<Int32>,
    bits: Int32, noise: inout DitherNoise
  ) {
    let shift: Int32 = upper ? 8 : 0
    cut(source, samples, 8, bits, &noise) { sample, value in target[sample] = value &<< shift }
  }

  @inline(__always)
  private static func cut(
    _ source: UnsafePointer<Int32>, _ samples: Int, _ shift: Int32, _ bits: Int32, _ noise: inout DitherNoise,
    _ store: (Int, Int32) -> Void
  ) {
    if bits <= 32 - shift {
      // To the nearest, which changes nothing when there is truly no more.
      let half: Int32 = 1 &<< (shift &- 1)
      for sample in 0..<samples { store(sample, (min(source[sample], Int32.max &- half) &+ half) &>> shift) }
      return
    }
    var running = noise
    let half: Int64 = 1 &<< Int64(shift &- 1)
    let highest = Int64(Int32.max &>> shift)
    let lowest = Int64(Int32.min &>> shift)
    for sample in 0..<samples {
      let value = (Int64(source[sample]) &+ Int64(running.next(shift)) &+ half) &>> Int64(shift)
      store(sample, Int32(truncatingIfNeeded: min(max(value, lowest), highest)))
    }
    noise = running
  }
}
