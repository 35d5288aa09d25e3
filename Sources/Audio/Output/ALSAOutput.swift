internal import CALSA
import Glibc
import Runtime

/// A sound card by ALSA, never waited for: what it cannot take now is given later. Its failures are four different
/// things: frames came too late (prepared again and counted), it slept (woken, and given again what it lost), it is
/// gone (a fault; it may come back), it cannot or may not be opened (a fault that says which).
///
/// A device of the kernel's own has a buffer as deep as was asked for, if a check at each opening shows that what is
/// not played can be taken back; it is then fed by the clock. What stands behind a plug-in, or fails the check, has a
/// short one.
final class ALSAOutput: Output {
  let isLive = true
  let mayReopen = true
  private(set) var underruns = 0
  private(set) var ability: DeviceAbility?
  private let buffer: Duration
  private let device: String
  private let log = Log("output")
  private var pcm: OpaquePointer?
  private var frames: ALSAFrames?
  private var noise = DitherNoise()
  /// Frames that may never be taken back; nil when none can.
  private var margin: Int?
  /// As it was last told, and what was given since: a card that sleeps still has it, and the place must not jump.
  private var lastDelay = 0
  private var lost = 0
  /// It was suspended and is not awake yet.
  private var isAsleep = false
  /// It gave back other than it said, when it played.
  private var isDistrusted = false
  /// What was last said of it, so that it is not said at each change of rate.
  private var said = ""

  /// `buffer`: what a device that can be rewound is given. It is asked for room for more, for it is opened once, and
  /// the power may run low while it plays.
  init(device: String, buffer: Duration = .seconds(2)) {
    self.device = device
    self.buffer = buffer
    layby_alsa_be_silent()
  }

  deinit {
    if let pcm { snd_pcm_close(pcm) }
  }

  // MARK: Opening

  func probe() throws(Fault) {
    if pcm == nil { snd_pcm_close(try openPCM()) }
  }

  /// Open and asked, and not set up.
  private func openPCM() throws(Fault) -> OpaquePointer {
    var opened: OpaquePointer?
    let answer = snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard answer == 0, let opened else { throw ALSAFault.opening(device, errno: -answer) }
    do throws(Fault) { ability = try ALSAParameters.ability(opened, device: device) } catch {
      snd_pcm_close(opened)
      throw error
    }
    return opened
  }

  func open(rate: Int32, bits: Int32) throws(Fault) {
    close()
    let opened = try openPCM()
    do throws(Fault) {
      frames = ALSAFrames(try setUp(opened, rate: rate))
    } catch {
      snd_pcm_close(opened)
      throw error
    }
    pcm = opened
  }

  private func setUp(_ opened: OpaquePointer, rate: Int32) throws(Fault) -> ALSASetting {
    var reason = "it is a plug-in"
    if snd_pcm_type(opened) == SND_PCM_TYPE_HW {
      reason = "it gave back other than it said"
      if !isDistrusted {
        let setting = try setDeep(opened, rate: rate)
        let complaint =
          BufferDepth.isWorthRewinding(setting)
          ? RewindCheck.complaint(opened, setting) : "its buffer or its periods do not allow it"
        guard let complaint else {
          margin = BufferDepth.margin(setting)
          say(setting, "it can be rewound")
          return setting
        }
        reason = complaint
        snd_pcm_drop(opened)
        snd_pcm_hw_free(opened)
      }
    }
    margin = nil
    let short = min(buffer, BufferDepth.shallow)
    let setting = try ALSAParameters.set(opened, device: device, rate: rate, buffer: short, deep: false)
    say(setting, reason)
    return setting
  }

  /// With room for what low power asks for, unless that makes the answer to a knob slower.
  private func setDeep(_ opened: OpaquePointer, rate: Int32) throws(Fault) -> ALSASetting {
    do throws(Fault) {
      let roomy = BufferDepth.deeper(buffer)
      let setting = try ALSAParameters.set(opened, device: device, rate: rate, buffer: roomy, deep: true)
      if BufferDepth.isFree(setting) { return setting }
    } catch {}  // if it was not for want of memory, it fails again below
    snd_pcm_hw_free(opened)
    return try ALSAParameters.set(opened, device: device, rate: rate, buffer: buffer, deep: true)
  }

  private func say(_ setting: ALSASetting, _ reason: String) {
    let frames = Duration.milliseconds(Int64(setting.buffer) * 1_000 / Int64(setting.rate))
    let text = "\(setting.format) \(setting.channels) \(margin == nil) \(reason)"
    if text == said { return }
    said = text
    log.notice(
      "opened",
      [
        "device": device, "rate": setting.rate, "bits": setting.bits, "channels": setting.channels,
        "buffer_ms": frames.milliseconds, "period": setting.period, "because": reason,
        "wakes": margin == nil ? "by device" : "by clock",
      ])
  }

  private func open() throws(Fault) -> OpaquePointer {
    guard let pcm else { throw Fault(.missing, "A-154", "the sound device \(device) is not open") }
    return pcm
  }

  // MARK: Feeding

  func room() throws(Fault) -> Int {
    let pcm = try open()
    var answer = snd_pcm_avail_update(pcm)
    if answer < 0 || isGone {
      try mend(Int32(clamping: min(answer, 0)))
      // What it lost comes first.
      if isAsleep || lost > 0 { return 0 }
      answer = snd_pcm_avail_update(pcm)
    }
    isAsleep = false
    return lost > 0 ? 0 : max(0, Int(answer))
  }

  func write(_ source: UnsafePointer<Int32>, count: Int) throws(Fault) -> Int {
    try write(source, count: count, bits: 32)
  }

  func write(_ source: UnsafePointer<Int32>, count: Int, bits: Int32) throws(Fault) -> Int {
    let pcm = try open()
    guard let frames else { return 0 }
    let count = min(count, ALSAFrames.helping)
    // Noise that is thrown for what is not taken is no harm.
    let place = frames.converted(source, count, bits: bits, noise: &noise)
    let written = snd_pcm_writei(pcm, place, snd_pcm_uframes_t(count))
    if written >= 0 {
      lastDelay += Int(written)
      return Int(written)
    }
    try mend(Int32(clamping: written))
    return 0
  }

  func delay() throws(Fault) -> Int {
    var held: snd_pcm_sframes_t = 0
    let answer = snd_pcm_delay(try open(), &held)
    if answer == 0 && !isGone {
      isAsleep = false
      lastDelay = max(0, Int(held))
    } else {
      try mend(answer)
    }
    return lastDelay
  }

  func dropped() -> Int {
    defer { lost = 0 }
    return lost
  }

  func rewind(_ wanted: Int) -> Int {
    guard let pcm, let margin, !isDistrusted else { return 0 }
    let able = min(wanted, Int(snd_pcm_rewindable(pcm)) - margin)
    guard able > 0 else { return 0 }
    let back = Int(snd_pcm_rewind(pcm, snd_pcm_uframes_t(able)))
    if back != able { isDistrusted = true }
    lastDelay -= max(0, back)
    return max(0, back)
  }

  // MARK: Mending

  private var isGone: Bool { pcm.map { snd_pcm_state($0) == SND_PCM_STATE_DISCONNECTED } ?? false }

  private func state(_ pcm: OpaquePointer) -> ALSARecovery.State {
    switch snd_pcm_state(pcm) {
    case SND_PCM_STATE_DISCONNECTED: .disconnected
    case SND_PCM_STATE_SUSPENDED: .suspended
    case SND_PCM_STATE_XRUN: .underrun
    default: .well
    }
  }

  private func mend(_ answer: Int32) throws(Fault) {
    let pcm = try open()
    var answer = answer
    var recovery = ALSARecovery.after(answer, in: state(pcm))
    if recovery == .resume {
      answer = snd_pcm_resume(pcm)
      recovery = ALSARecovery.afterResume(answer)
    }
    isAsleep = recovery == .wait
    if case .prepare(let isUnderrun) = recovery {
      if isUnderrun { underruns += 1 } else { lost += lastDelay }
      lastDelay = 0
      answer = snd_pcm_prepare(pcm)
      if answer < 0 { recovery = .gone }
    }
    if recovery == .gone {
      // Another may stand in its place when it is back.
      isDistrusted = false
      let why = answer < 0 ? Fault.describe(-answer) : "it was pulled out"
      throw Fault(.missing, "A-155", "the sound device \(device) is gone: \(why)")
    }
  }

  // MARK: Waiting

  /// Half of a deep buffer; a short one is told of by the device itself. A card that is not awake yet has nothing to
  /// say to poll but errors.
  func nextRoom() -> Moment? {
    if isAsleep { return .now + .milliseconds(10) }
    guard margin != nil, let setting = frames?.setting else { return nil }
    let spare = max(0, lastDelay - setting.buffer / 2)
    return .now + .nanoseconds(Int64(spare) * 1_000_000_000 / Int64(setting.rate) + 1_000_000)
  }

  var tellsTroubleOnly: Bool { margin != nil }

  func pollDescriptors(_ slots: UnsafeMutableBufferPointer<pollfd>) -> Int {
    guard let pcm, !isAsleep else { return 0 }
    return max(0, Int(snd_pcm_poll_descriptors(pcm, slots.baseAddress, UInt32(slots.count))))
  }

  func polled(_ slots: UnsafeMutableBufferPointer<pollfd>) {
    var events: UInt16 = 0
    if let pcm { snd_pcm_poll_descriptors_revents(pcm, slots.baseAddress, UInt32(slots.count), &events) }
  }

  func close() {
    if let pcm { snd_pcm_close(pcm) }
    pcm = nil
    frames = nil
    lastDelay = 0
    lost = 0
    isAsleep = false
  }
}
