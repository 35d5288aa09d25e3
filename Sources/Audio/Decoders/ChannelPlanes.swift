import Formats

/// A helping of samples on its way to stereo, each channel for itself, in numbers that fill an Int32. Decoders that get
/// floats or bytes put them here, and `fold` makes frames of them.
final class ChannelPlanes {
  /// Frames in one helping: what an Opus packet holds at most, 120 ms.
  static let most = 5_760

  private let samples: UnsafeMutablePointer<Int32>
  private let starts: UnsafeMutablePointer<UnsafePointer<Int32>?>
  private let order: ChannelOrder
  private var fold: ChannelFold

  init?(channels: Int, order: ChannelOrder) {
    guard let fold = ChannelFold(channels: channels, order: order) else { return nil }
    self.fold = fold
    self.order = order
    samples = .allocate(capacity: ChannelFold.most * Self.most)
    starts = .allocate(capacity: ChannelFold.most)
    for channel in 0..<ChannelFold.most { starts[channel] = UnsafePointer(samples + channel * Self.most) }
  }

  deinit {
    samples.deallocate()
    starts.deallocate()
  }

  var channels: Int { fold.channels }

  /// Below `most` samples.
  subscript(channel: Int) -> UnsafeMutablePointer<Int32> { samples + channel * Self.most }

  /// The same stream goes on with another number of channels. False when they are too many.
  func follow(channels: Int) -> Bool {
    if channels == fold.channels { return true }
    guard let fold = ChannelFold(channels: channels, order: order) else { return false }
    self.fold = fold
    return true
  }

  func fold(_ count: Int, into frames: UnsafeMutablePointer<Int32>) {
    fold.fold(UnsafePointer(starts), count: count, shift: 0, into: frames)
  }
}

/// Floats as samples that fill an Int32: full scale is 1, louder is cut there, and what is no number is silence.
enum FloatSample {
  /// 1.5 * 2^52: added to a Double, it leaves the nearest whole number in the lowest bits. Unlike `Int32(_:)` that
  /// cannot trap, so loops of it become vector instructions.
  private static let magic = 6_755_399_441_055_744.0

  @inline(__always) static func fixed(_ sample: Double) -> Int32 {
    let finite = sample - sample == 0 ? sample : 0
    let scaled = finite * 2_147_483_648
    let low = scaled < -2_147_483_648 ? -2_147_483_648 : scaled
    let bounded = low > 2_147_483_647 ? 2_147_483_647 : low
    return Int32(truncatingIfNeeded: (bounded + magic).bitPattern)
  }

  /// One channel of several that stand side by side, `stride` floats from one to the next.
  static func fix(
    _ floats: UnsafePointer<Float>, stride: Int, count: Int, into samples: UnsafeMutablePointer<Int32>
  ) {
    if stride == 1 {
      for index in 0..<count { samples[index] = fixed(Double(floats[index])) }
    } else {
      for index in 0..<count { samples[index] = fixed(Double(floats[index &* stride])) }
    }
  }
}
