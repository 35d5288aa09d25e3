/// Samples as they stand in a file, and where: what the headers of WAV and AIFF files come down to.
struct PCMStream: Equatable {
  enum Encoding: Equatable {
    case unsigned, signed, float
  }

  var encoding: Encoding
  var bigEndian: Bool
  /// Of one sample of one channel: 1 to 4, of floats 4 or 8.
  var width: Int
  /// What of them is sound: the highest bits.
  var bits: Int32
  var channels: Int
  var sampleRate: Int32
  var order: ChannelFold.Order
  /// The place of the first sample in the file.
  var start: Int64
  var frames: Int64?
  /// The file itself says so.
  var lengthIsStated: Bool
  /// The file says there is more than there is.
  var isCutOff: Bool

  var frameBytes: Int { width * channels }

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
    order: ChannelFold.Order
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
  var readable: PCMStream? {
    switch encoding {
    case .unsigned: width == 1 ? self : nil
    case .signed: (1...4).contains(width) ? self : nil
    case .float: width == 4 || width == 8 ? self : nil
    }
  }

  /// One channel of `count` frames; `bytes` is its first sample.
  func unpack(_ bytes: UnsafePointer<UInt8>, count: Int, into samples: UnsafeMutablePointer<Int32>) {
    let step = frameBytes
    /// The byte order is settled outside the loop.
    @inline(__always) func each(_ sample: (UnsafeRawPointer) -> Int32) {
      var at = UnsafeRawPointer(bytes)
      for index in 0..<count {
        samples[index] = sample(at)
        at += step
      }
    }
    @inline(__always) func word<Word: FixedWidthInteger>(_ at: UnsafeRawPointer, _: Word.Type) -> Word {
      at.loadUnaligned(as: Word.self)
    }
    switch (encoding, width, bigEndian) {
    case (.unsigned, _, _): each { Int32(Int8(bitPattern: word($0, UInt8.self) ^ 0x80)) &<< 24 }
    case (.signed, 1, _): each { Int32(word($0, Int8.self)) &<< 24 }
    case (.signed, 2, false): each { Int32(word($0, Int16.self)) &<< 16 }
    case (.signed, 2, true): each { Int32(word($0, Int16.self).byteSwapped) &<< 16 }
    case (.signed, 3, false):
      each { Int32(word($0 + 1, Int16.self)) &<< 16 | Int32(word($0, UInt8.self)) &<< 8 }
    case (.signed, 3, true):
      each { Int32(word($0, Int16.self).byteSwapped) &<< 16 | Int32(word($0 + 2, UInt8.self)) &<< 8 }
    case (.signed, _, false): each { word($0, Int32.self) }
    case (.signed, _, true): each { word($0, Int32.self).byteSwapped }
    case (.float, 4, false): each { FloatSample.fixed(Double(Float(bitPattern: word($0, UInt32.self)))) }
    case (.float, 4, true): each { FloatSample.fixed(Double(Float(bitPattern: word($0, UInt32.self).byteSwapped))) }
    case (.float, _, false): each { FloatSample.fixed(Double(bitPattern: word($0, UInt64.self))) }
    case (.float, _, true): each { FloatSample.fixed(Double(bitPattern: word($0, UInt64.self).byteSwapped)) }
    }
  }
}
