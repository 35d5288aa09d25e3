import Files
import Runtime
import Services

/// Runs several downloads at once, on the loop `offline`, whose thread waits for the disk. `TransferQueue` says whose
/// turn it is, and `RunningConditions` whether any may run. Each property below owns one subject and its state. The
/// engine connects them: it gives an event to a download (a value), performs the actions that come back, and lets the
/// next run.
///
/// Every action of a download is done before the next begins, and every record is stored before what follows from it.
/// So a power cut anywhere leaves a record and files that `take(up:as:)` goes on from. Nothing runs before `begin`.
package actor DownloadEngine {
  /// Rows that cannot be stored are tried again.
  static let storingAgain: Duration = .seconds(30)

  nonisolated let tools: EngineTools
  let downloads: ActiveDownloads
  let files: DownloadFiles
  let queue: TransferQueue
  let conditions: RunningConditions
  let room: StorageRoom
  let health: SourceHealth
  let orphans: OrphanHunter
  let openStreams: OpenStreams
  let explainer: TransferExplainer

  nonisolated package var unownedExecutor: UnownedSerialExecutor { tools.loop.asUnownedSerialExecutor() }

  package init(
    _ folder: MediaFolder, on disk: any MediaDisk, rows: any DownloadRows, sources: [any MediaSource],
    fetching: any MediaFetching, loop: EventLoop,
    date: @escaping @Sendable () -> Int64,
    told: @escaping @Sendable (DownloadEvent) -> Void, news: @escaping @Sendable (OfflineEvent) -> Void = { _ in },
    whole: @escaping @Sendable (DownloadRecord) -> Void = { _ in }
  ) {
    let tasks = ActorTasks<DownloadEngine>(on: loop)
    let known = Dictionary(sources.map { ($0.id, $0) }) { $1 }
    tools = EngineTools(
      loop: loop, disk: disk, rows: rows, sources: known, fetching: fetching, date: date, told: told, news: news,
      whole: whole, tasks: tasks)
    downloads = ActiveDownloads(tools)
    files = DownloadFiles(in: folder, tools)
    queue = TransferQueue(tools, downloads)
    conditions = RunningConditions(tools, files)
    room = StorageRoom(tools, downloads, queue, conditions, files)
    health = SourceHealth(tools, downloads, queue, conditions)
    orphans = OrphanHunter(tools, downloads, files)
    openStreams = OpenStreams(tools, downloads, queue, conditions, files)
    explainer = TransferExplainer(tools, downloads, queue, conditions, health, openStreams)
    tasks.run(on: self)
  }

  // MARK: Orders

  /// From here on downloads run.
  package func begin(_ situation: TransferConditions, isResting: Bool = false) {
    take(situation)
    (queue.hasBegun, queue.isResting) = (true, isResting)
    reconsider()
    checkWhatIsHere()
  }

  /// After a start: what was stored, and what lies on the disk.
  package func take(up record: DownloadRecord, as found: Reconciler.Found) async {
    var record = record
    // It may have got its name without the row's knowing, or the disk lies elsewhere by now.
    if let whole = found.whole { record.path = String(decoding: whole.bytes, as: UTF8.self) }
    let (download, actions) = Download.restored(record, found.remains, date: tools.date())
    let active = ActiveDownload(download)
    active.stored = record
    active.isBusy = true
    active.waits.since = tools.loop.now
    downloads[record.key] = active
    if let reason = download.record.waits { health.waited(record.key, for: reason) }
    await perform(actions, [], of: active)
    active.isBusy = false
    if !active.inbox.isEmpty { await work(on: record.key) }
    freeSlot(of: active)
    fill()
  }

  package func hear(_ event: Download.Event, for key: MediaKey) { downloads.hear(event, for: key) }

  // MARK: One after the other

  func work(on key: MediaKey) async {
    guard let active = downloads[key] else { return }
    active.isBusy = true
    while !active.inbox.isEmpty {
      let next = active.inbox.removeFirst()
      let actions = active.download.hear(next.event, date: tools.date(), using: &conditions.generator)
      await perform(actions, next.bytes, of: active)
      active.listeners.readers.wake()
      // The line may bring as much as the disk has taken, and no more.
      if case .took(let ticket, let count) = next.event, let fetch = active.transfer.fetch, fetch.ticket == ticket {
        fetch.running.credit(count)
        openStreams.holdWhatIsEnough(active)
        holdOthersIfLow()
      }
    }
    active.isBusy = false
    freeSlot(of: active)
    fill()
    if explainer.mayHaveNews { explainer.tellWhy(at: tools.loop.now) }
  }

  /// Nothing may be done that is not stored. It is as if the power had gone: what is stored counts, later.
  func giveUp(_ active: ActiveDownload, _ fault: Fault) {
    Log("offline").info("a download cannot be stored", ["reason": fault.message])
    active.transfer.fetch?.running.stop()
    (active.transfer.fetch, active.part, active.transfer.place) = (nil, nil, nil)
    active.inbox = []
    active.listeners.readers.wake()
    let record = active.stored
    downloads.putOutside(active)
    queue.planner.ended(record.key)
    Task(executorPreference: tools.loop) {
      await self.tools.loop.sleep(for: Self.storingAgain)
      await self.takeUpAgain(record)
    }
  }

  private func takeUpAgain(_ record: DownloadRecord) async {
    downloads.comesBack(record.key)
    guard downloads[record.key] == nil, queue.rank(of: record.key) != nil else { return }
    await take(up: record, as: files.found(of: record))
  }

  // MARK: What is here already and only wants to be looked at

  /// Files that are all here and were never checked need no network: one after the other, beside what else goes on.
  private func checkWhatIsHere() {
    let keys = downloads.values.filter { $0.download.record.isUnchecked }.map(\.key).sorted()
    guard !keys.isEmpty else { return }
    Task(executorPreference: tools.loop) {
      for key in keys { await self.checkWhatIsHere(key) }
    }
  }

  private func checkWhatIsHere(_ key: MediaKey) async {
    guard let active = downloads[key], active.download.record.isUnchecked, !active.isBusy else { return }
    guard !queue.planner.isRunning(key), !queue.isStandingStill, files.isDiskThere else { return }
    queue.planner.set(key, ready: false)
    active.inbox.append((event: .start, bytes: []))
    await work(on: key)
  }

  // MARK: When everything goes to another disk

  /// For a moment nothing runs, so that what grows can be carried over; false while somebody listens to what grows.
  /// Whoever listens to a whole file reads on from the disk to which it was carried.
  package func standStill() -> Bool {
    for active in downloads.values where !active.listeners.streams.isEmpty && active.download.state != .completed {
      return false
    }
    queue.isStandingStill = true
    reconsider()
    return true
  }

  package func goOn() {
    queue.isStandingStill = false
    reconsider()
  }

  package var isQuiet: Bool { queue.planner.runningCount == 0 && !orphans.isHunting && downloads.areQuiet }

  /// All lies there now.
  package func settle(in folder: MediaFolder, _ mark: VolumeMark?) {
    files.settle(in: folder, mark)
    downloads.settle(in: folder)
    // What somebody has put there in the meantime, or an earlier move.
    orphans.mustHunt = !downloads.isEmpty
  }

  // MARK: Questions, each to the owner of its subject

  package func record(_ key: MediaKey) -> DownloadRecord? { downloads.record(key) }
  func states(of keys: Set<MediaKey>) -> [MediaKey: DownloadRecord.State] {
    var states: [MediaKey: DownloadRecord.State] = [:]
    for key in keys { states[key] = downloads.record(key)?.state }
    return states
  }
  package func records() -> [DownloadRecord] { downloads.records }
  package var runningCount: Int { queue.planner.runningCount }
  /// In the order of keys.
  package func completed() -> [DownloadRecord] { downloads.completed }
  /// In the order of keys.
  package func failed(at source: String) -> [MediaKey] { queue.failed(at: source) }
  package func order(_ count: Int) -> [MediaKey] { queue.order(count) }
  package func shown(_ keys: [MediaKey]) -> [Shown] { explainer.shown(keys) }
  func items(inFiles names: Set<String>) -> [String: ItemKey] { downloads.items(inFiles: names) }
  /// Nil for what was not fetched.
  func item(at path: FilePath) -> ItemKey? { downloads.whole(named: path.name)?.key.item }
  func lastPlayed(_ keys: [MediaKey]) -> Int64? { downloads.lastPlayed(keys) }
  /// Whole ones.
  package func wholeFiles() -> [Move.File] { downloads.wholeFiles }
  /// Those that grow.
  package func parts() -> [(key: MediaKey, durable: Int64)] { downloads.parts }
  /// Bytes that stay free on the disk.
  var reserve: Int64 { conditions.reserve }
  var situation: TransferConditions { conditions.situation }

  /// There is time and power for what can wait.
  package var isAtEase: Bool {
    queue.planner.runningCount == 0 && (situation.battery == nil || situation.hasCharger)
  }

  package func quality(for purpose: TransferPolicy.Purpose) -> Quality { conditions.quality(for: purpose) }

  /// Why nothing of that kind may run.
  package func everybodys(_ purpose: TransferPolicy.Purpose, _ now: Moment) -> [Why] {
    explainer.everybodys(purpose, now)
  }

  package func room(beside coming: [MediaKey: Int64], asked: Set<MediaKey>) -> Int64 {
    room.room(beside: coming, asked: asked)
  }

  package var roomForSmartDownloads: Int64 { room.forSmartDownloads }
  package func usage() -> OfflineUsage { room.usage }
  package func space() -> (kept: Int64, limit: Int64, free: Int64?) {
    (room.budget.claimed, room.budget.limit, files.free)
  }

  /// What is shown of one download.
  package struct Shown: Equatable, Sendable {
    package var record: DownloadRecord
    /// All that has come, durable or not.
    package var arrived: Int64
    package var speed: Int64
    package var isRunning: Bool
    package var isResting: Bool
    package var rank: Rank?
    package var containers: [ContainerKey]
    /// Worst first; empty when it runs or is whole.
    package var why: [Why]
  }

  // MARK: Orders to the owners

  package func takeGone() -> [MediaKey] { downloads.takeGone() }
  package func wakeStuck(after limit: Duration) { downloads.wakeStuck(after: limit) }
  package func giveChance(to source: String? = nil) { queue.giveChance(to: source) }
  package func again(_ keys: [MediaKey]) -> Int { queue.again(keys) }
  func clearFailures() -> (removed: Int, again: Int) { queue.clearFailures(at: conditions.date) }
  package func hunt() async -> Int { await orphans.hunt() }
  package func entered(_ key: MediaKey) async { await downloads.entered(key) }
  func played(_ path: FilePath, at date: Int64) async -> MediaKey? { await downloads.played(path, at: date) }
  func becomeCache(_ key: MediaKey) async { await downloads.becomeCache(key) }
  func dropUnheardCache(_ key: MediaKey) { queue.dropUnheardCache(key) }
}

/// What every owner in `DownloadEngine` works with. None of it changes as long as the program runs.
///
/// The owners (`TransferQueue`, `DownloadFiles` and so on) are plain classes inside the actor, on the loop `offline`;
/// see `OfflineTools`, where the same holds for `OfflinePart`.
struct EngineTools: Sendable {
  let loop: EventLoop
  let disk: any MediaDisk
  let rows: any DownloadRows
  let sources: [String: any MediaSource]
  let fetching: any MediaFetching
  /// Seconds since 1970, by the clock that the board has.
  let date: @Sendable () -> Int64
  let told: @Sendable (DownloadEvent) -> Void
  /// What is of everybody's concern.
  let news: @Sendable (OfflineEvent) -> Void
  /// Something is whole, and its row says so.
  let whole: @Sendable (DownloadRecord) -> Void
  let tasks: ActorTasks<DownloadEngine>
}
