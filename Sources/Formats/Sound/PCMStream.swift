/// Samples as they stand in a file, and where: what the headers of WAV and AIFF files come down to.
package struct PCMStream: Equatable, Sendable {
  package enum Encoding: Equatable, Sendable {
    case unsigned, signed, float
  }

  package var encoding: Encoding
  package var bigEndian: Bool
  /// Of one sample of one channel: 1 to 4, of floats 4 or 8.
  package var width: Int
  /// What of them is sound: the highest bits.
  package var bits: Int32
  package var channels: Int
  package var sampleRate: Int32
  package var order: ChannelOrder
  /// The place of the first sample in the file.
  package var start: Int64
  package var frames: Int64?
  /// The file itself says so.
  package var lengthIsStated: Bool
  /// The file says there is more than there is.
  package var isCutOff: Bool

  package var frameBytes: Int { width * channels }

  /// `stated` is nil where the header leaves it open; `length` is the file's.
  mutating func place(start: Int64, stated: Int64?, length: Int64?) {
    self.start = start
    let there = length.map { max(0, $0 - start) }
    isCutOff = there.map { there in stated.map { $0 > there } ?? false } ?? false
    lengthIsStated = stated != nil && !isCutOff
    frames = (isCutOff ? there : stated ?? there).map { $0 / Int64(frameBytes) }
  }

  init(
    encoding: Encoding, bigEndian: Bool, width: Int, bits: Int32, channels: Int, sampleRate: Int32,
    order: ChannelOrder
  ) {
    self.encoding = encoding
    self.bigEndian = bigEndian
    self.width = width
    self.bits = bits
    self.channels = channels
    self.sampleRate = sampleRate
    self.order = order
    start = 0
    frames = nil
    lengthIsStated = false
    isCutOff = false
  }

  /// Nil when samples of this kind cannot be read.
  package var readable: PCMStream? {
    switch encoding {
    case .unsigned: width == 1 ? self : nil
    case .signed: (1...4).contains(width) ? self : nil
    case .float: width == 4 || width == 8 ? self : nil
    }
  }
}
