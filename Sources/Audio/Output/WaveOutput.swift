import Glibc
import Runtime

/// Records the music alone into a WAV file of the source's depth, so that its samples can be held against the source's.
/// The header is brought up to date every few seconds: a file whose writer was killed is valid up to there. Music of
/// another rate goes into a next file, `NAME-2.wav`.
package final class WaveOutput: Output {
  package let isLive = false
  package let mayReopen = false
  private let path: FilePath
  private var file: Int32 = -1
  private var number = 0
  private var written: Int64 = 0
  private var header = WaveHeader(rate: 44_100, bits: 16)
  private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: WaveOutput.size)
  private var filled = 0
  private var sinceHeader: Int64 = 0
  private var noise = DitherNoise()

  private static let size = 262_144

  package init(_ path: FilePath) { self.path = path }

  deinit {
    if file >= 0 { Glibc.close(file) }
    buffer.deallocate()
  }

  private var name: FilePath {
    guard number > 1 else { return path }
    return FilePath(bytes: path.bytes.dropLast(4) + Array("-\(number).wav".utf8)) ?? path
  }

  package func open(rate: Int32, bits: Int32) throws(Fault) {
    try close()
    number += 1
    header = WaveHeader(rate: rate, bits: bits <= 16 ? 16 : bits <= 24 ? 24 : 32)
    file = try Descriptor.open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK, mode: 0o644, code: "A-160").release()
    written = 0
    try writeHeader()
    guard lseek(file, off_t(WaveHeader.length), SEEK_SET) >= 0 else {
      throw Fault(.unsupported, "A-161", "\(name) is no file that can be written to")
    }
  }

  package func room() -> Int { 1 << 15 }

  package func write(_ frames: UnsafePointer<Int32>, count: Int) throws(Fault) -> Int {
    let width = Int(header.bits / 8)
    if filled + count * 2 * width > Self.size { try flush() }
    let count = min(count, Self.size / (2 * width))
    guard written + Int64(filled + count * 2 * width) <= WaveHeader.most else {
      throw Fault(.unsupported, "A-162", "\(name) has reached 4 GiB, and WAV files cannot be longer")
    }
    // Rounded, never with noise: it is there to be held against something.
    SampleWriter.write(frames, samples: 2 * count, width: width, into: buffer + filled, bits: 0, noise: &noise)
    filled += count * 2 * width
    sinceHeader += Int64(count)
    if sinceHeader >= 4 * Int64(header.rate) {
      try flush()
      try writeHeader()
    }
    return count
  }

  package func delay() -> Int { 0 }

  package func close() throws(Fault) {
    guard file >= 0 else { return }
    defer {
      Glibc.close(file)
      file = -1
      filled = 0
    }
    try flush()
    try writeHeader()
  }

  private func flush() throws(Fault) {
    var start = 0
    while start < filled {
      let count = Glibc.write(file, buffer + start, filled - start)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        let reason = count == 0 ? ENOSPC : errno
        filled = 0
        throw Fault.system("A-163", doing: "write \(name)", errno: reason)
      }
      start += count
      written += Int64(count)
    }
    filled = 0
  }

  private func writeHeader() throws(Fault) {
    let bytes = header.bytes(dataLength: written)
    guard pwrite(file, bytes, bytes.count, 0) == bytes.count else {
      throw Fault.system("A-163", doing: "write the header of \(name)")
    }
    sinceHeader = 0
  }
}

/// The 44 bytes before the samples.
struct WaveHeader: Equatable {
  static let length = 44
  /// The sizes in it have 32 bits.
  static let most = Int64(UInt32.max) - 44

  let rate: Int32
  let bits: Int32

  func bytes(dataLength: Int64) -> [UInt8] {
    let frame = UInt32(2 * bits / 8)
    func number(_ value: UInt32, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
    let data = UInt32(clamping: dataLength)
    var bytes: [UInt8] = Array("RIFF".utf8) + number(36 + data, 4) + Array("WAVEfmt ".utf8) + number(16, 4)
    bytes += number(1, 2) + number(2, 2) + number(UInt32(rate), 4) + number(UInt32(rate) * frame, 4)
    bytes += number(frame, 2) + number(UInt32(bits), 2) + Array("data".utf8) + number(data, 4)
    return bytes
  }
}
