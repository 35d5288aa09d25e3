import Runtime
import Synchronization

/// Giving the device music while there is some, and silence while there is none.
extension Feeder {
  func feed() throws(Fault) -> Wait {
    waitsForAsides = false
    for _ in 0..<Self.helpings {
      guard let mark = markHere() else { return try rest(isReady: false) }
      if mark == refused {
        try discard()
        continue
      }
      switch device {
      case .dead: return Wait()
      case .closed(let retryAt):
        guard isPlaying else { return Wait() }
        if now() < retryAt { return Wait(until: retryAt) }
        try open(mark)
      case .open(let rate) where rate != mark.sampleRate:
        // Let the device play what it holds first. Only a change of the sample rate closes it.
        guard isPlaying, handed.soundLeft == 0 else { return try rest(isReady: true) }
        if !asides.isEmpty {
          waitsForAsides = true
          try endAsides()
          return try rest(isReady: true)
        }
        try output.close()
        handed.removeAll()
        device = .closed(retryAt: Moment(nanoseconds: 0))
        try open(mark)
      case .open(let rate):
        let isAudible = isPlaying || (isLive && !ramp.isFinished)
        guard isAudible else { return try rest(isReady: true) }
        if handed.isFull { return nextLook() }
        if !(try give(rate, mark)) { return nextLook() }
      }
    }
    return Wait(until: now())
  }

  /// How many frames the device may hold: what is configured, and half of the ring at most. The decoder is woken early
  /// enough that the other half is full at each turn, so the device can always be filled up.
  private func deepest(_ rate: Int32) -> Int {
    guard isLive else { return .max }
    return min(ring.capacity / 2, Int(controls.depth.load(ordering: .relaxed) * Int64(rate) / 1_000))
  }

  /// The most blocks in one turn; then it checks whether something else is wanted.
  private static var helpings: Int { 64 }

  /// The begin mark that the ring's next frame belongs to; nil when no frame of the wanted start is ready.
  private func markHere() -> Mark? {
    for index in 0..<ring.marks.count {
      // Marks may be out of order after a skip: an older one can belong to frames that never came.
      let mark = ring.marks[index]
      if mark.at <= ring.read && mark.kind == .begin { reading = mark }
    }
    // After a rewind into a track of which the mark was heard already, that mark counts.
    guard let mark = reading ?? hearing, ready > 0 else { return nil }
    return mark.generation == generation ? mark : nil
  }

  private func open(_ mark: Mark) throws(Fault) {
    defer { publishAbility() }
    do throws(Fault) { try output.open(rate: mark.sampleRate, bits: mark.sourceBits) } catch {
      // It is known better now, and what cannot be played may be made playable.
      publishAbility()
      guard error.kind == .unsupported, output.mayReopen else { throw error }
      return refuse(mark, error)
    }
    try hasOpened(rate: mark.sampleRate)
  }

  func hasOpened(rate: Int32) throws(Fault) {
    device = .open(rate: rate)
    note(.works)
    waitsForAsides = false
    if controls.mixedFor.load(ordering: .relaxed) < controls.losses.load(ordering: .relaxed) { wakeMixer() }
    drift = ClockDrift(rate: rate)
    silenceAgain = Moment(nanoseconds: 0)
    if deviceWasLost {
      deviceWasLost = false
      _ = tell(.deviceBack)
    }
    ramp = Ramp(at: 0)
    try followGain()
  }

  /// The device works but cannot play this track: reports it, so that the next one can be played.
  private func refuse(_ mark: Mark, _ fault: Fault) {
    // The main loop has not fetched any news for long. No track is passed over while it cannot be told.
    if news.isFull {
      device = .closed(retryAt: now() + Self.retry)
      return
    }
    refused = mark
    // By now it is known that the device can play it at another sample rate, for which it must be decoded again.
    if controls.rate(for: mark.sampleRate) != mark.sampleRate {
      _ = tell(.unfit, mark)
      return
    }
    refusals.withLock { $0.append(fault) }
    _ = tell(.refused, mark)
    controls.refusedAt.store(mark.at + 1, ordering: .releasing)
  }

  /// Drops the frames of the refused track, up to the next mark. More may come until the decoder has seen the refusal.
  private func discard() throws(Fault) {
    var target = ring.written  // first: a mark is always there before its frames are
    for index in 0..<ring.marks.count where ring.marks[index].at > ring.read {
      target = min(target, ring.marks[index].at)
    }
    ring.skip(to: target)
    playedTo = max(playedTo, ring.read)
    try settle()
  }

  /// Gives the device one block; false when it has no room.
  private func give(_ rate: Int32, _ mark: Mark) throws(Fault) -> Bool {
    if starving && isLive { try goOnAfterSilence() }
    // The gain may have been decided before there was any frame.
    if ramp.to == 0 && isPlaying { try followGain() }
    var even = Int.max
    if !asides.isEmpty {
      giveWay()
      even = asides.evenFor(place)
    }
    let (frames, there) = ring.next
    var count = min(
      min(there, ready, try output.room()), min(boundary(rate: rate, like: mark), deepest(rate) - handed.held, even))
    if !ramp.isFinished { count = min(count, ramp.left) }
    if count <= 0 { return false }
    let before = ramp.gain
    let given: Int
    if ramp.isFinished && before == Gain.unity {
      given = try hand(frames, count: count, bits: mark.isExact ? mark.sourceBits : 32)
    } else {
      count = min(count, Self.helping)
      if ramp.isFinished {
        Gain.apply(before, frames, count: count, into: scratch)
      } else {
        Gain.apply(ramp, frames, count: count, into: scratch)
      }
      // Silence has the same bits at any width.
      given = try hand(scratch, count: count, bits: ramp.isFinished && before == 0 ? 0 : 32)
      if !ramp.isFinished { ramp.done += given }
    }
    if given == 0 { return false }
    handed.append(
      .init(
        stream: ring.read, count: given, isMusic: true, isSound: true, gainBefore: before, gainAfter: ramp.gain,
        givesWay: ramp.givesWay && before != ramp.gain))
    ring.take(given)
    if !isLive { try settle() }
    return true
  }

  /// There is nothing to play: the device is kept open with silence; a recording waits. `isReady` must be what `feed`
  /// saw. If it were looked up again here, frames that came in between would find `outputHunger` at 0 and wake nobody.
  private func rest(isReady: Bool) throws(Fault) -> Wait {
    if isLive && !isPlaying { ramp = Ramp(at: 0) }
    let isHungry = isPlaying && !isReady
    if isHungry {
      let enough = Int(ring.read - ring.released) + reserve + 1
      controls.outputHunger.store(isLive ? enough : ring.capacity / 4, ordering: .relaxed)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      // Frames may have come just before `outputHunger` was set.
      if ready > 0 { return Wait(until: now()) }
    }
    guard case .open(let rate) = device else { return Wait() }
    guard isLive else { return Wait() }
    let moment = now()
    if isHungry && !hasEnded {
      // The device still holds some sound, so the decoder may be in time.
      let spare = handed.soundLeft - Int(rate) / 8
      if spare > 0 {
        return Wait(until: earliest(markHeard(rate), moment + .nanoseconds(Int64(spare) * 1_000_000_000 / Int64(rate))))
      }
      if !starving { try runDry(rate) }
    }
    starving = true
    var wait = Wait()
    if moment >= silenceAgain && !handed.isFull {
      var left = min(try output.room(), deepest(rate) - handed.held)
      scratch.update(repeating: 0, count: 2 * Self.helping)
      while left > 0 {
        let given = try hand(scratch, count: min(left, Self.helping), bits: 0)
        if given == 0 { break }
        handed.append(.init(stream: 0, count: given, isMusic: false, isSound: false, gainBefore: 0, gainAfter: 0))
        left -= given
      }
      let held = max(try output.delay(), Int(rate) / 20)
      silenceAgain = moment + .nanoseconds(Int64(held) * 500_000_000 / Int64(rate))
    }
    wait.until = earliest(markHeard(rate), silenceAgain)
    if isPlaying && isReady {
      // Music of another sample rate waits: the device is opened anew when it has played its last sound.
      let frames = waitsForAsides ? asides.soundLeft(from: handed.played) : handed.soundLeft
      let left = moment + .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(rate) + 1_000)
      wait.until = earliest(wait.until, left)
    }
    return wait
  }

  /// How many frames at the end of the ring are held back until more have come or the end is marked: 10 ms, to fade out
  /// with should the decoder be too slow.
  private var reserve: Int {
    guard isLive, !hasEnded, ramp.isFinished || ramp.to != 0 else { return 0 }
    if case .open(let rate) = device { return Gain.rampLength(atRate: rate) }
    return Gain.rampLength(atRate: 44_100)
  }

  /// How many frames in the ring may be given to the device now.
  var ready: Int { max(0, Int(ring.written - ring.read) - reserve) }

  /// The decoder is too slow: fades out with the frames that were held back, so that the sound does not end with a
  /// click.
  private func runDry(_ rate: Int32) throws(Fault) {
    ranDry = true
    let count = min(min(ring.next.count, try output.room()), min(boundary(rate: rate), Self.helping))
    guard count > 0, ramp.gain > 0, !handed.isFull else { return }
    ramp.turn(to: 0, over: count)
    Gain.apply(ramp, ring.next.frames, count: count, into: scratch)
    let before = ramp.gain
    let given = try hand(scratch, count: count, bits: 32)
    ramp.done += given
    guard given > 0 else { return }
    handed.append(
      .init(stream: ring.read, count: given, isMusic: true, isSound: true, gainBefore: before, gainAfter: ramp.gain))
    ring.take(given)
  }

  /// Music has come: takes back the silence and the fade that the device has not played yet. A gap that was audible is
  /// counted as a starvation.
  private func goOnAfterSilence() throws(Fault) {
    starving = false
    try rewind()
    guard ranDry else { return }
    ranDry = false
    if ramp.gain == 0 || handed.soundLeft < handed.held { controls.starvations.add(1, ordering: .relaxed) }
  }

  /// Whether the decoder has marked the end.
  private var hasEnded: Bool {
    if drainedAt == ring.written { return true }
    let count = ring.marks.count
    return count == 0 ? false : ring.marks[count - 1].kind == .end && ring.marks[count - 1].at == ring.written
  }

  /// When to turn again while the device has no room: when it will have room, or when the next mark is heard.
  func nextLook() -> Wait {
    guard case .open(let rate) = device else { return Wait() }
    // At that time it still holds 3/8 s of sound, or half of its buffer if that is shorter.
    let spare = handed.held - min(deepest(rate) / 2, Int(rate) * 3 / 8)
    let room = spare > 0 ? now() + .nanoseconds(Int64(spare) * 1_000_000_000 / Int64(rate)) : output.nextRoom()
    return Wait(until: earliest(room, markHeard(rate)), forDevice: room == nil)
  }

  /// When the next mark will be heard; nil while the device has not been given its frame.
  private func markHeard(_ rate: Int32) -> Moment? {
    for index in 0..<ring.marks.count {
      let mark = ring.marks[index]
      let frame = mark.kind == .begin ? mark.at : max(mark.at, 1) - 1
      guard let distance = handed.distance(to: frame) else { continue }
      return now() + .nanoseconds(Int64(distance + 1) * 1_000_000_000 / Int64(rate) + 1_000)
    }
    return nil
  }

  private func earliest(_ left: Moment?, _ right: Moment?) -> Moment? {
    guard let left, let right else { return left ?? right }
    return min(left, right)
  }
}
