import Audio
import Playback
import Runtime

/// The short sound at the start, when the owner wants one. It is over before the player has the sound path; a device
/// that cannot be opened costs a moment and says nothing, which is the truth.
enum ReadyCue {
  /// No generation of the player's: it counts from one.
  private static let generation: UInt32 = .max
  private static let patience: Duration = .seconds(2)

  @MainLoop
  static func sound(_ sound: SoundPath, _ volume: Volume) async {
    let last = MainLoop.loop.now + patience
    sound.setGain(volume.gain)
    sound.resume()
    sound.startChime(generation: generation)
    while true {
      while let news = sound.nextNews() {
        switch news {
        case .drained(generation): return stop(sound)
        case .deviceLost:
          stop(sound)
          // The player tells it, and waits for the device.
          return sound.giveBack(news)
        default: break
        }
      }
      let left = last - MainLoop.loop.now
      guard left > .zero, await MainLoop.loop.readable(sound.bell, within: left) else { return stop(sound) }
    }
  }

  @MainLoop
  private static func stop(_ sound: SoundPath) {
    sound.pause()
    sound.halt(generation: 0)
  }
}
