import Application
import Formats
import Library
import Offline
import Playback
import Runtime
import Services

/// Music that is played while it is fetched: where the decoder finds it, its covers, what Offline is to have ready next,
/// and what the listener is told when it comes too slowly. Lives on the main loop and keeps nothing on the disk.
@MainLoop
final class StreamAssembly {
  private(set) lazy var streams = Streams { wait in MainLoop.start { self.hear(wait) } }
  let covers: StreamCovers
  private let keeping: Keeping
  private let storage: Storage
  /// The folder under whose name the library knows what was fetched.
  private let kept: FilePath
  private let notices: NoticeBoard
  /// Nil until `connect`: the sound path is made with `streams`.
  private var sound: SoundAssembly?
  private var stall = Stall()
  /// What is played and what comes next, as Offline was last told.
  private var prepared: [FilePath]?
  private var queued: [ItemKey]?

  init(_ keeping: Keeping, _ storage: Storage, kept: FilePath, _ notices: NoticeBoard) {
    (self.keeping, self.storage, self.kept, self.notices) = (keeping, storage, kept, notices)
    covers = StreamCovers(keeping, storage)
  }

  /// Once, before the player begins.
  func connect(_ sound: SoundAssembly, hasSources: Bool) {
    self.sound = sound
    let transport = sound.transport
    let changes = Mailbox<Keeping.Availability>()
    keeping.follow(changes)
    MainLoop.start {
      while let availability = await changes.receive() {
        self.streams.take(availability)
        // Nobody heard what was told before.
        (self.prepared, self.queued) = (nil, nil)
        MainLoop.start { await self.prepareNext(transport) }
      }
    }
    if !hasSources { streams.take(.withoutSources) }
    let events = Mailbox<PlayerEvent>(limit: 1)
    transport.follow(events)
    MainLoop.start { while await events.receive() != nil { await self.prepareNext(transport) } }
  }

  /// Whether the file was fetched. The name of such a file says nothing of the music in it.
  private func isKept(_ path: FilePath) -> Bool { path.bytes.starts(with: kept.bytes + [UInt8(ascii: "/")]) }

  /// The beginnings of those that come next, and what else stands in the list that is played.
  private func prepareNext(_ transport: Transport) async {
    let status = transport.status
    let next = transport.upNext(OfflinePart.queueAhead).map(\.path)
    let items = next.compactMap { ItemKey(address: $0) }
    if items != queued {
      queued = items
      await keeping.noteQueued(items)
    }
    if status.wish == .stopped, prepared != nil {
      prepared = nil
      await keeping.notePlaying([], next: [])
    }
    guard status.wish == .playing else { return }
    let coming = next.prefix(OfflinePart.preparedAhead)
    let heard = [status.entry?.path].compactMap { $0 } + coming
    covers.want(heard.filter { ItemKey(address: $0) != nil || isKept($0) })
    guard heard != prepared else { return }
    prepared = heard
    await keeping.prepare(coming.compactMap { ItemKey(address: $0) })
    // Of other files nobody there knows anything.
    func known(_ paths: some Sequence<FilePath>) -> [FilePath] {
      paths.map(\.ofFile).filter { ItemKey(address: $0) != nil || isKept($0) }
    }
    await keeping.notePlaying(known([status.entry?.path].compactMap(\.self)), next: known(coming))
  }

  /// A stream that comes too slowly. What the listener hears decides, not what the decoder waits for.
  private func hear(_ wait: StreamWait) {
    guard let sound else { return }
    let transport = sound.transport
    switch wait.stage {
    case .waits(let why):
      let isPlaying = transport.status.wish == .playing
      let change = stall.waits(isPlaying: isPlaying, unheard: sound.path.unheard)
      if change == .ends { return goOn(transport) }
      guard change == .begins else { return }
      let words = why?.words ?? "it comes too slowly"
      let code = why?.code ?? "O-413"
      let notice = Notice(code, "The music waits: \(words).", as: "music waits", because: code)
      transport.waitsFor = notice
      notices.post(notice)
    case .over: if stall.over() == .ends { goOn(transport) }
    case .left: if stall.over() == .ends { transport.waitsFor = nil }
    }
  }

  private func goOn(_ transport: Transport) {
    transport.waitsFor = nil
    notices.post(Notice("O-210", "The music goes on."))
  }
}

extension StreamAssembly: TrackLibrary {
  func track(at path: FilePath) async -> Track? {
    if let item = ItemKey(address: path) { return await keeping.facts(of: item).map { Track(path, $0) } }
    if let known = await storage.lookUp(path) { return known }
    // A fetched file that is not in the library yet, or not any more.
    return isKept(path) ? await keeping.track(stored: path) : nil
  }

  func learn(_ track: Track, at path: FilePath) {
    // The library has files only: the address of a stream is no path.
    if path.isAbsolute { storage.learn(path, track) }
  }
}
