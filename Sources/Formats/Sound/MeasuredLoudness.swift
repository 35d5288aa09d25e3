/// How loud a recording was found to be.
package struct MeasuredLoudness: Equatable, Sendable {
  /// Integrated, in LUFS; nil for what cannot be measured: silence, or what does not decode.
  package var lufs: Double?
  /// Of full scale, between samples too.
  package var truePeak: Double?
  /// What it was measured over.
  package var seconds: Double

  package init(lufs: Double?, truePeak: Double?, seconds: Double) {
    self.lufs = lufs
    self.truePeak = truePeak
    self.seconds = seconds
  }
}
