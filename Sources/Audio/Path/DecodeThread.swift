import Runtime
import Synchronization

/// The thread `decode`: keeps the ring filled from one file after the other. It may wait for a disk, never for the
/// deck. It fills the ring to the brim and then sleeps until half of it has been played, so that disk and processor
/// rest for seconds; the follower is opened while the current one still has seconds in the ring, and its frames come
/// right behind the last.
final class DecodeThread: @unchecked Sendable {  // `current` and what is around it: the thread's own; rest: `orders`
  struct Open {
    let entry: UInt64
    let decoder: any Decoder
    /// The next frame to be read.
    var frame: Int64

    /// A file that was cut off ends in peace for its decoder; only its length tells.
    var damages: Int {
      let isCutOff = decoder.lengthIsStated && decoder.length.map { frame < $0 } == true
      return max(decoder.damages, isCutOff ? 1 : 0)
    }
  }

  let ring: Ring
  let controls: SoundControls
  let bell: Bell
  let tell: @Sendable (DecodeNews) -> Void
  let wakeOutput: @Sendable () -> Void
  let orders = Mutex(DecodeOrders())
  /// Something in `orders` is newer than what is being done.
  let changed = Atomic<Bool>(false)

  var generation: UInt32 = 0
  var current: Open?
  /// Opened ahead; begins where the current one ends.
  var next: Open?
  /// A begin mark of the current one is in the ring.
  var begun = false
  /// Where in the stream that mark stands.
  var beganAt: UInt64 = 0
  /// The end was marked, and nothing came since.
  var idle = true
  var freshFrames = 0

  /// Frames decoded between two looks at the orders: 0.2 s of a CD.
  static let helping = 8_192
  /// The follower is opened when so much of the current one is left.
  static let openAhead: Duration = .seconds(10)

  init(
    ring: Ring, controls: SoundControls, bell: Bell, wakeOutput: @escaping @Sendable () -> Void,
    tell: @escaping @Sendable (DecodeNews) -> Void
  ) {
    self.ring = ring
    self.controls = controls
    self.bell = bell
    self.wakeOutput = wakeOutput
    self.tell = tell
  }

  /// From any thread.
  func order(_ change: @Sendable (inout DecodeOrders) -> Void) {
    orders.withLock { change(&$0) }
    changed.store(true, ordering: .releasing)
    bell.ring()
  }

  func start() throws(Fault) {
    try NamedThread.start("decode", stackBytes: 524_288) { [self] in
      while !controls.shutdown.load(ordering: .acquiring) {
        controls.decodeBeat.store(controls.beatAsked.load(ordering: .acquiring), ordering: .releasing)
        if !step() { bell.wait() }
      }
      current = nil
      next = nil
    }
  }

  /// One helping. False when there is nothing to do until the bell rings.
  func step() -> Bool {
    if changed.exchange(false, ordering: .acquiring) { followOrders() }
    if needsFollower { openFollower() }
    guard current != nil else {
      if next != nil {
        takeOver()
        return true
      }
      // A follower may have been refused: then there is another to try, or the end to tell.
      if !idle { return markEnd() }
      return false
    }
    if begun && controls.refusedAt.load(ordering: .acquiring) == beganAt + 1 {
      // The deck was told why; the rest of it would be thrown away unheard.
      current = nil
      return true
    }
    if ring.space == 0 { return sleepUntilHalf() }
    if !begun && ring.marks.isFull { return sleepUntilHeard() }
    decode()
    return true
  }

  private func followOrders() {
    let change = orders.withLock { orders -> DecodeOrders.Change in
      defer { orders.change = .none }
      return orders.change
    }
    switch change {
    case .none: break
    case .halt:
      current = nil
      next = nil
      idle = true
    case .start(let track, let place, let generation):
      self.generation = generation
      next = nil
      current = open(track, at: place)
      begun = false
      idle = false
      freshFrames = 0
    }
  }

  /// What is being done is not wanted any more.
  private var mustLookUp: Bool {
    controls.shutdown.load(ordering: .acquiring) || orders.withLock { $0.change != .none }
  }

  private func open(_ track: DecodeOrders.Track, at place: TrackPlace) -> Open? {
    controls.openings.add(1, ordering: .releasing)
    do throws(Fault) {
      let decoder = try track.music.open()
      let frame = place.frame(atRate: decoder.format.sampleRate)
      // Far into a file without signposts that takes seconds, and by then something else may be wanted.
      if frame > 0, !(try decoder.seek(toFrame: frame, unless: { mustLookUp })) { return nil }
      tell(
        .opened(
          entry: track.entry, generation: generation,
          TrackInfo(format: decoder.format, length: decoder.length, tags: decoder.tags)))
      return Open(entry: track.entry, decoder: decoder, frame: frame)
    } catch {
      tell(.failed(entry: track.entry, generation: generation, error))
      return nil
    }
  }

  private var needsFollower: Bool {
    guard next == nil else { return false }
    guard let current else { return true }
    guard let length = current.decoder.length else { return false }
    return Duration.seconds((length - current.frame) / Int64(current.decoder.format.sampleRate)) < Self.openAhead
  }

  private func openFollower() {
    let track = orders.withLock { orders -> DecodeOrders.Track? in
      guard orders.change == .none else { return nil }
      defer { orders.follow = nil }
      return orders.follow
    }
    guard let track else { return }
    idle = false
    next = open(track, at: .beginning)
  }

  private func takeOver() {
    current = next
    next = nil
    begun = false
  }

  private func decode() {
    guard let playing = current else { return }
    let (place, room) = ring.place
    do throws(Fault) {
      let count = try playing.decoder.read(into: place, count: min(room, Self.helping))
      if count == 0 {
        tell(.finished(entry: playing.entry, generation: generation, damages: playing.damages))
        current = nil
        return
      }
      if !begun { begin(playing) }
      ring.commit(count)
      current?.frame += Int64(count)
      freshFrames += count
      // The first of a start is heard at once.
      feedOutput(anyway: freshFrames == count)
    } catch {
      tell(.failed(entry: playing.entry, generation: generation, error))
      current = nil
    }
  }

  /// Only what has frames begins.
  private func begin(_ track: Open) {
    let format = track.decoder.format
    beganAt = ring.written
    begun = ring.push(
      .begin, entry: track.entry, generation: generation, frame: track.frame, sampleRate: format.sampleRate,
      sourceBits: format.bitsPerSample)
  }

  private func markEnd() -> Bool {
    // Which end it is: the deck may have opened more by the time it is heard.
    let openings = controls.openings.load(ordering: .relaxed)
    idle = ring.push(.end, entry: 0, generation: generation, frame: openings, sampleRate: 1, sourceBits: 16)
    guard idle else { return sleepUntilHeard() }
    wakeOutput()
    return false
  }

  private func feedOutput(anyway: Bool) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let hunger = controls.outputHunger.load(ordering: .relaxed)
    if anyway || hunger > 0 && ring.buffered >= hunger {
      controls.outputHunger.store(0, ordering: .relaxed)
      wakeOutput()
    }
  }

  /// No place for another mark. True when there is one already, else the output thread wakes us when it has heard some.
  private func sleepUntilHeard() -> Bool {
    fallAsleep()
    if !ring.marks.isFull, wakeAgain() { return true }
    wakeOutput()
    return false
  }

  private func fallAsleep() {
    _ = controls.decodeSleeps.exchange(true, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// False when the output thread was first: then the bell is rung already.
  private func wakeAgain() -> Bool { controls.decodeSleeps.exchange(false, ordering: .sequentiallyConsistent) }

  /// True when there is room already.
  private func sleepUntilHalf() -> Bool {
    if controls.outputHunger.exchange(0, ordering: .sequentiallyConsistent) > 0 { wakeOutput() }
    fallAsleep()
    // The output thread may have made room before it could know that somebody sleeps.
    return ring.space >= ring.capacity / 2 && wakeAgain()
  }
}
