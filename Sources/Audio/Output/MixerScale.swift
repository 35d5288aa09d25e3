import Glibc

/// A control of a sound card that says how loud each of its steps is. It is given the step that is nearest to what is
/// wanted and not louder; below its softest, the rest is the player's. The rest above a step is left: it is less than
/// one step, and in software it would cost the bits.
struct MixerScale: Equatable {
  struct Setting: Equatable {
    var step: Int
    /// To be multiplied by in software, 0 to 1.
    var rest: Double
  }

  /// Of the first of `decibels`.
  let first: Int
  /// In hundredths, for each step; the louder come later.
  let decibels: [Int]

  /// What ALSA calls the step at which nothing is heard at all.
  private static let mute = -9_999_999

  /// Nil when it is no scale: fewer than two steps, or one that goes down.
  init?(first: Int, decibels: [Int]) {
    guard decibels.count >= 2, zip(decibels, decibels.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
    self.first = first
    self.decibels = decibels
  }

  static func gain(_ decibels: Int) -> Double { decibels <= mute ? 0 : pow(10, Double(decibels) / 2_000) }

  func setting(for wanted: Double) -> Setting {
    let softest = decibels.firstIndex { $0 > Self.mute } ?? 0
    let wanted = wanted.isNaN ? 0 : min(max(wanted, 0), 1)
    guard wanted > 0 else { return Setting(step: first + softest, rest: 0) }
    // A control's own rounding is no reason to be a step softer at full volume.
    if let step = decibels.lastIndex(where: { $0 > Self.mute && Self.gain($0) <= wanted }) {
      return Setting(step: first + step, rest: 1)
    }
    return Setting(step: first + softest, rest: min(1, wanted / Self.gain(decibels[softest])))
  }

  /// The card whose controls belong to a device: `hw:1` for `plughw:1,0`.
  static func card(of device: String) -> String {
    guard let colon = device.firstIndex(of: ":") else { return device }
    let rest = device[device.index(after: colon)...]
    let card = rest.prefix { $0 != "," }
    return card.isEmpty ? device : "hw:\(card)"
  }
}
