import Glibc

/// What a hand hears of what it did: short, soft, and no two alike, so that a knob can be turned without looking. Made
/// on the spot, at whatever rate the device has.
package enum CueSound: String, CaseIterable, Sendable {
  /// On to the next line.
  case detent
  /// Something was chosen, or opened.
  case press
  /// Back to where one came from.
  case back
  /// There is nothing beyond.
  case edge

  private struct Note {
    let hertz: Double
    let from: Double
    let seconds: Double
    let loudness: Double
  }

  private var notes: [Note] {
    switch self {
    case .detent: [Note(hertz: 1_800, from: 0, seconds: 0.012, loudness: 0.10)]
    case .press:
      [
        Note(hertz: 880, from: 0, seconds: 0.03, loudness: 0.12),
        Note(hertz: 1_320, from: 0.03, seconds: 0.04, loudness: 0.12),
      ]
    case .back:
      [
        Note(hertz: 1_320, from: 0, seconds: 0.03, loudness: 0.12),
        Note(hertz: 880, from: 0.03, seconds: 0.04, loudness: 0.12),
      ]
    case .edge: [Note(hertz: 220, from: 0, seconds: 0.09, loudness: 0.25)]
    }
  }

  package var seconds: Double { notes.map { $0.from + $0.seconds }.max() ?? 0 }

  /// It begins and ends in silence, so that it clicks only where it is meant to.
  package func aside(rate: Int32) -> SoundOverlay {
    let count = Int(seconds * Double(rate))
    let samples = (0..<count).map { frame in
      let time = Double(frame) / Double(rate)
      let sum = notes.reduce(0) { sum, note in
        let age = time - note.from
        guard age >= 0, age < note.seconds else { return sum }
        let swell = sin(.pi * age / note.seconds)
        return sum + note.loudness * swell * swell * sin(2 * .pi * note.hertz * age)
      }
      return Int16((sum * 32_767).rounded())
    }
    return SoundOverlay(samples, rate: rate, lane: .cue)
  }
}
