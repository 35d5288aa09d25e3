internal import CALSA

/// Our stereo frames as one device takes them: its channels, its samples, its depth. Owns the space for a helping.
final class ALSAFrames {
  let setting: ALSASetting
  private let spread: UnsafeMutablePointer<Int32>
  private let samples: UnsafeMutablePointer<Int32>
  private let channels: Int

  /// Frames converted in one go.
  static let helping = 4_096

  init(_ setting: ALSASetting) {
    self.setting = setting
    channels = Int(setting.channels)
    spread = .allocate(capacity: Self.helping * max(2, channels))
    spread.initialize(repeating: 0, count: Self.helping * max(2, channels))
    samples = .allocate(capacity: Self.helping * max(2, channels))
    samples.initialize(repeating: 0, count: Self.helping * max(2, channels))
  }

  deinit {
    spread.deallocate()
    samples.deallocate()
  }

  /// Valid until the next call. `bits`: how many of the upper ones carry something.
  func converted(
    _ frames: UnsafePointer<Int32>, _ count: Int, bits: Int32, noise: inout DitherNoise
  ) -> UnsafeRawPointer {
    var frames = frames
    var bits = bits
    if channels != 2 {
      Self.spread(frames, count, over: channels, into: spread)
      frames = UnsafePointer(spread)
      // Half of a sum has one more.
      if channels == 1 && bits > 0 { bits = min(32, bits + 1) }
    }
    let total = count * channels
    switch setting.format {
    case .s32 where setting.bits >= 32 || bits <= setting.bits: return UnsafeRawPointer(frames)
    // It says 32 and uses fewer: were they cut there, it would be without noise.
    case .s32 where setting.bits == 24:
      SampleWriter.write24In32(frames, samples: total, upper: true, into: samples, bits: bits, noise: &noise)
    case .s32: return UnsafeRawPointer(frames)
    case .s24: SampleWriter.write24In32(frames, samples: total, into: samples, bits: bits, noise: &noise)
    case .s24In3, .s16:
      let width = setting.format == .s16 ? 2 : 3
      UnsafeMutableRawPointer(samples).withMemoryRebound(to: UInt8.self, capacity: total * width) {
        SampleWriter.write(frames, samples: total, width: width, into: $0, bits: bits, noise: &noise)
      }
    }
    return UnsafeRawPointer(samples)
  }

  /// One channel gets the middle of both; of many, the first two get them and the others nothing.
  static func spread(
    _ frames: UnsafePointer<Int32>, _ count: Int, over channels: Int, into target: UnsafeMutablePointer<Int32>
  ) {
    if channels == 1 {
      for frame in 0..<count {
        let sum = Int64(frames[2 &* frame]) &+ Int64(frames[2 &* frame &+ 1])
        target[frame] = Int32(truncatingIfNeeded: sum &>> 1)
      }
      return
    }
    for frame in 0..<count {
      let place = target + frame &* channels
      place.update(repeating: 0, count: channels)
      place[0] = frames[2 &* frame]
      place[1] = frames[2 &* frame &+ 1]
    }
  }
}
