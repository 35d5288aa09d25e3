import Glibc
import Runtime
import TestSupport

/// Music that tests play, made by the flac and lame programs.
extension Home {
  /// A tone in stereo; `tone` is a multiple of 441 Hz, whose waves fit into a hundred frames.
  func flac(_ name: String, seconds: Double = 30, tone: Double = 441, level: Double = 8_000) async throws -> FilePath {
    let path = folder / "\(name).flac"
    let rate = 44_100.0
    precondition(tone.remainder(dividingBy: 441) == 0)
    let wave = (0..<100).flatMap { frame -> [UInt8] in
      let sample = UInt16(bitPattern: Int16(level * sin(Double(frame) * tone * 2 * .pi / rate)))
      let bytes = [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
      return bytes + bytes
    }
    // The same frames again and again: minutes of music are made in no time.
    let (size, bytes) = (wave.count, Int(seconds * rate) * 4)
    let raw = [UInt8](unsafeUninitializedCapacity: bytes + size) { buffer, count in
      while count < bytes { count = buffer[count...].update(fromContentsOf: wave) }
      count = bytes
    }
    let source = folder / "\(name).raw"
    try AtomicFile.replace(source, with: raw)
    try await tool(
      "flac", "--silent", "-0", "--force-raw-format", "--endian=little", "--sign=signed", "--bps=16", "--channels=2",
      "--sample-rate=44100", "--delete-input-file", "-o", "\(path)", "\(source)", in: self)
    return path
  }

  /// Silence in mono, at 8 kHz; five hours of it take a second to make.
  func longFLAC(_ name: String, seconds: Int) async throws -> FilePath {
    let path = folder / "\(name).flac"
    try await tool(
      "sh", "-c",
      "head -c \(8_000 * seconds) /dev/zero | flac --silent -0 --force-raw-format --endian=little --sign=signed --bps=8 "
        + "--channels=1 --sample-rate=8000 -o '\(path)' -", in: self)
    return path
  }
}

/// The samples of a WAV file, as they lie in it.
func samples(of path: FilePath) throws -> [UInt8] {
  let bytes = try AtomicFile.read(path, limit: 1 << 28)
  func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) } }
  var at = 12
  while at + 8 <= bytes.count {
    if bytes[at..<at + 4].elementsEqual("data".utf8) { return Array(bytes[(at + 8)...].prefix(number(at + 4))) }
    at += 8 + number(at + 4)
  }
  throw Fault(.malformed, "T-66", "\(path) is no WAV file")
}
