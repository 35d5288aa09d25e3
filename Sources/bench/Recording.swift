import Runtime

/// Stereo samples as a decoder or a player wrote them, brought to one form: 32 bits, the source's bits at the top.
struct Recording: Equatable {
  var samples: [Int32] = []

  var frames: Int { samples.count / 2 }

  /// How a program writes samples without a header.
  enum Form: Equatable {
    case s16, f32
  }

  init(samples: [Int32] = []) { self.samples = samples }

  init(_ bytes: [UInt8], as form: Form) {
    switch form {
    case .s16: samples = Self.whole(bytes[...], width: 2)
    case .f32:
      samples = stride(from: 0, to: bytes.count - bytes.count % 4, by: 4).map { at in
        Self.fixed(Float(bitPattern: UInt32(truncatingIfNeeded: Self.little(bytes[at..<at + 4]))))
      }
    }
  }

  /// A WAV file as Layby writes it: 44 bytes, then samples of 16, 24 or 32 bits in stereo.
  init(wave bytes: [UInt8], at rate: Int, from path: FilePath) throws(Fault) {
    guard bytes.count >= WaveHead.length, bytes.starts(with: Array("RIFF".utf8)),
      bytes[36..<40].elementsEqual("data".utf8)
    else { throw Fault(.malformed, "B-200", "\(path) is no plain WAV file of \(WaveHead.length) bytes and samples") }
    let (found, bits) = (Self.little(bytes[24..<28]), Self.little(bytes[34..<36]))
    guard found == rate, bytes[22] == 2, [16, 24, 32].contains(bits) else {
      throw Fault(.malformed, "B-201", "\(path) has \(found) Hz and \(bits) bits; expected \(rate) Hz in stereo")
    }
    let sound = min(Self.little(bytes[40..<44]), bytes.count - WaveHead.length)
    samples = Self.whole(bytes[WaveHead.length..<WaveHead.length + sound], width: bits / 8)
  }

  private static func whole(_ bytes: ArraySlice<UInt8>, width: Int) -> [Int32] {
    let end = bytes.startIndex + bytes.count - bytes.count % width
    return stride(from: bytes.startIndex, to: end, by: width).map { at in
      Int32(truncatingIfNeeded: little(bytes[at..<at + width]) << (32 - 8 * width))
    }
  }

  private static func little(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }

  private static func fixed(_ sample: Float) -> Int32 {
    sample.isNaN ? 0 : Int32(clamping: Int64((Double(max(-2, min(2, sample))) * 2_147_483_648).rounded()))
  }

  /// The first `count` frames.
  func cut(to count: Int) -> Recording { Recording(samples: Array(samples.prefix(2 * count))) }

  static func + (left: Recording, right: Recording) -> Recording { Recording(samples: left.samples + right.samples) }

  /// Samples that lie further than `tolerance` from the other's, and those that have no other.
  func differing(from other: Recording, tolerance: Int64) -> Int {
    var count = max(samples.count, other.samples.count) - min(samples.count, other.samples.count)
    for (ours, theirs) in zip(samples, other.samples) where abs(Int64(ours) - Int64(theirs)) > tolerance { count += 1 }
    return count
  }
}

/// The 44 bytes before 16-bit stereo samples.
enum WaveHead {
  static let length = 44

  static func bytes(rate: Int, bytesOfSound size: Int) -> [UInt8] {
    Array("RIFF".utf8) + little(UInt32(36 + size)) + Array("WAVEfmt ".utf8) + little(UInt32(16)) + little(UInt16(1))
      + little(UInt16(2)) + little(UInt32(rate)) + little(UInt32(rate * 4)) + little(UInt16(4)) + little(UInt16(16))
      + Array("data".utf8) + little(UInt32(size))
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
