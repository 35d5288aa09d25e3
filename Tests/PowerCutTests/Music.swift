import Glibc
import Runtime
import TestSupport

/// Files to play, made once: a long one in which the position can be anywhere, and short ones whose ends come soon.
struct Music: Sendable {
  struct Track: Hashable, Sendable {
    let path: String
    let seconds: Double
  }

  let long: Track
  let short: [Track]
  private let folder: TempFolder

  var all: [Track] { [long] + short }

  static let made = Result { try Music() }

  private init() throws {
    folder = TempFolder()
    long = try Self.make("long", seconds: 600, rate: 22_050, channels: 1, in: folder.path)
    let others = folder.path
    short = try (2...4).map { try Self.make("short\($0)", seconds: $0, rate: 44_100, channels: 2, in: others) }
  }

  private static func make(_ name: String, seconds: Int, rate: Int, channels: Int, in folder: FilePath) throws -> Track
  {
    // 441 Hz fits into a second a whole number of times, so one second can be put behind the other.
    let second = (0..<rate).flatMap { frame -> [UInt8] in
      let sample = UInt16(bitPattern: Int16(8_000 * sin(Double(frame) * 441 * 2 * .pi / Double(rate))))
      let bytes = [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
      return Array(repeatElement(bytes, count: channels).joined())
    }
    let raw = folder / "\(name).raw"
    do {
      let file = try Descriptor.open(raw, O_WRONLY | O_CREAT | O_TRUNC, code: "T-50")
      for _ in 0..<seconds { try file.writeAll(second, code: "T-50", doing: "write \(raw)") }
    }
    let path = folder / "\(name).flac"
    let form = ["--force-raw-format", "--endian=little", "--sign=signed", "--bps=16"]
    let words = [
      "flac", "--silent", "-0", "--channels=\(channels)", "--sample-rate=\(rate)", "-o", "\(path)", "\(raw)",
    ]
    let flac = try Spawned(Array(words.prefix(3)) + form + Array(words.dropFirst(3)), output: folder / "output")
    guard flac.wait() == 0 else {
      throw Fault(.unsupported, "T-51", "flac, which makes the music for this test, failed")
    }
    return Track(path: "\(path)", seconds: Double(seconds))
  }
}
