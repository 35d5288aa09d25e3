import Runtime
import Synchronization

/// The thread `decode`: keeps the ring filled, one file after the other. It may wait for a disk, never for the main
/// loop. It fills the ring completely and then sleeps until more than half has been played, so that disk and processor
/// rest for seconds. The next file is opened while seconds of the current one are still in the ring; its frames follow
/// gaplessly, or are mixed with the last ones (crossfade).
final class DecodeThread: @unchecked Sendable {  // `current` and what is around it: the thread's own; rest: `orders`
  let ring: Ring
  let controls: SoundControls
  let bell: Bell
  let tell: @Sendable (DecodeNews) -> Void
  let wakeOutput: @Sendable () -> Void
  let orders = Mutex(DecodeOrders())
  /// `orders` has changed since the thread last looked.
  let changed = Atomic<Bool>(false)

  var generation: UInt32 = 0
  var current: Voice?
  /// The follower, already open. It begins where the current track ends, or earlier for a crossfade.
  var next: Voice?
  /// The track that is being opened now is the follower, not the current one.
  var isFollower = false
  /// Opening the follower took so long that the ring ran low. It is tried again when the ring is full.
  var isPutOff = false
  /// How the current track goes over into the next.
  var joint = Joint.gapless
  /// The track that fades out while the current one fades in.
  var fading: Fading?
  /// The effects for all frames; nil when there are none, so that the output is bit-exact.
  var chain: EffectChain?
  /// How many frames of the chain's own delay are still to be dropped from its output.
  var late = 0
  /// How many frames of the stream are still inside the chain.
  var inside = 0
  /// The effects that the last start asked for.
  var shape = SoundShape()
  /// The current track's begin mark is in the ring.
  var begun = false
  /// The position of that mark in the stream.
  var beganAt: UInt64 = 0
  /// The end mark is in the ring and there is nothing more to decode.
  var idle = true
  var freshFrames = 0
  let scratch: UnsafeMutablePointer<Int32>
  /// Starts the helper program that decodes foreign formats.
  private(set) var help: ForeignHelp
  /// Opens what is not a file on this device, or not yet; nil where everything is a file.
  let finder: (any MusicFinder)?
  let suspects: CrashSuspects

  /// Frames that are decoded between two looks at the orders: 0.2 s at 44.1 kHz.
  static let helping = 8_192
  /// The first block after a start is smaller, so that the sound begins sooner.
  static let firstHelping = 1_024
  /// How long before the end of the current track (before the crossfade, if there is one) the follower is opened.
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
    // Unowned is safe: only this thread uses the decoders, and they are gone before it ends.
    self.help.isUnwanted = { [unowned self] in mustLookUp || isFollower && mustLetGo }
    self.help.mustStop = { [unowned self] in mustLookUp }
  }

  deinit { scratch.deallocate() }

  /// Changes the orders and wakes the thread. Any thread may call it.
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

  /// Decodes one block. False when there is nothing to do until the bell rings.
  func step() -> Bool {
    if changed.exchange(false, ordering: .acquiring) { followOrders() }
    if needsFollower { openFollower() }
    guard let playing = current else {
      if next != nil { return takeOver() }
      // A follower that could not be opened leaves nothing to decode: try the next one, or mark the end.
      if !idle { return markEnd() }
      return false
    }
    if begun && controls.refusedAt.load(ordering: .acquiring) == beganAt + 1 {
      // The device cannot play this track and the main loop knows why; decoding the rest would be useless.
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

  /// There is a newer order (or a shutdown), so the present work should be given up.
  var mustLookUp: Bool {
    controls.shutdown.load(ordering: .acquiring) || orders.withLock { $0.change != .none }
  }

  /// Whether opening the follower should be given up: because something else is to follow by now, or because the ring
  /// runs low while the current track has more to decode.
  private var mustLetGo: Bool {
    isPutOff = current != nil && ring.buffered < ring.capacity / 8
    return isPutOff || orders.withLock { !$0.isTaken }
  }
}

/// When the decode thread sleeps, and which thread it wakes. `SoundControls` explains why neither sleeps for ever.
extension DecodeThread {
  func feedOutput(anyway: Bool) {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let hunger = controls.outputHunger.load(ordering: .relaxed)
    if anyway || hunger > 0 && ring.buffered >= hunger {
      controls.outputHunger.store(0, ordering: .relaxed)
      wakeOutput()
    }
  }

  /// There is no room for another mark. True when there is by now; else the output thread will wake us when marks were
  /// heard.
  func sleepUntilHeard() -> Bool {
    fallAsleep()
    if !ring.marks.isFull, wakeAgain() { return true }
    wakeOutput()
    return false
  }

  /// True when there is enough room in the ring by now; else the output thread will wake us.
  func sleepUntilWorthwhile() -> Bool {
    if controls.outputHunger.exchange(0, ordering: .sequentiallyConsistent) > 0 { wakeOutput() }
    fallAsleep()
    // The output thread may have made room before it could see that this thread sleeps.
    return ring.space >= ring.worthFilling && wakeAgain()
  }

  private func fallAsleep() {
    _ = controls.decodeSleeps.exchange(true, ordering: .sequentiallyConsistent)
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// False when the output thread has ended this sleep already; then the bell rings.
  private func wakeAgain() -> Bool { controls.decodeSleeps.exchange(false, ordering: .sequentiallyConsistent) }
}
