import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

/// A recorder with a will of its own: it takes a few rates only, and says so like a sound card.
private final class ChoosyOutput: Output {
  let isLive = false
  let mayReopen = true
  private let rates: [Int32]
  private let controls: SoundControls?
  private(set) var opened: [Int32] = []
  private(set) var samples: [Int32] = []

  init(rates: [Int32], telling controls: SoundControls? = nil) {
    self.rates = rates
    self.controls = controls
  }

  func open(rate: Int32, bits: Int32) throws(Fault) {
    opened.append(rate)
    controls?.ability.withLock { $0 = DeviceAbility(rates: rates, bits: 32) }
    if !rates.contains(rate) { throw Fault(.unsupported, "A-158", "cannot do \(rate) Hz") }
  }

  func room() -> Int { 4_096 }

  func write(_ frames: UnsafePointer<Int32>, count: Int) -> Int {
    samples += UnsafeBufferPointer(start: frames, count: 2 * count)
    return count
  }

  func delay() -> Int { 0 }
  func close() {}
}

/// What is between the files and the device when something is: it must not cost a frame, nor a bit that it need not.
@Suite("The shape of the sound")
struct SoundShapeTests {
  let folder = TempFolder()

  private func quiet(_ frames: Int, rate: Int32 = 44_100, seed: UInt64 = 1) -> Signal {
    var signal = Signal(rate: rate, bits: 24, frames: frames, seed: seed)
    signal.samples = signal.samples.map { $0 / 4 }
    return signal
  }

  private func write(_ parts: [Signal], _ tags: [[String]] = []) throws -> [FilePath] {
    try parts.enumerated().map { index, part in
      let path = folder.path / "part\(index).flac"
      try part.writeFLAC(path, index < tags.count ? tags[index].flatMap { ["-T", $0] } : [])
      return path
    }
  }

  private func record(_ paths: [FilePath], _ change: (inout SoundShape) -> Void) throws -> (SoundRig, Wave) {
    let wave = folder.path / "out.wav"
    let deck = try SoundRig(WaveOutput(wave))
    var shape = SoundShape()
    change(&shape)
    deck.sound.setShape(shape)
    #expect(deck.play(paths))
    return (deck, try Wave(wave))
  }

  @Test("a limiter that has nothing to do leaves a split original as it was, to the bit and to the frame")
  func transparent() throws {
    let whole = quiet(100_003)
    let paths = try write([whole.slice(0..<30_001), whole.slice(30_001..<30_050), whole.slice(30_050..<100_003)])
    let (deck, plain) = try record(paths) { $0.effects.mixes = true }
    #expect(deck.heard == [1, 2, 3])
    #expect(difference(plain.samples, whole.samples) == nil)
  }

  @Test("an album is played as it was made, however long crossfades are wanted")
  func album() throws {
    let whole = quiet(90_000)
    let tags = (1...3).map { ["ALBUM=Night", "ARTIST=Somebody", "TRACKNUMBER=\($0)"] }
    let paths = try write((0..<3).map { whole.slice($0 * 30_000..<($0 + 1) * 30_000) }, tags)
    let (_, heard) = try record(paths) { $0.crossfade = .seconds(5) }
    #expect(difference(heard.samples, whole.samples) == nil)
    let (_, asked) = try record(Array(paths.prefix(2))) {
      $0.crossfade = .milliseconds(100)
      $0.crossfadesInAlbums = true
    }
    #expect(asked.samples.count == 2 * (60_000 - 4_410))
  }

  @Test("two tracks fade into each other at equal power, frame by frame")
  func crossfade() throws {
    let (first, second) = (quiet(50_000), quiet(60_000, seed: 2))
    let (deck, heard) = try record(write([first, second])) { $0.crossfade = .milliseconds(500) }
    let shared = 22_050
    #expect(deck.heard == [1, 2] && deck.faults.isEmpty)
    try #require(heard.samples.count == 2 * (50_000 + 60_000 - shared))
    var worst = 0.0
    for frame in 0..<heard.samples.count / 2 {
      let inFade = frame - (50_000 - shared)
      let gains = Crossfade.gains(at: inFade, of: shared)
      for side in 0..<2 {
        let old = frame < 50_000 ? Double(first.samples[2 * frame + side]) * gains.tail : 0
        let new = inFade >= 0 ? Double(second.samples[2 * inFade + side]) * gains.head : 0
        worst = max(worst, abs(old + new - Double(heard.samples[2 * frame + side])))
      }
    }
    #expect(worst <= 2, "in steps of 24 bits")
  }

  @Test("tracks of two rates fade into each other too")
  func twoRates() throws {
    let (first, second) = (quiet(50_000), quiet(96_000, rate: 48_000, seed: 2))
    let (deck, heard) = try record(write([first, second])) { $0.crossfade = .milliseconds(400) }
    #expect(deck.heard == [1, 2] && heard.rate == 44_100)
    #expect(heard.samples.count == 2 * (50_000 + 88_200 - 17_640))
  }

  @Test("a filter's delay costs no frame, at a change of rate neither")
  func delay() throws {
    let (first, second) = (quiet(20_000), quiet(30_000, rate: 48_000, seed: 2))
    let (_, heard) = try record(write([first, second])) {
      $0.effects.equaliser.bands = [EqualiserBand(.peak, 1_000, 3)]
    }
    let after = try Wave(folder.path / "out-2.wav")
    #expect(heard.samples.count == 2 * 20_000 && heard.rate == 44_100)
    #expect(after.samples.count == 2 * 30_000 && after.rate == 48_000)
    #expect(difference(heard.samples, first.samples) != nil)
  }

  @Test("what the device has no rate for is heard at another, from where it was and to its end")
  func otherRate() throws {
    let paths = try write([quiet(44_100), quiet(32_000, rate: 32_000, seed: 2)])
    let output = ChoosyOutput(rates: [48_000])
    let deck = try SoundRig(output)
    deck.tellAbility(DeviceAbility(rates: [48_000], bits: 32))
    #expect(deck.play(paths))
    #expect(deck.faults.isEmpty && deck.heard == [1, 2])
    #expect(output.opened == [48_000] && output.samples.count == 2 * 2 * 48_000)
  }

  @Test("a device that says only when it is opened what it can do is played at that")
  func lateAbility() throws {
    let paths = try write([quiet(44_100)])
    let controls = SoundControls()
    let output = ChoosyOutput(rates: [48_000], telling: controls)
    let deck = try SoundRig(output, controls: controls)
    #expect(deck.play(paths, from: .spot(Spot(frame: 22_050, rate: 44_100))))
    #expect(deck.faults.isEmpty && deck.heard == [1])
    #expect(output.opened == [44_100, 48_000] && output.samples.count == 2 * 24_000)
  }
}
