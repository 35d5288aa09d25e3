import Formats
import Runtime
import Synchronization

/// The way of sound: files -> decode thread -> ring -> output thread -> device. This is all the main loop knows of it;
/// every call returns at once and may come from any thread. News wait behind `newsBell`, to be fetched by one thread.
package final class SoundPath: @unchecked Sendable {  // `stash`: whoever fetches news; the rest locks or is atomic
  package enum News: Sendable, Equatable {
    case decode(DecodeNews)
    /// The entry's first frame, or the first after a seek, has left the device.
    case heard(entry: UInt64, generation: UInt32)
    /// All was heard, and the decoder has nothing more.
    case drained(generation: UInt32)
    case deviceLost(Fault)
    case deviceBack
    /// The device plays other rates than was thought: what is given is to be started anew.
    case unfit(generation: UInt32)
    case closed
  }

  package let newsBell: Bell
  /// A device that was lost may come back; a recording may not.
  package let deviceMayComeBack: Bool
  let controls: SoundControls
  private let board = PlaceBoard()
  private let decoding: DecodeThread
  let output: OutputThread
  private let mixer: MixerThread?
  private let decodeNews: NewsBox
  private var stash: [News] = []
  private let now: @Sendable () -> Moment
  /// What the device is given when there is power enough.
  private let buffer: Duration

  /// Shared with the decode thread.
  private final class NewsBox: Sendable {
    let news = Mutex<[DecodeNews]>([])
  }

  package init(
    output device: any Output, buffer: Duration = .seconds(2), ringCapacity: Int = Ring.usual,
    controls: SoundControls = SoundControls(), mixer control: MixerControl? = nil, help: ForeignHelp = ForeignHelp(),
    finder: (any MusicFinder)? = nil, suspects: CrashSuspects = CrashSuspects(),
    now: @escaping @Sendable () -> Moment = { .now }
  ) throws(Fault) {
    self.controls = controls
    self.buffer = buffer
    controls.depth.store(buffer.milliseconds, ordering: .relaxed)
    let newsBell = try Bell()
    let decodeBell = try Bell()
    let outputBell = try Bell()
    let box = NewsBox()
    let ring = Ring(capacity: ringCapacity)
    self.newsBell = newsBell
    deviceMayComeBack = device.mayReopen
    self.now = now
    decodeNews = box
    decoding = DecodeThread(
      ring: ring, controls: controls, bell: decodeBell, help: help, finder: finder, suspects: suspects,
      wakeOutput: { outputBell.ring() },
      tell: { news in
        box.news.withLock { $0.append(news) }
        newsBell.ring()
      })
    var mixer: MixerThread?
    if let control {
      mixer = try MixerThread(control.control, controls: controls, wakeOutput: { outputBell.ring() })
    }
    self.mixer = mixer
    let mixerBell = mixer?.bell
    output = OutputThread(
      feeder: Feeder(
        ring: ring, output: device, controls: controls, board: board, now: now, wakeDecoder: { decodeBell.ring() },
        wakeMainLoop: { newsBell.ring() }, wakeMixer: { mixerBell?.ring() }), bell: outputBell)
    try decoding.start()
    try output.start()
    try mixer?.start()
  }

  /// What plays is faded out and forgotten; this plays instead, if playing is wanted. `generation` is a new number.
  package func start(
    _ entry: UInt64, _ path: FilePath, at place: TrackPlace, generation: UInt32, hint: LoudnessHint = .none
  ) {
    controls.wantedGeneration.store(generation, ordering: .releasing)
    let track = DecodeOrders.Track(entry: entry, music: .file(path), hint: hint)
    decoding.order { $0.start(track, at: place, generation: generation) }
    output.bell.ring()
  }

  /// How all sounds that is started from now on; what plays is started anew to hear it.
  package func setShape(_ shape: SoundShape) { decoding.order { $0.shape = shape } }

  /// Whether the device is given more at a time. It is from its next look on, for which nobody is woken.
  package func setDeepBuffer(_ isDeep: Bool) {
    let depth = isDeep ? BufferDepth.deeper(buffer) : buffer
    controls.depth.store(depth.milliseconds, ordering: .relaxed)
  }

  /// Two soft notes in place of music, heard when music would be.
  package func startChime(generation: UInt32) {
    controls.wantedGeneration.store(generation, ordering: .releasing)
    decoding.order { $0.start(.init(entry: 0, music: .chime), at: .beginning, generation: generation) }
    output.bell.ring()
  }

  /// What comes without a gap after all that was opened; replaces what was given and not yet opened.
  package func follow(_ entry: UInt64, _ path: FilePath, hint: LoudnessHint = .none) {
    decoding.order { $0.follow = .init(entry: entry, music: .file(path), hint: hint) }
  }

  /// More is known of how loud what follows is. What was opened already is played as it is: nothing becomes louder while
  /// it is heard.
  package func hint(_ hint: LoudnessHint, for entry: UInt64) { decoding.order { $0.hint(hint, for: entry) } }

  /// Nothing follows, unless it was opened already.
  package func followNothing() { decoding.order { $0.follow = nil } }

  package func halt(generation: UInt32) {
    controls.wantedGeneration.store(generation, ordering: .releasing)
    decoding.order { $0.halt() }
    output.bell.ring()
  }

  package func pause() { setPlaying(false) }
  package func resume() { setPlaying(true) }

  private func setPlaying(_ playing: Bool) {
    controls.playing.store(playing, ordering: .releasing)
    output.bell.ring()
  }

  /// From 0, silence, to 1, which leaves every bit as it is.
  package func setGain(_ gain: Double) {
    if let mixer { return mixer.want(Gain.fixed(gain)) }
    controls.gain.store(Gain.fixed(gain), ordering: .releasing)
    output.bell.ring()
  }

  /// What is heard now; nil when nothing of the last start was heard yet.
  package var heard: Heard? { board.read(at: now()) }

  /// What is decoded and was not heard yet.
  package var unheard: Duration {
    let rate = Int64(max(heard?.spot.rate ?? 44_100, 1))
    return .nanoseconds(Int64(decoding.ring.buffered) * 1_000_000_000 / rate)
  }

  /// Times the decoder came too late, and times the output thread did.
  package var starvations: UInt64 { controls.starvations.load(ordering: .relaxed) }
  /// By how many parts in a million the device's clock is faster than ours; nil until it has played for a minute.
  package var driftPartsPerMillion: Double? {
    let parts = controls.drift.load(ordering: .relaxed)
    return parts == .min ? nil : Double(parts) / 1_000
  }

  package var underruns: UInt64 { controls.underruns.load(ordering: .relaxed) }

  /// Asks the output thread for a sign of life.
  package func askBeat() {
    controls.beatAsked.add(1, ordering: .releasing)
    output.bell.ring()
  }

  /// Whether the output thread has answered. The decoder may be waiting for a disk.
  package var isOutputAlive: Bool {
    controls.outputBeat.load(ordering: .acquiring) == controls.beatAsked.load(ordering: .acquiring)
  }

  /// The next news, what the decoder said before what was heard of it. Nil when there is none: then wait for the bell.
  package func nextNews() -> News? {
    if stash.isEmpty { fetch() }
    return stash.isEmpty ? nil : stash.removeFirst()
  }

  /// For whoever fetches next.
  package func giveBack(_ news: News) {
    stash.insert(news, at: 0)
    newsBell.ring()
  }

  private func fetch() {
    newsBell.hush()
    // The output's first: whatever it has heard, the decoder had told before.
    let queue = output.feeder.news
    let count = queue.count
    let heard = (0..<count).map { queue[$0] }
    queue.drop(count)
    stash = decodeNews.news.withLock { box in
      defer { box.removeAll() }
      return box.map { .decode($0) }
    }
    for news in heard {
      switch news.kind {
      case .heard: stash.append(.heard(entry: news.mark.entry, generation: news.mark.generation))
      case .drained:
        // Told in the moment in which another file was opened, it is no end any more; that file's own will come.
        if news.mark.frame == controls.openings.load(ordering: .acquiring) {
          stash.append(.drained(generation: news.mark.generation))
        }
      case .deviceLost:
        let fault = output.feeder.trouble.withLock { $0 }
        stash.append(.deviceLost(fault ?? Fault(.missing, "A-171", "the sound device is gone")))
      case .deviceBack: stash.append(.deviceBack)
      case .unfit: stash.append(.unfit(generation: news.mark.generation))
      case .refused:
        let fault = output.feeder.refusals.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        stash.append(
          .decode(
            .failed(
              entry: news.mark.entry, generation: news.mark.generation,
              fault ?? Fault(.unsupported, "A-172", "the sound device cannot play this"))))
      case .closed: stash.append(.closed)
      }
    }
  }

  /// Both threads end; a recording is finished. `closed` is the last news.
  package func shutdown() {
    controls.shutdown.store(true, ordering: .releasing)
    decoding.bell.ring()
    output.bell.ring()
    mixer?.bell.ring()
  }
}

extension SoundPath {
  /// What an aside is to be made at: the device's rate now, or the one that it would be opened at.
  package var asideRate: Int32 {
    let open = controls.openRate.load(ordering: .acquiring)
    return open > 0 ? open : controls.rate(for: 44_100)
  }

  /// Heard at once over whatever plays, in the place of what sounds of its lane. Made for another rate than the device's
  /// it is not heard.
  package func say(_ aside: SoundOverlay) {
    output.feeder.door.offer(aside)
    output.bell.ring()
  }

  package func hush(_ lane: SoundOverlay.Lane) {
    output.feeder.door.hush(lane)
    output.bell.ring()
  }
}
