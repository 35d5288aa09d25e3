internal import CALSA

/// Whether a device gives back what it was given: tried on silence before it begins to play, so that it costs no time.
/// A driver may say that it can, and then forget.
enum RewindCheck {
  /// Nil when all was as it must be; else what was not.
  static func complaint(_ pcm: OpaquePointer, _ setting: ALSASetting) -> String? {
    // Less than what starts it.
    let given = BufferDepth.frames(BufferDepth.period, rate: setting.rate) / 2
    let bytes = given * Int(setting.channels) * 4
    let silence = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
    defer { silence.deallocate() }
    silence.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
    func holds(_ frames: Int) -> Bool {
      var delay: snd_pcm_sframes_t = 0
      return snd_pcm_delay(pcm, &delay) == 0 && Int(delay) == frames
    }
    guard snd_pcm_writei(pcm, silence, snd_pcm_uframes_t(given)) == snd_pcm_sframes_t(given), holds(given) else {
      return "it does not say how much it holds"
    }
    let able = Int(snd_pcm_rewindable(pcm))
    guard able >= given else { return "it says that \(max(0, able)) of \(given) frames can be taken back" }
    let half = given / 2
    let back = Int(snd_pcm_rewind(pcm, snd_pcm_uframes_t(half)))
    guard back == half, holds(given - half) else { return "it took back \(back) of \(half) frames" }
    let forward = Int(snd_pcm_forward(pcm, snd_pcm_uframes_t(half)))
    guard forward == half, holds(given) else { return "it went forward by \(forward) of \(half) frames" }
    guard Int(snd_pcm_rewind(pcm, snd_pcm_uframes_t(given))) == given, holds(0) else {
      return "it does not give back all"
    }
    return nil
  }
}
