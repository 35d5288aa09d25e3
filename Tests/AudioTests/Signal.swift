import Glibc
import Runtime
import TestSupport

/// Sound that tests make themselves: tones and noise, samples of `bits` bits, channels interleaved.
struct Signal: Sendable {
  var rate: Int32
  var channels: Int
  var bits: Int
  var samples: [Int32]

  var frames: Int { samples.count / channels }

  init(rate: Int32 = 44_100, channels: Int = 2, bits: Int = 16, frames: Int, seed: UInt64 = 1) {
    var generator = SeededGenerator(seed: seed)
    let top = Double(Int64(1) << (bits - 1)) - 1
    self.rate = rate
    self.channels = channels
    self.bits = bits
    samples = []
    samples.reserveCapacity(frames * channels)
    for frame in 0..<frames {
      for channel in 0..<channels {
        let tone = sin(Double(frame) * Double(channel + 2) * 0.031) * 0.5
        let noise = Double(generator.next() >> 11) / Double(1 << 53) - 0.5
        // Full scale now and then: that is where shifts and sums go wrong.
        let value = frame % 1_013 == 7 ? (frame % 2 == 0 ? 1 : -1) : tone + 0.4 * noise
        samples.append(Int32(max(-top - 1, min(top, (value * (top + 1)).rounded()))))
      }
    }
  }

  /// As the decoder gives it: stereo, moved up to fill 32 bits.
  var leftJustified: [Int32] {
    let shift = Int32(32 - bits)
    if channels == 1 { return samples.flatMap { [$0 << shift, $0 << shift] } }
    return samples.map { $0 << shift }
  }

  func slice(_ range: Range<Int>) -> Signal {
    var part = self
    part.samples = Array(samples[range.lowerBound * channels..<range.upperBound * channels])
    return part
  }

  private var littleEndian: [UInt8] {
    let width = (bits + 7) / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * width)
    for sample in samples { for byte in 0..<width { bytes.append(UInt8(truncatingIfNeeded: sample >> (8 * byte))) } }
    return bytes
  }

  func writeFLAC(_ path: FilePath, _ options: [String] = []) throws {
    let raw = FilePath("\(path).raw")
    try Bytes.write(littleEndian, to: raw)
    defer { _ = raw.withCString { unlink($0) } }
    try Tool.run(
      "flac",
      ["-s", "-f", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=\(channels)"]
        + ["--bps=\(bits)", "--sample-rate=\(rate)", "--lax"] + options + ["-o", "\(path)", "\(raw)"])
  }

  /// lame takes 16 bits.
  func writeMP3(_ path: FilePath, _ options: [String] = []) throws {
    let raw = FilePath("\(path).raw")
    try Bytes.write(littleEndian, to: raw)
    defer { _ = raw.withCString { unlink($0) } }
    try Tool.run(
      "lame",
      ["--quiet", "-r", "-s", "\(Double(rate) / 1_000)", "--bitwidth", "16", "--signed", "--little-endian"]
        + ["--resample", "\(Double(rate) / 1_000)"] + (channels == 1 ? ["-m", "m"] : []) + options + [
          "\(raw)", "\(path)",
        ])
  }
}

/// A WAV file, read by the letter: our recorder and mpg123 both write one.
struct Wave {
  var rate: Int32
  var channels: Int
  var bits: Int
  var samples: [Int32]
  /// What the header says there is, in bytes.
  var declared: Int

  struct Broken: Error { let why: String }

  init(_ path: FilePath) throws {
    let bytes = try Bytes.read(path)
    func number(_ at: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    guard bytes.count >= 12, bytes[0..<4].elementsEqual("RIFF".utf8), bytes[8..<12].elementsEqual("WAVE".utf8) else {
      throw Broken(why: "no RIFF WAVE")
    }
    var at = 12
    var format: (rate: Int, channels: Int, bits: Int)?
    while at + 8 <= bytes.count {
      let size = number(at + 4, 4)
      if bytes[at..<at + 4].elementsEqual("fmt ".utf8) {
        format = (number(at + 12, 4), number(at + 10, 2), number(at + 22, 2))
      }
      if bytes[at..<at + 4].elementsEqual("data".utf8) {
        guard let format else { throw Broken(why: "data before fmt") }
        let width = format.bits / 8
        let there = min(size, bytes.count - at - 8)
        rate = Int32(format.rate)
        channels = format.channels
        bits = format.bits
        declared = size
        samples = stride(from: at + 8, to: at + 8 + there / width * width, by: width).map { start in
          Int32(truncatingIfNeeded: number(start, width) << (32 - format.bits)) >> (32 - format.bits)
        }
        return
      }
      at += 8 + size + size % 2
    }
    throw Broken(why: "no data")
  }

  var leftJustified: [Int32] {
    let shift = Int32(32 - bits)
    if channels == 1 { return samples.flatMap { [$0 << shift, $0 << shift] } }
    return samples.map { $0 << shift }
  }
}
