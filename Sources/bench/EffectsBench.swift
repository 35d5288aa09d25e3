import Audio
import Glibc
import Runtime

/// What effects cost: processor time for a minute of stereo, as a share of one core that would play it.
struct EffectsBench {
  static let name = "effects"
  static let about = "processor share of equaliser, normaliser and limiter at 44.1 kHz stereo, and of another rate"

  let rounds: Int

  private static let rate: Int32 = 44_100
  private static let seconds = 60
  /// As the decode thread hands it over.
  private static let part = 4_096

  private struct Case {
    let name: String
    let settings: EffectSettings
    var gain: Float = 1
    var goal = Goal.none
  }

  private static let bands = (0..<10).map { EqualiserBand(.peak, 31.25 * Double(1 << $0), $0 % 2 == 0 ? 4 : -3) }

  private static let cases = [
    Case(
      name: "10 bands, normaliser, limiter", settings: .init(equaliser: .init(bands), normaliser: .track), gain: 0.5,
      goal: .below(1)),
    Case(name: "the same, limiting all the time", settings: .init(equaliser: .init(bands), preamp: 6), goal: .below(1)),
    Case(name: "10 bands", settings: .init(equaliser: .init(bands), limiter: false)),
    Case(name: "normaliser", settings: .init(normaliser: .track, limiter: false), gain: 0.5),
    Case(name: "limiter with nothing to limit", settings: .init(preamp: -12)),
    Case(name: "limiter limiting all the time", settings: .init(preamp: 6)),
  ]

  func run() throws(Fault) -> [Row] {
    let music = Self.music()
    var contenders = Self.cases.map { one in
      Contender(name: one.name) { () throws(Fault) in try Self.share { () throws(Fault) in Self.pass(music, one) } }
    }
    let resampler = try Resampler(from: Self.rate, to: 48_000)
    contenders.append(
      Contender(name: "44.1 to 48 kHz") { () throws(Fault) in
        try resampler.reset()
        return try Self.share { () throws(Fault) in try Self.resample(music, resampler) }
      })
    let spreads = try Rounds.run(contenders, rounds: rounds, unit: .percent)
    let goals = Self.cases.map(\.goal) + [.none]
    return zip(zip(contenders, goals), spreads).compactMap { one, spread in
      spread.map { Row(bench: Self.name, name: one.0.name, value: $0, unit: .percent, goal: one.1) }
    }
  }

  /// A second that is loud all the time: chords, and noise from a generator of two lines.
  private static func music() -> [Int32] {
    var noise: UInt32 = 1
    return (0..<2 * Int(rate)).map { index in
      let time = Double(index / 2) / Double(rate)
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let hiss = Double(noise >> 8) / Double(1 << 24) - 0.5
      let chord = [110.0, 277, 659, 2_637].reduce(0) { $0 + sin(2 * .pi * $1 * time + Double(index % 2)) }
      return Int32((0.2 * chord + 0.15 * hiss) * 2_000_000_000)
    }
  }

  private static func pass(_ music: [Int32], _ one: Case) {
    let chain = EffectChain(one.settings, rate: rate)
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * part)
    defer { frames.deallocate() }
    music.withUnsafeBufferPointer { music in
      guard let start = music.baseAddress else { return }
      for _ in 0..<seconds {
        var done = 0
        while done < Int(rate) {
          let count = min(part, Int(rate) - done)
          frames.update(from: start + 2 * done, count: 2 * count)
          chain.process(frames, count: count, gain: one.gain)
          done += count
        }
      }
    }
  }

  private static func resample(_ music: [Int32], _ resampler: Resampler) throws(Fault) {
    let frames = UnsafeMutablePointer<Int32>.allocate(capacity: 4 * part)
    defer { frames.deallocate() }
    let result = music.withUnsafeBufferPointer { music in
      Result { () throws(Fault) in
        guard let start = music.baseAddress else { return }
        for _ in 0..<seconds {
          var done = 0
          while done < Int(rate) {
            let count = min(part, Int(rate) - done)
            done += try resampler.process(start + 2 * done, count: count, into: frames, room: 2 * part).used
          }
        }
      }
    }
    try result.get()
  }

  /// Of this thread's processor time, in percent of the time that the music lasts.
  private static func share(_ work: () throws(Fault) -> Void) throws(Fault) -> Double {
    let before = ProcessorTime.ofThread
    try work()
    return (ProcessorTime.ofThread - before) / .seconds(seconds) * 100
  }
}
