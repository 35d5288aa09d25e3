import Formats
import Runtime
import Synchronization

/// The path of the sound: files -> decode thread -> ring buffer -> output thread -> device. The main loop uses this
/// type alone. Every call returns immediately and may come from any thread; one thread fetches the news when `newsBell`
/// rings.
package final class SoundPath: @unchecked Sendable {  // `stash`: whoever fetches news; the rest locks or is atomic
  package enum News: Sendable, Equatable {
    case decode(DecodeNews)
    /// The entry's first frame (or the first after a seek) was played by the device.
    case heard(entry: UInt64, generation: UInt32)
    /// Everything was played, and the decoder has nothing more.
    case drained(generation: UInt32)
    case deviceLost(Fault)
    case deviceBack
    /// The device does not support the sample rate that was decoded for; start the track again.
    case unfit(generation: UInt32)
    case closed
  }

  package let newsBell: Bell
  /// True for devices, which can be plugged in again; false for recordings.
  package let deviceMayComeBack: Bool
  let controls: SoundControls
  private let board = PlaceBoard()
  private let decoding: DecodeThread
  let output: OutputThread
  private let mixer: MixerThread?
  private let decodeNews: NewsBox
  private var stash: [News] = []
  private let now: @Sendable () -> Moment
  /// How much sound the device is given ahead in normal operation.
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

  /// Fades out what plays and starts this instead (silently while paused). `generation` must be a new number: it tells
  /// this start from earlier ones.
  package func start(
    _ entry: UInt64, _ path: FilePath, at place: TrackPlace, generation: UInt32, hint: LoudnessHint = .none
  ) {
    controls.wantedGeneration.store(generation, ordering: .releasing)
    let track = DecodeOrders.Track(entry: entry, music: .file(path), hint: hint)
    decoding.order { $0.start(track, at: place, generation: generation) }
    output.bell.ring()
  }

  /// The effects from the next start on. To apply them to the current track, start it again.
  package func setShape(_ shape: SoundShape) { decoding.order { $0.shape = shape } }

  /// Whether the device is filled further ahead. It takes effect at the output thread's next turn; no thread is woken
  /// for it.
  package func setDeepBuffer(_ isDeep: Bool) {
    let depth = isDeep ? BufferDepth.deeper(buffer) : buffer
    controls.depth.store(depth.milliseconds, ordering: .relaxed)
  }

  /// Plays two soft notes in place of a track.
  package func startChime(generation: UInt32) {
    controls.wantedGeneration.store(generation, ordering: .releasing)
    decoding.order { $0.start(.init(entry: 0, music: .chime), at: .beginning, generation: generation) }
    output.bell.ring()
  }

  /// The track that follows gaplessly. It replaces an earlier follower that has not been opened yet.
  package func follow(_ entry: UInt64, _ path: FilePath, hint: LoudnessHint = .none) {
    decoding.order { $0.follow = .init(entry: entry, music: .file(path), hint: hint) }
  }

  /// Updates the loudness of the follower. A track that is open already keeps its gain, so that nothing changes its
  /// loudness while it plays.
  package func hint(_ hint: LoudnessHint, for entry: UInt64) { decoding.order { $0.hint(hint, for: entry) } }

  /// Nothing follows the current track. A follower that is open already is still played.
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

  /// From 0 (silence) to 1, at which the samples are bit-exact.
  package func setGain(_ gain: Double) {
    if let mixer { return mixer.want(Gain.fixed(gain)) }
    controls.gain.store(Gain.fixed(gain), ordering: .releasing)
    output.bell.ring()
  }

  /// What is audible now; nil until the first sample after the last start.
  package var heard: Heard? { board.read(at: now()) }

  /// How much decoded sound waits to be played.
  package var unheard: Duration {
    let rate = Int64(max(heard?.spot.rate ?? 44_100, 1))
    return .nanoseconds(Int64(decoding.ring.buffered) * 1_000_000_000 / rate)
  }

  /// How often the decoder was too slow; `underruns` counts how often the output thread was.
  package var starvations: UInt64 { controls.starvations.load(ordering: .relaxed) }
  /// How much faster the device's clock runs than the system's, in parts per million; nil for the first minute.
  package var driftPartsPerMillion: Double? {
    let parts = controls.drift.load(ordering: .relaxed)
    return parts == .min ? nil : Double(parts) / 1_000
  }

  package var underruns: UInt64 { controls.underruns.load(ordering: .relaxed) }

  /// Asks the output thread to answer; `isOutputAlive` tells whether it has.
  package func askBeat() {
    controls.beatAsked.add(1, ordering: .releasing)
    output.bell.ring()
  }

  /// Whether the output thread has answered the last `askBeat`. The decode thread is not asked: it may wait for a disk.
  package var isOutputAlive: Bool {
    controls.outputBeat.load(ordering: .acquiring) == controls.beatAsked.load(ordering: .acquiring)
  }

  /// What the device said when it was last asked or opened; nil before that. One that failed is asked again, for the
  /// next time: while nothing plays, nobody else does.
  package var device: DeviceAnswer? {
    let answer = controls.answer.withLock { $0 }
    if case .fails = answer {
      controls.asksDevice.store(true, ordering: .relaxed)
      output.bell.ring()
    }
    return answer
  }

  package var isDeviceOpen: Bool { controls.openRate.load(ordering: .acquiring) > 0 }

  /// How many frames the device has played since the program began, silence included.
  package var played: Int64 { controls.played.load(ordering: .relaxed) }

  /// The next piece of news: for one track, what the decoder reports comes before what was heard. Nil when there is
  /// none; then wait for the bell.
  package func nextNews() -> News? {
    if stash.isEmpty { fetch() }
    return stash.isEmpty ? nil : stash.removeFirst()
  }

  /// Puts a piece of news back, as the next one.
  package func giveBack(_ news: News) {
    stash.insert(news, at: 0)
    newsBell.ring()
  }

  private func fetch() {
    newsBell.hush()
    // Take the output's news before the decoder's: what was heard by now, the decoder has reported by now.
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
        // If another file was opened in the meantime this is not the end; that file's own end will be reported.
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

  /// Ends the threads and finishes a recording. `closed` is the last news.
  package func shutdown() {
    controls.shutdown.store(true, ordering: .releasing)
    decoding.bell.ring()
    output.bell.ring()
    mixer?.bell.ring()
  }
}

extension SoundPath {
  /// The sample rate for overlays (speech, ticks): the device's own, or the one that it would be opened at.
  package var asideRate: Int32 {
    let open = controls.openRate.load(ordering: .acquiring)
    return open > 0 ? open : controls.rate(for: 44_100)
  }

  /// Plays the overlay immediately over the music. It replaces the one that plays in its lane. An overlay made for
  /// another sample rate than the device's is not played.
  package func say(_ aside: SoundOverlay) {
    output.feeder.door.offer(aside)
    output.bell.ring()
  }

  package func hush(_ lane: SoundOverlay.Lane) {
    output.feeder.door.hush(lane)
    output.bell.ring()
  }
}
