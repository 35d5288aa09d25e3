/// The demo album: one piece, cut into three tracks at bar lines while its strings still ring, so that a gap or a
/// sample too many between tracks is heard. Lengths are odd on purpose: no decoder's or device's block divides them.
struct Album {
  /// Frames in a bar; a prime.
  private static let bar = 114_641
  /// Frames that the last chord rings on after its own bar.
  private static let lastRing = 150_012
  /// The bars with which the second and the third track begin.
  private static let cuts = [11, 20]

  let sound: Stereo
  /// One range of frames a track; together they are the whole.
  let tracks: [Range<Int>]

  init() {
    let bars = Melody.bars
    let starts = Self.barStarts(bars.count)
    let total = starts[bars.count] + Self.lastRing
    var sound = Stereo(frames: total)
    var seed: UInt64 = 1722
    for (index, bar) in bars.enumerated() {
      let length = starts[index + 1] - starts[index]
      let last = index == bars.count - 1
      for note in bar.notes {
        seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        // A hand is never quite even: up to 3 ms late, a tenth louder or softer.
        let late = note.step == 0 ? 0 : Int(seed >> 57)
        let uneven = 0.95 + 0.1 * Double((seed >> 40) & 0xFF) / 255
        let begin = note.step * length / Melody.steps + late + note.roll * 2_900
        let end = last ? length + Self.lastRing : note.untilStep * length / Melody.steps
        let loudness = Melody.loudness(ofBar: index) * uneven * Self.accent(note)
        PluckedString(pitch: note.pitch, loudness: min(1, loudness), held: end - begin, seed: seed)
          .play(into: &sound, at: starts[index] + begin)
      }
    }
    Room.resound(&sound)
    sound.removeOffset()
    sound.normalise(to: 0.707)
    sound.fadeOut(Int(2.5 * Stereo.rate))
    self.sound = sound
    let edges = [0] + Self.cuts.map { starts[$0] } + [total]
    tracks = zip(edges, edges.dropFirst()).map { $0..<$1 }
  }

  /// Where each bar begins, and where the last one ends; the last runs slow down.
  private static func barStarts(_ count: Int) -> [Int] {
    var starts = [0]
    for index in 0..<count {
      let slower = index == count - 3 ? 6 : index == count - 2 ? 18 : 0
      starts.append((starts.last ?? 0) + bar + bar * slower / 100)
    }
    return starts
  }

  /// The first note of each half bar carries it.
  private static func accent(_ note: Note) -> Double {
    switch note.step % (Melody.steps / 2) {
    case 0: 1.1
    case 1: 1.0
    default: 0.86
    }
  }
}
