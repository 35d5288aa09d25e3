import Glibc

/// A WAV file of 16-bit stereo, written whole.
enum WaveFile {
  /// Returns what the kernel said when it cannot be written.
  static func write(_ samples: [Int16], to path: String) -> String? {
    let bytes = header(bytesOfSound: samples.count * 2) + samples.flatMap { little(UInt16(bitPattern: $0)) }
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { return complaint() }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let written = bytes[done...].withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      guard written > 0 else { return complaint() }
      done += written
    }
    return nil
  }

  private static func header(bytesOfSound size: Int) -> [UInt8] {
    let (channels, rate, sampleBytes) = (2, Int(Stereo.rate), 2)
    return Array("RIFF".utf8) + little(UInt32(36 + size)) + Array("WAVEfmt ".utf8) + little(UInt32(16))
      + little(UInt16(1)) + little(UInt16(channels)) + little(UInt32(rate))
      + little(UInt32(rate * channels * sampleBytes)) + little(UInt16(channels * sampleBytes))
      + little(UInt16(8 * sampleBytes)) + Array("data".utf8) + little(UInt32(size))
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  private static func complaint() -> String { String(cString: strerror(errno)) }
}
