import Formats

/// Makes stereo of one to eight channels. Centre and surround come 3 dB softer into both or their own side, the bass
/// effects channel is left out, and the whole is made so much softer that nothing can clip. One and two channels pass
/// exactly.
struct ChannelFold {
  /// Q30 weights, one pair a channel.
  private let left: [Int64]
  private let right: [Int64]
  let channels: Int

  static let most = 8

  init?(channels: Int, order: ChannelOrder = .flac) {
    guard (1...Self.most).contains(channels) else { return nil }
    self.channels = channels
    guard channels > 2 else {
      left = []
      right = []
      return
    }
    let half = 0.707_106_781_186_547_5
    let weights = Speaker.order(order, channels: channels).map { speaker -> (Double, Double) in
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
    // A mask may leave one side with less than the other; the louder one decides for both.
    let sum = max(weights.reduce(0) { $0 + $1.0 }, weights.reduce(0) { $0 + $1.1 })
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

/// What a channel was meant for, as far as two loudspeakers can tell.
private enum Speaker {
  case left, right, centre, bass, surroundLeft, surroundRight, surround

  private static let flac: [[Speaker]] = [
    [.left, .right, .centre],
    [.left, .right, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .bass, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .bass, .surround, .surroundLeft, .surroundRight],
    [.left, .right, .centre, .bass, .surroundLeft, .surroundRight, .surroundLeft, .surroundRight],
  ]

  private static let vorbis: [[Speaker]] = [
    [.left, .centre, .right],
    [.left, .right, .surroundLeft, .surroundRight],
    [.left, .centre, .right, .surroundLeft, .surroundRight],
    [.left, .centre, .right, .surroundLeft, .surroundRight, .bass],
    [.left, .centre, .right, .surroundLeft, .surroundRight, .surround, .bass],
    [.left, .centre, .right, .surroundLeft, .surroundRight, .surroundLeft, .surroundRight, .bass],
  ]

  /// From the lowest bit of a mask on: front, back, beside the centre, behind, sides, above.
  private static let bits: [Speaker] = [
    .left, .right, .centre, .bass, .surroundLeft, .surroundRight, .left, .right, .surround, .surroundLeft,
    .surroundRight, .surround, .surroundLeft, .centre, .surroundRight, .surroundLeft, .surround, .surroundRight,
  ]

  /// More than two channels.
  static func order(_ order: ChannelOrder, channels: Int) -> [Speaker] {
    switch order {
    case .flac: return flac[channels - 3]
    case .vorbis: return vorbis[channels - 3]
    case .mask(let mask):
      let named = Array(bits.indices.filter { mask >> UInt32($0) & 1 == 1 }.map { bits[$0] }.prefix(channels))
      // A mask that leaves channels out says nothing of any; nor does one of nothing but bass.
      let heard = named.contains { $0 != .bass }
      return named.count == channels && heard ? named : flac[channels - 3]
    }
  }
}
