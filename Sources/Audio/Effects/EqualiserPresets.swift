/// Curves with a name. None makes anything louder than it was, so none needs the limiter: what others lift, these
/// leave while the rest goes down.
extension EqualiserCurve {
  package static let presets: [(name: String, curve: EqualiserCurve)] = [
    ("off", .flat),
    ("bass", EqualiserCurve([.init(.lowShelf, 110, 6)], preamp: -6)),
    ("treble", EqualiserCurve([.init(.highShelf, 5_000, 5)], preamp: -5)),
    // The ear hears low and high tones less when it is quiet.
    ("loudness", EqualiserCurve([.init(.lowShelf, 90, 7), .init(.highShelf, 9_000, 4)], preamp: -7.1)),
    (
      "rock",
      EqualiserCurve(
        [.init(.lowShelf, 100, 5), .init(.peak, 500, -2, q: 0.8), .init(.highShelf, 6_000, 4)], preamp: -5)
    ),
    (
      "pop",
      EqualiserCurve(
        [.init(.lowShelf, 80, 2), .init(.peak, 1_500, 2.5, q: 0.7), .init(.highShelf, 9_000, 2)], preamp: -3.5)
    ),
    ("jazz", EqualiserCurve([.init(.lowShelf, 110, 3), .init(.highShelf, 7_000, 2.5)], preamp: -3.1)),
    (
      "classical",
      EqualiserCurve(
        [.init(.lowShelf, 90, 3), .init(.peak, 3_000, -1.5, q: 0.8), .init(.highShelf, 10_000, 3)], preamp: -3)
    ),
    (
      "vocal",
      EqualiserCurve(
        [.init(.lowShelf, 120, -4), .init(.peak, 2_200, 4, q: 0.8), .init(.highShelf, 9_000, -2)], preamp: -4)
    ),
    // A cabin booms around 100 Hz, and the road covers what lies below; seats and carpet swallow the highs.
    (
      "car",
      EqualiserCurve(
        [
          .init(.lowShelf, 55, 5), .init(.peak, 125, -3, q: 1.2), .init(.peak, 2_500, 1.5, q: 0.8),
          .init(.highShelf, 7_000, 3),
        ], preamp: -5)
    ),
    // What a small cone cannot give only moves it; the octave above it makes up for that.
    (
      "small-speakers",
      EqualiserCurve(
        [
          .init(.lowShelf, 60, -10), .init(.peak, 150, 4, q: 0.9), .init(.peak, 3_000, -1.5),
          .init(.highShelf, 8_000, 2),
        ],
        preamp: -4)
    ),
    ("headphones", EqualiserCurve([.init(.lowShelf, 100, 3), .init(.peak, 3_500, -2, q: 1.2)], preamp: -3)),
    (
      "speech",
      EqualiserCurve(
        [.init(.lowShelf, 150, -9), .init(.peak, 1_800, 3, q: 0.7), .init(.highShelf, 7_000, -4)], preamp: -3)
    ),
    ("night", EqualiserCurve([.init(.lowShelf, 120, -8), .init(.highShelf, 6_000, -2)])),
  ]
}
