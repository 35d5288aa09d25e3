import Hardware
import Runtime
import TestSupport
import Testing

@Suite("How far a list goes by a detent")
struct AccelerationTests {
  /// Rows of detents that come with these pauses before them, in milliseconds; negative ones are turned back.
  private func rows(_ haste: KnobAcceleration, _ pauses: [Int]) -> [Int] {
    var acceleration = Acceleration(haste)
    var now = Moment(nanoseconds: 5_000_000_000)
    return pauses.map { pause in
      now = now + .milliseconds(abs(pause))
      return acceleration.rows(for: pause < 0 ? -1 : 1, at: now)
    }
  }

  @Test("one for one as long as a hand turns slowly, however far", arguments: KnobAcceleration.allCases)
  func slow(haste: KnobAcceleration) {
    #expect(rows(haste, Array(repeating: 60, count: 200)) == Array(repeating: 1, count: 200))
    #expect(rows(haste, Array(repeating: -200, count: 20)) == Array(repeating: -1, count: 20))
  }

  @Test("switched off it is one for one at any pace")
  func off() { #expect(rows(.off, Array(repeating: 1, count: 50)) == Array(repeating: 1, count: 50)) }

  @Test("more the quicker it is spun, the first detents of a spin one for one")
  func quick() {
    #expect(rows(.gentle, [900, 40, 40, 40, 40]) == [1, 1, 1, 2, 2])
    #expect(rows(.gentle, [900, 20, 20, 20, 20]) == [1, 1, 1, 3, 3])
    #expect(rows(.gentle, [-900, -10, -10, -10, -10]) == [-1, -1, -1, -5, -5])
    #expect(rows(.strong, [900, 50, 50, 50, 50]) == [1, 1, 1, 2, 2])
    #expect(rows(.strong, [900, 10, 10, 10, 10]) == [1, 1, 1, 16, 16])
    for haste in [KnobAcceleration.gentle, .strong] {
      let paces = (8...70).map { rows(haste, Array(repeating: $0, count: 10)).last ?? 0 }
      #expect(paces == paces.sorted(by: >), "\(haste)")
    }
  }

  @Test("turned back it begins slowly, and so it does after a rest")
  func back() {
    #expect(rows(.gentle, [900, 10, 10, 10, -10, -10, -10, -10, -10]) == [1, 1, 1, 5, -1, -1, -1, -5, -5])
    #expect(rows(.gentle, [900, 10, 10, 10, 300, 10, 10, 10]) == [1, 1, 1, 5, 1, 1, 1, 5])
  }

  @Test("one quick twitch among slow detents is none")
  func twitch() { #expect(rows(.strong, [900, 80, 5, 80, 5, 5, 80]) == Array(repeating: 1, count: 7)) }

  @Test("detents of one report are as far apart as their report from the one before")
  func together() {
    var acceleration = Acceleration(.gentle)
    let start = Moment(nanoseconds: 1_000_000_000)
    #expect(acceleration.rows(for: 5, at: start) == 5, "nobody knows how long that took")
    #expect(acceleration.rows(for: 5, at: start + .milliseconds(50)) == 25)
    #expect(acceleration.rows(for: 5, at: start + .milliseconds(350)) == 5)
    #expect(acceleration.rows(for: -5, at: start + .milliseconds(360)) == -5)
  }

  @Test("a clock that goes back, and numbers that nobody turns, do no harm")
  func nonsense() {
    var acceleration = Acceleration(.strong)
    let start = Moment(nanoseconds: 1_000_000_000)
    for (detents, moment) in [(1, start), (1, start - .seconds(1)), (100, Moment(nanoseconds: .min)), (0, start)] {
      #expect(abs(acceleration.rows(for: detents, at: moment)) <= detents * 16)
    }
  }

  @Test("rows have the sign of their detents, are never fewer, and for slow hands never more, in every walk")
  func walk() {
    for seed in UInt64(1)...200 {
      var generator = SeededGenerator(seed: seed)
      var acceleration = Acceleration(seed % 2 == 0 ? .gentle : .strong)
      var now = Moment(nanoseconds: 0)
      for _ in 0..<200 {
        let pause = Int.random(in: 0...120, using: &generator)
        now = now + .milliseconds(pause)
        let detents = Int.random(in: 0..<8, using: &generator) == 0 ? -1 : 1
        let rows = acceleration.rows(for: detents, at: now)
        #expect(rows * detents >= 1 && rows * detents <= 16, "seed \(seed)")
        if pause > 50 { #expect(rows == detents, "seed \(seed)") }
      }
    }
  }
}
