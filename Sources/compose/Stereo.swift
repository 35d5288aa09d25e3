/// Frames of two channels at one rate, as real numbers around -1...1.
struct Stereo {
  static let rate = 44_100.0
  var left: [Float]
  var right: [Float]

  init(frames: Int) {
    left = [Float](repeating: 0, count: frames)
    right = left
  }

  var frames: Int { left.count }

  /// Brings the loudest sample to `level`, so nothing clips.
  mutating func normalise(to level: Float) {
    let peak = max(left.reduce(0) { max($0, abs($1)) }, right.reduce(0) { max($0, abs($1)) })
    guard peak > 0 else { return }
    let gain = level / peak
    for frame in 0..<frames {
      left[frame] *= gain
      right[frame] *= gain
    }
  }

  /// Takes away what lies below hearing, a standing offset above all.
  mutating func removeOffset() {
    Self.removeOffset(&left)
    Self.removeOffset(&right)
  }

  private static func removeOffset(_ channel: inout [Float]) {
    var (before, after) = (Float(0), Float(0))
    for frame in 0..<channel.count {
      after = channel[frame] - before + 0.9975 * after
      before = channel[frame]
      channel[frame] = after
    }
  }

  /// Lets the last `length` frames die away to nothing, slowly first.
  mutating func fadeOut(_ length: Int) {
    for index in 0..<min(length, frames) {
      let rest = Float(index) / Float(length)
      let gain = rest * rest * (3 - 2 * rest)
      left[frames - 1 - index] *= gain
      right[frames - 1 - index] *= gain
    }
  }

  /// 16-bit samples, left and right in turn, of some of the frames.
  func samples(_ range: Range<Int>) -> [Int16] {
    var result: [Int16] = []
    result.reserveCapacity(range.count * 2)
    for frame in range {
      result.append(Self.rounded(left[frame]))
      result.append(Self.rounded(right[frame]))
    }
    return result
  }

  private static func rounded(_ value: Float) -> Int16 {
    Int16(max(-32_768, min(32_767, (value * 32_767).rounded())))
  }
}
