import Glibc
import Runtime

/// Two tracks whose sound tells by its channel what it is: the first is heard on the left for its first half and then
/// on the right; the second on the right alone. So a device sees at the first sound that something else plays now.
struct SidedMusic {
  static let seconds = 60
  /// In the first track's second half.
  static let far = 45

  enum Kind: String, CaseIterable {
    case flac = "FLAC"
    case mp3 = "MP3"
    case opus = "Opus"

    var rate: Int { self == .opus ? 48_000 : 44_100 }

    var encoder: GaplessFormat.Words {
      switch self {
      case .flac: .init("flac --silent --best -o out in")
      case .mp3: .init("lame --silent -b 192 in out")
      case .opus: .init("opusenc --quiet --bitrate 160 in out")
      }
    }
  }

  let first: FilePath
  let second: FilePath

  init(_ kind: Kind, in folder: FilePath) throws(Fault) {
    first = folder / "first.\(kind)"
    second = folder / "second.\(kind)"
    try Self.make(first, kind, in: folder) { $0 * 2 < Self.seconds }
    try Self.make(second, kind, in: folder) { _ in false }
  }

  /// A short one that is heard on one side.
  static func makeShort(_ path: FilePath, _ kind: Kind, isLeft: Bool, in folder: FilePath) throws(Fault) {
    try make(path, kind, seconds: 12, in: folder) { _ in isLeft }
  }

  private static func make(
    _ path: FilePath, _ kind: Kind, seconds: Int = Self.seconds, in folder: FilePath, isLeft: (Int) -> Bool
  ) throws(Fault) {
    var tune = Tune(rate: Double(kind.rate))
    var bytes = WaveHead.bytes(rate: kind.rate, bytesOfSound: seconds * kind.rate * 4)
    for second in 0..<seconds { bytes += silenced(tune.next(frames: kind.rate), left: !isLeft(second)) }
    let wave = folder / "source.wav"
    let file = try Descriptor.open(wave, O_WRONLY | O_CREAT | O_TRUNC, code: "B-213")
    try file.writeAll(bytes, code: "B-213", doing: "write \(wave)")
    _ = try Child.processorSeconds(
      of: kind.encoder.filled(in: wave, out: path), within: .seconds(120), output: folder / "output")
  }

  /// 16-bit stereo with one channel silent.
  static func silenced(_ bytes: [UInt8], left: Bool) -> [UInt8] {
    bytes.enumerated().map { index, byte in (index % 4 < 2) == left ? 0 : byte }
  }
}
