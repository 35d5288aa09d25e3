internal import CALSA
import Glibc
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
}

/// What a device is asked for when it is opened.
enum ALSAParameters {
  private static let periods: UInt32 = 4

  static func set(_ pcm: OpaquePointer, device: String, rate: Int32, buffer: Duration) throws(Fault) -> SampleFormat {
    var hardware: OpaquePointer?
    var software: OpaquePointer?
    guard snd_pcm_hw_params_malloc(&hardware) == 0, let hardware, snd_pcm_sw_params_malloc(&software) == 0, let software
    else { throw Fault(.passing, "A-156", "no memory to open the sound device \(device)") }
    defer {
      snd_pcm_hw_params_free(hardware)
      snd_pcm_sw_params_free(software)
    }
    func check(_ answer: Int32, _ what: String) throws(Fault) {
      if answer >= 0 { return }
      // Only what it will never do is no use asking again: it may be pulled out, or taken, in this very moment.
      guard [EINVAL, ENOTSUP, ENOSYS].contains(-answer) else {
        throw .system("A-159", doing: "set up \(what) on the sound device \(device)", errno: -answer)
      }
      throw Fault(.unsupported, "A-157", "the sound device \(device) cannot do \(what): \(Fault.describe(-answer))")
    }
    try check(snd_pcm_hw_params_any(pcm, hardware), "anything")
    try check(snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED), "interleaved samples")
    guard
      let format = SampleFormat.allCases.first(where: { snd_pcm_hw_params_set_format(pcm, hardware, $0.alsa) == 0 })
    else { throw Fault(.unsupported, "A-157", "the sound device \(device) takes neither 32, 24 nor 16 bits") }
    try check(snd_pcm_hw_params_set_channels(pcm, hardware, 2), "stereo")
    var near = UInt32(rate)
    var direction: Int32 = 0
    try check(snd_pcm_hw_params_set_rate_near(pcm, hardware, &near, &direction), "\(rate) Hz")
    guard near == UInt32(rate) else {
      throw Fault(.unsupported, "A-158", "the sound device \(device) cannot do \(rate) Hz; the nearest is \(near) Hz")
    }
    var bufferTime = UInt32(clamping: buffer.nanoseconds / 1_000)
    var periodTime = bufferTime / periods
    // A device with its own mind about sizes is taken as it is.
    snd_pcm_hw_params_set_buffer_time_near(pcm, hardware, &bufferTime, &direction)
    snd_pcm_hw_params_set_period_time_near(pcm, hardware, &periodTime, &direction)
    try check(snd_pcm_hw_params(pcm, hardware), "\(rate) Hz in stereo")

    var period: snd_pcm_uframes_t = 0
    snd_pcm_hw_params_get_period_size(hardware, &period, &direction)
    try check(snd_pcm_sw_params_current(pcm, software), "software parameters")
    try check(snd_pcm_sw_params_set_start_threshold(pcm, software, max(1, period)), "an early start")
    try check(snd_pcm_sw_params_set_avail_min(pcm, software, max(1, period)), "waking up at a period")
    try check(snd_pcm_sw_params(pcm, software), "software parameters")
    try check(snd_pcm_prepare(pcm), "a start")
    return format
  }
}
