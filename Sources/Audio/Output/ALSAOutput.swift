internal import CALSA
import Glibc
import Runtime

/// A sound card by ALSA, never waited for: what it cannot take now is given later. Its failures are four different
/// things: frames came too late (prepared again and counted), it slept (woken), it is gone (a fault; it may come back),
/// it cannot or may not be opened (a fault that says which).
final class ALSAOutput: Output {
  let isLive = true
  let mayReopen = true
  private(set) var underruns = 0
  private let buffer: Duration
  private let device: String
  private var pcm: OpaquePointer?
  private var sampleFormat = SampleFormat.s32
  /// As it was last told, and what was given since: a card that sleeps still has it, and the place must not jump.
  private var lastDelay = 0
  /// It was suspended and is not awake yet.
  private var isAsleep = false
  private let scratch = UnsafeMutablePointer<Int32>.allocate(capacity: 2 * ALSAOutput.helping)

  /// Frames converted in one go.
  private static let helping = 4_096

  /// `buffer` is as long as it takes to hear a pause, since such a buffer is not rewound yet.
  init(device: String, buffer: Duration = .milliseconds(150)) {
    self.device = device
    self.buffer = buffer
    layby_alsa_be_silent()
  }

  deinit {
    if let pcm { snd_pcm_close(pcm) }
    scratch.deallocate()
  }

  func open(rate: Int32, bits: Int32) throws(Fault) {
    close()
    var opened: OpaquePointer?
    let answer = snd_pcm_open(&opened, device, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
    guard answer == 0, let opened else { throw refusal(-answer) }
    do throws(Fault) {
      sampleFormat = try ALSAParameters.set(opened, device: device, rate: rate, buffer: buffer)
    } catch {
      snd_pcm_close(opened)
      throw error
    }
    pcm = opened
  }

  private func refusal(_ number: Int32) -> Fault {
    let isMissing = [ENOENT, ENODEV, ENXIO].contains(number)
    // To ALSA a card that may not be opened is a card that is not there.
    if number == EACCES || number == EPERM || isMissing && Self.cardsAreForbidden {
      return Fault(
        .denied, "A-151", "the sound device \(device) may not be used; its user belongs into the group audio")
    }
    if number == EBUSY { return Fault(.busy, "A-150", "the sound device \(device) is in use by another program") }
    if isMissing { return Fault(.missing, "A-152", "there is no sound device \(device)") }
    return .system("A-153", doing: "open the sound device \(device)", errno: number)
  }

  /// There are cards, and not one of them is for us.
  private static var cardsAreForbidden: Bool {
    let folder = FilePath("/dev/snd")
    let names: [FilePath]
    do throws(Fault) { names = try Folder.names(in: folder) } catch { return error.kind == .denied }
    let cards = names.map { folder / $0.description }.filter { $0.name.description.hasPrefix("controlC") }
    return !cards.isEmpty && cards.allSatisfy { $0.withCString { access($0, R_OK | W_OK) } != 0 }
  }

  private func open() throws(Fault) -> OpaquePointer {
    guard let pcm else { throw Fault(.missing, "A-154", "the sound device \(device) is not open") }
    return pcm
  }

  func room() throws(Fault) -> Int {
    let frames = snd_pcm_avail_update(try open())
    if frames >= 0 {
      isAsleep = false
      return Int(frames)
    }
    try mend(Int32(truncatingIfNeeded: frames))
    if isAsleep { return 0 }
    return max(0, Int(snd_pcm_avail_update(try open())))
  }

  func write(_ frames: UnsafePointer<Int32>, count: Int) throws(Fault) -> Int {
    let count = min(count, Self.helping)
    let pcm = try open()
    let written =
      switch sampleFormat {
      case .s32: snd_pcm_writei(pcm, frames, snd_pcm_uframes_t(count))
      default: snd_pcm_writei(pcm, converted(frames, count), snd_pcm_uframes_t(count))
      }
    if written >= 0 {
      lastDelay += Int(written)
      return Int(written)
    }
    try mend(Int32(truncatingIfNeeded: written))
    return 0
  }

  private func converted(_ frames: UnsafePointer<Int32>, _ count: Int) -> UnsafeMutableRawPointer {
    let bytes = UnsafeMutableRawPointer(scratch)
    if sampleFormat == .s24 {
      SampleWriter.write24In32(frames, samples: 2 * count, into: scratch)
    } else {
      let width = sampleFormat == .s16 ? 2 : 3
      bytes.withMemoryRebound(to: UInt8.self, capacity: 2 * count * width) {
        SampleWriter.write(frames, samples: 2 * count, width: width, into: $0)
      }
    }
    return bytes
  }

  func delay() throws(Fault) -> Int {
    var frames: snd_pcm_sframes_t = 0
    let answer = snd_pcm_delay(try open(), &frames)
    if answer == 0 {
      isAsleep = false
      lastDelay = max(0, Int(frames))
    } else {
      try mend(answer)
    }
    return lastDelay
  }

  private func mend(_ answer: Int32) throws(Fault) {
    let pcm = try open()
    var answer = answer
    var recovery = ALSARecovery.after(answer)
    if recovery == .resume {
      answer = snd_pcm_resume(pcm)
      recovery = ALSARecovery.afterResume(answer)
    }
    isAsleep = recovery == .wait
    if case .prepare(let isUnderrun) = recovery {
      if isUnderrun { underruns += 1 }
      lastDelay = 0
      answer = snd_pcm_prepare(pcm)
      if answer < 0 { recovery = .gone }
    }
    if recovery == .gone {
      throw Fault(.missing, "A-155", "the sound device \(device) is gone: \(Fault.describe(-answer))")
    }
  }

  /// A card that is not awake yet has nothing to say to poll but errors.
  func nextRoom() -> Moment? { isAsleep ? .now + .milliseconds(10) : nil }

  func pollDescriptors(_ slots: UnsafeMutableBufferPointer<pollfd>) -> Int {
    guard let pcm else { return 0 }
    return max(0, Int(snd_pcm_poll_descriptors(pcm, slots.baseAddress, UInt32(slots.count))))
  }

  func polled(_ slots: UnsafeMutableBufferPointer<pollfd>) {
    var events: UInt16 = 0
    if let pcm { snd_pcm_poll_descriptors_revents(pcm, slots.baseAddress, UInt32(slots.count), &events) }
  }

  func close() {
    if let pcm { snd_pcm_close(pcm) }
    pcm = nil
    lastDelay = 0
    isAsleep = false
  }
}
