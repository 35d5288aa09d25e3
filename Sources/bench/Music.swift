import Glibc
import Runtime

/// Three minutes of music of our own making: chords that change each half second over quiet noise, so that the
/// encoders have about the work that an album gives them. Encoded by flac and lame, never by ourselves.
struct Music {
  static let seconds = 180
  private static let rate = 44_100

  let wave: FilePath
  /// Nil when the encoder is not installed.
  let flac: FilePath?
  let mp3: FilePath?

  init(in folder: FilePath) throws(Fault) {
    Patience.tell("making \(Self.seconds) s of music ...")
    wave = folder / "music.wav"
    try Self.write(to: wave)
    let output = folder / "output"
    if let program = Child.find("flac") {
      flac = folder / "music.flac"
      _ = try Child.processorSeconds(
        of: [program, "--silent", "--best", "-o", "\(folder / "music.flac")", "\(wave)"], within: .seconds(120),
        output: output)
    } else {
      flac = nil
    }
    if let program = Child.find("lame") {
      mp3 = folder / "music.mp3"
      _ = try Child.processorSeconds(
        of: [program, "--silent", "-b", "192", "\(wave)", "\(folder / "music.mp3")"], within: .seconds(120),
        output: output)
    } else {
      mp3 = nil
    }
    let rates = [flac, mp3].compactMap { $0 }.map { "\($0.ending) \(Self.size($0) * 8 / Self.seconds / 1000) kbit/s" }
    Patience.tell("made: \(rates.joined(separator: ", "))")
  }

  /// The same file under many names.
  static func links(_ count: Int, to file: FilePath, in folder: FilePath) throws(Fault) -> [FilePath] {
    var paths: [FilePath] = []
    for number in 1...count {
      let path = folder / "\(number).\(file.ending)"
      let linked = file.withCString { from in path.withCString { to in link(from, to) } }
      guard linked == 0 else { throw Fault.system("B-170", doing: "link \(path)") }
      paths.append(path)
    }
    return paths
  }

  private static func size(_ path: FilePath) -> Int {
    var status = stat()
    return path.withCString { stat($0, &status) } == 0 ? Int(status.st_size) : 0
  }

  private static func write(to path: FilePath) throws(Fault) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, code: "B-171")
    try file.writeAll(
      WaveHead.bytes(rate: rate, bytesOfSound: seconds * rate * 4), code: "B-172", doing: "write \(path)")
    var tune = Tune(rate: Double(rate))
    for _ in 0..<seconds { try file.writeAll(tune.next(frames: rate), code: "B-172", doing: "write \(path)") }
  }
}

/// The same sound at each call of the bench: its noise is seeded.
struct Tune {
  private let rate: Double
  private var frame = 0
  private var noise: UInt64 = 0x9E37_79B9_7F4A_7C15
  private static let steps = [0.0, 4, 7, 12, 9, 5, 2, -3]

  init(rate: Double) { self.rate = rate }

  /// 16-bit stereo, little end first.
  mutating func next(frames: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frames * 4)
    for _ in 0..<frames {
      let time = Double(frame) / rate
      let beat = Int(time * 2)
      let age = time * 2 - Double(beat)
      let pitch = 220 * exp2(Self.steps[beat % Self.steps.count] / 12)
      var tone = 0.0
      for partial in 1...6 {
        tone += sin(2 * .pi * pitch * Double(partial) * time) * exp(-age * Double(partial)) / Double(partial)
      }
      for side in [1.0, 0.8] {
        let sample = Int16(max(-32_000, min(32_000, tone * side * 9_000 + hiss() * 300)))
        let bits = UInt16(bitPattern: sample)
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
      }
      frame += 1
    }
    return bytes
  }

  /// Between -1 and 1.
  private mutating func hiss() -> Double {
    noise ^= noise << 13
    noise ^= noise >> 7
    noise ^= noise << 17
    return Double(Int32(truncatingIfNeeded: noise)) / Double(Int32.max)
  }
}
