import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Loudness beside ffmpeg")
struct LoudnessPeerTests {
  @Test("ffmpeg's filter finds the same loudness and peak", arguments: [UInt64(1), 2])
  func same(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // Bursts of noise and tones of all levels, so that gates have something to do.
    var sound: [Int32] = []
    for _ in 0..<8 {
      let level = pow(10, Double.random(in: -50 ... -3, using: &generator) / 20)
      let hertz = Double.random(in: 50...4_000, using: &generator)
      let tone = EffectSignals.tone(hertz, level, rate: 48_000, frames: 30_000)
      sound += tone.map { $0 / 2 + Int32.random(in: -1_000_000...1_000_000, using: &generator) }
    }
    let folder = TempFolder()
    let (raw, told) = (folder.path / "sound.raw", folder.path / "told")
    try Bytes.write(sound.flatMap { sample in (0..<4).map { UInt8(truncatingIfNeeded: sample >> (8 * $0)) } }, to: raw)
    try Tool.run(
      "ffmpeg",
      [
        "-nostdin", "-loglevel", "error", "-f", "s32le", "-ar", "48000", "-ac", "2", "-i", "\(raw)", "-af",
        "ebur128=metadata=1:peak=true,ametadata=mode=print:file=\(told)", "-f", "null", "-",
      ])
    let lines = String(decoding: try Bytes.read(told), as: UTF8.self).split(separator: "\n")
    func last(_ key: String) throws -> Double {
      let line = try #require(lines.last { $0.hasPrefix("lavfi.r128.\(key)=") })
      return try #require(Double(line.split(separator: "=")[1]))
    }
    let meter = try LoudnessMeter(rate: 48_000)
    try sound.withUnsafeBufferPointer { sound in
      if let start = sound.baseAddress { try meter.take(start, count: sound.count / 2) }
    }
    let theirs = try last("I")
    let ours = try #require(meter.loudness)
    #expect(abs(ours - theirs) < 0.1, "seed \(seed): \(ours), ffmpeg \(theirs)")
    let peak = max(try last("true_peaks_ch0"), try last("true_peaks_ch1"))
    #expect(abs(20 * log10(meter.truePeak / peak)) < 0.3, "seed \(seed): \(meter.truePeak), ffmpeg \(peak)")
  }
}
