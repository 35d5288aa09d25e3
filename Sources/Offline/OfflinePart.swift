import Files
import Runtime
import Services

/// What the program asks and tells when it is about music that is wanted offline. An actor on the loop `offline`, beside
/// `DownloadEngine`, which fetches. It is the only type of the room that others call: it starts, looks around once a
/// minute, and passes each question to the owner of its subject. The owners live inside it, see `OfflineTools`.
///
/// The wishes in `state.db` are what counts: after a power cut downloads are brought to say what the wishes say, and files
/// what the downloads say.
package actor OfflinePart {
  /// Surroundings are looked at again so often, whatever was told of them.
  private static let looksEvery: Duration = .seconds(60)
  /// So long without any news of it, and a transfer is taken for stuck.
  private static let stuckAfter: Duration = .seconds(600)
  /// Nobody's queue is listened to much further before there is a line again.
  package static let queueAhead = Predictors.queued

  nonisolated let tools: OfflineTools
  let run: RunState
  let wanted: WantedItems
  let smart: SmartDownloadPlanner
  let disks: Disks
  let mover: Mover
  let checker: FileChecker
  let covers: CoverFetcher
  let arrivals: Arrivals
  let follower: SourceFollower

  nonisolated var loop: EventLoop { tools.loop }
  nonisolated var engine: DownloadEngine { tools.engine }
  var catalogue: ItemCatalogue { wanted.catalogue }

  nonisolated package var unownedExecutor: UnownedSerialExecutor { tools.loop.asUnownedSerialExecutor() }

  /// `others`: disks that all can be moved to. `date`: seconds since 1970, by the clock that the board has. `whole`:
  /// something is there to be played; the next is told of when it has returned.
  package init(
    _ folder: FilePath, or others: [MediaVolume] = [], on disk: any MediaDisk = KernelDisk(), rows: any OfflineRows,
    sources: [any MediaSource], fetching: any MediaFetching, loop: EventLoop, date: @escaping @Sendable () -> Int64,
    zone: @escaping @Sendable (Int64) -> Int64 = { _ in 0 },
    told: @escaping @Sendable (OfflineEvent) -> Void, whole: @escaping @Sendable (WholeItem) async -> Void,
    moved: @escaping @Sendable (FilePath) async -> Void = { _ in }
  ) {
    let tasks = ActorTasks<OfflinePart>(on: loop)
    let engine = DownloadEngine(
      MediaFolder(folder), on: disk, rows: rows, sources: sources, fetching: fetching, loop: loop,
      date: date,
      told: { event in
        tasks.post { part in part.run.counters.count(event) }
        told(.download(event))
      },
      news: { event in
        tasks.post { part in part.hear(event) }
        told(event)
      },
      whole: { record in tasks.post { part in part.arrivals.add(record) } })
    let known = Dictionary(sources.map { ($0.id, $0) }) { $1 }
    tools = OfflineTools(
      loop: loop, engine: engine, disk: disk, rows: rows, sources: known, date: date, told: told, tasks: tasks)
    run = RunState()
    wanted = WantedItems(tools, run)
    smart = SmartDownloadPlanner(tools, run, wanted, zone: zone)
    disks = Disks([MediaVolume(MediaVolume.board, at: folder)] + others, board: folder, tools, run)
    mover = Mover(tools, run, disks, wanted.turn, moved: moved)
    checker = FileChecker(tools, run, disks)
    covers = CoverFetcher(tools, run, wanted.catalogue)
    arrivals = Arrivals(tools, wanted, covers, whole: whole)
    follower = SourceFollower(tools, wanted, covers, smart)
    tasks.run(on: self)
  }

  /// It had to make room.
  private func hear(_ event: OfflineEvent) {
    if case .gaveUp(let key, _, _) = event { smart.gaveUp(key.item) }
  }

  // MARK: The start

  /// Reads the rows, brings rows and files to say the same, and goes on where the power went away.
  package func start(_ rules: TransferRules, _ situation: TransferConditions) async throws(Fault) {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    guard !run.isGoing else { return }
    run.counters = Counters(try await tools.rows.numbers())
    try await smart.read()
    try await wanted.read()
    try await readVolumes()
    // Without the disk all would be taken for lost.
    run.rules = rules
    await engine.take(rules)
    guard situation.free != nil else { return }
    await disks.identifyBoardDisk()
    guard disks.isHomeThere else { return }
    let records = try await readRecords()
    try await takeUp(records)
    await wanted.takeUp(Set(records.keys.map(\.item)))
    run.isGoing = true
    run.begunAt = loop.now
    await engine.begin(situation, isResting: run.counters[Counters.restsAll] == 1)
    await engine.giveChance()
    for record in records.values where record.state == .completed && !record.isEntered { arrivals.add(record) }
    mover.carryOn()
    mover.leftovers.clear()
    await covers.want(records.values.filter { $0.state == .completed }.map(\.key.item))
    Task(executorPreference: loop) { [weak self, loop] in
      while await loop.sleep(for: Self.looksEvery), let self { await self.lookAround() }
    }
  }

  package func take(_ rules: TransferRules) async {
    run.rules = run.rules.map { _ in rules }
    await engine.take(rules)
  }

  /// What the owner chose of smart downloads, and a service of features; all other rules stay as they were. Before the start
  /// there are none.
  package func choose(_ chosen: TransferRules) async {
    guard var rules = run.rules else { return }
    (rules.isPredicting, rules.predictsOnWired) = (chosen.isPredicting, chosen.predictsOnWired)
    (rules.atOnce, rules.looksAfter) = (chosen.atOnce, chosen.looksAfter)
    await take(rules)
  }

  /// Before the start nothing is fetched.
  package func take(_ situation: TransferConditions) async {
    var situation = situation
    if run.isGoing {
      if !disks.isHomeThere { situation.free = nil }
      return await engine.take(situation)
    }
    guard let rules = run.rules, situation.free != nil else { return }
    do throws(Fault) { try await start(rules, situation) } catch {
      Log("offline").error("downloads cannot go on", ["reason": error.message])
    }
    // Somebody else may have started it meanwhile.
    if run.isGoing { await engine.take(situation) }
  }

  private func readVolumes() async throws(Fault) {
    guard let copied = try await disks.read() else { return }
    mover.takeUp(copied)
    await disks.settle()
  }

  private func readRecords() async throws(Fault) -> [MediaKey: DownloadRecord] {
    var records: [MediaKey: DownloadRecord] = [:]
    var last: MediaKey?
    while true {
      let page = try await tools.rows.downloads(after: last, count: 500)
      guard let end = page.last else { return records }
      for record in page { records[record.key] = record }
      last = end.key
    }
  }

  private func takeUp(_ records: [MediaKey: DownloadRecord]) async throws(Fault) {
    var reconciler = try Reconciler(Array(records.values), in: disks.folder, on: tools.disk)
    while let found = reconciler.next() {
      // Of a disk that has just gone nothing is to be believed.
      guard disks.isHomeThere else { throw VolumeMark.away(disks.folder.path) }
      for one in found {
        if let record = records[one.key] { await engine.take(up: record, as: one) }
      }
    }
    let removed = Int64(reconciler.counts.removed)
    if removed > 0 { run.counters.add(removed, to: "removed") }
  }

  // MARK: Each minute

  private func lookAround() async {
    await engine.reconsider()
    await engine.wakeStuck(after: Self.stuckAfter)
    mover.carryOn()
    mover.leftovers.clear()
    let gone = await engine.takeGone()
    do throws(Fault) {
      if !gone.isEmpty { try await tools.rows.forget(gone) }
      if let numbers = run.counters.unstored {
        try await tools.rows.store(numbers)
        run.counters.areStored(numbers)
      }
    } catch { Log("offline").info("what is over cannot be stored", ["reason": error.message]) }
    follower.askNowAndThen()
    await wanted.rankNowAndThen()
    tools.tasks.start { part in await part.covers.fetchMissing(behind: part.arrivals) }
    await checker.checkNext()
  }

  // MARK: What is wanted

  /// Nil for what is not wanted.
  package func quality(of container: ContainerKey) -> Quality? { wanted.wishes[container]?.quality }

  /// Where nobody says how good it shall be.
  package func quality(for purpose: TransferPolicy.Purpose) async -> Quality { await engine.quality(for: purpose) }

  /// Told before: how much it is, and whether it fits.
  package func size(of container: ContainerKey, at quality: Quality) async throws(Fault) -> Wants.Size {
    try await wanted.size(of: container, at: quality)
  }

  package func size(of items: [ItemKey], at quality: Quality) async -> Wants.Size {
    await wanted.size(of: items, at: quality)
  }

  /// Wanted again it may have another quality. When it returns, a power cut does not forget it.
  package func want(_ container: ContainerKey, at quality: Quality) async throws(Fault) -> Wants.Decision {
    let items = try await catalogue.listed(container)
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    return try await wanted.want(container, items, at: quality, lettingGo: smart)
  }

  /// Makes what is wanted of a playlist of this device be these items; none: it is not kept any more. `quality`: of what
  /// was not wanted before. When it returns, a power cut does not forget it.
  package func keep(playlist name: String, _ items: [ItemKey], at quality: Quality) async throws(Fault) {
    let known = await catalogue.listed(items)
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    try await wanted.keep(playlist: name, items, known, at: quality)
  }

  /// Names of those that are kept.
  package var keptPlaylists: Set<String> {
    Set(wanted.wishes.keys.filter { $0.kind == .devicePlaylist }.map(\.id))
  }

  /// How many items nobody wants any more.
  package func drop(_ container: ContainerKey) async throws(Fault) -> Int {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    return try await wanted.drop { $0 == container }
  }

  /// Smart downloads stay: `dismissAllSmartDownloads` is for them.
  package func dropAll() async throws(Fault) -> Int {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    let gone = try await wanted.drop { $0.kind != .predicted }
    if gone > 0 { tools.told(.download(.allDeleted)) }
    return gone
  }

  /// The owner does not want this one, whatever holds it.
  package func leaveOut(_ item: ItemKey) async throws(Fault) { try await leave(item, out: true) }
  package func takeIn(_ item: ItemKey) async throws(Fault) { try await leave(item, out: false) }

  private func leave(_ item: ItemKey, out isOut: Bool) async throws(Fault) {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    try await wanted.leave(item, out: isOut)
  }

  /// Nil: everything.
  package func pause(_ container: ContainerKey?) async throws(Fault) { try await rest(container, true) }
  package func resume(_ container: ContainerKey?) async throws(Fault) { try await rest(container, false) }

  private func rest(_ container: ContainerKey?, _ isResting: Bool) async throws(Fault) {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    try await wanted.rest(container, isResting)
  }

  /// What has failed, or waits for something of its own, is tried now; nil: all that is wanted. How many.
  package func again(_ container: ContainerKey?) async throws(Fault) -> Int { try await wanted.again(container) }

  /// Fetched where bytes cost as well, or not.
  package func payFor(_ container: ContainerKey, _ isExcepted: Bool) async throws(Fault) {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    try await wanted.payFor(container, isExcepted)
  }

  /// Asks sources what has changed, and follows it; what was given up is tried once more.
  package func refresh() async { await follower.follow(again: true) }

  // MARK: Smart downloads

  /// The owner does not want it: it goes at once, and is not chosen again for a while.
  package func dismissSmartDownload(_ item: ItemKey) async throws(Fault) { _ = try await dismiss(item) }
  /// How many they were.
  package func dismissAllSmartDownloads() async throws(Fault) -> Int { try await dismiss(nil) }

  private func dismiss(_ item: ItemKey?) async throws(Fault) -> Int {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    return try await smart.dismiss(item)
  }

  /// What comes next in the queue, playing or not.
  package func noteQueued(_ items: [ItemKey]) { smart.noteQueued(items) }

  // MARK: Disks

  /// Bytes left on the disk that all is kept on; nil while that is not there.
  package func free() async -> Int64? {
    do throws(Fault) { try await readVolumes() } catch {
      Log("offline").error("it is not known which disk music is kept on", ["reason": error.message])
      return nil
    }
    await disks.identifyBoardDisk()
    guard disks.isHomeThere, let home = disks.home else { return nil }
    return disks.space(of: home)?.free
  }

  /// The folder that all is kept in, when that is known.
  package func place() async throws(Fault) -> FilePath {
    try await readVolumes()
    guard let home = disks.home else { throw Disks.noDisk(disks.stored.home) }
    return home.path
  }

  /// The empty disk that is there is used in the place of the one that was; nil: of the one that all is kept on. Gives
  /// whether that begins now, or with the next start.
  package func accept(_ disk: String? = nil) async throws(Fault) -> Bool {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    try await readVolumes()
    return try await disks.accept(disk)
  }

  package func volumeLines() -> [VolumeLine] { disks.lines }

  /// When it returns, a power cut does not forget it. To where all is already: what was begun is called off.
  package func move(to name: String) async throws(Fault) -> MoveLine {
    await wanted.turn.enter()
    defer { wanted.turn.leave() }
    return try await mover.move(to: name)
  }

  /// Nil when nothing is being moved.
  package func moving() -> MoveLine? { mover.line }

  /// All is on one disk, and nothing on any other that is there.
  package var isSettled: Bool { run.isGoing && mover.line == nil && mover.leftovers.areGone }

  // MARK: Checks and covers

  /// Begins, unless it is under way.
  package func check() async throws(Fault) -> CheckLine { try await checker.check() }

  /// Gives what came of it so far; nil when none was ever begun.
  package func callOffCheck() -> CheckLine? { checker.callOff() }
  package func checking() -> CheckLine? { checker.line }

  /// Where covers are kept, and who fetches them.
  package struct Covers: Sendable {
    let folder: FilePath
    let fetching: any FileFetching

    package init(in folder: FilePath, by fetching: any FileFetching) {
      (self.folder, self.fetching) = (folder, fetching)
    }
  }

  /// Without it there are none.
  package func keep(_ covers: Covers) { self.covers.place = covers }

  /// A name beside which the item's picture lies; nil: it has none, or it cannot be had now.
  package func cover(of item: ItemKey) async -> FilePath? { await covers.cover(of: item) }

  /// The same for a fetched file. `name` is its file name without folder and ending.
  package func cover(inFile name: String) async -> FilePath? {
    guard let item = await items(inFiles: [name])[name]?.key else { return nil }
    return await covers.cover(of: item)
  }
}
