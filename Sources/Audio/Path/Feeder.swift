import Formats
import Runtime
import Synchronization

/// Moves frames from the ring to the device: the one place that decides what is heard. It has no thread and never
/// waits: `turn` does what can be done now and says when to call it again. The output thread calls it; tests call it
/// with a clock of their own.
///
/// In normal playing it allocates nothing, takes no lock and waits for nothing.
final class Feeder {
  /// When `turn` should be called again, unless the bell rings earlier.
  struct Wait: Equatable {
    var until: Moment?
    /// Also when the device's file descriptors say that it has room.
    var forDevice = false
  }

  enum Device: Equatable {
    /// Closed. It is opened for the next music, but not before `retryAt`.
    case closed(retryAt: Moment)
    case open(rate: Int32)
    /// It failed, and is of a kind that cannot be opened again (a recording).
    case dead
  }

  let ring: Ring
  let output: any Output
  let controls: SoundControls
  let board: PlaceBoard
  let news = SingleQueue<OutputNews>(
    capacity: 256,
    filledWith: OutputNews(
      kind: .closed,
      mark: Mark(kind: .end, at: 0, entry: 0, generation: 0, frame: 0, sampleRate: 1, sourceBits: 16)))
  /// Why the device was lost. The lock is taken only when that happens.
  let trouble = Mutex<Fault?>(nil)
  /// Why the device cannot play a track, one for each `refused` in `news`.
  let refusals = Mutex<[Fault]>([])
  let now: @Sendable () -> Moment
  /// Each wakes a thread: the decode thread, the main loop, the mixer thread.
  let wakeDecoder: @Sendable () -> Void
  let wakeMainLoop: @Sendable () -> Void
  let wakeMixer: @Sendable () -> Void
  let isLive: Bool

  let handed = DeviceBufferLedger()
  var device = Device.closed(retryAt: Moment(nanoseconds: 0))
  var deviceWasLost = false
  /// When the device is closed at the latest, once a shutdown has begun.
  var closeBy: Moment?
  var ramp = Ramp(at: 0)
  /// The start whose frames are being played; frames of other starts are dropped.
  var generation: UInt32 = 0
  /// `reading`: the begin mark of the frame that is given to the device next. `hearing`: the one of the frame that is
  /// heard now.
  var reading: Mark?
  var hearing: Mark?
  /// The begin mark of a track that the device cannot play; its frames are discarded as they come.
  var refused: Mark?
  var playedTo: UInt64 = 0
  var toldMainLoop = false
  /// `starving`: silence is played where music should be. `ranDry`: that is because the decoder was too slow.
  var starving = true
  var ranDry = false
  /// The music of an older start is fading out.
  var fading = false
  /// The position of the end that the main loop was told of.
  var drainedAt: UInt64?
  /// When silence is given next, for devices that take any amount of it immediately.
  var silenceAgain = Moment(nanoseconds: 0)
  /// When the device was last asked how much it holds.
  var settledAt = Moment(nanoseconds: 0)
  /// This turn was caused by the device's file descriptors, which means trouble: it was unplugged, for example.
  var isCalled = false
  var drift = ClockDrift(rate: 44_100)
  private var driftUnderruns = 0
  let scratch: UnsafeMutablePointer<Int32>
  let door = AsideDoor()
  let asides = AsideMixer()
  let mixed: UnsafeMutablePointer<Int32>
  /// Music of another sample rate waits for the overlays to end, since the device must be opened anew for it.
  var waitsForAsides = false
  /// When opening the device for an overlay may be tried again after it failed.
  var asideRetry = Moment(nanoseconds: 0)

  /// The most frames that are given at a time where they pass through `scratch`.
  static let helping = 4_096
  static let retry: Duration = .seconds(2)

  init(
    ring: Ring, output: any Output, controls: SoundControls, board: PlaceBoard,
    now: @escaping @Sendable () -> Moment, wakeDecoder: @escaping @Sendable () -> Void,
    wakeMainLoop: @escaping @Sendable () -> Void, wakeMixer: @escaping @Sendable () -> Void = {}
  ) {
    self.ring = ring
    self.output = output
    self.controls = controls
    self.board = board
    self.now = now
    self.wakeDecoder = wakeDecoder
    self.wakeMainLoop = wakeMainLoop
    self.wakeMixer = wakeMixer
    isLive = output.isLive
    scratch = .allocate(capacity: 2 * Self.helping)
    scratch.initialize(repeating: 0, count: 2 * Self.helping)
    mixed = .allocate(capacity: 2 * Self.helping)
    mixed.initialize(repeating: 0, count: 2 * Self.helping)
  }

  deinit {
    asides.removeAll(into: door)
    scratch.deallocate()
    mixed.deallocate()
  }

  func turn() -> Wait {
    controls.outputBeat.store(controls.beatAsked.load(ordering: .acquiring), ordering: .releasing)
    controls.outputHunger.store(0, ordering: .relaxed)
    var wait = Wait()
    if controls.asksDevice.exchange(false, ordering: .relaxed) { probe() }
    do throws(Fault) {
      try settle()
      if try followGeneration() {
        try followAsides()
        if controls.shutdown.load(ordering: .acquiring) { try endAsides() }
        try followAsideLoudness()
        try followGain()
        wait = try feed()
      } else {
        wait = nextLook()
      }
      if try settle() { wait = Wait(until: now()) }
      // Such a device is fed by the clock; its descriptors only say that it was unplugged.
      if case .open = device, output.tellsTroubleOnly { wait.forDevice = true }
    } catch {
      lose(error)
      wait = Wait(until: retryMoment)
    }
    isCalled = false
    publish()
    // Either a decoder that falls asleep now sees the room that was made, or its sleep is seen here.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if ring.space + playedUntil(wait) >= ring.worthFilling,
      controls.decodeSleeps.exchange(false, ordering: .sequentiallyConsistent)
    {
      wakeDecoder()
    }
    if toldMainLoop {
      toldMainLoop = false
      wakeMainLoop()
    }
    return wait
  }

  /// How many frames will have been played by the next turn. The decoder is woken ahead for them, so that the ring
  /// never runs so low that the device has to be fed in small pieces.
  private func playedUntil(_ wait: Wait) -> Int {
    guard isLive, isPlaying, case .open(let rate) = device, let until = wait.until else { return 0 }
    let seconds = Double(max(0, (until - now()).nanoseconds)) / 1_000_000_000
    return min(ring.capacity / 4, Int(seconds * Double(rate)))
  }

  var isPlaying: Bool {
    controls.playing.load(ordering: .acquiring) && !controls.shutdown.load(ordering: .acquiring)
  }

  private var retryMoment: Moment? {
    if case .closed(let moment) = device { return moment }
    return nil
  }

  // MARK: What was heard

  /// Asks the device what it has played and reports the marks that were heard by that. True when the device has lost
  /// frames that must be given again.
  @discardableResult
  func settle() throws(Fault) -> Bool {
    var mustGiveAgain = false
    if case .open(let rate) = device {
      let left = try output.delay()
      let dropped = output.dropped()
      mustGiveAgain = dropped > 0
      if mustGiveAgain { giveAgain(dropped) }
      if let played = handed.settle(left: left) { playedTo = max(playedTo, played) }
      if !asides.isEmpty { asides.retire(before: handed.played, into: door) }
      settledAt = now()
      follow(drift: rate)
    }
    ring.release(to: playedTo)
    var heard = 0
    let count = ring.marks.count
    while heard < count {
      let mark = ring.marks[heard]
      guard mark.kind == .begin ? playedTo > mark.at : playedTo >= mark.at else { break }
      // Marks of an older start are dropped without a report.
      if mark.generation == controls.wantedGeneration.load(ordering: .relaxed), !hear(mark) { break }
      heard += 1
    }
    if heard > 0 { ring.marks.drop(heard) }
    return mustGiveAgain
  }

  /// Reports a mark that was heard. False when the queue of news is full because the main loop has not fetched any for
  /// long; the mark is reported at a later turn.
  private func hear(_ mark: Mark) -> Bool {
    switch mark.kind {
    case .begin:
      guard mark == refused || tell(.heard, mark) else { return false }
      hearing = mark
    case .end:
      if ring.written == mark.at {
        drainedAt = mark.at
        return tell(.drained, mark)
      }
    }
    return true
  }

  func tell(_ kind: OutputNews.Kind, _ mark: Mark? = nil) -> Bool {
    let none = Mark(kind: .end, at: 0, entry: 0, generation: 0, frame: 0, sampleRate: 1, sourceBits: 16)
    toldMainLoop = true
    return news.push(OutputNews(kind: kind, mark: mark ?? none))
  }

  /// Publishes what the device can play. The lock is taken only when the device is opened.
  func publishAbility() {
    guard let ability = output.ability else { return }
    controls.ability.withLock { $0 = ability }
  }

  /// Asks the device what it can do. What is wrong with it is told when the first music is to be played.
  private func probe() {
    guard case .closed = device else { return }
    do throws(Fault) {
      try output.probe()
      note(.works)
    } catch { note(.fails(error)) }
    publishAbility()
  }

  /// The lock is taken only when the device was asked, opened or lost.
  func note(_ answer: DeviceAnswer) { controls.answer.withLock { $0 = answer } }

  /// Measures the drift of the device's clock. An underrun starts the measurement anew.
  private func follow(drift rate: Int32) {
    guard isLive else { return }
    if output.underruns != driftUnderruns {
      driftUnderruns = output.underruns
      drift = ClockDrift(rate: rate)
    }
    // A device that holds nothing is not running.
    guard handed.held > 0 else { return }
    drift.note(frames: handed.played, at: settledAt)
    if let parts = drift.partsPerMillion { controls.drift.store(Int64(parts * 1_000), ordering: .relaxed) }
  }

  private func publish() {
    if case .open(let rate) = device {
      controls.openRate.store(rate, ordering: .releasing)
    } else {
      controls.openRate.store(0, ordering: .releasing)
    }
    controls.underruns.store(UInt64(output.underruns), ordering: .relaxed)
    controls.played.store(handed.played, ordering: .relaxed)
    guard let hearing, hearing != refused,
      hearing.generation == controls.wantedGeneration.load(ordering: .relaxed)
    else {
      return board.write(nil)
    }
    var ahead = Int64(handed.musicAhead)
    for index in 0..<ring.marks.count where ring.marks[index].kind == .begin {
      // A mark that could not be reported yet may lie before what was played.
      let mark = ring.marks[index].at
      ahead = min(ahead, mark > playedTo ? Int64(mark - playedTo) : 0)
      break
    }
    let gone = playedTo > hearing.at ? Int64(playedTo - hearing.at) : 0
    let heard = Heard(
      entry: hearing.entry, generation: hearing.generation,
      spot: Spot(frame: hearing.frame + gone, rate: hearing.sampleRate))
    board.write(PlaceBoard.Reading(heard: heard, at: now(), ahead: ahead))
  }
}

/// The device is lost, or closed for good.
extension Feeder {
  /// The device has dropped the last frames that it was given, as after a suspend; they are given again.
  func giveAgain(_ frames: Int) {
    if let place = handed.takeBack(min(frames, handed.held)) { ring.takeBack(to: place.stream) }
    ramp = Ramp(at: 0)
    reading = nil
    silenceAgain = Moment(nanoseconds: 0)
  }

  func lose(_ fault: Fault) {
    // If the device reported its own loss it had played until about now; 20 ms are repeated rather than left out. If
    // the loss was found out later, nobody knows how far it had played.
    if case .open(let rate) = device, isCalled {
      let since = min(max(0, (now() - settledAt).nanoseconds / 1_000_000 - 20), 10_000)
      let left = max(0, handed.held - Int(since * Int64(rate) / 1_000))
      if let played = handed.settle(left: left) { playedTo = max(playedTo, played) }
    }
    handed.removeAll()
    asides.removeAll(into: door)
    // Frames that it did not play are given again when it is back.
    ring.takeBack(to: playedTo)
    reading = nil
    ramp = Ramp(at: 0)
    do throws(Fault) { try output.close() } catch {}  // it is lost already, and the first reason counts
    device = output.mayReopen ? .closed(retryAt: now() + Self.retry) : .dead
    controls.losses.add(1, ordering: .releasing)
    note(.fails(fault))
    if deviceWasLost { return }
    deviceWasLost = true
    trouble.withLock { $0 = fault }
    _ = tell(.deviceLost)
  }

  /// How long closing may take: the fade-out, after the sound that the device already holds and will not give back.
  static let closing: Duration = .milliseconds(250)

  /// One turn of closing, until the sound has faded out and was played; nil when the device is closed. A recording is
  /// closed immediately and keeps what it has.
  func turnToClose() -> Wait? {
    let deadline = closeBy ?? now() + Self.closing
    closeBy = deadline
    var wait = turn()
    let moment = now()
    let frames = max(handed.soundLeft, asides.soundLeft(from: handed.played))
    guard isLive, case .open(let rate) = device, frames > 0 || !ramp.isFinished, moment < deadline else {
      shutDown()
      return nil
    }
    let left: Int64 = Int64(frames) * 1_000_000_000 / Int64(rate)
    let next: Moment = moment + .nanoseconds(max(1_000_000, left + 1_000))
    wait.until = min(wait.until ?? deadline, next, deadline)
    return wait
  }

  private func shutDown() {
    do throws(Fault) { try output.close() } catch {
      trouble.withLock { $0 = error }
      _ = tell(.deviceLost)
    }
    device = .dead
    _ = tell(.closed)
    wakeMainLoop()
  }
}
