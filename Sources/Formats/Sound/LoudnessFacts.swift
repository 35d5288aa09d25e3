/// How loud a track is by what its tags say or by what was measured, in the terms of ReplayGain 2: gains are decibels
/// to -18 LUFS, peaks are parts of full scale.
package struct LoudnessFacts: Equatable, Sendable {
  package var trackGain: Double?
  package var trackPeak: Double?
  package var albumGain: Double?
  package var albumPeak: Double?

  package init(
    trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
  ) {
    self.trackGain = trackGain
    self.trackPeak = trackPeak
    self.albumGain = albumGain
    self.albumPeak = albumPeak
  }

  /// What a person was shown or told goes before what we found out; it fills the gaps only.
  package func filled(with other: LoudnessFacts) -> LoudnessFacts {
    // A gain and its peak come from one place, or the peak may be that of other bits.
    LoudnessFacts(
      trackGain: trackGain ?? other.trackGain, trackPeak: trackGain == nil ? other.trackPeak : trackPeak,
      albumGain: albumGain ?? other.albumGain, albumPeak: albumGain == nil ? other.albumPeak : albumPeak)
  }
}
