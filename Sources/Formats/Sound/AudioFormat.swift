/// What a file holds, before it is made stereo.
package struct AudioFormat: Equatable, Sendable {
  package var sampleRate: Int32
  package var channels: Int32
  /// Of the source, not of what carries it here.
  package var bitsPerSample: Int32
  package var lossless: Bool

  package init(sampleRate: Int32, channels: Int32, bitsPerSample: Int32, lossless: Bool) {
    self.sampleRate = sampleRate
    self.channels = channels
    self.bitsPerSample = bitsPerSample
    self.lossless = lossless
  }

  /// Slower or faster is no music, and would let a foreign file ask for any amount of time or memory.
  package static let rates: ClosedRange<Int32> = 1_000...768_000
  /// Frames. No file of longer sound was ever made; one that says so lies.
  package static let longest: Int64 = 1 << 52

  /// More frames than a byte can hold in any file of that format: silence, in the largest blocks that there are.
  package enum MostFramesPerByte {
    /// A block of 65,535 frames has 12 bytes at least.
    package static let flac: Int64 = 6_000
    /// A packet of two bytes, its entry in the page's table included, has 4,096 frames at most.
    package static let ogg: Int64 = 4_096
    /// 1,152 frames in 24 bytes.
    package static let mpeg: Int64 = 48
  }

  /// What a file of so many bytes says of its length, or nil when that cannot be.
  package static func believed(_ frames: Int64?, inBytes bytes: Int64?, atMost framesPerByte: Int64) -> Int64? {
    guard let frames, (0...longest).contains(frames) else { return nil }
    guard let bytes else { return frames }
    return frames / framesPerByte > bytes ? nil : frames
  }
}
