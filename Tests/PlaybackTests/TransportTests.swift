import Audio
import Formats
import Library
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Audio
@testable import Playback

/// A sound path that notes what it is told and says what a test lets it say. Lives on the main loop.
final class NotingSound: Sound, @unchecked Sendable {  // touched on the main loop only
  private let ring: Bell
  private var news: [SoundNews] = []
  var calls: [String] = []
  var hints: [LoudnessHint] = []
  /// Asked by the store too.
  private let lastHeard = Mutex<Heard?>(nil)
  var heard: Heard? {
    get { lastHeard.withLock { $0 } }
    set { lastHeard.withLock { $0 = newValue } }
  }
  var generation: UInt32 = 0
  var closesWhenAsked = true

  init() throws { ring = try Bell() }

  var bell: Int32 { ring.number }

  func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32, hint: LoudnessHint) {
    self.generation = generation
    hints.append(hint)
    calls.append("start \(entry.id) at \(place.frame(atRate: 44_100))")
  }
  func follow(_ entry: PlayQueue.Entry?, hint: LoudnessHint) {
    calls.append("follow \(entry?.id.description ?? "nothing")")
  }
  func hint(_ hint: LoudnessHint, for entry: PlayQueue.Entry) {
    calls.append("hint \(entry.id) \(hint.tagged.trackGain ?? 0)")
  }
  func halt(generation: UInt32) {
    self.generation = generation
    calls.append("halt")
  }
  func setShape(_ shape: SoundShape) {}
  func setDeepBuffer(_ isDeep: Bool) { calls.append("deep \(isDeep)") }
  func pause() { calls.append("pause") }
  func resume() { calls.append("resume") }
  func setGain(_ gain: Double) { calls.append("gain") }
  func shutdown() {
    calls.append("shutdown")
    if closesWhenAsked { tell(.closed) }
  }

  func tell(_ item: SoundNews) {
    news.append(item)
    ring.ring()
  }

  func takeNews() -> SoundNews? {
    if news.isEmpty { ring.hush() }
    return news.isEmpty ? nil : news.removeFirst()
  }

  func hear(_ entry: UInt64, frame: Int64 = 0) {
    let id = EntryID(number: entry)
    let format = AudioFormat(sampleRate: 44_100, channels: 2, bitsPerSample: 16, lossless: true)
    tell(.opened(id, generation: generation, TrackInfo(format: format, length: 44_100 * 200, tags: Tags())))
    tell(.heard(id, generation: generation))
    heard = Heard(entry: entry, generation: generation, spot: Spot(frame: frame, rate: 44_100))
  }
}

/// A library that knows every track by a name of its own, once it is open, and notes what it was taught.
@MainLoop
final class KnownTracks: TrackLibrary {
  var isOpen = false
  private(set) var learned: [FilePath] = []

  func track(at path: FilePath) async -> Track? {
    guard isOpen else { return nil }
    var track = Track(named: path)
    (track.title, track.artist, track.album) = ("Known \(path.name)", "Somebody", "Suites")
    track.isCatalogued = true
    return track
  }

  func learn(_ track: Track, at path: FilePath) { learned.append(path) }
}

/// A transport that runs, with its sound and all it tells.
@MainLoop
final class Stage {
  let sound: NotingSound
  let notices = NoticeBoard()
  let library = KnownTracks()
  let transport: Transport
  let events = Mailbox<PlayerEvent>(limit: 10_000)
  private var life: Task<Void, Never>?
  private(set) var isOver = false

  init(_ saved: SavedSession = .tracks(3), store: SessionStore? = nil, loudness: LoudnessPart? = nil) throws {
    sound = try NotingSound()
    transport = Transport(
      saved, rules: .init(), volume: Volume(percent: 50), sound: sound, store: store, library: library,
      loudness: loudness, notices: notices)
    transport.follow(events)
  }

  func start() async {
    try? await transport.prepare()
    let transport = transport
    life = MainLoop.start {
      try? await transport.run()
      self.isOver = true
    }
  }

  func stop() { life?.cancel() }

  @discardableResult
  func perform(_ command: Player.Command) async -> Fault? {
    do throws(Fault) { try await transport.perform(command) } catch { return error }
    return nil
  }

  func takeCalls() -> [String] {
    defer { sound.calls = [] }
    return sound.calls
  }

  func takeKinds() -> [PlayerEvent.Kind] {
    var kinds: [PlayerEvent.Kind] = []
    while let event = events.tryReceive() { kinds.append(event.kind) }
    return kinds
  }
}

extension SavedSession {
  static func tracks(_ count: Int) -> SavedSession {
    var saved = SavedSession()
    _ = saved.queue.append((1...max(count, 1)).prefix(count).map { FilePath("/music/\($0).flac") })
    return saved
  }
}

/// Until it is so; what other threads do is waited for, what does not come fails the test.
func until(_ what: String, _ condition: @escaping @MainLoop @Sendable () -> Bool) async {
  for _ in 0..<50_000 {
    if await onMainLoop({ condition() }) { return }
    await MainLoop.loop.advance(by: .zero)
  }
  Issue.record("it never came: \(what)")
}

@Suite("Transport")
struct TransportTests {
  /// One stage at a time on the main loop; what it holds is ended after.
  private func onStage(
    _ saved: SavedSession = .tracks(3), store: SessionStore? = nil, starting: Bool = true,
    _ body: @Sendable (Stage) async throws -> Void
  ) async throws {
    try await TestMainLoop.alone {
      let stage = try #require(await onMainLoop { try? Stage(saved, store: store) })
      if starting { await onMainLoop { await stage.start() } }
      try await body(stage)
      await onMainLoop { stage.stop() }
      if starting { await until("the end") { stage.isOver } }
    }
  }

  @Test("a command reaches the sound, and those who listen know")
  func commands() async throws {
    try await onStage { stage in
      await onMainLoop {
        _ = stage.takeCalls()
        await stage.perform(.play)
        #expect(stage.takeCalls() == ["start 1 at 0", "resume"])
        await stage.perform(.pause)
        await stage.perform(.next)
        await stage.perform(.seek(to: .seconds(2)))
        await stage.perform(.play)
        await stage.perform(.setVolume(20))
        #expect(stage.takeCalls() == ["pause", "halt", "start 2 at 88200", "resume", "gain"])
        #expect(stage.transport.status.volume == 20)
        let kinds = stage.takeKinds()
        for kind: PlayerEvent.Kind in [.playing, .paused, .track, .seek, .volume] {
          #expect(kinds.contains(kind), "\(kind)")
        }
      }
    }
  }

  @Test("low power deepens the device's buffer once and takes it back, and what plays is not begun anew for it")
  func lowPower() async throws {
    try await onStage { stage in
      await onMainLoop {
        await stage.perform(.play)
        await until("playing") { stage.transport.status.wish == .playing }
        _ = stage.takeCalls()
        var policy = PowerPolicy()
        for level in [40, 19, 12, 80] {
          if let plan = policy.hear(.battery(level)) { stage.transport.sounding.plan = plan }
        }
        #expect(stage.takeCalls() == ["deep true", "deep false"])
      }
    }
  }

  @Test(
    "it begins where it was: playing goes on there, a pause stays one",
    arguments: [Player.PlaybackState.playing, .paused])
  func resumes(wish: Player.PlaybackState) async throws {
    var saved = SavedSession.tracks(3)
    (saved.place.entry, saved.place.frame, saved.place.wish) = (EntryID(number: 2), 4_410, wish)
    try await onStage(saved) { stage in
      await onMainLoop {
        let calls = stage.takeCalls()
        #expect(calls == (wish == .playing ? ["gain", "start 2 at 4410", "resume"] : ["gain"]))
        #expect(stage.transport.status.place == Spot(frame: 4_410, rate: 44_100))
        if wish == .paused { await stage.perform(.play) }
        #expect(wish == .playing || stage.takeCalls() == ["start 2 at 4410", "resume"])
      }
    }
  }

  @Test("a command before the part runs is not undone by it, and a second start does not go back")
  func early() async throws {
    try await onStage(starting: false) { stage in
      await onMainLoop {
        try? await stage.transport.prepare()
        await stage.perform(.jump(to: EntryID(number: 3)))
        await stage.start()
      }
      await until("a round of the loop") { true }
      await onMainLoop {
        #expect(stage.transport.status.entry?.id == EntryID(number: 3))
        #expect(stage.transport.status.wish == .playing)
        stage.stop()
      }
      await until("the end") { stage.isOver }
    }
  }

  @Test("the position is the sound's, of this start and this entry only")
  func position() async throws {
    try await onStage { stage in
      await onMainLoop {
        await stage.perform(.play)
        stage.sound.hear(1, frame: 441_000)
      }
      await until("the position") { stage.transport.status.place.elapsed == .seconds(10) }
      await onMainLoop {
        #expect(stage.transport.status.track?.duration == .seconds(200))
        // What the sound says of the start before means nothing after a seek.
        await stage.perform(.seek(to: .seconds(60)))
        #expect(stage.transport.status.place.elapsed == .seconds(60))
      }
    }
  }

  @Test("a command means the entry that is heard, though its news are not fetched yet")
  func newsFirst() async throws {
    try await onStage { stage in
      await onMainLoop {
        await stage.perform(.play)
        stage.sound.hear(1)
        stage.sound.hear(2)
        await stage.perform(.next)
        #expect(stage.transport.status.entry?.id == EntryID(number: 3))
      }
    }
  }

  @Test("while it plays the place is saved every four seconds; while it pauses never")
  func saves() async throws {
    let work = try StoreAtWork(time: .virtual(VirtualTime()))
    let saved = try await work.open()
    try await onStage(saved, store: work.store) { stage in
      await onMainLoop {
        await stage.perform(.add([FilePath("/a"), FilePath("/b")]))
        await stage.perform(.play)
        stage.sound.hear(1)
      }
      await until("it is heard") { stage.transport.status.track?.duration != nil }
      for turn in Int64(1)...10 {
        await onMainLoop { stage.sound.heard?.spot.frame = turn * 176_400 }
        await work.loop.advance(by: SessionStore.savesEvery)
        await until("save \(turn)") { work.newestSlot?.place.frame == turn * 176_400 }
      }
      await onMainLoop { _ = await stage.perform(.pause) }
      let before = try #require(work.newestSlot)
      #expect(before.place.wish == .paused)
      stage.sound.heard?.spot.frame = 7
      await work.loop.advance(by: .seconds(3_600))
      await onMainLoop { _ = await stage.perform(.setVolume(7)) }
      let after = try #require(work.newestSlot)
      #expect(after.sequence == before.sequence + 1 && after.place.volume == 7)
    }
  }

  @Test("what is acknowledged is saved: another start has the queue, the entry and the place")
  func durable() async throws {
    let work = try StoreAtWork()
    let saved = try await work.open()
    try await onStage(saved, store: work.store) { stage in
      await onMainLoop {
        await stage.perform(.add([FilePath("/a"), FilePath("/b"), FilePath("/c")]))
        await stage.perform(.next)
        await stage.perform(.seek(to: .seconds(3)))
        await stage.perform(.repeats(.all))
      }
      let again = try await work.reopen()
      #expect(again.queue.entries.map(\.path.description) == ["/a", "/b", "/c"])
      #expect(again.place.entry == again.queue.entries[1].id && again.place.frame == 132_300)
      #expect(again.queue.repeats == .all)
    }
  }

  @Test("the end saves the place while it plays, then closes the sound; what that says changes nothing any more")
  func end() async throws {
    let work = try StoreAtWork()
    _ = try await work.open()
    try await onStage(store: work.store) { stage in
      await onMainLoop {
        stage.sound.closesWhenAsked = false
        await stage.perform(.play)
        stage.sound.hear(1, frame: 5)
      }
      await until("it is heard") { stage.transport.status.track?.duration != nil }
      await onMainLoop {
        stage.sound.heard?.spot.frame = 88_200
        stage.stop()
      }
      await until("the order to end") { stage.sound.calls.last == "shutdown" }
      #expect(work.newestSlot?.place.frame == 88_200 && work.newestSlot?.place.wish == .playing)
      let sequence = work.newestSlot?.sequence
      await onMainLoop {
        stage.sound.tell(.outputFailed(Fault(.full, "T-1", "no space")))
        stage.sound.tell(.closed)
      }
      await until("the end") { stage.isOver }
      await onMainLoop {
        #expect(stage.notices.posted.map(\.notice.code) == ["P-108"])
        #expect(stage.transport.status.wish == .playing)
      }
      #expect(work.newestSlot?.sequence == sequence)
    }
  }

  @Test("a sound that does not end holds the end up for half a second")
  func stuckSound() async throws {
    try await onStage { stage in
      await onMainLoop {
        stage.sound.closesWhenAsked = false
        stage.stop()
      }
      await until("the order to end") { stage.sound.calls.last == "shutdown" }
      await MainLoop.loop.advance(by: Transport.closesWithin - .milliseconds(1))
      #expect(await onMainLoop { !stage.isOver })
      await MainLoop.loop.advance(by: .milliseconds(1))
      await until("the end") { stage.isOver }
    }
  }

  @Test("what comes next is told by name, and that nothing does")
  func next() async throws {
    try await onStage(starting: false) { stage in
      await onMainLoop {
        stage.library.isOpen = true
        await stage.start()
      }
      await until("the name") { stage.transport.status.next?.title == "Known 2.flac" }
      await onMainLoop {
        await stage.perform(.repeats(.one))
        #expect(stage.transport.status.next?.title == "Known 1.flac")
        await stage.perform(.repeats(.off))
        await stage.perform(.jump(to: EntryID(number: 3)))
        #expect(stage.transport.status.next == nil)
        var last: PlayerEvent?
        while let event = stage.events.tryReceive() { last = event }
        #expect(last?.status.entry?.id == EntryID(number: 3) && last?.status.next == nil)
        stage.stop()
      }
      await until("the end") { stage.isOver }
    }
  }

  @Test("a device that is lost is waited for, a damaged file is told once")
  func told() async throws {
    try await onStage { stage in
      await onMainLoop {
        await stage.perform(.play)
        stage.sound.tell(.deviceLost(Fault(.missing, "A-1", "gone")))
        for _ in 0..<3 { stage.sound.tell(.finished(EntryID(number: 1), damages: 2)) }
      }
      await until("the news") { stage.notices.posted.count > 1 }
      await onMainLoop {
        #expect(stage.transport.status.waitsForDevice)
        #expect(stage.notices.posted.map(\.notice.code) == ["A-1", "P-107"])
        #expect(stage.takeKinds().contains(.notice))
        stage.sound.tell(.deviceBack)
      }
      await until("the device") { !stage.transport.status.waitsForDevice }
    }
  }
}
