internal import CALSA
import Runtime

enum SampleFormat: CaseIterable {
  /// In order of preference: the more bits, the less a softer volume costs.
  case s32, s24In3, s24, s16

  var alsa: snd_pcm_format_t {
    switch self {
    case .s32: SND_PCM_FORMAT_S32_LE
    case .s24In3: SND_PCM_FORMAT_S24_3LE
    case .s24: SND_PCM_FORMAT_S24_LE
    case .s16: SND_PCM_FORMAT_S16_LE
    }
  }

  var bits: Int32 {
    switch self {
    case .s32: 32
    case .s24In3, .s24: 24
    case .s16: 16
    }
  }
}

/// What a device has agreed to.
struct ALSASetting: Equatable {
  var format: SampleFormat
  /// Those that reach the converter, as the driver says: many take 32 and use 24.
  var bits: Int32
  var channels: Int32
  var rate: Int32
  var buffer: Int
  var period: Int
  /// It tells its place no finer than by periods or packets.
  var isCoarse: Bool
  /// It wakes nobody, so it is asked by the clock.
  var rests: Bool
}

/// How deep a device's buffer may be. Seconds of it let the box sleep; only where the unplayed part can be taken back
/// may it be so deep, for else a pause would be heard that much later.
enum BufferDepth {
  /// What is so near to being heard is left alone.
  static let untouched: Duration = .milliseconds(20)
  /// For what cannot be taken back.
  static let shallow: Duration = .milliseconds(150)
  /// A small period, after which the first sound is let out.
  static let period: Duration = .milliseconds(10)

  /// Where every wake-up counts: half as much again.
  static func deeper(_ buffer: Duration) -> Duration { buffer * 3 / 2 }

  static func frames(_ duration: Duration, rate: Int32) -> Int {
    Int(duration.nanoseconds / 1_000 * Int64(rate) / 1_000_000)
  }

  /// Frames at the device's hands that stay: 20 ms, or two periods of a device that reads ahead by periods.
  static func margin(_ setting: ALSASetting) -> Int {
    max(frames(untouched, rate: setting.rate), setting.isCoarse ? 2 * setting.period : 0)
  }

  /// Room for more than is given by and by costs nothing, unless the device then reads ahead by longer periods.
  static func isFree(_ setting: ALSASetting) -> Bool {
    margin(setting) == frames(untouched, rate: setting.rate)
  }

  /// Worth it only if what must stay is shorter than a shallow buffer, and the buffer longer.
  static func isWorthRewinding(_ setting: ALSASetting) -> Bool {
    let shallow = frames(shallow, rate: setting.rate)
    return margin(setting) <= shallow && setting.buffer > shallow
  }
}
