import Audio
import Canvas
import Glibc
import Kit
import Playback
import Runtime
import Synchronization
import Testing

@testable import Panel

/// A sound path that plays as time passes on the deck, and counts how often it is asked where it is. Deck only.
private final class PassingSound: Sound, @unchecked Sendable {  // touched on the deck only
  private let ring: Bell
  private var news: [SoundNews] = []
  private var entry: (id: EntryID, generation: UInt32)?
  private var since: Moment?
  private(set) var asked = 0

  init() throws { ring = try Bell() }

  func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32) {
    self.entry = (entry.id, generation)
    since = nil
    news.append(.heard(entry.id, generation: generation))
    ring.ring()
  }
  func follow(_ entry: PlayQueue.Entry?) {}
  func halt(generation: UInt32) { entry = nil }
  func pause() { since = nil }
  func resume() { since = Deck.loop.now }
  func setGain(_ gain: Double) {}
  func shutdown() {
    news.append(.closed)
    ring.ring()
  }

  var nowHeard: (entry: EntryID, generation: UInt32, spot: Spot)? {
    asked += 1
    guard let entry else { return nil }
    let played = since.map { (Deck.loop.now - $0).milliseconds } ?? 0
    return (entry.id, entry.generation, Spot(frame: played * 441 / 10, rate: 44_100))
  }

  var bell: Int32 { ring.number }

  func takeNews() -> SoundNews? {
    if news.isEmpty { ring.hush() }
    return news.isEmpty ? nil : news.removeFirst()
  }
}

/// A terminal that is a pipe: what is drawn can be counted, and not be read at all.
private final class PipeScreen: Sendable {
  let reading: Int32
  let writing: Int32
  private let isOpen = Mutex(true)

  init() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
  }

  deinit { hangUp() }

  /// Once only: the number may be another file's the second time.
  func hangUp() {
    let isFirst = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if isFirst { close(reading) }
  }

  /// All that was drawn since the last time.
  func take() -> [UInt8] {
    var all: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(reading, &block, block.count)
      guard count > 0 else { return all }
      all += block[..<count]
    }
  }
}

@Deck
private final class Desk {
  let sound: PassingSound
  let notices = NoticeBoard()
  let transport: Transport
  let panel: PanelPart
  private var lives: [Task<Void, Never>] = []
  private(set) var ended = 0

  init(showingOn screen: PipeScreen?) throws {
    var saved = SavedSession()
    _ = saved.queue.append([FilePath("/a.flac"), FilePath("/b.flac")])
    sound = try PassingSound()
    transport = Transport(
      saved, rules: .init(), volume: Volume(percent: 50), sound: sound, store: nil, notices: notices)
    let terminal = try screen.map {
      try Terminal(taking: Descriptor(taking: $0.writing), size: Size(width: 80, height: 24), colours: .palette)
    }
    panel = PanelPart(
      size: Size(width: 320, height: 240), type: try PanelType(), transport: transport, notices: notices,
      terminal: terminal)
  }

  func start() async {
    for part in [transport, panel] as [any Part] {
      try? await part.prepare()
      lives.append(
        Deck.start {
          try? await part.run()
          self.ended += 1
        })
    }
  }

  func stop() { for life in lives { life.cancel() } }

  func perform(_ command: Player.Command) async { try? await transport.perform(command) }
}

@Suite("Panel at work")
struct PanelPartTests {
  /// Lets everything happen that happens now.
  private func settle() async { for _ in 0..<20 { await Deck.loop.advance(by: .zero) } }

  private func onDesk(_ screen: PipeScreen?, _ body: @Sendable (Desk) async throws -> Void) async throws {
    try await TestDeck.alone {
      let desk = try #require(await onDeck { try? Desk(showingOn: screen) })
      await onDeck { await desk.start() }
      await settle()
      try await body(desk)
      await onDeck { desk.stop() }
      for _ in 0..<10_000 {
        if await onDeck({ desk.ended == 2 }) { return }
        await Deck.loop.advance(by: .zero)
      }
      Issue.record("the parts did not end")
    }
  }

  @Test("while it plays it is drawn once a second, when the second changes")
  func everySecond() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      #expect(!screen.take().isEmpty)
      await onDeck { await desk.perform(.play) }
      await settle()
      _ = screen.take()
      let asked = await onDeck { desk.sound.asked }
      var drawn = 0
      for _ in 0..<200 {
        await Deck.loop.advance(by: .milliseconds(100))
        await settle()
        if !screen.take().isEmpty { drawn += 1 }
      }
      #expect((19...21).contains(drawn))
      // Where it is, and when that changes: no more wake-ups than that.
      let questions = await onDeck { desk.sound.asked } - asked
      #expect(questions <= 2 * 20 + 4)
    }
  }

  @Test("while nothing changes nothing is drawn, and nobody is asked")
  func nothing() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      await onDeck {
        await desk.perform(.play)
        await desk.perform(.pause)
      }
      await settle()
      _ = screen.take()
      let asked = await onDeck { desk.sound.asked }
      await Deck.loop.advance(by: .seconds(3_600))
      await settle()
      #expect(screen.take().isEmpty)
      #expect(await onDeck { desk.sound.asked } == asked)
    }
  }

  @Test("without a terminal an hour of playing costs the panel nothing, and a picture can be had")
  func headless() async throws {
    try await onDesk(nil) { desk in
      await onDeck { await desk.perform(.play) }
      await settle()
      let asked = await onDeck { desk.sound.asked }
      await Deck.loop.advance(by: .seconds(3_600))
      // The transport asks when it would save, every four seconds; there is no store, and so nobody to ask for.
      #expect(await onDeck { desk.sound.asked } == asked)
      let first = await onDeck { try? desk.panel.picture() }
      #expect(first?.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
      await Deck.loop.advance(by: .seconds(100))
      #expect(await onDeck { try? desk.panel.picture() } != first)
    }
  }

  @Test("a knob turned fast is drawn a few times, and at the end as it is")
  func fastKnob() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      _ = screen.take()
      await onDeck { for _ in 0..<40 { await desk.perform(.turn(by: 1)) } }
      await settle()
      let text = String(decoding: screen.take(), as: UTF8.self)
      #expect(text.contains("90"))
      #expect(text.count < 40_000)
    }
  }

  @Test("a notice comes at once and goes after ten seconds, and then it is quiet")
  func notice() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      _ = screen.take()
      await onDeck { desk.notices.post(Notice("T-1", "Seven geese")) }
      await settle()
      #expect(String(decoding: screen.take(), as: UTF8.self).contains("Seven geese"))
      await Deck.loop.advance(by: NoticeBoard.shownFor - .milliseconds(1))
      await settle()
      #expect(screen.take().isEmpty)
      await Deck.loop.advance(by: .milliseconds(1))
      await settle()
      #expect(!screen.take().isEmpty)
      await Deck.loop.advance(by: .seconds(3_600))
      await settle()
      #expect(screen.take().isEmpty)
    }
  }

  @Test("a terminal that does not read for a while shows the present when it reads again")
  func slowTerminal() async throws {
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      // Full: a pipe takes 64 KiB.
      let filler = [UInt8](repeating: 0x20, count: 4_096)
      while write(screen.writing, filler, filler.count) > 0 {}
      await onDeck { await desk.perform(.play) }
      for _ in 0..<100 { await Deck.loop.advance(by: .seconds(1)) }
      await Deck.loop.advance(by: .milliseconds(500))
      var text = ""
      for _ in 0..<50 {
        text += String(decoding: screen.take(), as: UTF8.self)
        await settle()
      }
      let (showsNow, showsThen) = (text.contains("▶ 1:40"), text.contains("▶ 0:50"))
      #expect(showsNow, "a hundred seconds have passed")
      #expect(!showsThen, "what was drawn meanwhile is not made up for")
    }
  }

  @Test("when the terminal is gone the music goes on, and the panel ends when it is asked to")
  func goneTerminal() async throws {
    signal(SIGPIPE, SIG_IGN)
    let screen = try PipeScreen()
    try await onDesk(screen) { desk in
      screen.hangUp()
      await onDeck { await desk.perform(.play) }
      await Deck.loop.advance(by: .seconds(5))
      #expect(await onDeck { desk.transport.status.place.elapsed } == .seconds(5))
    }
  }
}
