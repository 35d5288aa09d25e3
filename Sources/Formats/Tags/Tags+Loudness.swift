extension Tags {
  package var loudness: LoudnessFacts { LoudnessFacts(self) }
}

/// As a file says it. Nothing here is applied by the decoders.
extension LoudnessFacts {
  /// Nobody is 51 dB too loud or too soft (ReplayGain's own bound); that is a mistake, or meant to harm.
  package static let gains = -51.0...51.0
  /// Lossy files and floats overshoot a little. A peak of 0 is silence, and says nothing.
  package static let peaks = 0.000_001...64.0
  /// R128 gains lead to -23 LUFS.
  private static let fromR128 = 5.0

  package init(_ tags: Tags) {
    /// ID3 keeps keys of people's own invention apart.
    func values(_ key: String) -> [String] { tags.values(key) + tags.values("TXXX:" + key) }
    func first(_ key: String, _ read: (String) -> Double?) -> Double? { values(key).lazy.compactMap(read).first }
    // Opus files have R128 gains; ReplayGain in one was written by a program that did not know better.
    self.init()
    trackGain = first("R128_TRACK_GAIN", Self.r128) ?? first("REPLAYGAIN_TRACK_GAIN", Self.gain)
    albumGain = first("R128_ALBUM_GAIN", Self.r128) ?? first("REPLAYGAIN_ALBUM_GAIN", Self.gain)
    trackPeak = first("REPLAYGAIN_TRACK_PEAK", Self.peak)
    albumPeak = first("REPLAYGAIN_ALBUM_PEAK", Self.peak)
  }

  /// "-6.54 dB"
  private static func gain(_ text: String) -> Double? {
    var text = Substring(text)
    if text.lowercased().hasSuffix("db") { text = text.dropLast(2) }
    while text.last == " " { text = text.dropLast() }
    return decimal(text).flatMap { gains.contains($0) ? $0 : nil }
  }

  /// "0.988547"
  private static func peak(_ text: String) -> Double? {
    decimal(Substring(text)).flatMap { peaks.contains($0) ? $0 : nil }
  }

  /// "-1674": 256 steps a dB.
  private static func r128(_ text: String) -> Double? {
    guard text.utf8.count <= 6, let steps = Int16(text) else { return nil }
    let gain = Double(steps) / 256 + fromR128
    return gains.contains(gain) ? gain : nil
  }

  /// A sign, digits, a point or a comma, digits. Neither exponents nor the words that `Double` takes for numbers.
  private static func decimal(_ text: Substring) -> Double? {
    var rest = text.utf8
    guard rest.count <= 24 else { return nil }
    var sign = 1.0
    if let first = rest.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      if first == UInt8(ascii: "-") { sign = -1 }
      rest = rest.dropFirst()
    }
    var digits = 0
    var value = 0.0
    var unit: Double?
    for byte in rest {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits += 1
        value = value * 10 + Double(byte - UInt8(ascii: "0"))
        unit = unit.map { $0 * 10 }
      case UInt8(ascii: "."), UInt8(ascii: ","):
        if unit != nil { return nil }
        unit = 1
      default: return nil
      }
    }
    return digits > 0 ? sign * value / (unit ?? 1) : nil
  }
}
