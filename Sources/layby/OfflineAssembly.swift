import Application
import Glibc
import HTTP
import Hardware
import Library
import Offline
import Playback
import Runtime
import Services

/// Opens Offline, keeps it running, and tells it about network, battery, disk and time. What comes whole goes to the
/// library by `KeptMusic`, and what people must know to them by `OfflineNews`. It runs on the main loop; transfers have
/// loops of their own, so a slow server or disk does not delay the panel.
@MainLoop
final class OfflineAssembly: Part {
  nonisolated let name = "offline"
  /// News gets lost, disks fill up, and the hour changes.
  static let looksAfter: Duration = .seconds(60)
  private static let remembersSpeed: Duration = .seconds(600)

  private let house: House
  private let storage: Storage
  private let session: SessionStore
  private let transfers: Transfers
  private let music: KeptMusic
  private let news: OfflineNews
  /// On the board's own disk.
  private let media: FilePath
  /// Leads to wherever all is kept.
  private let kept: FilePath
  private var loop: EventLoop?
  private var part: OfflinePart?
  private var situation = TransferConditions()
  private var strictHosts: StrictHosts
  /// Something came over the line.
  private var measuredAt: Moment?

  init(
    _ house: House, _ storage: Storage, _ session: SessionStore, _ imports: ImportPart, _ transfers: Transfers
  ) {
    (self.house, self.storage, self.session, self.transfers) = (house, storage, session, transfers)
    (media, kept) = (house.context.mediaPath.absolute, house.context.keptPath)
    strictHosts = StrictHosts()
    news = OfflineNews(house.notices, house.network)
    music = KeptMusic(
      storage, imports, house.offline, house.notices, in: media, known: kept,
      changed: {
        house.library?.changed()
      })
    imports.lookup = { [offline = house.offline] names in await offline.indexFacts(of: names) }
  }

  // MARK: Living

  func prepare() async throws(Fault) {
    try await house.offline.open { () async throws(Fault) in try await self.begun() }
  }

  private func begun() async throws(Fault) -> (OfflinePart, on: EventLoop) {
    strictHosts = await transfers.strictHosts
    let (loop, part) = try await opened()
    await part.keep(OfflinePart.Covers(in: house.context.statePath / "covers", by: wire()))
    await look(on: loop)
    situation.hear(house.network?.state ?? NetworkState(), needsInternet: house.settings[.offlineNeedsInternet])
    situation.hear(house.power?.state ?? PowerState())
    situation.holdsWrites = house.holdsWrites
    let (rules, situation) = (TransferRules(house.settings, house.chosen.flags), situation)
    let started = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, Fault>, Never>) in
      Task(executorPreference: loop) {
        do throws(Fault) { continuation.resume(returning: .success(try await part.start(rules, situation))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try started.get()
    try await lead()
    try await music.lookThroughAfterAPowerCut(part)
    // When it can be asked.
    MainLoop.start { await self.house.library?.application.playlists?.keepAll() }
    return (part, loop)
  }

  func run() async throws(Fault) {
    let (networks, powers) = (Mailbox<NetworkState>(limit: 16), Mailbox<PowerState>(limit: 16))
    follow(networks, powers)
    while await MainLoop.loop.sleep(for: Self.looksAfter) { await tick() }
    networks.close()
    powers.close()
    // Who is asked to end keeps what was learned.
    await keepStrictHosts()
  }

  private func follow(_ networks: Mailbox<NetworkState>, _ powers: Mailbox<PowerState>) {
    house.network?.follow(networks)
    house.power?.follow(powers)
    let needsInternet = house.settings[.offlineNeedsInternet]
    house.holdsWritesChanged = { [weak self] in
      guard let self else { return }
      self.situation.holdsWrites = self.house.holdsWrites
      self.passOn()
    }
    house.holdsWritesChanged()
    MainLoop.start {
      while let state = await networks.receive() {
        self.situation.hear(state, needsInternet: needsInternet)
        self.passOn()
      }
    }
    MainLoop.start {
      while let state = await powers.receive() {
        self.situation.hear(state)
        self.passOn()
      }
    }
  }

  /// Made once; a part that is started again goes on with the same.
  private func opened() async throws(Fault) -> (EventLoop, OfflinePart) {
    if let loop, let part { return (loop, part) }
    // Not `work`, where an import or a copy may hold everybody up for a while: what comes over the line goes first.
    let loop: EventLoop
    if let known = self.loop { loop = known } else { loop = try EventLoop("offline", mayBlock: true) }
    try loop.startOnce(priority: .normal)
    if self.loop == nil { house.context.watchdogs.expect(slow: "offline", loop) }
    self.loop = loop
    let rows = try await StoredRows(of: session)
    let fetching = wire()
    let sources = self.sources(fetching)
    house.offline.sources = sources
    let part = OfflinePart(
      media, or: house.volumes, rows: rows, sources: sources, fetching: fetching, loop: loop,
      date: { Int64(time(nil)) }, zone: { TransferConditions.zone(at: $0) },
      told: { event in MainLoop.start { self.hear(event) } },
      whole: { item in await self.music.take(item) }, moved: { folder in await self.lead(to: folder) })
    self.part = part
    return (loop, part)
  }

  private func wire() -> WireFetching {
    let isCapped = TransferRules.cap(house.settings) != nil
    let date: @Sendable () -> Int64? = {
      let now = Int64(time(nil))
      return now >= TransferConditions.firstCredible ? now : nil
    }
    return WireFetching(transfers, date: date) { measured in
      // A server that says nothing says nothing of the line.
      guard measured.bytes > 0 else { return }
      MainLoop.start {
        if !measured.wasHeldBack, !isCapped { self.measuredAt = MainLoop.loop.now }
        self.house.network?.bandwidth.take(
          measured.bytes, in: measured.duration, wasHeldBack: measured.wasHeldBack || isCapped)
      }
    }
  }

  private func sources(_ fetching: WireFetching) -> [any MediaSource] {
    var sources: [any MediaSource] = []
    for name in house.settings.sources {
      guard let address = house.settings[.sourceURL(name)] else { continue }
      guard let folder = FolderAddress(address) else {
        house.notices.post(Notice("C-111", "[source \(name)]: \(FolderAddress.complaint(about: address))"))
        continue
      }
      switch house.settings[.sourceKind(name)] {
      case .directory: sources.append(HTTPDirectory(id: name, folder: folder, fetching: fetching))
      }
    }
    return sources
  }

  // MARK: The surroundings

  private func tick() async {
    guard let loop else { return }
    await look(on: loop)
    passOn()
    await keepStrictHosts()
  }

  /// Before the library looks for anything there.
  private func lead() async throws(Fault) {
    guard let loop, let part else { return }
    let place = await withCheckedContinuation { (continuation: CheckedContinuation<Result<FilePath, Fault>, Never>) in
      Task(executorPreference: loop) {
        do throws(Fault) { continuation.resume(returning: .success(try await part.place())) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    await lead(to: try place.get())
  }

  /// It has the files by the same names below it.
  private func lead(to folder: FilePath) async {
    guard let loop else { return }
    let kept = kept
    let led = await loop.perform { () -> Result<Void, Fault> in
      Result { () throws(Fault) in try AtomicFile.lead(kept, to: folder, code: "X-198") }
    }
    if case .failure(let fault) = led {
      house.notices.post(Notice(fault, instead: "what is fetched is on the device, but not in the library"))
    }
  }

  /// What the disk has left, how hot the board is, and what time it is.
  private func look(on loop: EventLoop) async {
    guard let part else { return }
    situation.heat = await loop.perform { HeatSensors().hottest() }
    // Nil: the disk it belongs on is not there.
    situation.free = await withCheckedContinuation { (continuation: CheckedContinuation<Int64?, Never>) in
      Task(executorPreference: loop) { continuation.resume(returning: await part.free()) }
    }
    music.diskIsThere = situation.free != nil
    situation.hear(date: Int64(time(nil)))
  }

  /// In order.
  private func passOn() {
    guard let loop, let part else { return }
    var now = situation
    // This morning's line is not last evening's.
    let isNew = measuredAt.map { MainLoop.loop.now - $0 < Self.remembersSpeed } ?? false
    now.bitsASecond = isNew ? house.network?.bandwidth.bitsPerSecond : nil
    Task(executorPreference: loop) { [now] in await part.take(now) }
  }

  private func keepStrictHosts() async {
    let now = await transfers.strictHosts
    guard now != strictHosts else { return }
    strictHosts = now
    await storage.keep(now)
  }

  // MARK: Events

  private func hear(_ event: OfflineEvent) {
    house.offline.tell(event)
    news.tell(event)
    switch event {
    case .download(.deleted(let key)): music.wasDeleted(key)
    case .dropped(let container) where container.kind == .devicePlaylist:
      MainLoop.start { await self.house.library?.application.playlists?.wasDropped(container.id) }
    case .renamed(let paths): MainLoop.start { await self.music.rename(paths) }
    case .moved: music.lookThroughSoon()
    case .download, .waits, .goesOn, .warned, .gaveUp, .wanted, .dropped, .followed, .moving, .moveWaits: break
    }
  }
}
