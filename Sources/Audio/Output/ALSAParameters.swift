internal import CALSA
import Glibc
import Runtime

/// What a device is asked for when it is opened.
enum ALSAParameters {
  /// In a buffer that is not rewound.
  private static let periods: UInt32 = 4

  /// All that music is made in.
  private static let rates: [UInt32] = [
    8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 64_000, 88_200, 96_000, 176_400, 192_000,
    352_800, 384_000,
  ]

  /// What it could do; nothing is set.
  static func ability(_ pcm: OpaquePointer, device: String) throws(Fault) -> DeviceAbility {
    let hardware = try Hardware()
    try check(snd_pcm_hw_params_any(pcm, hardware.pointer), "anything", device)
    let able = rates.filter { snd_pcm_hw_params_test_rate(pcm, hardware.pointer, $0, 0) == 0 }
    let formats = SampleFormat.allCases.filter { snd_pcm_hw_params_test_format(pcm, hardware.pointer, $0.alsa) == 0 }
    // Some do one odd rate only; then it is the nearest to a CD's.
    var rates = able.map { Int32($0) }
    if rates.isEmpty {
      var near: UInt32 = 44_100
      if snd_pcm_hw_params_set_rate_near(pcm, hardware.pointer, &near, nil) == 0 { rates = [Int32(clamping: near)] }
    }
    return DeviceAbility(rates: rates, bits: formats.map(\.bits).max() ?? 16)
  }

  /// `deep`: a buffer that is rewound, and a device that wakes nobody; else a short one that is waited for.
  static func set(
    _ pcm: OpaquePointer, device: String, rate: Int32, buffer: Duration, deep: Bool
  ) throws(Fault) -> ALSASetting {
    let hardware = try Hardware()
    let pointer = hardware.pointer
    try check(snd_pcm_hw_params_any(pcm, pointer), "anything", device)
    try check(snd_pcm_hw_params_set_access(pcm, pointer, SND_PCM_ACCESS_RW_INTERLEAVED), "interleaved samples", device)
    guard let format = SampleFormat.allCases.first(where: { snd_pcm_hw_params_set_format(pcm, pointer, $0.alsa) == 0 })
    else { throw Fault(.unsupported, "A-157", "the sound device \(device) takes neither 32, 24 nor 16 bits") }
    // Stereo; else what it has: one for both, or more than we fill.
    var channels: UInt32 = 2
    if snd_pcm_hw_params_set_channels(pcm, pointer, 2) < 0 {
      try check(snd_pcm_hw_params_set_channels_near(pcm, pointer, &channels), "stereo", device)
    }
    var near = UInt32(rate)
    try check(snd_pcm_hw_params_set_rate_near(pcm, pointer, &near, nil), "\(rate) Hz", device)
    guard near == UInt32(rate) else {
      throw Fault(.unsupported, "A-158", "the sound device \(device) cannot do \(rate) Hz; the nearest is \(near) Hz")
    }
    let rests = deep && snd_pcm_hw_params_can_disable_period_wakeup(pointer) == 1
    if rests { snd_pcm_hw_params_set_period_wakeup(pcm, pointer, 0) }
    var bufferTime = UInt32(clamping: buffer.nanoseconds / 1_000)
    var periodTime = deep ? UInt32(BufferDepth.period.nanoseconds / 1_000) : bufferTime / periods
    // A device with its own mind about sizes is taken as it is.
    snd_pcm_hw_params_set_buffer_time_near(pcm, pointer, &bufferTime, nil)
    snd_pcm_hw_params_set_period_time_near(pcm, pointer, &periodTime, nil)
    try check(snd_pcm_hw_params(pcm, pointer), "\(rate) Hz", device)

    var frames: snd_pcm_uframes_t = 0
    snd_pcm_hw_params_get_buffer_size(pointer, &frames)
    var period: snd_pcm_uframes_t = 0
    snd_pcm_hw_params_get_period_size(pointer, &period, nil)
    let significant = snd_pcm_hw_params_get_sbits(pointer)
    let setting = ALSASetting(
      format: format, bits: (16...format.bits).contains(significant) ? significant : format.bits,
      channels: Int32(channels), rate: rate, buffer: Int(frames), period: max(1, Int(period)),
      isCoarse: snd_pcm_hw_params_is_batch(pointer) == 1, rests: rests)
    try setSoftware(pcm, setting, deep: deep, device)
    return setting
  }

  private static func setSoftware(
    _ pcm: OpaquePointer, _ setting: ALSASetting, deep: Bool, _ device: String
  ) throws(Fault) {
    var software: OpaquePointer?
    guard snd_pcm_sw_params_malloc(&software) == 0, let software else { throw noMemory }
    defer { snd_pcm_sw_params_free(software) }
    let small = BufferDepth.frames(BufferDepth.period, rate: setting.rate)
    let start = deep ? min(small, setting.buffer) : setting.period
    // A deep one is looked after by the clock; what wakes us then is its being pulled out, and nothing else.
    let room = deep ? 2 * setting.buffer : setting.period
    let what = "software parameters"
    try check(snd_pcm_sw_params_current(pcm, software), what, device)
    try check(snd_pcm_sw_params_set_start_threshold(pcm, software, snd_pcm_uframes_t(start)), "an early start", device)
    try check(snd_pcm_sw_params_set_avail_min(pcm, software, snd_pcm_uframes_t(room)), "waking up", device)
    try check(snd_pcm_sw_params(pcm, software), what, device)
    try check(snd_pcm_prepare(pcm), "a start", device)
  }

  private static let noMemory = Fault(.passing, "A-156", "no memory to open the sound device")

  private static func check(_ answer: Int32, _ what: String, _ device: String) throws(Fault) {
    if answer >= 0 { return }
    // Only what it will never do is no use asking again: it may be pulled out, or taken, in this very moment.
    guard [EINVAL, ENOTSUP, ENOSYS].contains(-answer) else {
      throw .system("A-159", doing: "set up \(what) on the sound device \(device)", errno: -answer)
    }
    throw Fault(.unsupported, "A-157", "the sound device \(device) cannot do \(what): \(Fault.describe(-answer))")
  }

  /// ALSA's space of what is possible.
  private final class Hardware {
    let pointer: OpaquePointer

    init() throws(Fault) {
      var pointer: OpaquePointer?
      guard snd_pcm_hw_params_malloc(&pointer) == 0, let pointer else { throw ALSAParameters.noMemory }
      self.pointer = pointer
    }

    deinit { snd_pcm_hw_params_free(pointer) }
  }
}
