import TestSupport
import Testing

@testable import Audio

/// One aside at a time, offered at the door and taken in as the feeder does.
private func begin(
  _ samples: [Int16], _ lane: SoundOverlay.Lane = .cue, softness: Double = 1, at place: Int64, in mixer: AsideMixer,
  by door: AsideDoor
) {
  door.offer(SoundOverlay(samples, rate: 44_100, lane: lane, softness: softness))
  while let block = door.take() { mixer.begin(block, at: place, into: door) }
}

private func mixed(_ music: [Int32], at place: Int64, by mixer: AsideMixer) -> [Int32] {
  var target = [Int32](repeating: 0, count: music.count)
  mixer.mix(music, count: music.count / 2, at: place, into: &target)
  return target
}

@Suite("Sounds over the music")
struct AsideMixerTests {
  private let door = AsideDoor()
  private let mixer = AsideMixer()
  private let music = Signal(bits: 32, frames: 3_000, seed: 3).samples

  @Test("what is heard is the music and the aside, to the bit, and nothing beyond the aside's ends")
  func sum() {
    let tick = (0..<500).map { Int16($0 * 40 - 9_000) }
    let quiet = music.map { $0 / 4 }
    begin(tick, at: 100, in: mixer, by: door)
    let heard = mixed(quiet, at: 0, by: mixer)
    let expected = quiet.enumerated().map { index, sample in
      let frame = index / 2 - 100
      return tick.indices.contains(frame) ? sample + Int32(tick[frame]) << 16 : sample
    }
    #expect(difference(heard, expected) == nil)
    #expect(mixer.span(at: 0) == (100, false) && mixer.span(at: 100) == (500, true))
    #expect(mixer.span(at: 600) == (Int.max, false))
  }

  @Test("what would be louder than can be is as loud as can be, and never turns over")
  func clamped() {
    begin([.max, .min, .max], at: 0, in: mixer, by: door)
    let heard = mixed([.max, .max - 5, .min, .min + 5, -1, 0], at: 0, by: mixer)
    #expect(heard == [.max, .max, .min, .min, (Int32(Int16.max) << 16) - 1, Int32(Int16.max) << 16])
  }

  @Test("in whatever helpings it is made, and made again, it is the same", arguments: 1...30 as ClosedRange<UInt64>)
  func helpings(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<Int.random(in: 1...6, using: &generator) {
      let samples = (0..<Int.random(in: 1...1_500, using: &generator)).map { _ in
        Int16.random(in: .min ... .max, using: &generator)
      }
      begin(
        samples, Bool.random(using: &generator) ? .cue : .words, at: Int64.random(in: 0..<2_000, using: &generator),
        in: mixer, by: door)
    }
    let whole = mixed(music, at: 0, by: mixer)
    for _ in 0..<50 {
      let from = Int.random(in: 0..<2_999, using: &generator)
      let count = Int.random(in: 1...(3_000 - from), using: &generator)
      let part = mixed(Array(music[(2 * from)..<(2 * (from + count))]), at: Int64(from), by: mixer)
      #expect(difference(part, Array(whole[(2 * from)..<(2 * (from + count))])) == nil, "seed \(seed)")
      // Where it is said that none sounds, none does.
      let span = mixer.span(at: Int64(from))
      let inside = min(count, span.count)
      if !span.sounds {
        #expect(Array(part[..<(2 * inside)]) == Array(music[(2 * from)..<(2 * (from + inside))]), "seed \(seed)")
      }
    }
  }

  @Test("a newer one of its lane takes its place within 5 ms and without a click; one of another lane does not")
  func replaced() {
    let silence = [Int32](repeating: 0, count: 4_000)
    begin([Int16](repeating: 16_000, count: 2_000), .words, at: 0, in: mixer, by: door)
    begin([Int16](repeating: 1_000, count: 200), .cue, at: 50, in: mixer, by: door)
    #expect(mixed(silence, at: 0, by: mixer)[2 * 600] == 16_000 << 16)
    begin([0, 0], .words, at: 400, in: mixer, by: door)
    let heard = mixed(silence, at: 0, by: mixer)
    #expect(heard[2 * 399] == 16_000 << 16 && heard[2 * 100] == 17_000 << 16)
    let length = Int(AsideMixer.goingLength(atRate: 44_100))
    #expect(heard.dropFirst(2 * (400 + length)).allSatisfy { $0 == 0 })
    let steps = (399..<700).map { abs(Int64(heard[2 * $0]) - Int64(heard[2 * $0 + 2])) }
    #expect((steps.max() ?? 0) <= Int64(16_000 << 16) / Int64(length) + 1)
  }

  @Test("the music gives way from the first frame of words to their last, and to no tick")
  func givingWay() {
    begin([Int16](repeating: 1, count: 100), .cue, at: 0, in: mixer, by: door)
    #expect(mixer.softened(Gain.unity, at: 0) == Gain.unity && mixer.evenFor(0) == .max)
    begin([Int16](repeating: 1, count: 300), .words, softness: 0.5, at: 20, in: mixer, by: door)
    let half = Gain.unity / 2
    let table: [(place: Int64, gain: Int64, even: Int)] = [
      (0, Gain.unity, 20), (19, Gain.unity, 1), (20, half, 300), (319, half, 1), (320, Gain.unity, .max),
    ]
    for row in table {
      #expect(mixer.softened(Gain.unity, at: row.place) == row.gain, "\(row)")
      #expect(mixer.evenFor(row.place) == row.even, "\(row)")
    }
    #expect(mixer.isGivingWay(from: Gain.unity, to: half, of: Gain.unity))
    #expect(mixer.isGivingWay(from: half, to: Gain.unity, of: Gain.unity))
    #expect(!mixer.isGivingWay(from: Gain.unity / 3, to: half, of: Gain.unity), "somebody turned the volume")
    #expect(!mixer.isGivingWay(from: 0, to: 0, of: 0))
    // Broken off, the music comes back at once.
    door.hush(.words)
    while let block = door.take() { mixer.begin(block, at: 100, into: door) }
    #expect(mixer.softened(Gain.unity, at: 99) == half && mixer.softened(Gain.unity, at: 100) == Gain.unity)
  }

  @Test("what was heard goes; of more than there is room for the one that is over first")
  func bounded() {
    for index in 0..<20 { begin([Int16](repeating: 1, count: 500), at: Int64(index), in: mixer, by: door) }
    #expect(mixer.count == AsideMixer.most)
    mixer.retire(before: 300, into: door)
    #expect(mixer.count == 1, "all but the last were on their way out")
    mixer.retire(before: 519, into: door)
    #expect(mixer.isEmpty)
  }

  @Test("the door refuses what nobody takes, and what is refused is forgotten")
  func full() {
    let aside = SoundOverlay([1, 2, 3], rate: 8_000, lane: .cue)
    let taken = (0..<40).map { _ in door.offer(aside) }
    #expect(taken.filter(\.self).count == 16 && taken.prefix(16).allSatisfy(\.self))
    while let block = door.take() { door.giveBack(block) }
    #expect(door.offer(aside))
  }

  @Test("an aside is as long as it says, and half a minute at most, at any rate; what is cut off ends softly")
  func length() {
    for rate in [8_000, 44_100, 192_000] as [Int32] {
      let whole = [Int16](repeating: 9_000, count: 30 * Int(rate))
      #expect(SoundOverlay(whole, rate: rate, lane: .words).samples == whole, "\(rate)")
      let cut = SoundOverlay(whole + [9_000], rate: rate, lane: .words)
      #expect(cut.duration == .seconds(30))
      let fade = Int(AsideMixer.goingLength(atRate: rate))
      #expect(cut.samples.dropLast(fade) == whole.dropLast(fade))
      let end = cut.samples.suffix(fade + 1).map(Int.init) + [0]
      let steps = end.indices.dropFirst().map { end[$0 - 1] - end[$0] }
      #expect(steps.allSatisfy { (0...(9_000 / fade + 1)).contains($0) }, "\(rate)")
    }
    #expect(
      SoundOverlay([Int16](repeating: 0, count: 11_025), rate: 44_100, lane: .words).duration == .milliseconds(250))
  }
}

@Suite("Ticks")
struct CueSoundTests {
  @Test(
    "each begins and ends in silence, is soft and short, and no two are alike", arguments: [8_000, 44_100, 192_000])
  func shape(rate: Int) {
    var seen: Set<[Int16]> = []
    for cue in CueSound.allCases {
      let aside = cue.aside(rate: Int32(rate))
      let samples = aside.samples
      #expect(aside.lane == .cue && aside.softness == 1 && aside.duration < .milliseconds(120))
      #expect(samples.count > rate / 100 && samples.first == 0 && abs(Int(samples.last ?? .max)) < 400, "\(cue)")
      let peak = samples.map { abs(Int($0)) }.max() ?? 0
      #expect(peak > 1_500 && peak < 32_767 / 3, "\(cue): \(peak)")
      seen.insert(samples)
    }
    #expect(seen.count == CueSound.allCases.count)
  }
}
