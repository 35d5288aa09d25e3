import Glibc
import Runtime
import TestSupport

@testable import Audio

/// Signals in the formats that others encode.
extension Signal {
  /// oggenc takes 16 bits. `serial` keeps the streams of a chain apart.
  func writeVorbis(_ path: FilePath, _ options: [String] = [], serial: Int = 1) throws {
    try encode(path) { raw in
      (
        "oggenc",
        ["-Q", "--raw", "--raw-chan=\(channels)", "--raw-rate=\(rate)", "--serial=\(serial)"] + options
          + ["-o", "\(path)", "\(raw)"]
      )
    }
  }

  /// opusenc makes 48 kHz of everything.
  func writeOpus(_ path: FilePath, _ options: [String] = [], serial: Int = 1) throws {
    try encode(path) { raw in
      (
        "opusenc",
        ["--quiet", "--raw", "--raw-chan", "\(channels)", "--raw-rate", "\(rate)", "--raw-bits", "\(bits)"]
          + ["--serial", "\(serial)"] + options + ["\(raw)", "\(path)"]
      )
    }
  }

  private func encode(_ path: FilePath, _ command: (FilePath) -> (String, [String])) throws {
    let raw = FilePath("\(path).raw")
    try Bytes.write(packed(), to: raw)
    defer { _ = raw.withCString { unlink($0) } }
    let (name, arguments) = command(raw)
    try Tool.run(name, arguments)
  }

  /// Samples as whole numbers of `width` bytes (2 for 12 bits), what is left of them empty at the bottom.
  func packed(bigEndian: Bool = false, unsigned: Bool = false, width: Int? = nil) -> [UInt8] {
    let width = width ?? (bits + 7) / 8
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * width)
    for sample in samples {
      let word = UInt32(bitPattern: sample << Int32(8 * width - bits)) ^ (unsigned ? 0x80 : 0)
      for byte in 0..<width {
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(8 * (bigEndian ? width - 1 - byte : byte))))
      }
    }
    return bytes
  }

  /// Samples as floats of 32 or 64 bits; exact for up to 24 bits.
  func floats(bigEndian: Bool = false, width: Int = 4) -> [UInt8] {
    let scale = Double(Int64(1) << (bits - 1))
    return samples.flatMap { sample -> [UInt8] in
      let value = Double(sample) / scale
      let word = width == 4 ? UInt64(Float(value).bitPattern) : value.bitPattern
      return (0..<width).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * (bigEndian ? width - 1 - $0 : $0))) }
    }
  }
}

/// What the reference decoders make of a file, in numbers.
enum Peer {
  private static func bytes(_ path: FilePath, _ name: String, _ arguments: (FilePath) -> [String]) throws -> [UInt8] {
    let raw = FilePath("\(path).peer.raw")
    defer { _ = raw.withCString { unlink($0) } }
    try Tool.run(name, arguments(raw))
    return try Bytes.read(raw)
  }

  /// libvorbis' own program gives 16 bits, channels interleaved.
  static func oggdec(_ path: FilePath) throws -> [Int16] {
    try bytes(path, "oggdec") { ["-Q", "-R", "-o", "\($0)", "\(path)"] }.words(Int16.self)
  }

  static func opusdec(_ path: FilePath) throws -> [Float] {
    try bytes(path, "opusdec") { ["--quiet", "--float", "--rate", "48000", "\(path)", "\($0)"] }
      .words(UInt32.self).map(Float.init(bitPattern:))
  }

  /// As 32 bits, channels interleaved, for what a second opinion is wanted of.
  static func ffmpeg(_ path: FilePath) throws -> [Int32] {
    try bytes(path, "ffmpeg") { ["-v", "error", "-y", "-i", "\(path)", "-f", "s32le", "-c:a", "pcm_s32le", "\($0)"] }
      .words(Int32.self)
  }
}

extension [UInt8] {
  /// Little-endian numbers.
  func words<Word: FixedWidthInteger>(_: Word.Type) -> [Word] {
    let width = Word.bitWidth / 8
    return withUnsafeBytes { bytes in
      (0..<bytes.count / width).map {
        Word(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * width, as: Word.self))
      }
    }
  }
}

/// Frames of one channel or two as our decoders give them: mono on both sides.
func stereo<Sample>(_ samples: [Sample], channels: Int) -> [Sample] {
  channels == 1 ? samples.flatMap { [$0, $0] } : samples
}

/// What decoders of every format must keep.
enum DecoderLaw {
  /// A seek to any frame gives what a straight reading gives from there on. Words of what went wrong, or nil.
  static func seek(
    _ path: FilePath, seed: UInt64, seeks: Int = 40, within most: Int64 = 0, reading length: Int = 3_000
  ) throws -> String? {
    let all = try openDecoder(path).readAll()
    let end = all.count / 2
    let decoder = try openDecoder(path)
    var generator = SeededGenerator(seed: seed)
    for frame in [0, end - 1, end, end + 900_000, 1]
      + (0..<seeks).map({ _ in Int.random(in: 0..<end, using: &generator) })
    {
      try decoder.seek(toFrame: Int64(frame))
      let expected = frame < end ? Array(all[2 * frame..<min(all.count, 2 * (frame + length))]) : []
      if let found = difference(try decoder.readSome(length), expected, within: most) {
        return "\(path) at frame \(frame), seed \(seed): \(found)"
      }
    }
    return nil
  }

  /// The portions in which it is read change nothing.
  static func portions(_ path: FilePath) throws -> String? {
    let all = try openDecoder(path).readAll(pieces: 1_000_000)
    for pieces in [1, 7, 960, 4_097, 65_536] {
      if let found = difference(try openDecoder(path).readAll(pieces: pieces), all) {
        return "\(path) in portions of \(pieces): \(found)"
      }
    }
    return nil
  }
}
