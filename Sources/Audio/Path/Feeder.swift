import Formats
import Runtime
import Synchronization

/// Moves frames from the ring to the device: the one place that decides what leaves the box. It knows no thread and
/// waits for nothing; `turn` does what can be done now and says when to come back. The output thread turns it, tests
/// turn it on a clock of their own.
///
/// In the steady path nothing is allocated, locked or waited for.
final class Feeder {
  /// When to turn again, if nobody rings before.
  struct Wait: Equatable {
    var until: Moment?
    /// The device's own descriptors tell when it has room.
    var forDevice = false
  }

  enum Device: Equatable {
    /// Not open; to be opened with the next music, not before `retryAt`.
    case closed(retryAt: Moment)
    case open(rate: Int32)
    /// It failed and may not be opened again.
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
  /// Why the device was lost. Locked only when that happens.
  let trouble = Mutex<Fault?>(nil)
  /// Why the device cannot play a track, one for each `refused` in `news`.
  let refusals = Mutex<[Fault]>([])
  let now: @Sendable () -> Moment
  /// Wakes the decode thread, and the main loop.
  let wakeDecoder: @Sendable () -> Void
  let wakeMainLoop: @Sendable () -> Void
  let wakeMixer: @Sendable () -> Void
  let isLive: Bool

  let handed = DeviceBufferLedger()
  var device = Device.closed(retryAt: Moment(nanoseconds: 0))
  var deviceWasLost = false
  /// The latest moment in which the device is closed for good.
  var closeBy: Moment?
  var ramp = Ramp(at: 0)
  /// Whether the ring's next frame belongs to the start that is wanted.
  var generation: UInt32 = 0
  /// The last mark at or before `ring.read`, and the last one that was heard.
  var reading: Mark?
  var hearing: Mark?
  /// The begin of what the device cannot play; its frames are thrown away as they come.
  var refused: Mark?
  var playedTo: UInt64 = 0
  var toldMainLoop = false
  /// Silence stands where music shall be; and that is because the decoder came late.
  var starving = true
  var ranDry = false
  /// What is no longer wanted is on its way down.
  var fading = false
  /// Where the stream ended when the main loop was told so.
  var drainedAt: UInt64?
  /// A device that swallows silence at once is not given more before this.
  var silenceAgain = Moment(nanoseconds: 0)
  /// When it was last known what the device holds.
  var settledAt = Moment(nanoseconds: 0)
  /// This turn is because the device called: something is wrong with it.
  var isCalled = false
  var drift = ClockDrift(rate: 44_100)
  private var driftUnderruns = 0
  private var wasAsked = false
  let scratch: UnsafeMutablePointer<Int32>
  let door = AsideDoor()
  let asides = AsideMixer()
  let mixed: UnsafeMutablePointer<Int32>
  /// The device is to be opened for music of another rate, as soon as the last of them is over.
  var waitsForAsides = false
  /// A device that could not be opened for words is not tried for each.
  var asideRetry = Moment(nanoseconds: 0)

  /// Frames in one helping.
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
    if !wasAsked {
      wasAsked = true
      output.probe()
      publishAbility()
    }
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
      // It is looked after by the clock; its descriptors tell only when it is pulled out.
      if case .open = device, output.tellsTroubleOnly { wait.forDevice = true }
    } catch {
      lose(error)
      wait = Wait(until: retryMoment)
    }
    isCalled = false
    publish()
    // What was released and heard is seen by a decoder that falls asleep now, or its sleep is seen here.
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

  /// Frames that will have been played at the next look. The decoder is woken before that rather than after it, so that
  /// the ring never runs so low that the device takes all of it and has to be fed in small parts.
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

  /// Looks at what the device has played, and tells whose marks were heard by that. True when there is something to be
  /// done about what the device has lost.
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
      // What belongs to an older start is dropped unsaid.
      if mark.generation == controls.wantedGeneration.load(ordering: .relaxed), !hear(mark) { break }
      heard += 1
    }
    if heard > 0 { ring.marks.drop(heard) }
    return mustGiveAgain
  }

  /// False when the main loop has not listened for so long that there is no place; it is told the next time.
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

  /// Locked only when the device is opened.
  func publishAbility() {
    guard let ability = output.ability else { return }
    controls.ability.withLock { $0 = ability }
  }

  /// A break in the sound begins a new count.
  private func follow(drift rate: Int32) {
    guard isLive else { return }
    if output.underruns != driftUnderruns {
      driftUnderruns = output.underruns
      drift = ClockDrift(rate: rate)
    }
    // What stands still has no clock.
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
    guard let hearing, hearing != refused,
      hearing.generation == controls.wantedGeneration.load(ordering: .relaxed)
    else {
      return board.write(nil)
    }
    var ahead = Int64(handed.musicAhead)
    for index in 0..<ring.marks.count where ring.marks[index].kind == .begin {
      // A mark that could not be told yet lies behind what was played.
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
  /// It has slept, and has forgotten the last it was given.
  func giveAgain(_ frames: Int) {
    if let place = handed.takeBack(min(frames, handed.held)) { ring.takeBack(to: place.stream) }
    ramp = Ramp(at: 0)
    reading = nil
    silenceAgain = Moment(nanoseconds: 0)
  }

  func lose(_ fault: Fault) {
    // Called in the moment in which it went, it had played on until now; a little of that is rather heard twice than
    // not at all. Found out later, nobody knows how far it came.
    if case .open(let rate) = device, isCalled {
      let since = min(max(0, (now() - settledAt).nanoseconds / 1_000_000 - 20), 10_000)
      let left = max(0, handed.held - Int(since * Int64(rate) / 1_000))
      if let played = handed.settle(left: left) { playedTo = max(playedTo, played) }
    }
    handed.removeAll()
    asides.removeAll(into: door)
    // What it did not play is given to it again when it is back.
    ring.takeBack(to: playedTo)
    reading = nil
    ramp = Ramp(at: 0)
    do throws(Fault) { try output.close() } catch {}  // it is lost already, and the first reason counts
    device = output.mayReopen ? .closed(retryAt: now() + Self.retry) : .dead
    controls.losses.add(1, ordering: .releasing)
    if deviceWasLost { return }
    deviceWasLost = true
    trouble.withLock { $0 = fault }
    _ = tell(.deviceLost)
  }

  /// How long a listener's last sound may take: a fade behind what cannot be taken back any more.
  static let closing: Duration = .milliseconds(250)

  /// Turns until what sounds has faded out and was heard; nil when the device is closed. A recorder keeps what it has.
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
