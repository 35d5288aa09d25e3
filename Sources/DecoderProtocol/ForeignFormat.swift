/// What the program found in a file.
package struct ForeignFormat: Equatable, Sendable {
  package var rate: Int32
  /// In the file, and so in every helping of frames.
  package var channels: Int32
  package var bits: Int32
  package var isLossless: Bool
  /// A bit a speaker, as WAV files say it; 0 when the file does not.
  package var speakers: UInt32
  /// In frames; nil when the file does not say.
  package var length: Int64?
  /// The file says so to the frame, so that one that ends before was cut off.
  package var isLengthStated: Bool

  package init(
    rate: Int32, channels: Int32, bits: Int32, isLossless: Bool, speakers: UInt32, length: Int64?, isLengthStated: Bool
  ) {
    self.rate = rate
    self.channels = channels
    self.bits = bits
    self.isLossless = isLossless
    self.speakers = speakers
    self.length = length
    self.isLengthStated = isLengthStated
  }

  private static let size = 32
  /// What is taken for music at all; the player's own bounds may be narrower.
  package static let rates: ClosedRange<Int32> = 1...10_000_000

  var bytes: [UInt8] {
    let words: [UInt32] = [
      UInt32(bitPattern: rate), UInt32(bitPattern: channels), UInt32(bitPattern: bits), speakers,
      isLossless ? 1 : 0, isLengthStated ? 1 : 0,
    ]
    return words.flatMap { word in withUnsafeBytes(of: word) { Array($0) } }
      + withUnsafeBytes(of: length ?? -1) { Array($0) }
  }

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count == Self.size else { return nil }
    func word(_ index: Int) -> UInt32 { bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
    rate = Int32(bitPattern: word(0))
    channels = Int32(bitPattern: word(1))
    bits = Int32(bitPattern: word(2))
    speakers = word(3)
    isLossless = word(4) == 1
    isLengthStated = word(5) == 1
    let stated = bytes.loadUnaligned(fromByteOffset: 24, as: Int64.self)
    length = stated < 0 ? nil : stated
    guard Self.rates.contains(rate), (1...Int32(Reply.mostPlanes)).contains(channels), (4...32).contains(bits),
      word(4) <= 1, word(5) <= 1, (-1...Reply.farthest).contains(stated)
    else { return nil }
  }
}
