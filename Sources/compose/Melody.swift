/// J. S. Bach's Prelude in C (BWV 846, 1722), as data. A bar of the first 32 is a chord of five notes: the two low
/// ones are struck once each, the upper three follow, and again; the whole figure is played twice. Bars 33 and 34 run
/// freely, bar 35 is the last chord.
enum Melody {
  /// One figure a bar, lowest note first.
  private static let figures = [
    "C4 E4 G4 C5 E5", "C4 D4 A4 D5 F5", "B3 D4 G4 D5 F5", "C4 E4 G4 C5 E5",
    "C4 E4 A4 E5 A5", "C4 D4 F#4 A4 D5", "B3 D4 G4 D5 G5", "B3 C4 E4 G4 C5",
    "A3 C4 E4 G4 C5", "D3 A3 D4 F#4 C5", "G3 B3 D4 G4 B4", "G3 Bb3 E4 G4 C#5",
    "F3 A3 D4 A4 D5", "F3 Ab3 D4 F4 B4", "E3 G3 C4 G4 C5", "E3 F3 A3 C4 F4",
    "D3 F3 A3 C4 F4", "G2 D3 G3 B3 F4", "C3 E3 G3 C4 E4", "C3 G3 Bb3 C4 E4",
    "F2 F3 A3 C4 E4", "F#2 C3 A3 C4 Eb4", "Ab2 F3 B3 C4 D4", "G2 F3 G3 B3 D4",
    "G2 E3 G3 C4 E4", "G2 D3 G3 C4 F4", "G2 D3 G3 B3 F4", "G2 Eb3 A3 C4 F#4",
    "G2 E3 G3 C4 G4", "G2 D3 G3 C4 F4", "G2 D3 G3 B3 F4", "C2 C3 G3 Bb3 E4",
  ]

  private static let runs = [
    "C2 C3 F3 A3 C4 F4 C4 A3 C4 A3 F3 A3 F3 D3 F3 D3",
    "C2 B2 G4 B4 D5 F5 D5 B4 D5 B4 G4 B4 D4 F4 E4 D4",
  ]

  private static let lastChord = "C2 C3 E4 G4 C5"

  /// How loud a bar is, 0 to 1, between which the bars in between lie on a line.
  private static let dynamics: [(bar: Int, loudness: Double)] = [
    (0, 0.60), (4, 0.70), (7, 0.62), (10, 0.66), (13, 0.78), (18, 0.60), (22, 0.80), (27, 0.90), (30, 0.76),
    (33, 0.58), (34, 0.66),
  ]

  /// Sixteenths in a bar.
  static let steps = 16
  static var bars: [Bar] {
    let figured = figures.map { figure in
      let chord = notes(figure)
      return Bar(notes: (0..<steps).map { struck(chord, at: $0) })
    }
    let run = runs.map { run in
      let line = notes(run)
      return Bar(notes: line.enumerated().map { Note(pitch: $1, step: $0, untilStep: steps) })
    }
    let end = Bar(notes: notes(lastChord).enumerated().map { Note(pitch: $1, step: 0, untilStep: steps, roll: $0) })
    return figured + run + [end]
  }

  /// The note of a figure at one sixteenth: 1 2 3 4 5 3 4 5, twice a bar. The low ones sound to the half bar's end.
  private static func struck(_ chord: [Pitch], at step: Int) -> Note {
    let order = [0, 1, 2, 3, 4, 2, 3, 4]
    let half = steps / 2
    return Note(pitch: chord[order[step % half]], step: step, untilStep: step < half ? half : steps)
  }

  static func loudness(ofBar bar: Int) -> Double {
    guard let after = dynamics.firstIndex(where: { $0.bar >= bar }) else { return dynamics[0].loudness }
    guard after > 0, dynamics[after].bar > bar else { return dynamics[after].loudness }
    let (low, high) = (dynamics[after - 1], dynamics[after])
    let way = Double(bar - low.bar) / Double(high.bar - low.bar)
    return low.loudness + way * (high.loudness - low.loudness)
  }

  private static func notes(_ line: String) -> [Pitch] { line.split(separator: " ").map { Pitch(String($0)) } }
}

struct Bar {
  var notes: [Note]
}

/// One string struck at a sixteenth of its bar and damped at another.
struct Note {
  var pitch: Pitch
  var step: Int
  var untilStep: Int
  /// A chord is rolled: how many of its notes come before this one.
  var roll = 0
}

/// A key of the piano, 60 is the middle C.
struct Pitch: Equatable {
  let key: Int

  /// "F#4", "Bb3".
  init(_ name: String) {
    let scale: [Character: Int] = ["C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11]
    var key = 12
    for character in name {
      if let step = scale[character] {
        key += step
      } else if let octave = character.wholeNumberValue {
        key += 12 * octave
      } else {
        key += character == "#" ? 1 : -1
      }
    }
    self.key = key
  }

  /// Equal temperament on A4 = 440, by multiplication alone so that every machine gives the same bits.
  var hertz: Double {
    let semitone = 1.059_463_094_359_295_3
    var value = 440.0
    for _ in 0..<abs(key - 69) { value = key > 69 ? value * semitone : value / semitone }
    return value
  }
}
