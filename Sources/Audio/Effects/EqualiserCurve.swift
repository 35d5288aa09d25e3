import Runtime

/// One bell or shelf of an equaliser.
package struct EqualiserBand: Equatable, Sendable {
  package enum Kind: Equatable, Sendable { case peak, lowShelf, highShelf }

  package var kind: Kind
  package var hertz: Double
  package var decibels: Double
  /// The width: 1 is about one and a half octaves of a bell, 0.7 the steepest shelf without a bump.
  package var q: Double

  package init(_ kind: Kind, _ hertz: Double, _ decibels: Double, q: Double? = nil) {
    self.kind = kind
    self.hertz = hertz
    self.decibels = decibels
    self.q = q ?? Self.usualQ(kind)
  }

  static let frequencies = 10.0...24_000
  static let gains = -12.0...12
  static let widths = 0.1...12

  static func usualQ(_ kind: Kind) -> Double { kind == .peak ? 1 : 0.7 }
}

/// What an equaliser shall do to each frequency: up to ten bands, and how much softer or louder all is before them.
/// Settings and commands write it as a preset's name or as text (`EqualiserCurve+Text.swift`).
package struct EqualiserCurve: Equatable, Sendable {
  package var bands: [EqualiserBand]
  package var preamp: Double

  package init(_ bands: [EqualiserBand] = [], preamp: Double = 0) {
    self.bands = Array(bands.prefix(Self.most))
    self.preamp = preamp
  }

  package static let flat = EqualiserCurve()
  static let most = 10
  static let preamps = -24.0...12

  /// Nothing is changed.
  package var isFlat: Bool { preamp == 0 && bands.allSatisfy { $0.decibels == 0 } }

  /// What becomes of a steady tone, in decibels.
  package func decibels(at hertz: Double, rate: Double) -> Double {
    bands.reduce(preamp) { sum, band in
      sum + (Biquad(band, rate: rate)?.decibels(at: hertz, rate: rate) ?? 0)
    }
  }
}
