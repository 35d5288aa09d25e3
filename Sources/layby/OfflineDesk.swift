import Application
import Glibc
import HTTP
import Hardware
import Library
import Offline
import Playback
import Runtime
import Services

/// Connects Offline with the rest of the program. It tells Offline about network, battery and disk, hands whole files to
/// the library, and tells people what they must know. It runs on the main loop; transfers have loops of their own, so a
/// slow server or disk does not delay the panel.
@MainLoop
final class OfflineDesk: Part {
  nonisolated let name = "offline"
  /// News gets lost, disks fill up, and the hour changes.
  static let looksAfter: Duration = .seconds(60)
  private static let remembersSpeed: Duration = .seconds(600)

  private let house: House
  private let storage: Storage
  private let session: SessionStore
  private let imports: ImportPart
  private let transfers: Transfers
  /// On the board's own disk.
  private let media: FilePath
  /// Leads to wherever all is kept.
  private let kept: FilePath
  private var loop: EventLoop?
  private var part: OfflinePart?
  private var situation = TransferConditions()
  private var strictHosts: StrictHosts
  private var isTold: Set<String> = []
  private var isLookingSoon = false
  /// Whole files that were deleted, in batches: an album goes in one.
  private lazy var deleted = Batcher<MediaKey>(most: 100, as: storage.errands) { [unowned self] keys in
    // This part lives as long as the house.
    await self.forget(keys)
  }
  /// Something came over the line.
  private var measuredAt: Moment?
  private let log = Log("offline")

  init(
    _ house: House, _ storage: Storage, _ session: SessionStore, _ imports: ImportPart, _ transfers: Transfers
  ) {
    (self.house, self.storage, self.session, self.imports) = (house, storage, session, imports)
    self.transfers = transfers
    (media, kept) = (house.mediaPath.absolute, house.keptPath)
    strictHosts = StrictHosts()
  }

  // MARK: Living

  func prepare() async throws(Fault) {
    try await house.offline.open { () async throws(Fault) in try await self.begun() }
  }

  private func begun() async throws(Fault) -> (OfflinePart, on: EventLoop) {
    strictHosts = await transfers.strictHosts
    let (loop, part) = try await opened()
    await part.keep(OfflinePart.Covers(in: house.statePath / "covers", by: wire()))
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
    imports.lookup = { [offline = house.offline] names in await offline.indexFacts(of: names) }
    try await lead()
    try await lookThroughAfterAPowerCut()
    // When it can be asked.
    MainLoop.start { await self.house.application?.playlists?.keepAll() }
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
    if self.loop == nil { house.watchdog?.expect(slow: "offline", loop) }
    self.loop = loop
    let rows = try await StoredRows(of: session)
    let fetching = wire()
    let sources = self.sources(fetching)
    house.offline.sources = sources
    let part = OfflinePart(
      media, or: house.volumes, rows: rows, sources: sources, fetching: fetching, loop: loop,
      date: { Int64(time(nil)) }, zone: { TransferConditions.zone(at: $0) },
      told: { event in MainLoop.start { self.hear(event) } },
      whole: { item in await self.take(item) }, moved: { folder in await self.lead(to: folder) })
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

  // MARK: The library

  /// Files came or went, and it may have come between that and their import.
  private func lookThroughAfterAPowerCut() async throws(Fault) {
    guard let catalogue = storage.catalogue, let part else { return }
    let media = media
    let isKnown = try await catalogue.sources().contains { $0.kind == .store && $0.key == media.bytes }
    let isEmpty = await part.list().isEmpty
    if isKnown || !isEmpty { lookThroughSoon() }
  }

  /// When this returns the folder is a source of the library's, and what is in it is found and played soon. After a power
  /// cut the next start looks through it again.
  private func lookThrough() async {
    // What is away is not gone, and an empty place in its stead says nothing.
    guard let catalogue = storage.catalogue, situation.free != nil else { return }
    let wish = wish
    do throws(Fault) {
      _ = try await catalogue.source(
        wish.kind, key: wish.key, label: wish.label, root: wish.root, today: Int64(time(nil)))
      imports.add(wish)
    } catch {
      house.notices.post(Notice(error, instead: "what was fetched is on the device, but not in the library yet"))
    }
  }

  private var wish: ImportPart.Request {
    ImportPart.Request(kind: .store, key: media.bytes, label: "fetched", root: kept)
  }

  /// When this returns it can be found.
  private func take(_ item: WholeItem) async {
    let facts = item.facts ?? MediaItem(id: item.key.item.item)
    await take(item.path, IndexFacts(KnownItem(item.key.item, facts)))
  }

  /// That file alone is read. Should it fail, what the next look through all of them finds is what counts.
  private func take(_ path: FilePath, _ facts: IndexFacts) async {
    guard storage.catalogue != nil, situation.free != nil else { return }
    do throws(Fault) { try await imports.take(Arrival(path, facts), of: wish) } catch {
      log.info("what was fetched is looked for", ["file": path, "reason": error.message])
      await lookThrough()
    }
  }

  /// Their files are gone.
  private func forget(_ keys: [MediaKey]) async {
    var stems: [FilePath] = []
    for key in keys {
      guard let name = try? MediaFolder.Name(of: key).description else { continue }  // without a sum it had no file
      stems.append(FilePath("\(kept)/\(name.prefix(2))/\(name)"))
    }
    do throws(Fault) { try await storage.catalogue?.forget(deleted: stems) } catch {
      log.warning("what was deleted is still in the library", ["reason": error.message])
      await lookThrough()
    }
    house.libraryChanged()
    house.offerLibrary()
  }

  /// Twice: an import believes only the second time that a folder is empty where there was music.
  private func lookThroughSoon() {
    guard !isLookingSoon else { return }
    isLookingSoon = true
    MainLoop.start {
      await MainLoop.loop.sleep(for: .seconds(1))
      self.isLookingSoon = false
      await self.lookThrough()
      while self.imports.waiting.contains(where: { $0.kind == .store }) {
        guard await MainLoop.loop.sleep(for: .seconds(1)) else { return }
      }
      await self.lookThrough()
    }
  }

  /// Other names for what is here: their files are read once more, with what their index says now.
  private func rename(_ paths: [FilePath]) async {
    let said = await house.offline.indexFacts(of: paths.map(\.name.bytes))
    for path in paths { if let facts = said[path.name.bytes] { await take(path, facts) } }
  }

  // MARK: What is told

  private func hear(_ event: OfflineEvent) {
    house.offline.tell(event)
    if case .download(let download) = event { note(download) }
    switch event {
    case .download(.failed(let key, let trouble)):
      let name = shownPlain(key.item.item)
      house.notices.post(
        Notice(
          trouble.code, "\(name) of \(key.source) could not be fetched: \(trouble.words)", as: "not fetched",
          names: [name, shownPlain(key.source)], because: trouble.code))
    case .download(.waits(_, .portal)): house.network?.suspectPortal()
    case .download(.completed): house.network?.proveInternet()
    case .download(.deleted(let key)): deleted.add(key)
    case .waits(let reasons):
      log.notice("downloads wait", ["why": reasons.map(\.words).joined(separator: "; ")])
      for why in reasons where Self.mustBeTold.contains(why.code) && isTold.insert(why.code).inserted {
        house.notices.post(
          Notice(why.code, "Downloads wait: \(why.words).", as: "downloads wait", because: why.code))
      }
    case .goesOn:
      log.notice("downloads go on")
      if !isTold.isEmpty { house.notices.post(Notice("O-200", "Downloads go on.")) }
      isTold = []
    case .dropped(let container) where container.kind == .devicePlaylist:
      MainLoop.start { await self.house.application?.playlists?.wasDropped(container.id) }
    case .renamed(let paths): MainLoop.start { await self.rename(paths) }
    case .moving(let from, let to): log.notice("everything is moved", ["from": from, "to": to])
    case .moveWaits(let why):
      for one in why {
        let message = "What is fetched cannot be moved just now: \(one.words)."
        house.notices.post(Notice(one.code, message, as: "not moved", because: one.code))
      }
    case .moved(let to):
      house.notices.post(Notice("O-420", "What is fetched is on the disk \(to) now.", names: [to]))
      lookThroughSoon()
    case .warned(let warning):
      let why = Why(warning)
      house.notices.post(Notice(why.code, "There is little room for music: \(why.words).", as: "little room"))
    case .gaveUp(let key, let kind, let bytes):
      log.notice("gave up", ["item": "\(key)", "class": "\(kind)", "bytes": bytes])
    default: break
    }
  }

  /// What the log has of each download. `layby events` tells of the rest.
  private func note(_ event: DownloadEvent) {
    switch event {
    case .stateChanged(let key, let state): log.info("state changed", ["item": "\(key)", "state": state.name])
    case .retryScheduled(let key, let trouble, let pause):
      let reason = trouble.words
      log.info("retry scheduled", ["item": "\(key)", "reason": reason, "after_s": pause.inSeconds])
    case .recovered(let key, let bytes): log.notice("recovery done", ["item": "\(key)", "bytes": bytes])
    case .maintenanceDone(let checked, let repaired, let removed):
      log.notice("maintenance done", ["checked": checked, "repaired": repaired, "removed": removed])
    case .failed(let key, let trouble):
      log.notice("download failed", ["item": "\(key)", "reason": trouble.words])
    case .started, .progressed, .completed, .deleted, .allDeleted, .waits: break
    }
  }

  /// Reasons to wait that become a notice: they do not end by themselves, or people would wonder. Being without a network
  /// is normal for this program and is not among them.
  private static let mustBeTold: Set<String> = Set(
    [WaitReason.space, .limit, .otherDisk, .disk, .untrusted, .signIn, .source, .portal, .clock, .battery, .heat]
      .map(\.code))
}
