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
    let aimed = aim(heard)
    // The end of a track tells itself.
    if sleep.isOver(at: now, music: musicLeft(heard)), !sleepsAfterThis { return aimed + loudness() + fallAsleep() }
    // Until it is known which chapter is heard, it stays as loud as it is.
    if sleep.until != .chapter || isAimed { volume.sleep = sleep.factor(at: now, music: musicLeft(heard)) }
    return loudness() + aimed
  }

  /// Which chapter ends with the music is known for what is heard now.
  private var isAimed: Bool { sleepGoal.map { $0.entry == current && $0.generation == generation } ?? false }

  /// Finds the end of the chapter that is heard, when that is not known yet.
  private mutating func aim(_ heard: Spot) -> [Action] {
    guard sleep.until == .chapter, !isAimed, isHeard, let current, let item = items[current] else { return [] }
    let next = item.chapters.next(from: heard.elapsed)
    // One that begins where the track ends is none.
    let end = next.flatMap { next in item.length.map { next < $0 } ?? true ? next : nil }
    let old = sleepGoal
    sleepGoal = SleepGoal(entry: current, generation: generation, end: end)
    // The same place, begun anew, goes on fading where it was.
    if let now, old?.entry != current || old?.end != end { sleep.set(.chapter, at: now, music: musicLeft(heard)) }
    return sleepsAfterThis ? followUp(heard) : []
  }

  /// When time must be told again though nothing happens; nil when that does not matter.
  package func nextPass(heard: Spot) -> Duration? {
    if volume.isRising || fadesUntil != nil { return .milliseconds(20) }
    guard let now else { return nil }
    if wish != .playing, sleep.until?.isOfMusic == true { return nil }
    if sleep.until == .chapter, !isAimed { return .milliseconds(100) }
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
    (sleep, sleepGoal) = (SleepTimer(), nil)
    if let until { sleep.set(until, at: now ?? Moment(nanoseconds: 0), music: musicLeft(heard, until)) }
    let aimed = aim(heard)
    volume.sleep = .full
    return loudness() + aimed + followUp(heard)
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
    (sleep, sleepGoal) = (SleepTimer(), nil)
    volume.wake()
  }

  /// Whether what is heard is the last before it falls asleep.
  var sleepsAfterThis: Bool {
    switch sleep.until {
    case .track: true
    case .chapter: isAimed && sleepGoal?.end == nil
    case .queue: queue.repeats == .one
    case .time, nil: false
    }
  }

  private func musicLeft(_ heard: Spot) -> Duration? { sleep.until.flatMap { musicLeft(heard, $0) } }

  /// What is left of the chapter or the track, where its end is the one that is waited for.
  private func musicLeft(_ heard: Spot, _ until: SleepTimer.Until) -> Duration? {
    if until == .chapter {
      guard isAimed else { return nil }
      if let end = sleepGoal?.end { return end - heard.elapsed }
    }
    guard let current, let length = items[current]?.length else { return nil }
    if until == .queue && queue.repeats != .one {
      var looking = queue
      guard looking.successor(of: queue.turn(of: current), repeating: .off) == nil else { return nil }
    }
    return length - heard.elapsed
  }
}
