import Glibc
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("A sound device's ways")
struct DeviceTableTests {
  private func setting(
    rate: Int32 = 44_100, buffer: Int = 88_200, period: Int = 441, isCoarse: Bool = false, channels: Int32 = 2,
    format: SampleFormat = .s32, bits: Int32 = 32
  ) -> ALSASetting {
    ALSASetting(
      format: format, bits: bits, channels: channels, rate: rate, buffer: buffer, period: period, isCoarse: isCoarse,
      rests: false)
  }

  @Test(
    "20 ms are left alone, and two periods of a device that reads by periods; is more than that left, it stays short")
  func depth() {
    let table: [(ALSASetting, margin: Int, isDeep: Bool)] = [
      (setting(), 882, true),
      (setting(period: 5_880), 882, true),
      (setting(isCoarse: true), 882, true),
      (setting(period: 512, isCoarse: true), 1_024, true),
      (setting(period: 5_880, isCoarse: true), 11_760, false),
      (setting(rate: 192_000, buffer: 384_000, period: 1_920, isCoarse: true), 3_840, true),
      (setting(buffer: 6_615), 882, false),
      (setting(rate: 8_000, buffer: 16_000, period: 80), 160, true),
    ]
    for (setting, margin, isDeep) in table {
      #expect(BufferDepth.margin(setting) == margin)
      #expect(BufferDepth.isWorthRewinding(setting) == isDeep, "\(setting)")
    }
  }

  @Test("room for low power is taken where it makes no period longer that would have to be left alone")
  func room() {
    let table: [(ALSASetting, isFree: Bool)] = [
      (setting(buffer: 132_300), true),
      (setting(buffer: 132_300, period: 5_880), true),
      (setting(buffer: 132_300, isCoarse: true), true),
      (setting(buffer: 132_300, period: 442, isCoarse: true), false),
      (setting(buffer: 132_300, period: 2_940, isCoarse: true), false),
      // A driver that has no more gives what it has.
      (setting(buffer: 16_384), true),
    ]
    for (setting, isFree) in table { #expect(BufferDepth.isFree(setting) == isFree, "\(setting)") }
    for (usual, deep) in [(40, 60), (1_000, 1_500), (2_000, 3_000)] as [(Int64, Int64)] {
      #expect(BufferDepth.deeper(.milliseconds(usual)) == .milliseconds(deep))
    }
  }

  @Test("what the card is at decides over what it answers")
  func recovery() {
    for answer in [0, -EAGAIN, -EPIPE, -EBADFD, -ESTRPIPE, -ENODEV, -EIO] {
      #expect(ALSARecovery.after(answer, in: .disconnected) == .gone)
      #expect(ALSARecovery.after(answer, in: .suspended) == .resume)
      #expect(ALSARecovery.after(answer, in: .underrun) == .prepare(isUnderrun: true))
    }
    #expect(ALSARecovery.after(-EBADFD, in: .well) == .prepare(isUnderrun: false))
    #expect(ALSARecovery.after(-EAGAIN, in: .well) == .again)
  }

  @Test("a device of one channel gets the middle of both, one of six gets them in front")
  func channels() {
    let frames: [Int32] = [10, 20, .max, .max, .min, .min, -1, 2]
    func spread(_ channels: Int) -> [Int32] {
      var target = [Int32](repeating: 7, count: 4 * channels)
      frames.withUnsafeBufferPointer { source in
        target.withUnsafeMutableBufferPointer { target in
          if let from = source.baseAddress, let to = target.baseAddress {
            ALSAFrames.spread(from, 4, over: channels, into: to)
          }
        }
      }
      return target
    }
    #expect(spread(1) == [15, .max, .min, 0])
    #expect(spread(6)[..<12] == [10, 20, 0, 0, 0, 0, .max, .max, 0, 0, 0, 0])
  }

  @Test("of 32 bits that a converter does not have, the lower ones are cut with noise, and the rest is left as it is")
  func significant() {
    let frames = [Int32](repeating: 0x0123_4580, count: 2 * 1_000)
    func converted(_ setting: ALSASetting, bits: Int32) -> [Int32] {
      let device = ALSAFrames(setting)
      var noise = DitherNoise()
      return frames.withUnsafeBufferPointer { source in
        guard let from = source.baseAddress else { return [] }
        let place = device.converted(from, 1_000, bits: bits, noise: &noise)
        return Array(UnsafeBufferPointer(start: place.assumingMemoryBound(to: Int32.self), count: 2_000))
      }
    }
    #expect(converted(setting(), bits: 32) == frames)
    #expect(converted(setting(bits: 24), bits: 24) == frames)
    let cut = converted(setting(bits: 24), bits: 32)
    #expect(cut.allSatisfy { $0 & 0xFF == 0 && abs($0 - 0x0123_4580) <= 0x200 } && Set(cut).count > 1)
  }

  @Test(
    "the device's clock is found to a part in a hundred thousand, though it tells its place by periods",
    arguments: [-300.0, 0, 45, 1_000])
  func drift(parts: Double) {
    var drift = ClockDrift(rate: 48_000)
    var generator = SeededGenerator(seed: 11)
    var seconds = 0.0
    var early: Double?
    while seconds < 900 {
      let played = seconds * 48_000 * (1 + parts / 1e6)
      drift.note(frames: Int64(played / 480) * 480, at: Moment(nanoseconds: 5_000_000_000 + Int64(seconds * 1e9)))
      if seconds < 59, let found = drift.partsPerMillion { early = found }
      seconds += Double.random(in: 0.3...0.9, using: &generator)
    }
    #expect(early == nil)
    #expect(abs((drift.partsPerMillion ?? .infinity) - parts) < 10, "\(drift.partsPerMillion ?? .nan)")
  }
}
