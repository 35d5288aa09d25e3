import Glibc
import Runtime
import TestSupport
import VirtualBoard

/// Music in which any click shows: every step between two neighbouring samples is known.
enum TestTone: String, CaseIterable, Sendable {
  /// 50 Hz at full scale.
  case sine
  /// The highest sample, and nothing else but 10 ms up to it and down from it.
  case level

  func sample(_ frame: Int) -> Int16 {
    switch self {
    case .sine: Int16((32_767 * sin(2 * Double.pi * 50 * Double(frame) / 44_100)).rounded())
    case .level: .max
    }
  }

  /// The largest step in 32 bits: the tone's own, a ramp's of 10 ms over it, and what rounding makes of them.
  var most: Int64 {
    let own = (self == .sine ? 2_147_483_648 * 2 * Double.pi * 50 / 44_100 : 2_147_483_648 / 441) + 65_536
    return Int64(own + 2_147_483_648 / 441) + 4
  }

  /// Lays so much of it into the board, and says where. Two of them played one after the other join without a step.
  func lay(on board: VirtualBoard, seconds: Int) throws -> String {
    let folder = TempFolder()
    let raw = folder.path / "tone.raw"
    var bytes: [UInt8] = []
    bytes.reserveCapacity(seconds * 176_400)
    func frames(_ sample: (Int) -> Int16) -> [UInt8] {
      (0..<882).flatMap { frame -> [UInt8] in
        let sample = UInt16(bitPattern: sample(frame))
        let bytes = [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        return bytes + bytes
      }
    }
    // It repeats itself 50 times a second.
    let period = frames(sample)
    bytes += frames { self == .sine ? sample($0) : Int16(32_767 * min($0, 441) / 441) }
    for _ in 2..<seconds * 50 { bytes += period }
    bytes += frames { self == .sine ? sample($0) : Int16(32_767 * min(881 - $0, 441) / 441) }
    try AtomicFile.replace(raw, with: bytes)
    let flac = folder.path / "tone.flac"
    try Spawned.run(
      [
        "flac", "--silent", "-8", "--force-raw-format", "--endian=little", "--sign=signed", "--channels=2", "--bps=16",
        "--sample-rate=44100", "--output-name=\(flac)", "\(raw)",
      ], output: folder.path / "flac.log")
    let path = "/data/\(rawValue).flac"
    try board.lay(flac, at: path)
    return path
  }
}

extension Recording {
  /// Between two neighbours of one channel, in 32 bits; how large and where.
  var largestStep: (size: Int64, frame: Int) {
    guard let samples else { return (.max, 0) }
    let shift: Int64 = ["S16_LE": 16, "S24_3LE": 8, "S24_LE": 8][format] ?? 0
    var largest: (Int64, Int) = (0, 0)
    samples.withUnsafeBufferPointer { samples in
      for place in channels..<max(channels, samples.count) {
        let step = abs(Int64(samples[place]) - Int64(samples[place - channels])) << shift
        if step > largest.0 { largest = (step, place / channels) }
      }
    }
    return largest
  }

  /// What stands around a frame: each sample near it, and every 50th farther away.
  func around(_ frame: Int) -> String {
    guard let samples else { return "no samples" }
    let places = [-2_000, 2_000].flatMap { far in stride(from: far, to: 0, by: far < 0 ? 50 : -50) } + Array(-8...8)
    return places.sorted().map { $0 + frame }.filter { samples.indices ~= $0 * channels }
      .map { "\($0): \(samples[$0 * channels])" }.joined(separator: ", ")
  }

  /// The highest of all, 1 being full scale.
  var peak: Double {
    let full = Double(1 << (["S16_LE": 15, "S24_3LE": 23, "S24_LE": 23][format] ?? 31))
    return Double((samples ?? []).map { abs(Int64($0)) }.max() ?? 0) / full
  }
}

/// How often the device, and how often the decoder came late.
struct Breaks: Equatable {
  var frames: Int64 = 0
  var decoder: Int64 = 0
}

extension VirtualBoard {
  /// How often the sound came late by now: then what was recorded is the emulator's doing.
  func breaksInTheSound() throws -> Breaks {
    let health = try layby("health")["health"]?.items ?? []
    guard let sound = health.first(where: { $0["part"]?.string == "sound" }) else { return Breaks() }
    return Breaks(frames: sound["underruns"]?.whole ?? 0, decoder: sound["starvations"]?.whole ?? 0)
  }

  /// Plays `paths`, behind whatever stands in the queue, and waits until they are heard.
  func play(_ paths: [String], volume: Int = 100) throws {
    try layby("volume", "\(volume)")
    let count = try layby("queue")["entries"]?.items?.count ?? 0
    for path in paths { try layby("queue", "add", path) }
    try layby("queue", "jump", "\(count + 1)")
    try waitUntilItPlays()
    // What the device held before is over.
    try says("sleep 1")
  }
}
