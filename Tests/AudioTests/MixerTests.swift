import Runtime
import TestSupport
import Testing

@testable import Audio

/// A control that remembers what it was set to, and may be missing or break.
private final class PaperControl: LoudnessControl {
  let scale: MixerScale
  var step: Int
  var isThere = true
  var breaks = false
  var sets: [Int] = []
  /// Called whenever it has just been set.
  var heard: (Int) -> Void = { _ in }

  init(_ scale: MixerScale, at step: Int) {
    self.scale = scale
    self.step = step
  }

  func open() throws(Fault) -> MixerScale {
    guard isThere else { throw Fault(.missing, "T-5", "no card") }
    return scale
  }

  func set(step: Int) throws(Fault) {
    if breaks { throw Fault(.missing, "T-6", "pulled out") }
    self.step = step
    sets.append(step)
    heard(step)
  }

  func close() {}

  var gain: Double { MixerScale.gain(scale.decibels[step - scale.first]) }
}

@Suite("Hardware mixer")
struct MixerTests {
  /// A step of 1.5 dB, with a step of nothing below, up to 6 dB too much.
  private var scale: MixerScale {
    get throws {
      try #require(MixerScale(first: 2, decibels: [-9_999_999] + (0...44).map { -6_000 + 150 * $0 }))
    }
  }

  @Test("the nearest step that is not louder; full volume is no change, silence is silence")
  func steps() throws {
    let scale = try scale
    #expect(scale.setting(for: 1) == .init(step: 2 + 1 + 40, rest: 1))
    #expect(scale.setting(for: 0) == .init(step: 3, rest: 0))
    #expect(scale.setting(for: .nan).rest == 0)
    #expect(scale.setting(for: MixerScale.gain(-600)) == .init(step: 2 + 1 + 36, rest: 1))
    #expect(scale.setting(for: MixerScale.gain(-601)).step == 2 + 1 + 35)
    let below = scale.setting(for: MixerScale.gain(-7_000))
    #expect(below.step == 3 && abs(below.rest - MixerScale.gain(-1_000)) < 1e-9)
    #expect(MixerScale(first: 0, decibels: [0]) == nil && MixerScale(first: 0, decibels: [0, -1]) == nil)
    // All of it is louder than full volume: then the player makes it softer.
    let loud = try #require(MixerScale(first: 0, decibels: [600, 1_200]))
    #expect(loud.setting(for: 1).step == 0 && abs(loud.setting(for: 1).rest - MixerScale.gain(-600)) < 1e-9)
  }

  @Test("for any gain the two together are never louder than it, and at most a step softer")
  func product() throws {
    let scale = try scale
    for thousandth in 1...1_000 {
      let wanted = Double(thousandth * thousandth * thousandth) / 1e9
      let setting = scale.setting(for: wanted)
      let product = MixerScale.gain(scale.decibels[setting.step - scale.first]) * setting.rest
      #expect(product <= wanted * (1 + 1e-9) && product > wanted * MixerScale.gain(-151), "\(wanted)")
    }
  }

  @Test("the card of a device, and the control that is chosen")
  func names() {
    for (device, card) in [
      ("hw:1,0", "hw:1"), ("plughw:CARD=DAC,DEV=0", "hw:CARD=DAC"), ("default", "default"), ("hw:0", "hw:0"),
    ] {
      #expect(MixerScale.card(of: device) == card)
    }
    #expect(HardwareMixer.choose(["Mic Boost", "PCM", "Master"], by: .auto) == 2)
    #expect(HardwareMixer.choose(["Odd"], by: .auto) == 0 && HardwareMixer.choose([], by: .auto) == nil)
    #expect(HardwareMixer.choose(["A", "B"], by: .named("B")) == 1)
    #expect(HardwareMixer.choose(["A"], by: .named("B")) == nil && HardwareMixer.choose(["A"], by: .none) == nil)
  }

  @Test("while it is turned, the loudness is never above what was wanted before or is wanted now", arguments: 1...5)
  func neverLouder(seed: UInt64) throws {
    let control = PaperControl(try scale, at: 20)
    let controls = SoundControls()
    let mixer = try MixerThread(control, controls: controls, wakeOutput: {})
    var generator = SeededGenerator(seed: seed)
    var before = 0.0
    var wanted = 0.0
    var loudest = 0.0
    func checkLoudness() {
      let gain = Double(controls.gain.load(ordering: .relaxed)) / Double(Gain.unity)
      let isHeard = controls.mixedFor.load(ordering: .relaxed) >= controls.losses.load(ordering: .relaxed)
      let product = isHeard ? control.gain * gain : 0
      loudest = max(loudest, product)
      #expect(product <= max(before, wanted) * (1 + 1e-9) + 2e-9, "seed \(seed)")
    }
    control.heard = { _ in checkLoudness() }
    for _ in 0..<300 {
      before = wanted
      let part = Double.random(in: 0...1, using: &generator)
      wanted = part * part * part
      mixer.want(Gain.fixed(wanted))
      mixer.turn()
      checkLoudness()
    }
    #expect(loudest > 0.3 && control.sets.count > 20)
  }

  @Test("nothing is heard of a device that is back until its volume is set; without a control the player does it all")
  func lost() throws {
    let control = PaperControl(try scale, at: 43)
    let bench = Bench()
    let mixer = try MixerThread(control, controls: bench.controls, wakeOutput: {})
    bench.begin(1)
    bench.write(260_000, { _ in 1 << 30 })
    bench.run(.milliseconds(300))
    // Nobody has wanted anything yet.
    #expect(bench.left.allSatisfy { $0 == 0 } && control.sets.isEmpty)
    mixer.want(Gain.fixed(0.5))
    mixer.turn()
    bench.run(.milliseconds(300))
    #expect(bench.left.last == 1 << 30 && control.gain <= 0.5)
    bench.device.broken = true
    bench.run(.seconds(3))
    let before = bench.left.count
    // Another one, as loud as it can be.
    bench.device.broken = false
    control.step = 46
    bench.run(.seconds(2))
    #expect(bench.left[before...].allSatisfy { $0 == 0 } && bench.left.count > before)
    mixer.turn()
    bench.run(.milliseconds(200))
    #expect(bench.left.last == 1 << 30 && control.gain <= 0.5)
    control.breaks = true
    mixer.want(Gain.fixed(0.25))
    mixer.turn()
    bench.run(.milliseconds(200))
    #expect(bench.left.last == 1 << 28)
  }
}
