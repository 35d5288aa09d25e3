import Application
import Audio
import Formats
import Glibc
import Playback
import Runtime
import Synchronization
import TestSupport
import Testing

@testable import Canvas
@testable import Panel

/// A sound path that plays as time passes on the main loop, and counts how often it is asked where it is. Main loop
/// only.
final class PassingSound: Sound, @unchecked Sendable {  // touched on the main loop only
  private let ring: Bell
  private var news: [SoundNews] = []
  private var entry: (id: EntryID, generation: UInt32)?
  private var since: Moment?
  private(set) var asked = 0

  init() throws { ring = try Bell() }

  func start(_ entry: PlayQueue.Entry, at place: TrackPlace, generation: UInt32, hint: LoudnessHint) {
    self.entry = (entry.id, generation)
    since = nil
    news.append(.heard(entry.id, generation: generation))
    ring.ring()
  }
  func follow(_ entry: PlayQueue.Entry?, hint: LoudnessHint) {}
  func halt(generation: UInt32) { entry = nil }
  func setShape(_ shape: SoundShape) {}
  func setDeepBuffer(_ isDeep: Bool) {}
  func pause() { since = nil }
  func resume() { since = MainLoop.loop.now }
  func setGain(_ gain: Double) {}
  func shutdown() {
    news.append(.closed)
    ring.ring()
  }

  var heard: Heard? {
    asked += 1
    guard let entry else { return nil }
    let played = since.map { (MainLoop.loop.now - $0).milliseconds } ?? 0
    return Heard(
      entry: entry.id.number, generation: entry.generation, spot: Spot(frame: played * 441 / 10, rate: 44_100))
  }

  var bell: Int32 { ring.number }

  func takeNews() -> SoundNews? {
    if news.isEmpty { ring.hush() }
    return news.isEmpty ? nil : news.removeFirst()
  }
}

/// A terminal that is a pipe: what is drawn can be counted, and not be read at all.
final class PipeScreen: Sendable {
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

@MainLoop
final class Desk {
  let sound: PassingSound
  let notices = NoticeBoard()
  let questions = QuestionBoard()
  let transport: Transport
  let panel: PanelPart
  private var lives: [Task<Void, Never>] = []
  private(set) var ended = 0

  init(
    showingOn screen: PipeScreen?, and device: PanelDevice? = nil, isReady: Bool = true,
    playing first: String = "/a.flac"
  ) throws {
    var saved = SavedSession()
    _ = saved.queue.append([FilePath(first), FilePath("/b.flac")])
    sound = try PassingSound()
    transport = Transport(
      saved, rules: .init(), volume: Volume(percent: 50), sound: sound, store: nil, notices: notices)
    let terminal = try screen.map {
      try Terminal(taking: Descriptor(taking: $0.writing), size: Size(width: 80, height: 24), colours: .palette)
    }
    panel = PanelPart(
      size: Size(width: 320, height: 240), look: PanelLook(type: try PanelType()),
      playing: Playing(transport, nil, nil, nil, Keeping()),
      notices: notices,
      terminal: terminal, device: device, questions: questions, isReady: isReady)
  }

  func start() async {
    for part in [transport, panel] as [any Part] {
      try? await part.prepare()
      lives.append(
        MainLoop.start {
          try? await part.run()
          self.ended += 1
        })
    }
  }

  func stop() { for life in lives { life.cancel() } }

  func perform(_ command: Player.Command) async { try? await transport.perform(command) }
}

/// A panel of its own in a file: it can be missing, be pulled, and come back with another size.
final class FilePanel: Sendable {
  private let folder = TempFolder()
  private let answer: Mutex<Result<FrameClaim, Fault>>
  private let looks = Mutex(0)
  private var path: FilePath { folder.path / "fb0" }

  static let gone = Fault.system("K-131", doing: "ask the panel", errno: ENODEV)

  init(_ answer: Result<FrameClaim, Fault>) throws {
    self.answer = Mutex(answer)
    try AtomicFile.replace(path, with: Array(repeating: 0xEE, count: 800 * 480 * 4))
  }

  static func claim(_ width: UInt32, _ height: UInt32, driver: String = "") -> Result<FrameClaim, Fault> {
    let eight = { FrameClaim.Field(offset: $0, length: 8) } as (UInt32) -> FrameClaim.Field
    return .success(
      FrameClaim(
        width: width, height: height, bitsPerPixel: 32, red: eight(16), green: eight(8), blue: eight(0),
        stride: width * 4, memory: width * height * 4, driver: driver))
  }

  /// One that is pulled forgets what it showed.
  func becomes(_ new: Result<FrameClaim, Fault>) throws {
    answer.withLock { $0 = new }
    let noise = [UInt8](repeating: 0xEE, count: 800 * 480 * 4)
    // In place: the file stays the one that is mapped.
    try Descriptor.open(path, O_WRONLY, code: "T-1").writeAll(noise, code: "T-1", doing: "wipe the panel")
  }

  /// How often it was looked for.
  var looked: Int { looks.withLock { $0 } }

  func open() throws(Fault) -> Framebuffer {
    looks.withLock { $0 += 1 }
    return try Framebuffer(taking: try Descriptor.open(path, O_RDWR, code: "T-1"), named: path) { _, _ throws(Fault) in
      try self.answer.withLock { $0 }.get()
    }
  }

  /// The first of its pixels.
  func pixels(_ size: Size) throws -> [UInt32] {
    let bytes = try AtomicFile.read(path, limit: 10_000_000)
    return (0..<size.width * size.height).map { index in
      (0..<4).reduce(0) { $0 | UInt32(bytes[index * 4 + $1]) << (8 * UInt32($1)) }
    }
  }
}

/// Lets everything happen that happens now.
func settle() async { for _ in 0..<20 { await MainLoop.loop.advance(by: .zero) } }

func onDesk(
  _ screen: PipeScreen?, and panel: FilePanel? = nil, isReady: Bool = true, playing first: String = "/a.flac",
  _ body: @Sendable (Desk) async throws -> Void
) async throws {
  try await TestMainLoop.alone {
    let desk = try #require(
      await onMainLoop {
        try? Desk(
          showingOn: screen, and: panel.map { panel in PanelDevice { () throws(Fault) in try panel.open() } },
          isReady: isReady, playing: first)
      })
    await onMainLoop { await desk.start() }
    await settle()
    try await body(desk)
    await onMainLoop { desk.stop() }
    for _ in 0..<10_000 {
      if await onMainLoop({ desk.ended == 2 }) { return }
      await MainLoop.loop.advance(by: .zero)
    }
    Issue.record("the parts did not end")
  }
}
