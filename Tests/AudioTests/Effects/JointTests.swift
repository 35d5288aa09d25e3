import Formats
import Runtime
import TestSupport
import Testing

@testable import Audio

@Suite("Joint")
struct JointTests {
  private static let minutes = Int64(44_100 * 180)

  private func track(
    _ number: Int?, of album: String?, by artist: String? = "Someone", disc: Int? = nil, file: String = "/m/x.flac"
  ) -> TrackFacts {
    var tags = Tags()
    tags.album = album
    tags.artist = artist
    tags.trackNumber = number
    if let disc { tags.add("DISCNUMBER", "\(disc)/2") }
    return TrackFacts(tags, file: FilePath(file), length: Self.minutes, rate: 44_100)
  }

  private func joint(_ one: TrackFacts, _ other: TrackFacts, _ wanted: Duration = .seconds(5), inside: Bool = false)
    -> Joint
  {
    Joint.between(previous: one, next: other, wanted: wanted, insideAlbums: inside)
  }

  @Test("tracks that follow each other on a record are never faded, unless asked")
  func albums() {
    let pairs: [(TrackFacts, TrackFacts, Bool)] = [
      (track(1, of: "A"), track(2, of: "A"), true),
      (track(1, of: "A"), track(3, of: "A"), false),
      (track(2, of: "A"), track(1, of: "A"), false),
      (track(1, of: "A"), track(1, of: "A"), false),
      (track(1, of: "A"), track(2, of: "B"), false),
      (track(1, of: "A"), track(2, of: nil), false),
      (track(nil, of: "A"), track(2, of: "A"), false),
      (track(9, of: "A", disc: 1), track(1, of: "A", disc: 2), true),
      (track(9, of: "A", disc: 1), track(10, of: "A", disc: 2), false),
      (track(9, of: "A", disc: 1), track(1, of: "A", disc: 3), false),
      // Two bands call a record the same; two guests sing on the same one.
      (track(1, of: "Live", by: "X", file: "/m/x/1"), track(2, of: "Live", by: "Y", file: "/m/y/2"), false),
      (track(1, of: "Live", by: "X", file: "/m/z/1"), track(2, of: "Live", by: "Y", file: "/m/z/2"), true),
      // No tags at all.
      (track(nil, of: nil, file: "/m/a/07 One.wav"), track(nil, of: nil, file: "/m/a/08 Two.wav"), true),
      (track(nil, of: nil, file: "/m/a/07 One.wav"), track(nil, of: nil, file: "/m/b/08 Two.wav"), false),
      (track(nil, of: nil, file: "/m/a/07 One.wav"), track(nil, of: nil, file: "/m/a/09 Two.wav"), false),
      (track(nil, of: nil, file: "/m/a/One.wav"), track(nil, of: nil, file: "/m/a/Two.wav"), false),
    ]
    for (one, other, together) in pairs {
      #expect(joint(one, other) == (together ? .gapless : .crossfade(5 * 44_100)), "\(one) \(other)")
      #expect(joint(one, other, inside: true) == .crossfade(5 * 44_100))
    }
    var (one, other) = (track(1, of: "A", by: "X"), track(2, of: "A", by: "Y"))
    one.albumArtist = "Various"
    #expect(joint(one, other) != .gapless)
    other.albumArtist = "Various"
    #expect(joint(one, other) == .gapless)
  }

  @Test("it is never longer than half of either track, than 12 s, or than what was asked for")
  func lengths() {
    var (one, other) = (track(1, of: "A"), track(1, of: "B"))
    #expect(joint(one, other, .zero) == .gapless)
    #expect(joint(one, other, .seconds(-3)) == .gapless)
    #expect(joint(one, other, .seconds(99)) == .crossfade(12 * 44_100))
    one.length = 1_001
    #expect(joint(one, other) == .crossfade(500))
    one.length = 1
    #expect(joint(one, other) == .gapless)
    one.length = nil
    #expect(joint(one, other) == .gapless)
    one.length = Self.minutes
    // Two seconds at another rate.
    other.rate = 96_000
    other.length = 192_000
    #expect(joint(one, other) == .crossfade(44_100))
    other.length = nil
    #expect(joint(one, other) == .crossfade(5 * 44_100))
    one.rate = 0
    #expect(joint(one, other) == .gapless)
  }

  @Test("the laws hold over a walk of tracks", arguments: [UInt64(1), 2, 3])
  func walk(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    func facts() -> TrackFacts {
      let rate = [Int32(0), 8_000, 44_100, 192_000][Int.random(in: 0..<4, using: &generator)]
      var facts = TrackFacts(
        length: Bool.random(using: &generator) ? nil : Int64.random(in: 0...10_000_000, using: &generator), rate: rate)
      if Bool.random(using: &generator) { facts.album = "A" }
      facts.number = Int.random(in: 1...3, using: &generator)
      return facts
    }
    for _ in 0..<2_000 {
      let (one, other) = (facts(), facts())
      let wanted = Duration.milliseconds(Int.random(in: -100...20_000, using: &generator))
      let joint = joint(one, other, wanted, inside: Bool.random(using: &generator))
      guard case .crossfade(let frames) = joint else { continue }
      let seconds = Double(frames) / Double(one.rate)
      #expect(frames > 0 && seconds <= 12, "seed \(seed)")
      #expect(Int64(frames) * 1_000 <= wanted.milliseconds * Int64(one.rate), "seed \(seed)")
      #expect(2 * Int64(frames) <= one.length ?? 0, "seed \(seed)")
      if let length = other.length, other.rate > 0 { #expect(seconds * 2 <= Double(length) / Double(other.rate)) }
    }
  }
}
