/// Makes stereo of one to eight channels in FLAC's order. Centre and surround come 3 dB softer into both or their own
/// side, the bass effects channel is left out, and the whole is made so much softer that nothing can clip. One and
/// two channels pass exactly.
struct ChannelFold {
  /// Q30 weights, one pair a channel.
  private let left: [Int64]
  private let right: [Int64]
  let channels: Int

  private enum Speaker { case left, right, centre, bass, surroundLeft, surroundRight, surround }

  private static let layouts: [[Speaker]] = [
    [.left, .right, .centre],
    [.left, .right, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .bass, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .bass, .surround, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .bass, .surroundLeft, .surroundRight, .surroundLeft, .surroundRight],
  ]

  init?(channels: Int) {
    guard (1...8).contains(channels) else { return nil }
    self.channels = channels
    guard channels > 2 else {
      left = []
      right = []
      return
    }
    let half = 0.707_106_781_186_547_5
    let weights = Self.layouts[channels - 3].map { speaker -> (Double, Double) in
      switch speaker {
      case .left: (1, 0)
      case .right: (0, 1)
      case .centre: (half, half)
      case .bass: (0, 0)
      case .surroundLeft: (half, 0)
      case .surroundRight: (0, half)
      case .surround: (0.5, 0.5)
      }
    }
    let sum = weights.reduce(0) { $0 + $1.0 }
    // Rounded down, so that the sum of all stays within one.
    left = weights.map { Int64($0.0 / sum * Double(1 << 30)) }
    right = weights.map { Int64($0.1 / sum * Double(1 << 30)) }
  }

  /// `planes` holds one pointer a channel, of samples that are moved up by `shift` to fill an Int32.
  func fold(
    _ planes: UnsafePointer<UnsafePointer<Int32>?>, count: Int, shift: Int32, into frames: UnsafeMutablePointer<Int32>
  ) {
    guard let first = planes[0] else { return }
    if channels == 1 {
      for frame in 0..<count {
        let sample = first[frame] &<< shift
        frames[2 &* frame] = sample
        frames[2 &* frame &+ 1] = sample
      }
      return
    }
    if channels == 2 {
      guard let second = planes[1] else { return }
      for frame in 0..<count {
        frames[2 &* frame] = first[frame] &<< shift
        frames[2 &* frame &+ 1] = second[frame] &<< shift
      }
      return
    }
    for frame in 0..<count {
      var leftSum: Int64 = 1 << 29
      var rightSum: Int64 = 1 << 29
      for channel in 0..<channels {
        guard let plane = planes[channel] else { continue }
        let sample = Int64(plane[frame] &<< shift)
        leftSum &+= sample &* left[channel]
        rightSum &+= sample &* right[channel]
      }
      frames[2 &* frame] = Int32(truncatingIfNeeded: leftSum &>> 30)
      frames[2 &* frame &+ 1] = Int32(truncatingIfNeeded: rightSum &>> 30)
    }
  }
}
