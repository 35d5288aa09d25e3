import Application
import Formats
import Library
import Offline
import Playback
import Runtime
import Services

/// Music that is played while it comes, wired.
extension House {
  func keepStreams(_ transport: Transport, _ storage: Storage) {
    let standings = Mailbox<Keeping.Availability>()
    offline.follow(standings)
    MainLoop.start {
      while let standing = await standings.receive() {
        self.streams.take(standing)
        // What was told before nobody heard.
        (self.prepared, self.queued) = (nil, nil)
        MainLoop.start { await self.prepareNext(transport) }
      }
    }
    if settings.sources.isEmpty { streams.take(.withoutSources) }
    transport.lookUp = { path in
      if let item = ItemKey(address: path) { return await self.offline.facts(of: item).map { Track(path, $0) } }
      if let known = await storage.lookUp(path) { return known }
      // Not in the library yet, or not any more.
      return self.isKept(path) ? await self.offline.track(stored: path) : nil
    }
    transport.learn = { path, track in
      // Of what is no file the library knows nothing.
      if path.isAbsolute { storage.learn(path, track) }
    }
    covers.find = { music in
      if let item = ItemKey(address: music) { return await self.offline.cover(of: item) }
      // A picture in the file itself goes first, and stays where it is.
      return await storage.hasArt(music) ? music : await self.offline.cover(ofStored: music)
    }
    let events = Mailbox<PlayerEvent>(limit: 1)
    transport.follow(events)
    MainLoop.start { while await events.receive() != nil { await self.prepareNext(transport) } }
  }

  /// It was fetched, and has a name that says nothing.
  private func isKept(_ path: FilePath) -> Bool { path.bytes.starts(with: keptPath.bytes + [UInt8(ascii: "/")]) }

  /// The beginnings of those that come next, and what else stands in the list that is played.
  private func prepareNext(_ transport: Transport) async {
    let status = transport.status
    let next = transport.upNext(OfflinePart.queueAhead).map(\.path)
    let items = next.compactMap { ItemKey(address: $0) }
    if items != queued {
      queued = items
      await offline.isQueued(items)
    }
    if status.wish == .stopped, prepared != nil {
      prepared = nil
      await offline.isPlayed([], next: [])
    }
    guard status.wish == .playing else { return }
    let coming = next.prefix(OfflinePart.preparedAhead)
    let heard = [status.entry?.path].compactMap { $0 } + coming
    covers.want(heard.filter { ItemKey(address: $0) != nil || isKept($0) })
    guard heard != prepared else { return }
    prepared = heard
    await offline.prepare(coming.compactMap { ItemKey(address: $0) })
    // Of other files nobody there knows anything.
    func known(_ paths: some Sequence<FilePath>) -> [FilePath] {
      paths.map(\.ofFile).filter { ItemKey(address: $0) != nil || isKept($0) }
    }
    await offline.isPlayed(known([status.entry?.path].compactMap(\.self)), next: known(coming))
  }

  /// A stream that comes too slowly. What the listener hears decides, not what the decoder waits for.
  func hear(_ wait: StreamWait) {
    guard let transport, let soundPath else { return }
    switch wait.stage {
    case .waits(let why):
      let isPlaying = transport.status.wish == .playing
      let change = stall.waits(isPlaying: isPlaying, unheard: soundPath.unheard)
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
