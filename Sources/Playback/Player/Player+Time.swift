import Formats
import Runtime

/// What time alone does: the volume rises, the music falls asleep, and what is heard becomes longer.
extension Player {
  /// Told before everything else, so that a command or news finds it as it is at that moment. `date` is in seconds
  /// since 1970.
  package mutating func pass(to moment: Moment, date: Int64, heard: Spot) -> [Action] {
    let gone = now.map { max(moment - $0, .zero) } ?? .zero
    now = max(moment, now ?? moment)
    self.date = date
    if wish == .playing && isHeard && !deviceIsLost { hearing?.lasted += gone }
    volume.rise(for: gone)
    // Before it was told how loud, it is not for time to say.
    guard toldGain != nil else { return [] }
    if let fadesUntil, let now {
      if wish != .playing {
        stopFading()
      } else if now >= fadesUntil {
        return giveWayByPausing()
      } else {
        let part = Double((fadesUntil - now).nanoseconds) / Double(GiveWay.fade.nanoseconds)
        volume.leave = Factor(part * part * part)
      }
    }
    guard let now, sleep.isOn else { return loudness() }
    if sleep.isOver(at: now) { return loudness() + fallAsleep() }
    volume.sleep = sleep.factor(at: now, music: musicLeft(heard))
    return loudness()
  }

  /// When time must be told again though nothing happens; nil when that does not matter.
  package func nextPass(heard: Spot) -> Duration? {
    if volume.isRising || fadesUntil != nil { return .milliseconds(20) }
    guard let now else { return nil }
    if wish != .playing, sleep.until == .track || sleep.until == .queue { return nil }
    return sleep.nextLook(at: now, music: musicLeft(heard))
  }

  /// Until the music falls asleep, if that is known. Time need not have been told until then.
  package func sleepsIn(at moment: Moment? = nil, heard: Spot) -> Duration? {
    (moment ?? now).flatMap { sleep.left(at: $0, music: musicLeft(heard)) }
  }

  /// What was fading out is to be as loud again as it was, and rises.
  mutating func stopFading() {
    guard fadesUntil != nil else { return }
    fadesUntil = nil
    volume.leave = .full
  }

  /// The one way by which loudness reaches the sound.
  mutating func loudness() -> [Action] {
    guard volume.gain != toldGain else { return [] }
    toldGain = volume.gain
    return [.gain(volume.gain)]
  }

  mutating func setSleep(_ until: SleepTimer.Until?, _ heard: Spot) -> [Action] {
    sleep = SleepTimer()
    if let until { sleep.set(until, at: now ?? Moment(nanoseconds: 0), music: musicLeft(heard, until)) }
    volume.sleep = .full
    return loudness() + followUp(heard)
  }

  /// What sounds is gone by now. It wakes as loud as it was: the sound is told so when it plays again.
  private mutating func fallAsleep() -> [Action] {
    wakeUp()
    // Also what only waits for another sound to end sleeps on.
    way.decided()
    guard wish == .playing else { return [] }
    wish = .paused
    return [.pause, .savePlace]
  }

  /// Nothing sounds at this moment, so it is as loud as it was when something does again.
  mutating func wakeUp() {
    sleep = SleepTimer()
    volume.wake()
  }

  /// Whether what is heard is the last before it falls asleep.
  var sleepsAfterThis: Bool {
    switch sleep.until {
    case .track: true
    case .queue: queue.repeats == .one
    default: false
    }
  }

  private func musicLeft(_ heard: Spot) -> Duration? { sleep.until.flatMap { musicLeft(heard, $0) } }

  /// What is left of the track, where its end is the one that is waited for.
  private func musicLeft(_ heard: Spot, _ until: SleepTimer.Until) -> Duration? {
    guard let current, let length = items[current]?.length else { return nil }
    if until == .queue && queue.repeats != .one {
      var looking = queue
      guard looking.successor(of: queue.turn(of: current), repeating: .off) == nil else { return nil }
    }
    return length - heard.elapsed
  }
}
