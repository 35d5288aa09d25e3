import Formats
import Glibc
import Runtime

/// How much louder or softer a track is played so that all sound equally loud. A rule without state.
package struct NormaliserGain: Equatable, Sendable {
  package let decibels: Double

  /// Where all music is brought to.
  package static let target = -18.0
  /// For a track of which nothing is known: about as much as most records of the last thirty years need.
  package static let cautious = -7.0
  /// A boost may push peaks so far above full scale when a limiter takes them down again; more would be heard.
  package static let limiterTakes = 6.0
  static let range = -40.0...24

  /// `inAlbum`: the track is played as part of its album, which `automatic` listens to.
  package init(
    _ mode: NormaliserMode, _ facts: LoudnessFacts, inAlbum: Bool, preamp: Double = 0, hasLimiter: Bool
  ) {
    let wantsAlbum =
      switch mode {
      case .off, .track: false
      case .album: true
      case .automatic: inAlbum
      }
    guard mode != .off else {
      decibels = 0
      return
    }
    let album = Self.usable(facts.albumGain).map { (gain: $0, peak: facts.albumPeak) }
    let track = Self.usable(facts.trackGain).map { (gain: $0, peak: facts.trackPeak) }
    let known = wantsAlbum ? album ?? track : track ?? album
    let wanted = (known?.gain ?? Self.cautious) + preamp
    // A peak that nobody knows is taken for full scale.
    let peak = known?.peak.flatMap { $0 > 0 && $0.isFinite ? $0 : nil } ?? 1
    let room = (hasLimiter ? Self.limiterTakes : 0) - 20 * log10(peak)
    decibels = min(max(min(wanted, room), Self.range.lowerBound), Self.range.upperBound)
  }

  package var factor: Float { GainLink.factor(decibels) }

  /// Tags hold anything; a gain that no music needs is no gain.
  private static func usable(_ gain: Double?) -> Double? {
    gain.flatMap { $0.isFinite && $0.magnitude <= 60 ? $0 : nil }
  }
}
