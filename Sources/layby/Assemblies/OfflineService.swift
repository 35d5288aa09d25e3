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
final class OfflineService: Part {
  nonisolated var name: String { "offline" }
  /// News gets lost, disks fill up, and the hour changes.
  static let looksAfter: Duration = .seconds(60)

  private let context: ProgramContext
  private let storage: Storage
  private let library: LibraryAssembly
  private let network: NetworkAssembly
  private let conditions: ConditionsFeed
  private let transfers: Transfers
  private let music: KeptMusic
  private let news: OfflineNews
  private var loop: EventLoop?
  private var made: (part: OfflinePart, renewal: LicenceRenewal)?

  init(
    _ context: ProgramContext, _ storage: Storage, _ library: LibraryAssembly,
    _ imports: ImportPart, _ network: NetworkAssembly, _ conditions: ConditionsFeed, _ transfers: Transfers
  ) {
    (self.context, self.storage, self.library) = (context, storage, library)
    (self.network, self.conditions, self.transfers) = (network, conditions, transfers)
    let keeping = library.application.keeping
    news = OfflineNews(context.notices, network.part, keeping)
    music = KeptMusic(
      storage, imports, keeping, context.notices, in: context.mediaPath.absolute, known: context.keptPath,
      changed: { gone in
        library.changed()
        MainLoop.start {
          do throws(Fault) { try await library.application.playing.stream(insteadOf: gone) } catch {
            context.notices.post(Notice(error, instead: "the queue counts, and is not saved"))
          }
        }
      })
    imports.lookup = { names in await keeping.indexFacts(of: names) }
    context.chosen.follow { [weak self] _ in self?.passOnChoices() }
  }

  private var keeping: Keeping { library.application.keeping }

  // MARK: Living

  func prepare() async throws(Fault) {
    try await keeping.open { () async throws(Fault) in try await self.begun() }
  }

  private func begun() async throws(Fault) -> (OfflinePart, on: EventLoop) {
    let (loop, part) = try await opened()
    await part.keep(
      OfflinePart.Covers(
        in: context.statePath / "covers", by: CoversOfDepots(library.application.licences.depots, wire())))
    await measure(on: loop)
    conditions.begin()
    let (rules, now) = (TransferRules(context.settings, context.chosen.flags), conditions.now)
    let started = await withCheckedContinuation { (continuation: CheckedContinuation<Result<Void, Fault>, Never>) in
      Task(executorPreference: loop) {
        do throws(Fault) { continuation.resume(returning: .success(try await part.start(rules, now))) } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    try started.get()
    try await lead()
    try await music.lookThroughAfterAPowerCut(part)
    // When it can be asked.
    MainLoop.start { await self.library.application.playlists?.keepAll() }
    return (part, loop)
  }

  func run() async throws(Fault) {
    var line = conditions.now
    conditions.follow {
      let now = self.conditions.now
      if now.isNewLine(after: line) {
        self.made?.renewal.lineAppeared(settling: self.context.settings[.offlineSettling])
      }
      line = now
      self.passOn()
    }
    await made?.renewal.tick(isFree: conditions.now.isFree)
    while await MainLoop.loop.sleep(for: Self.looksAfter) { await tick() }
    conditions.stop()
    // Who is asked to end keeps what was learned.
    await network.keepStrictHosts()
  }

  /// Made once; a part that is started again goes on with the same.
  private func opened() async throws(Fault) -> (EventLoop, OfflinePart) {
    if let loop, let made { return (loop, made.part) }
    // Not `work`, where an import or a copy may hold everybody up for a while: what comes over the line goes first.
    let loop: EventLoop
    if let known = self.loop { loop = known } else { loop = try EventLoop("offline", mayBlock: true) }
    try loop.startOnce(priority: .normal)
    if self.loop == nil { context.watchdogs.expect(slow: "offline", loop) }
    self.loop = loop
    guard let session = storage.session else { throw OfflineAssembly.nothingRemembered }
    let rows = try await StoredRows(of: session)
    let fetching = wire()
    let depots = self.depots(fetching, on: loop)
    let sources = self.sources(fetching, depots)
    keeping.sources = sources
    let renewal = LicenceRenewal(
      library.application.licences, givers(fetching, depots), depots,
      Withdrawals(storage, keeping, context.notices, in: context.statePath), LicenceWarnings(context.notices),
      ServiceFlags(context.chosen, of: depots.map(\.id), in: context.statePath, on: loop), on: loop)
    let part = OfflinePart(
      context.mediaPath.absolute, or: volumes, rows: rows, sources: sources, fetching: fetching, loop: loop,
      date: { Int64(time(nil)) }, zone: { TransferConditions.zone(at: $0) },
      told: { event in MainLoop.start { self.hear(event) } },
      whole: { item in await self.music.take(item) }, moved: { folder in await self.lead(to: folder) })
    made = (part, renewal)
    return (loop, part)
  }

  private func wire() -> WireFetching {
    let date: @Sendable () -> Int64? = {
      let now = Int64(time(nil))
      return now >= TransferConditions.firstCredible ? now : nil
    }
    return WireFetching(transfers, date: date) { measured in
      // A server that says nothing says nothing of the line.
      guard measured.bytes > 0 else { return }
      MainLoop.start { self.conditions.take(measured) }
    }
  }

  /// Disks that all can be moved to.
  private var volumes: [MediaVolume] {
    let others = context.settings[.mediaVolumes].filter { $0.path != context.mediaPath }
    return others.map { MediaVolume($0.name, at: $0.path) }
  }

  private func sources(_ fetching: WireFetching, _ depots: [DepotClient]) -> [any MediaSource] {
    var sources: [any MediaSource] = []
    for name in context.settings.sources {
      guard let address = context.settings[.sourceURL(name)] else { continue }
      guard let folder = FolderAddress(address) else {
        let complaint = FolderAddress.complaint(about: address)
        context.notices.post(Notice("C-111", "[source \(name)]: \(complaint)", names: [shownPlain(name)]))
        continue
      }
      switch context.settings[.sourceKind(name)] {
      case .directory: sources.append(HTTPDirectory(id: name, folder: folder, fetching: fetching))
      case .depot: if let client = depots.first(where: { $0.id == name }) { sources.append(DepotSource(client)) }
      }
    }
    return sources
  }

  /// Those that somebody signs in to. Without keys of this device nobody can.
  private func depots(_ fetching: WireFetching, on loop: EventLoop) -> [DepotClient] {
    let names = context.settings.sources.filter { context.settings[.sourceKind($0)] == .depot }
    guard !names.isEmpty else { return [] }
    var depots: [DepotClient] = []
    do throws(Fault) {
      let credentials = RightsCredentials(rights: try library.application.licences.rights)
      for name in names {
        guard context.settings[.sourceTrust(name)] != nil else {
          let words = "[source \(name)] is a depot and has no trust line; depot root prints what belongs there"
          context.notices.post(Notice("C-112", words, names: [shownPlain(name)]))
          continue
        }
        guard let folder = context.settings[.sourceURL(name)].flatMap(FolderAddress.init) else { continue }
        depots.append(DepotClient(name, at: folder, credentials, fetching, on: loop))
      }
    } catch { context.notices.post(Notice(error, instead: "nobody can sign in to \(names.joined(separator: ", "))")) }
    return depots
  }

  private func givers(_ fetching: WireFetching, _ depots: [DepotClient]) -> [any LicenceGiver] {
    var givers: [any LicenceGiver] = depots.map { LicenceDepot(client: $0) }
    for name in context.settings.sources where context.settings[.sourceKind(name)] == .directory {
      guard context.settings[.sourceTrust(name)] != nil,
        let folder = context.settings[.sourceURL(name)].flatMap(FolderAddress.init)
      else { continue }
      givers.append(LicenceFolder(id: name, folder: folder, fetching: fetching))
    }
    return givers
  }

  // MARK: The surroundings

  private func tick() async {
    guard let loop else { return }
    await measure(on: loop)
    passOn()
    await made?.renewal.tick(isFree: conditions.now.isFree)
    await network.keepStrictHosts()
  }

  /// Before the library looks for anything there.
  private func lead() async throws(Fault) {
    guard let loop, let part = made?.part else { return }
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
    let kept = context.keptPath
    let led = await loop.perform { () -> Result<Void, Fault> in
      Result { () throws(Fault) in try AtomicFile.lead(kept, to: folder, code: "X-198") }
    }
    if case .failure(let fault) = led {
      context.notices.post(Notice(fault, instead: "what is fetched is on the device, but not in the library"))
    }
  }

  /// What the disk has left, how hot the board is, and what time it is.
  private func measure(on loop: EventLoop) async {
    guard let part = made?.part else { return }
    let heat = await loop.perform { HeatSensors().hottest() }
    // Nil: the disk it belongs on is not there.
    let free = await withCheckedContinuation { (continuation: CheckedContinuation<Int64?, Never>) in
      Task(executorPreference: loop) { continuation.resume(returning: await part.free()) }
    }
    music.diskIsThere = free != nil
    conditions.take(free: free, heat: heat, date: Int64(time(nil)))
  }

  /// What is chosen of smart downloads, and what a service says of features, counts at once; all else as it was at the
  /// start.
  private func passOnChoices() {
    guard let loop, let part = made?.part else { return }
    let chosen = TransferRules(context.settings, context.chosen.flags)
    Task(executorPreference: loop) {
      await part.choose(chosen)
    }
  }

  /// In order.
  private func passOn() {
    guard let loop, let part = made?.part else { return }
    let now = conditions.now
    Task(executorPreference: loop) { await part.take(now) }
  }

  // MARK: Events

  private func hear(_ event: OfflineEvent) {
    keeping.tell(event)
    news.tell(event)
    switch event {
    case .download(.deleted(let key)): music.wasDeleted(key)
    case .dropped(let container) where container.kind == .devicePlaylist:
      MainLoop.start { await self.library.application.playlists?.wasDropped(container.id) }
    case .renamed(let paths): MainLoop.start { await self.music.rename(paths) }
    case .moved: music.lookThroughSoon()
    case .download, .waits, .goesOn, .warned, .gaveUp, .wanted, .dropped, .followed, .moving, .moveWaits: break
    }
  }
}
