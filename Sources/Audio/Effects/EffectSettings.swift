import Runtime

/// What shall be done to the sound, as data: `EffectChain` is built from it, link by link in the order of `links`.
package struct EffectSettings: Equatable, Sendable {
  package var equaliser: EqualiserCurve
  package var normaliser: NormaliserMode
  /// What the owner wants louder or softer than the normaliser's target, in decibels.
  package var preamp: Double
  /// Guards what the others make louder.
  package var limiter: Bool
  /// No peak goes above, between samples too; in decibels of full scale.
  package var ceiling: Double
  /// Two tracks are heard at once now and then, and may be more than full scale together.
  package var mixes = false

  package init(
    equaliser: EqualiserCurve = .flat, normaliser: NormaliserMode = .off, preamp: Double = 0, limiter: Bool = true,
    ceiling: Double = -1
  ) {
    self.equaliser = equaliser
    self.normaliser = normaliser
    self.preamp = preamp
    self.limiter = limiter
    self.ceiling = ceiling
  }

  package static let nothing = EffectSettings()

  /// Every bit must pass untouched, and no chain is asked. A limiter alone is nothing: it has nobody to guard against,
  /// and a record that is loud by itself stays as its makers left it.
  package var isNothing: Bool { equaliser.isFlat && normaliser == .off && preamp == 0 && !mixes }

  enum Link: Equatable, Sendable {
    /// The track's gain comes with the frames; this is what goes to all tracks alike, in decibels.
    case gain(Double)
    case equaliser([EqualiserBand])
    case limiter(Double)
  }

  /// In the order in which sound goes through them. Softer comes first, so that the equaliser's lift finds room.
  var links: [Link] {
    // Where the normaliser works, the owner's wish is part of each track's gain, which knows the track's peak.
    let all = Link.gain(equaliser.preamp + (normaliser == .off ? preamp : 0))
    return [all, .equaliser(equaliser.bands)] + (limiter ? [.limiter(ceiling)] : [])
  }
}
