import Runtime
import Services

/// From a start on.
extension OfflinePart {
  /// Surroundings are looked at again so often, whatever was told of them.
  static let looksEvery: Duration = .seconds(60)
  static let restsAll = "everything.rests"

  /// Reads the rows, brings rows and files to say the same, and goes on where the power went away.
  package func start(_ rules: TransferRules, _ situation: TransferConditions) async throws(Fault) {
    await enter()
    defer { leave() }
    guard !isGoing else { return }
    listen()
    numbers = try await rows.numbers()
    storedNumbers = numbers
    unasked = try await rows.unasked()
    try await readWishes()
    try await readVolumes()
    // Without the disk all would be taken for lost.
    rulesAtStart = rules
    await carrier.take(rules)
    guard situation.free != nil else { return }
    await comeHome()
    guard isHomeThere else { return }
    let records = try await readRecords()
    try await takeUp(records)
    for (container, wish) in wishes.sorted(by: { $0.key < $1.key }) { await want(container, wish, again: false) }
    for item in Set(records.keys.map(\.item)) { await settle(item) }
    isGoing = true
    begunAt = loop.now
    await carrier.begin(situation, isResting: numbers[Self.restsAll] == 1)
    await carrier.giveChance()
    for record in records.values where record.state == .completed && !record.isEntered { arrived(record) }
    carryOn()
    clearOthers()
    await wantArt(of: records.values.filter { $0.state == .completed }.map(\.key.item))
    Task(executorPreference: loop) { [weak self, loop] in
      while await loop.sleep(for: Self.looksEvery), let self { await self.lookAround() }
    }
  }

  package func take(_ rules: TransferRules) async {
    rulesAtStart = rulesAtStart.map { _ in rules }
    await carrier.take(rules)
  }

  /// Before the start nothing is fetched.
  package func take(_ situation: TransferConditions) async {
    var situation = situation
    if isGoing {
      if !isHomeThere { situation.free = nil }
      return await carrier.take(situation)
    }
    guard let rulesAtStart, situation.free != nil else { return }
    do throws(Fault) { try await start(rulesAtStart, situation) } catch {
      Log("offline").error("downloads cannot go on", ["reason": error.message])
    }
    // Somebody else may have started it meanwhile.
    if isGoing { await carrier.take(situation) }
  }

  private func readWishes() async throws(Fault) {
    for item in try await rows.leftOut() { _ = intents.leaveOut(item) }
    for var wish in try await rows.wishes() {
      let items = Self.items(wish.items, in: wish.container, wish.quality)
      if case .refused(let over) = intents.want(wish.container, at: wish.quality, items) {
        // It was followed beyond the quota; what goes in is fetched.
        _ = intents.want(wish.container, at: wish.quality, [])
        _ = intents.follow(wish.container, items)
        Log("offline").info("more is wanted than is allowed", ["over": over])
      }
      wish.items = []
      wishes[wish.container] = wish
    }
  }

  private func readRecords() async throws(Fault) -> [MediaKey: DownloadRecord] {
    var records: [MediaKey: DownloadRecord] = [:]
    var last: MediaKey?
    while true {
      let page = try await rows.downloads(after: last, count: 500)
      guard let end = page.last else { return records }
      for record in page { records[record.key] = record }
      last = end.key
    }
  }

  private func takeUp(_ records: [MediaKey: DownloadRecord]) async throws(Fault) {
    var reconciler = try Reconciler(Array(records.values), in: folder, on: disk)
    while let found = reconciler.next() {
      // Of a disk that has just gone nothing is to be believed.
      guard isHomeThere else { throw VolumeMark.away(folder.path) }
      for one in found {
        if let record = records[one.key] { await carrier.take(up: record, as: one) }
      }
    }
    let removed = Int64(reconciler.counts.removed)
    if removed > 0 { add(removed, to: "removed") }
  }

  // MARK: Each minute

  func lookAround() async {
    await carrier.look()
    await carrier.wakeStuck(after: Self.stuckAfter)
    carryOn()
    clearOthers()
    let gone = await carrier.takeGone()
    do throws(Fault) {
      if !gone.isEmpty { try await rows.forget(gone) }
      if numbers != storedNumbers {
        let stored = numbers
        try await rows.store(stored)
        storedNumbers = stored
      }
    } catch { Log("offline").info("what is over cannot be stored", ["reason": error.message]) }
    askNowAndThen()
    await rankNowAndThen()
    Task(executorPreference: loop) { await self.fetchArt() }
    await lookAfterNext()
  }

  /// Beside the rest: a source that says a word a minute is waited for by nobody else.
  private func askNowAndThen() {
    guard !isAsking else { return }
    isAsking = true
    Task(executorPreference: loop) {
      await self.followNowAndThen()
      await self.guessNowAndThen()
      await self.asked()
    }
  }

  private func asked() { isAsking = false }

  // MARK: What has come

  /// The program is told of one after the other, and of none twice, unless the power goes in between.
  func arrived(_ record: DownloadRecord) {
    arrivals.append(record)
    guard !isArriving else { return }
    isArriving = true
    Task(executorPreference: loop) { await self.enterArrivals() }
  }

  private func enterArrivals() async {
    while !arrivals.isEmpty {
      let record = arrivals.removeFirst()
      await remember(whole: record)
      await settle(record.key.item)
      await dropLesserCache(of: record)
      // Kept from streaming, or given up meanwhile: nobody looks for it.
      guard let path = record.path, intents.key(of: record.key.item) == record.key else { continue }
      let facts = try? await rows.facts(of: [record.key.item])[record.key.item]
      await whole(WholeItem(record.key, at: FilePath(path), facts))
      await carrier.entered(record.key)
    }
    isArriving = false
    Task(executorPreference: loop) { await self.fetchArt() }
  }

  /// Nobody hears that again.
  private func dropLesserCache(of whole: DownloadRecord) async {
    guard intents.key(of: whole.key.item) == nil else { return }
    for quality in Quality.allCases where quality < whole.key.quality {
      await carrier.dropUnheardCache(whole.key.item.at(quality))
    }
  }

  func count(_ event: DownloadEvent) {
    switch event {
    case .completed: add(1, to: "completed")
    case .failed: add(1, to: "failed")
    case .retryScheduled: add(1, to: "retried")
    case .recovered: add(1, to: "recovered")
    case .maintenanceDone(_, _, let removed): add(Int64(removed), to: "removed")
    default: break
    }
  }

  func add(_ count: Int64, to name: String) { numbers[name, default: 0] += count }

  // MARK: What follows from a change

  func perform(_ change: Wants.Change, of container: ContainerKey?, again isAgain: Bool = false) async {
    // What is dropped by one container may be wanted by another with less, and what was too many may go in now.
    var containers: Set<ContainerKey> = []
    if let container { containers.insert(container) }
    for key in change.queued + change.replaced.map(\.new) { containers.formUnion(intents.containers(of: key.item)) }
    for container in containers.sorted() {
      if let wish = wishes[container] { await want(container, wish, again: isAgain) }
    }
    for key in change.dropped { await settle(key.item) }
    for one in change.replaced { await settle(one.old.item) }
  }

  /// It does not hold them any more; others may.
  func unwant(_ items: Set<ItemKey>, by container: ContainerKey) async {
    await carrier.drop(items.sorted().compactMap { intents.key(of: $0) }, for: container)
  }

  func want(_ container: ContainerKey, _ wish: StoredWish, again isAgain: Bool) async {
    let ranks = await ranks(of: container, wish)
    self.ranks[container] = ranks
    await carrier.want(wanted(container, wish, ranks), again: isAgain)
  }

  func wanted(_ container: ContainerKey, _ wish: StoredWish, _ ranks: ContainerRank.Pair) -> [DownloadEngine.WantedItem]
  {
    var wanted: [DownloadEngine.WantedItem] = []
    for (place, item) in (intents.wishes[container]?.items ?? []).enumerated() {
      guard let key = intents.key(of: item.key) else { continue }
      let all = intents.containers(of: item.key).compactMap { wishes[$0] }
      wanted.append(
        DownloadEngine.WantedItem(
          key: key, container: container, rank: ranks.rank(at: place), order: Int64(place), queuedAt: wish.wantedAt,
          isExcepted: all.contains { $0.isExcepted }, isResting: all.allSatisfy { $0.isPaused }))
    }
    return wanted
  }

  /// Of an item, what is not wanted goes; but another quality that is whole stays until the one that is wanted is.
  func settle(_ item: ItemKey) async {
    let wanted = intents.key(of: item)
    var isThere = false
    if let wanted { isThere = await carrier.record(wanted)?.state == .completed }
    for quality in Quality.allCases where item.at(quality) != wanted {
      let key = item.at(quality)
      guard let record = await carrier.record(key), !(record.isCache && wanted == nil) else { continue }
      if wanted != nil, !isThere, record.state == .completed {
        await carrier.letStandIn(key)
      } else {
        await carrier.drop(key)
      }
    }
  }
}
