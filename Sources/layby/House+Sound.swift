import Audio
import Runtime

/// How the sound goes, which nothing but its own threads knows.
extension House {
  /// Beside the parts, in health: whether it came late, and how far the device's clock is from ours.
  var soundHealth: JSON? {
    guard let sound = soundPath else { return nil }
    return [
      "part": "sound", "state": JSON(sound.isOutputAlive ? "running" : "silent"), "restarts": 0,
      "underruns": JSON(Int64(clamping: sound.underruns)), "starvations": JSON(Int64(clamping: sound.starvations)),
      "drift_ppm": sound.driftPartsPerMillion.map { JSON($0) } ?? .null,
    ]
  }

  /// Seldom, for each time costs a wake-up; and only what is new.
  func logSound() {
    MainLoop.start {
      var told: Double?
      while await MainLoop.loop.sleep(for: .seconds(600)) {
        guard let sound = self.soundPath, let drift = sound.driftPartsPerMillion else { continue }
        if let told, abs(drift - told) < 10 { continue }
        told = drift
        self.log.info(
          "the sound device's clock", ["drift_ppm": (drift * 10).rounded() / 10, "underruns": sound.underruns])
      }
    }
  }
}
