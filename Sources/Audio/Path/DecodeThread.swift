import Runtime
import Synchronization

/// The thread `decode`: keeps the ring filled from one file after the other. It may wait for a disk, never for the
/// main loop. It fills the ring to the brim and then sleeps until more than half of it has been played, so that disk
/// and processor rest for seconds; the follower is opened while the current one still has seconds in the ring, and its
/// frames come right behind the last, or are mixed with them.
final class DecodeThread: @unchecked Sendable {  // `current` and what is around it: the thread's own; rest: `orders`
  let ring: Ring
  let controls: SoundControls
  let bell: Bell
  let tell: @Sendable (DecodeNews) -> Void
  let wakeOutput: @Sendable () -> Void
  let orders = Mutex(DecodeOrders())
  /// Something in `orders` is newer than what is being done.
  let changed = Atomic<Bool>(false)

  var generation: UInt32 = 0
  var current: Voice?
  /// Opened ahead; begins where the current one ends, or before that when they are to be heard together.
  var next: Voice?
  /// What is being opened now is the follower.
  var isFollower = false
  /// It kept the current one waiting; it is tried again with a full ring.
  var isPutOff = false
  /// Of the current one with the next.
  var joint = Joint.gapless
  /// What fades out while the current one fades in.
  var fading: Fading?
  /// What is done to all frames; nil when every bit is to pass untouched.
  var chain: EffectChain?
  /// The first frames out of the chain are its delay, and still to be dropped.
  var late = 0
  /// Frames of the stream that are still in the chain.
  var inside = 0
  /// As of the last start.
  var shape = SoundShape()
  /// A begin mark of the current one is in the ring.
  var begun = false
  /// Where in the stream that mark stands.
  var beganAt: UInt64 = 0
  /// The end was marked, and nothing came since.
  var idle = true
  var freshFrames = 0
  let scratch: UnsafeMutablePointer<Int32>
  /// For files that a program decodes.
  private(set) var help: ForeignHelp
  /// Of what is no file here, or not yet; nil when all is.
  let finder: (any MusicFinder)?
  let suspects: CrashSuspects

  /// Frames decoded between two looks at the orders: 0.2 s of a CD.
  static let helping = 8_192
  /// The first of a start: what is to be heard at once is not kept waiting for more.
  static let firstHelping = 1_024
  /// The follower is opened when so much of the current one is left, besides what they are heard together.
  static let openAhead: Duration = .seconds(10)

  init(
    ring: Ring, controls: SoundControls, bell: Bell, help: ForeignHelp = ForeignHelp(),
    finder: (any MusicFinder)? = nil, suspects: CrashSuspects = CrashSuspects(),
    wakeOutput: @escaping @Sendable () -> Void,
    tell: @escaping @Sendable (DecodeNews) -> Void
  ) {
    self.ring = ring
    self.controls = controls
    self.bell = bell
    self.wakeOutput = wakeOutput
    self.tell = tell
    scratch = .allocate(capacity: 2 * Self.helping)
    scratch.initialize(repeating: 0, count: 2 * Self.helping)
    self.finder = finder
    self.suspects = suspects
    self.help = help
    self.help.bell = bell
    // Its decoders are used by this thread alone, and gone before it.
    self.help.isUnwanted = { [unowned self] in mustLookUp || isFollower && mustLetGo }
    self.help.mustStop = { [unowned self] in mustLookUp }
  }

  deinit { scratch.deallocate() }

  /// From any thread.
  func order(_ change: @Sendable (inout DecodeOrders) -> Void) {
    orders.withLock { change(&$0) }
    changed.store(true, ordering: .releasing)
    bell.ring()
  }

  func start() throws(Fault) {
    try NamedThread.start("decode", stackBytes: 524_288) { [self] in
      while !controls.shutdown.load(ordering: .acquiring) {
        if !step() { bell.wait() }
      }
      forgetAll()
    }
  }

  /// One helping. False when there is nothing to do until the bell rings.
  func step() -> Bool {
    if changed.exchange(false, ordering: .acquiring) { followOrders() }
    if needsFollower { openFollower() }
    guard let playing = current else {
      if next != nil { return takeOver() }
      // A follower may have been refused: then there is another to try, or the end to tell.
      if !idle { return markEnd() }
      return false
    }
    if begun && controls.refusedAt.load(ordering: .acquiring) == beganAt + 1 {
      // The main loop was told why; the rest of it would be thrown away unheard.
      current = nil
      return true
    }
    if ring.space == 0 {
      defer { isPutOff = false }
      return isPutOff || sleepUntilWorthwhile()
    }
    if !begun && ring.marks.isFull { return sleepUntilHeard() }
    if mustAsk(playing) { return false }
    if mustFade(playing) {
      beginFading(playing)
      return true
    }
    decode(playing)
    return true
  }

  private func followOrders() {
    let (change, shape) = orders.withLock { orders -> (DecodeOrders.Change, SoundShape) in
      defer { orders.change = .none }
      return (orders.change, orders.shape)
    }
    switch change {
    case .none: break
    case .halt:
      forgetAll()
      idle = true
    case .start(let track, let place, let generation):
      forgetAll()
      self.generation = generation
      self.shape = shape
      current = open(track, at: place)
      begun = false
      idle = false
      freshFrames = 0
      if let current { makeChain(rate: current.rate) }
    }
  }

  private func forgetAll() {
    current = nil
    next = nil
    fading = nil
    joint = .gapless
    chain = nil
    late = 0
    inside = 0
    isPutOff = false
  }

  /// What is being done is not wanted any more.
  var mustLookUp: Bool {
    controls.shutdown.load(ordering: .acquiring) || orders.withLock { $0.change != .none }
  }

  /// The follower is waited for as long as it is still to follow, and only while the ring lasts when there is more of
  /// the current one: nothing may be missing of that.
  private var mustLetGo: Bool {
    isPutOff = current != nil && ring.buffered < ring.capacity / 8
    return isPutOff || orders.withLock { !$0.isTaken }
  }
}

/// When the decode thread sleeps, and whom it wakes. `SoundControls` says why no thread sleeps for ever.
extension DecodeThread {
  func feedOutput(anyway: Bool) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let hunger = controls.outputHunger.load(ordering: .relaxed)
    if anyway || hunger > 0 && ring.buffered >= hunger {
      controls.outputHunger.store(0, ordering: .relaxed)
      wakeOutput()
    }
  }

  /// No place for another mark. True when there is one already, else the output thread wakes us when it has heard some.
  func sleepUntilHeard() -> Bool {
    fallAsleep()
    if !ring.marks.isFull, wakeAgain() { return true }
    wakeOutput()
    return false
  }

  /// True when there is room already.
  func sleepUntilWorthwhile() -> Bool {
    if controls.outputHunger.exchange(0, ordering: .sequentiallyConsistent) > 0 { wakeOutput() }
    fallAsleep()
    // The output thread may have made room before it could know that somebody sleeps.
    return ring.space >= ring.worthFilling && wakeAgain()
  }

  private func fallAsleep() {
    _ = controls.decodeSleeps.exchange(true, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// False when the output thread was first: then the bell is rung already.
  private func wakeAgain() -> Bool { controls.decodeSleeps.exchange(false, ordering: .sequentiallyConsistent) }
}
