import Files
import Runtime
import Services
import Synchronization

/// What the program asks and tells when it is about music that is wanted offline. Lives on the loop `work`, beside the
/// carrier that performs what follows.
///
/// The wishes in `state.db` are what counts: after a power cut downloads are brought to say what the wishes say, and files
/// what the downloads say.
package actor OfflinePart {
  nonisolated let loop: EventLoop
  let carrier: DownloadEngine
  /// On the disk that everything is kept on.
  var folder: MediaFolder
  /// The board's own first.
  let volumes: [MediaVolume]
  let disk: any MediaDisk
  let rows: any OfflineRows
  let sources: [String: any MediaSource]
  let date: @Sendable () -> Int64
  /// How many seconds the clock where the board is was ahead of the world's, at a date.
  let zone: @Sendable (Int64) -> Int64
  let told: @Sendable (OfflineEvent) -> Void
  let whole: @Sendable (WholeItem) async -> Void
  /// All is kept in that folder from now on.
  let moved: @Sendable (FilePath) async -> Void

  var intents = Wants()
  /// Without what they hold: that is in `intents`, and its facts in the rows.
  var wishes: [ContainerKey: StoredWish] = [:]
  /// Since counting began, and what of it is stored.
  var numbers: [String: Int64] = [:]
  var storedNumbers: [String: Int64] = [:]
  /// Whole ones that the program does not know of yet.
  var arrivals: [DownloadRecord] = []
  var isArriving = false
  /// What was looked at last, of what is whole, and what came of it since the first.
  var lookedAt: MediaKey?
  var checkedOfRound = 0
  var repairedOfRound = 0
  /// On demand: the one that runs, or the last.
  var checkup: Checkup?
  var checkNumber = 0
  var checkSpeed = Speed()
  var askedAt: Moment?
  /// Sources are being asked.
  var isAsking = false
  /// What is fetched unasked, when it is chosen anew, and the lists that sources have made for it.
  var unasked = Prefetch()
  var guessesAt: Moment?
  /// What stands in the queue and comes next, of sources.
  var queued: [ItemKey] = []
  var guessedQueue: Set<ItemKey> = []
  var personal: [ContainerKey: (day: Int, list: Prediction.Personal)] = [:]
  var isGoing = false
  var begunAt: Moment?
  var chosen = ChosenItems()
  /// Containers of what is played now, how much each is wanted as was said last, and when all were looked at.
  var played: Set<ContainerKey> = []
  /// And of what comes next, without those.
  var playedNext: Set<ContainerKey> = []
  var ranks: [ContainerKey: ContainerRank.Pair] = [:]
  /// In this run.
  var wantedSince: [ContainerKey: Moment] = [:]
  var rankedAt: Moment?
  var covers: Covers?
  /// Addresses at which there is none.
  var hasNoCover: Set<String> = []
  /// Where the pictures of what is whole are, and of those the ones that are not here yet.
  var storedArt: Set<String> = []
  var missingArt: [String] = []
  var isFetchingArt = false
  /// Pictures that are being fetched, and who waits until one of them is here or is not to be had.
  var bringing: Set<String> = []
  var brought = Waiters()
  /// It begins when the disk is there.
  var rulesAtStart: TransferRules?
  /// Which disk all is kept on, and which it goes to.
  var stored = StoredVolumes()
  var areVolumesRead = false
  /// Why the disk that all is kept on is not, before the start, and what of it was told.
  var awayBecause: Fault?
  var toldAway: Fault?
  var isComingHome = false
  var move: Move?
  var moveSpeed = Speed()
  /// Why it does not go on.
  var moveWhy: [Why] = []
  var isCarrying = false
  /// On which something may have been left that is kept elsewhere by now.
  var uncleared: Set<String> = []
  var isClearing = false
  private let ears: Ears
  /// One change of what is wanted after the other.
  private var isChanging = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  /// `others`: disks that all can be moved to. `date`: seconds since 1970, by the clock that the board has. `whole`:
  /// something is there to be played; the next is told of when it has returned.
  package init(
    _ folder: FilePath, or others: [MediaVolume] = [], on disk: any MediaDisk = KernelDisk(), rows: any OfflineRows,
    sources: [any MediaSource], fetching: any MediaFetching, loop: EventLoop, date: @escaping @Sendable () -> Int64,
    zone: @escaping @Sendable (Int64) -> Int64 = { _ in 0 },
    told: @escaping @Sendable (OfflineEvent) -> Void, whole: @escaping @Sendable (WholeItem) async -> Void,
    moved: @escaping @Sendable (FilePath) async -> Void = { _ in }
  ) {
    (self.loop, self.disk, self.rows, self.date, self.told) = (loop, disk, rows, date, told)
    self.zone = zone
    self.folder = MediaFolder(folder)
    volumes = [MediaVolume(MediaVolume.board, at: folder)] + others
    self.moved = moved
    var known: [String: any MediaSource] = [:]
    for source in sources { known[source.id] = source }
    self.sources = known
    self.whole = whole
    let ears = Ears()
    self.ears = ears
    carrier = DownloadEngine(
      MediaFolder(folder), on: disk, rows: rows, sources: sources, fetching: fetching, loop: loop,
      date: date,
      told: { event in
        ears.hear { part in part.count(event) }; told(.download(event))
      },
      news: { event in
        ears.hear { part in part.hear(event) }; told(event)
      },
      whole: { record in ears.hear { part in part.arrived(record) } })
  }

  /// What the carrier tells, on the loop that both live on.
  private final class Ears: Sendable {
    private let part = Mutex<Weak>(Weak())
    struct Weak { weak var part: OfflinePart? }

    func listen(_ part: OfflinePart) { self.part.withLock { $0.part = part } }

    func hear(_ action: @escaping @Sendable (isolated OfflinePart) -> Void) {
      guard let part = part.withLock({ $0.part }) else { return }
      part.loop.post { part.assumeIsolated { action($0) } }
    }
  }

  func listen() { ears.listen(self) }

  // MARK: What is wanted

  /// Nil for what is not wanted.
  package func quality(of container: ContainerKey) -> Quality? { wishes[container]?.quality }

  /// Where nobody says how good it shall be.
  package func quality(for purpose: TransferPolicy.Purpose) async -> Quality { await carrier.quality(for: purpose) }

  /// Told before: how much it is, and whether it fits.
  package func size(of container: ContainerKey, at quality: Quality) async throws(Fault) -> Wants.Size {
    let items = try await listed(container)
    return await size(of: Self.items(items, in: container, quality), at: quality, beside: container)
  }

  /// `container`: they are its own.
  func size(of listed: [Wants.Item], at quality: Quality, beside container: ContainerKey?) async -> Wants.Size {
    var here: Set<MediaKey> = []
    for record in await carrier.records() where record.state == .completed { here.insert(record.key) }
    let asked = Set(listed.map { $0.key.at(quality) })
    let room = await carrier.room(beside: coming(beside: container), asked: asked)
    return intents.size(of: listed, at: quality, room: room) { here.contains($0) }
  }

  /// What the other containers want, with its size as far as their sources say it. Guesses make way.
  private func coming(beside container: ContainerKey?) -> [MediaKey: Int64] {
    var coming: [MediaKey: Int64] = [:]
    for (other, wish) in intents.wishes where other != container && other.kind != .predicted {
      for item in wish.items {
        guard let key = intents.key(of: item.key) else { continue }
        coming[key] = item.bytes ?? key.quality.estimate(of: item.length)
      }
    }
    return coming
  }

  /// Wanted again it may have another quality. When it returns, a power cut does not forget it.
  package func want(_ container: ContainerKey, at quality: Quality) async throws(Fault) -> Wants.Answer {
    let items = try await listed(container)
    await enter()
    defer { leave() }
    var after = intents
    var answer = after.want(container, at: quality, Self.items(items, in: container, quality))
    if case .refused(let over) = answer, over <= unasked.chosen.count {
      // What was only guessed is in nobody's way.
      try await letAllGuessesGo()
      after = intents
      answer = after.want(container, at: quality, Self.items(items, in: container, quality))
    }
    guard case .wanted(let change) = answer else { return answer }
    // Whoever asks again wants it now. What a clock says that was never set is no better than what was said before.
    let isDated = await carrier.situation.minute != nil
    let wantedAt = wishes[container].map { isDated ? date() : $0.wantedAt } ?? date()
    var wish = StoredWish(container, at: quality, wantedAt: wantedAt, items)
    wish.isPaused = wishes[container]?.isPaused ?? false
    wish.isExcepted = wishes[container]?.isExcepted ?? false
    try await rows.store(wish)
    Steps.reach("offline.wanted")
    intents = after
    wish.items = []
    wishes[container] = wish
    wantedSince[container] = loop.now
    told(.wanted(container))
    await perform(change, of: container, again: true)
    return answer
  }

  /// How many items nobody wants any more.
  package func drop(_ container: ContainerKey) async throws(Fault) -> Int { try await drop { $0 == container } }

  /// What is fetched unasked is sent away by itself; see `revokeAll`.
  package func dropAll() async throws(Fault) -> Int {
    let gone = try await drop { $0.kind != .predicted }
    if gone > 0 { told(.download(.allDeleted)) }
    return gone
  }

  /// In one step: nothing is fetched for what goes as well.
  private func drop(_ isDropped: (ContainerKey) -> Bool) async throws(Fault) -> Int {
    await enter()
    defer { leave() }
    let containers = wishes.keys.filter(isDropped).sorted()
    if containers.isEmpty { return 0 }
    try await rows.forget(containers)
    Steps.reach("offline.dropped")
    for container in containers {
      await unwant(Set(intents.wishes[container]?.items.map(\.key) ?? []), by: container)
      (wishes[container], ranks[container], wantedSince[container]) = (nil, nil, nil)
    }
    let change = intents.drop(containers)
    for container in containers { told(.dropped(container)) }
    await perform(change, of: nil)
    return change.dropped.count
  }

  /// The owner does not want this one, whatever holds it.
  package func leaveOut(_ item: ItemKey) async throws(Fault) { try await leave(item, out: true) }
  package func takeIn(_ item: ItemKey) async throws(Fault) { try await leave(item, out: false) }

  private func leave(_ item: ItemKey, out isOut: Bool) async throws(Fault) {
    await enter()
    defer { leave() }
    try await rows.leaveOut(item, isOut)
    let change = isOut ? intents.leaveOut(item) : intents.takeIn(item)
    await perform(change, of: nil)
  }

  // MARK: Asking sources

  func listed(_ container: ContainerKey) async throws(Fault) -> [MediaItem] {
    guard let source = sources[container.source] else {
      throw Fault(.missing, "O-401", "there is no source named \(shownPlain(container.source))")
    }
    guard let kind = ContainerID.Kind(rawValue: container.kind.rawValue) else {
      throw Fault(.unsupported, "O-402", "a source has no \(container.kind.rawValue)s to be wanted")
    }
    do throws(MediaFailure) { return try await source.items(of: ContainerID(kind, container.id)) } catch {
      throw error.fault
    }
  }

  static func items(_ items: [MediaItem], in container: ContainerKey, _ quality: Quality) -> [Wants.Item] {
    items.map { Wants.Item(ItemKey(source: container.source, item: $0.id), of: $0, at: quality) }
  }

  // MARK: One after the other

  func enter() async {
    guard isChanging else { return isChanging = true }
    await withCheckedContinuation { next in
      // Nobody may be left to say so.
      if isChanging { return waiting.append(next) }
      isChanging = true
      next.resume()
    }
  }

  func leave() {
    if waiting.isEmpty { isChanging = false } else { waiting.removeFirst().resume() }
  }
}
