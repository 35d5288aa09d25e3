import Formats
import Runtime

extension Player {
  package mutating func perform(_ command: Command, heard: Spot) -> [Action] {
    switch command {
    case .play, .pause, .toggle, .stop:
      way.decided()
      stopFading()
      return decide(command, heard)
    case .next: return skip(by: 1, heard)
    case .previous:
      if heard.elapsed > rules.previousRestartsAfter { return seek(to: .zero) }
      return skip(by: -1, heard)
    case .skip(let count): return skip(by: count, heard)
    case .jump(let id): return jump(to: id, heard)
    case .seek(let place): return seek(to: place)
    case .setVolume, .turn, .turnFromAfar, .mute, .toggleMute, .limitVolume: return adjust(command)
    case .add, .playNext, .remove, .putBack, .move, .readdress, .clear, .shuffle, .repeats:
      return arrange(command, heard)
    case .replace(let new): return replace(by: new, heard)
    case .playAtOnce(let paths, let origin):
      return playAtOnce(paths, from: origin, heard)
    case .giveWay(let name, let manner): return giveWay(to: name, manner, heard)
    case .refresh: return cue == nil ? [] : recue(heard)
    case .sleep(let until): return setSleep(until, heard)
    case .forget(let path): return bookmarks.remove(path) ? [.save(.noBookmark(path))] : []
    }
  }

  private mutating func decide(_ command: Command, _ heard: Spot) -> [Action] {
    switch command {
    case .play: play(heard)
    case .pause: pause()
    case .stop: stop(heard)
    default: wish == .playing ? pause() : play(heard)
    }
  }

  private mutating func giveWay(to name: String, _ manner: GiveWay.Manner?, _ heard: Spot) -> [Action] {
    let isPlaying = wish == .playing
    let changes = manner.map { way.begin(name, $0, isPlaying: isPlaying) } ?? way.end(name, isPlaying: isPlaying)
    let wasFading = fadesUntil != nil
    // The speaker that started a fade-out has ended before the fade did.
    if !way.isSilenced { stopFading() }
    let actions = changes.flatMap { change -> [Action] in
      switch change {
      case .loudness(let factor):
        volume.duck = Factor(factor)
        return loudness()
      case .pause: return giveWayByPausing()
      case .fadeOut:
        guard let now else { return giveWayByPausing() }
        fadesUntil = now + GiveWay.fade
        return []
      case .resume: return play(heard)
      }
    }
    return actions + (wasFading ? loudness() : [])
  }

  mutating func giveWayByPausing() -> [Action] {
    if fadesUntil != nil { volume.hasLeft() }
    fadesUntil = nil
    let actions = pause()
    way.hasPaused()
    return actions
  }

  mutating func play(_ heard: Spot) -> [Action] {
    if current == nil { current = queue.first?.id }
    guard current != nil else { return [.notice(.nothingToPlay)] }
    if let outputFault { return [.notice(.outputFailed(outputFault))] }
    let isForgotten =
      wish == .paused && pausedAt.flatMap { since in now.map { $0 - since >= Self.forgottenAfter } } == true
    wish = .playing
    forgetFailures()
    // Set the gain before anything is heard: the sleep timer may have faded it out.
    return loudness() + (cue == nil ? begin() : isForgotten ? recue(heard) : []) + [.resume, .savePlace]
  }

  mutating func pause() -> [Action] {
    guard wish == .playing else { return [] }
    wish = .paused
    return [.pause, .savePlace]
  }

  /// Stops. The entry stays the current one, at its beginning, or at its bookmark if it is long.
  private mutating func stop(_ heard: Spot) -> [Action] {
    guard wish != .stopped else { return [] }
    let left = leave(heard)
    wish = .stopped
    startAt = current.map { start(of: $0) } ?? .beginning
    return left + halt() + [.savePlace]
  }

  private mutating func skip(by count: Int, _ heard: Spot) -> [Action] {
    guard let current else { return [.notice(.nothingToPlay)] }
    if count < 0 { return goBack(by: count.magnitude, heard) }
    if count == 0 { return seek(to: .zero) }
    let left = leave(heard)
    guard let target = queue.skip(from: queue.turn(of: current), by: count) else { return left + endOfQueue() }
    forgetFailures()
    return left + go(to: target, .onward) + [.savePlace]
  }

  /// Goes back through the entries that were played before; if there were none, to the one before it in the queue.
  private mutating func goBack(by count: UInt, _ heard: Spot) -> [Action] {
    guard let here = current else { return [.notice(.nothingToPlay)] }
    let left = leave(heard)
    var target = here
    var steps = min(count, UInt(PlayQueue.limit))
    while steps > 0, let before = history.stepBack({ [queue] in queue.contains($0) && $0 != target }) {
      target = before
      steps -= 1
    }
    if steps > 0, let before = queue.skip(from: queue.turn(of: target), by: -Int(steps)) { target = before.id }
    let moved = queue.bringBack(target, before: here).map { Action.save(.queue($0)) }
    forgetFailures()
    return left + moved + go(to: queue.turn(of: target), .back) + [.savePlace]
  }

  mutating func jump(to id: EntryID, _ heard: Spot) -> [Action] {
    guard queue.contains(id) else { return [] }
    let wasHeard = isHeard || heard.frame > 0
    let left = leave(heard)
    let moved = queue.bringForward(id, to: current, wasHeard: wasHeard).map { Action.save(.queue($0)) }
    return left + moved + go(to: queue.turn(of: id), .elsewhere) + play(heard)
  }

  mutating func seek(to place: Duration) -> [Action] {
    guard current != nil else { return [.notice(.nothingToPlay)] }
    startAt = .time(max(place, .zero))
    return (wish == .playing ? begin() : halt()) + [.savePlace]
  }

  private mutating func adjust(_ command: Command) -> [Action] {
    switch command {
    case .setVolume(let percent): volume.set(percent)
    case .turn(let steps): volume.turn(by: steps)
    case .turnFromAfar(let steps): volume.turn(by: steps, byHand: false)
    case .mute(let muted): volume.mute(muted)
    case .limitVolume(let maximum): volume.limit(to: maximum)
    default: volume.mute(!volume.isMuted)
    }
    return loudness() + [.savePlace]
  }
}
