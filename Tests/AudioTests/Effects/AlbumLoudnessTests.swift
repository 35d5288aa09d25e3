import Formats
import Glibc
import TestSupport
import Testing

@testable import Audio

@Suite("Album loudness")
struct AlbumLoudnessTests {
  private func track(_ lufs: Double?, _ seconds: Double = 100, peak: Double? = 1) -> MeasuredLoudness {
    MeasuredLoudness(lufs: lufs, truePeak: peak, seconds: seconds)
  }

  @Test("one track is its own album, and tracks that are alike are as loud as one")
  func alike() throws {
    #expect(abs(try #require(AlbumLoudness.of([track(-9)])) + 9) < 1e-9)
    #expect(abs(try #require(AlbumLoudness.of([track(-9), track(-9, 7), track(-9, 3_000)])) + 9) < 1e-9)
    // Half of the time at no power to speak of would be 3 dB, were it not too soft to count.
    #expect(abs(try #require(AlbumLoudness.of([track(-9), track(-40), track(nil)])) + 9) < 1e-9)
    #expect(abs(try #require(AlbumLoudness.of([track(-9), track(-15)])) + 11.04) < 0.01)
  }

  @Test("nothing known is nothing; one unknown peak may be the highest")
  func unknown() {
    #expect(AlbumLoudness.of([]) == nil)
    #expect(AlbumLoudness.of([track(nil), track(-10, 0), track(.nan), track(-.infinity), track(-80)]) == nil)
    #expect(AlbumLoudness.truePeak(of: [track(-9, peak: 0.5), track(-9, peak: 1.1)]) == 1.1)
    #expect(AlbumLoudness.truePeak(of: [track(-9, peak: 0.5), track(-9, peak: nil)]) == nil)
    #expect(AlbumLoudness.truePeak(of: []) == nil)
  }

  @Test("it lies between the softest and the loudest, in whatever order they come", arguments: [UInt64(1), 2])
  func laws(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let tracks = (0..<Int.random(in: 1...20, using: &generator)).map { _ in
        track(.random(in: -40 ... -3, using: &generator), .random(in: 1...1_000, using: &generator))
      }
      let album = try #require(AlbumLoudness.of(tracks))
      let (least, most) = (tracks.compactMap(\.lufs).min() ?? 0, tracks.compactMap(\.lufs).max() ?? 0)
      #expect(album >= least - 1e-9 && album <= most + 1e-9, "seed \(seed)")
      let other = try #require(AlbumLoudness.of(tracks.shuffled(using: &generator)))
      #expect(abs(album - other) < 1e-9, "seed \(seed)")
    }
  }

  @Test("it is near to what is heard when all tracks are measured together")
  func heard() throws {
    let levels = [0.05, 0.2, 0.1, 0.02]
    let meters = try levels.enumerated().map { number, level in
      let meter = try LoudnessMeter(rate: 48_000)
      let tone = EffectSignals.tone(700, level, rate: 48_000, frames: 30_000 * (number + 1))
      try tone.withUnsafeBufferPointer { tone in
        if let start = tone.baseAddress { try meter.take(start, count: tone.count / 2) }
      }
      return meter
    }
    let reckoned = AlbumLoudness.of(meters.map { track($0.loudness, Double($0.frames) / 48_000) })
    let together = LoudnessMeter.albumLoudness(meters)
    #expect(abs(try #require(reckoned) - (try #require(together))) < 0.5, "\(String(describing: together))")
  }
}
