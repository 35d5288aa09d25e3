import Audio
import Runtime

/// What the normaliser was told of a track when it began. A track keeps it to its end, also when it is played on after
/// the power was gone: at that moment the library, which knows gains, is not open yet.
package struct StartedLoudness: Equatable, Sendable {
  package var hint: LoudnessHint
  package var normaliser: NormaliserMode

  package init(hint: LoudnessHint, normaliser: NormaliserMode) {
    self.hint = hint
    self.normaliser = normaliser
  }
}

/// As numbers in a slot of the position file: first the modes and which of the eight values there are, then the values.
extension StartedLoudness {
  static let fieldCount = 1 + values.count

  private static let values: [WritableKeyPath<LoudnessHint, Double?> & Sendable] = [
    \.tagged.trackGain, \.tagged.trackPeak, \.tagged.albumGain, \.tagged.albumPeak,
    \.measured.trackGain, \.measured.trackPeak, \.measured.albumGain, \.measured.albumPeak,
  ]

  /// All zero where nothing is known; so are slots that were written by versions without it.
  static func fields(of loudness: StartedLoudness?) -> [UInt64] {
    guard let loudness else { return [UInt64](repeating: 0, count: fieldCount) }
    var head = UInt64(1 + (NormaliserMode.order.firstIndex(of: loudness.normaliser) ?? 0))
    if loudness.hint.isInAlbum { head |= 1 << 8 }
    var numbers: [UInt64] = []
    for (place, path) in values.enumerated() {
      let value = loudness.hint[keyPath: path]
      if value != nil { head |= 1 << UInt64(16 + place) }
      numbers.append(value?.bitPattern ?? 0)
    }
    return [head] + numbers
  }

  /// Nil where there is none, and where it says what cannot be.
  init?(fields: [UInt64]) {
    guard fields.count == Self.fieldCount, let head = fields.first, head >> 24 == 0 else { return nil }
    let mode = Int(head & 0xFF) - 1
    guard NormaliserMode.order.indices.contains(mode) else { return nil }
    var hint = LoudnessHint(isInAlbum: head & 1 << 8 != 0)
    for (place, path) in Self.values.enumerated() where head & 1 << UInt64(16 + place) != 0 {
      let value = Double(bitPattern: fields[1 + place])
      guard value.isFinite else { return nil }
      hint[keyPath: path] = value
    }
    self.init(hint: hint, normaliser: NormaliserMode.order[mode])
  }
}

extension NormaliserMode {
  /// As numbered on disk; never reorder.
  fileprivate static let order: [NormaliserMode] = [.off, .track, .album, .automatic]
}
