import Audio

/// An equaliser as somebody sets it by hand: five bells, as on the front of an amplifier.
package enum OwnCurve {
  /// In hertz.
  static let bands = [60, 250, 1_000, 4_000, 12_000]

  static func name(ofBand hertz: Int) -> String { hertz < 1_000 ? "\(hertz) Hz" : "\(hertz / 1_000) kHz" }

  static func decibels(at hertz: Int, of curve: EqualiserCurve) -> Int {
    curve.bands.first { Int($0.hertz) == hertz && $0.kind == .peak }.map { Int($0.decibels.rounded()) } ?? 0
  }

  /// The curve of these bands, with one of them changed. What a preset had elsewhere is given up.
  package static func curve(_ old: EqualiserCurve, hertz: Int, decibels: Int) -> EqualiserCurve {
    let all = bands.map { band in
      EqualiserBand(.peak, Double(band), Double(band == hertz ? decibels : Self.decibels(at: band, of: old)))
    }
    // As with all presets nothing gets louder than it was: what is not lifted goes down.
    let highest = all.map(\.decibels).max() ?? 0
    return EqualiserCurve(all.filter { $0.decibels != 0 }, preamp: -max(highest, 0))
  }
}
