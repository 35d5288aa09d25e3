import Runtime

/// Decides which downloads may run, and in which order: the planner's turns and slots, what the owner has paused, and whether anything runs
/// at all. Lives on the loop `offline`, inside `DownloadEngine`. In memory: a start is told anew what is wanted, from
/// the stored wishes.
final class TransferQueue {
  private let tools: EngineTools
  private let downloads: ActiveDownloads
  var planner = Planner()
  /// All that was stored is taken up, and somebody has said what the surroundings are.
  var hasBegun = false
  /// The owner has paused everything, or these.
  var isResting = false
  private var resting: Set<MediaKey> = []
  /// All is about to be on another disk, and nothing may run.
  var isStandingStill = false

  init(_ tools: EngineTools, _ downloads: ActiveDownloads) { (self.tools, self.downloads) = (tools, downloads) }

  /// Nothing starts, whatever the policy says.
  var isHeld: Bool { isResting || isStandingStill }

  func rank(of key: MediaKey) -> Rank? { planner.rank(of: key) }

  func purpose(of key: MediaKey) -> TransferPolicy.Purpose { TransferPolicy.Purpose(rank(of: key) ?? .predicted) }

  // MARK: What is wanted

  /// True: nothing was known of it.
  @discardableResult
  func add(_ key: MediaKey, for container: ContainerKey, _ rank: Rank, order: Int64, queuedAt: Int64) -> Bool {
    let isNew = downloads[key] == nil
    if isNew { downloads[key] = ActiveDownload(Download(key, queuedAt: queuedAt)) }
    planner.want(key, for: container, Planner.Want(rank, order: order, since: tools.loop.now))
    return isNew
  }

  /// Nobody wants it: nothing of it stays.
  func drop(_ key: MediaKey) {
    planner.forget(key)
    resting.remove(key)
    guard let active = downloads[key], !active.isDropped else { return }
    active.isDropped = true
    active.listeners.readers.wake()
    downloads.hear(.cancel, for: key)
  }

  func dropUnheardCache(_ key: MediaKey) {
    guard let active = downloads[key], active.download.record.isCache, active.listeners.streams.isEmpty else { return }
    drop(key)
  }

  /// It is of use for as long as the quality that is wanted is not whole.
  func letStandIn(_ key: MediaKey) {
    planner.forget(key)
    downloads[key]?.standsIn = true
  }

  /// Nothing else of it changes: what is put aside for a while stays so.
  func rank(_ items: [DownloadEngine.WantedItem]) {
    for item in items where planner.wants(item.key, for: item.container) {
      let want = Planner.Want(item.rank, order: item.order, since: tools.loop.now)
      planner.want(item.key, for: item.container, want)
    }
  }

  // MARK: What the owner has paused

  func rest(_ key: MediaKey, _ isResting: Bool) {
    if isResting { resting.insert(key) } else { resting.remove(key) }
  }

  func isResting(_ key: MediaKey) -> Bool { isResting || resting.contains(key) }

  /// Paused by the owner and not being streamed: a stream overrules the pause.
  func isHeldByOwner(_ key: MediaKey) -> Bool {
    resting.contains(key) && downloads[key].map { $0.listeners.streams.isEmpty } ?? true
  }

  // MARK: Questions

  /// Those that run, and then as they would start if nothing else happened; those that cannot start now come last, and
  /// what was given up not at all.
  func order(_ count: Int) -> [MediaKey] {
    let running = planner.runningKeys
    var (copy, order) = (planner, running)
    copy.limit = running.count + max(count, 0)
    let now = tools.loop.now
    while order.count < count, let next = copy.decide(at: now) { order.append(next.start) }
    let known = Set(order)
    let others = downloads.values.filter { active in
      let state = active.download.state
      return state != .completed && state != .cancelled && state != .failed && !known.contains(active.key)
    }
    return Array((order + others.map(\.key).sorted()).prefix(max(count, 0)))
  }

  /// In the order of keys.
  func failed(at source: String) -> [MediaKey] {
    var failed: [MediaKey] = []
    for active in downloads.values where active.download.state == .failed && active.key.source == source {
      if rank(of: active.key) != nil { failed.append(active.key) }
    }
    return failed.sorted()
  }

  // MARK: What has failed

  /// What was given up and is wanted gets another chance; nil: of all sources.
  func giveChance(to source: String?) {
    for active in downloads.values where active.download.state == .failed {
      guard source == nil || active.key.source == source, rank(of: active.key) != nil else { continue }
      downloads.hear(.chance, for: active.key)
    }
  }

  /// Somebody says that it is to be tried now: what was given up, and what waits for something of its own. How many.
  func again(_ keys: [MediaKey]) -> Int {
    var count = 0
    var asked: Set<String> = []
    for key in keys {
      guard let record = downloads.record(key) else { continue }
      let isWaiting = record.state == .queued && record.waits != nil
      guard isWaiting || record.state == .failed || record.state == .retrying else { continue }
      if asked.insert(key.source).inserted { tools.sources[key.source]?.forgetFailure() }
      downloads.hear(.again, for: key)
      count += 1
    }
    return count
  }

  /// What failed long ago: what nobody wants any more goes, what is wanted is tried once more. `date`: nil while nobody
  /// knows the time.
  func clearFailures(at date: Int64?) -> (removed: Int, again: Int) {
    var (removed, again) = (0, 0)
    for active in downloads.values.sorted(by: { $0.key < $1.key }) {
      let isWanted = rank(of: active.key) != nil || active.standsIn
      switch OldFailure(of: active.download.record, isWanted: isWanted, at: date) {
      case .stays: break
      case .again:
        downloads.hear(.again, for: active.key)
        again += 1
      case .goes where active.listeners.streams.isEmpty:
        drop(active.key)
        removed += 1
      case .goes: break
      }
    }
    return (removed, again)
  }
}
