import Runtime
import Synchronization

/// Music while there is some, silence when there is none.
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
        // The device plays out first; a change of rate is the only thing that closes it.
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

  /// The device gets what is wanted, and half of the ring at most: when it is looked after the other half is full, since
  /// the decoder is woken before, so there is always enough to fill it up with.
  private func deepest(_ rate: Int32) -> Int {
    guard isLive else { return .max }
    return min(ring.capacity / 2, Int(controls.depth.load(ordering: .relaxed) * Int64(rate) / 1_000))
  }

  /// So many in one turn; then it looks up, whether something else is wanted.
  private static var helpings: Int { 64 }

  /// The mark that the ring's next frame stands under; nil when there is no such frame.
  private func markHere() -> Mark? {
    for index in 0..<ring.marks.count {
      // Not in order after a skip: one of before may stand for frames that never came.
      let mark = ring.marks[index]
      if mark.at <= ring.read && mark.kind == .begin { reading = mark }
    }
    // After a rewind into a track that has been heard already.
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

  /// The device is well, only this it cannot play: waiting for another day would keep all from playing that it can.
  private func refuse(_ mark: Mark, _ fault: Fault) {
    // The main loop does not listen; as long as it cannot be told, nothing is passed over.
    if news.isFull {
      device = .closed(retryAt: now() + Self.retry)
      return
    }
    refused = mark
    // It can play it at another rate, which is known by now: what was decoded for the old one is of no use.
    if controls.rate(for: mark.sampleRate) != mark.sampleRate {
      _ = tell(.unfit, mark)
      return
    }
    refusals.withLock { $0.append(fault) }
    _ = tell(.refused, mark)
    controls.refusedAt.store(mark.at + 1, ordering: .releasing)
  }

  /// Up to where something else begins or the end stands. More may come, until the decoder has seen the refusal.
  private func discard() throws(Fault) {
    var target = ring.written  // first: a mark is always there before its frames are
    for index in 0..<ring.marks.count where ring.marks[index].at > ring.read {
      target = min(target, ring.marks[index].at)
    }
    ring.skip(to: target)
    playedTo = max(playedTo, ring.read)
    try settle()
  }

  /// One helping; false when the device has no room.
  private func give(_ rate: Int32, _ mark: Mark) throws(Fault) -> Bool {
    if starving && isLive { try goOnAfterSilence() }
    // The loudness was decided when no frame was there yet.
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
      // Silence is silence: nothing of it is cut.
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

  /// Nothing to play: the device is kept open on silence, a recorder waits. Whether frames are ready is what `feed` saw:
  /// were it looked up again here, frames that came in between would find nobody hungry, and wake nobody.
  private func rest(isReady: Bool) throws(Fault) -> Wait {
    if isLive && !isPlaying { ramp = Ramp(at: 0) }
    let isHungry = isPlaying && !isReady
    if isHungry {
      let enough = Int(ring.read - ring.released) + reserve + 1
      controls.outputHunger.store(isLive ? enough : ring.capacity / 4, ordering: .relaxed)
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      // The producer may have come in between, not knowing of the hunger.
      if ready > 0 { return Wait(until: now()) }
    }
    guard case .open(let rate) = device else { return Wait() }
    guard isLive else { return Wait() }
    let moment = now()
    if isHungry && !hasEnded {
      // What the device has lasts for a while yet; the decoder may come in time.
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
      // At another rate: it is opened anew when the last sound has been played.
      let frames = waitsForAsides ? asides.soundLeft(from: handed.played) : handed.soundLeft
      let left = moment + .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(rate) + 1_000)
      wait.until = earliest(wait.until, left)
    }
    return wait
  }

  /// The last 10 ms in the ring stay there until more has come or it is said that no more comes: should the decoder be
  /// late, they are what the sound fades out with.
  private var reserve: Int {
    guard isLive, !hasEnded, ramp.isFinished || ramp.to != 0 else { return 0 }
    if case .open(let rate) = device { return Gain.rampLength(atRate: rate) }
    return Gain.rampLength(atRate: 44_100)
  }

  /// Frames that the device may have.
  var ready: Int { max(0, Int(ring.written - ring.read) - reserve) }

  /// The decoder is late, and what the device has would end in the middle of a sound.
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

  /// Silence that was to bridge the gap is of no use any more, and what faded out before it is given again. A gap that
  /// was heard counts.
  private func goOnAfterSilence() throws(Fault) {
    starving = false
    try rewind()
    guard ranDry else { return }
    ranDry = false
    if ramp.gain == 0 || handed.soundLeft < handed.held { controls.starvations.add(1, ordering: .relaxed) }
  }

  /// The decoder said that there is no more.
  private var hasEnded: Bool {
    if drainedAt == ring.written { return true }
    let count = ring.marks.count
    return count == 0 ? false : ring.marks[count - 1].kind == .end && ring.marks[count - 1].at == ring.written
  }

  /// The device has no room for more music: when it has, or a mark is heard.
  func nextLook() -> Wait {
    guard case .open(let rate) = device else { return Wait() }
    // Three eighths of a second are left then, or half of what a fast one holds.
    let spare = handed.held - min(deepest(rate) / 2, Int(rate) * 3 / 8)
    let room = spare > 0 ? now() + .nanoseconds(Int64(spare) * 1_000_000_000 / Int64(rate)) : output.nextRoom()
    return Wait(until: earliest(room, markHeard(rate)), forDevice: room == nil)
  }

  /// When the next mark is heard, if the device has it already.
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
