import Files
import Runtime
import Services

/// Performs what downloads say, several at once, on the loop `work`: it alone waits for the disk. Whose turn it is says
/// the planner, and whether anybody may run, the policy; see `DownloadEngine+Turns.swift`.
///
/// Every action of a download is done before the next begins, and every record is stored before what follows from it. So
/// a power cut anywhere leaves a record and files that `take(up:as:)` goes on from. Nothing runs before `begin`.
package actor DownloadEngine {
  nonisolated let loop: EventLoop
  /// On the disk that all is kept on; see `DownloadEngine+Moving.swift`.
  var folder: MediaFolder
  /// What is to lie on that disk, or another is in its place. Nil: none was ever given to it.
  var mark: VolumeMark?
  let disk: any MediaDisk
  let rows: any DownloadRows
  let sources: [String: any MediaSource]
  let fetching: any MediaFetching
  let told: @Sendable (DownloadEvent) -> Void
  /// What is of everybody's concern.
  let news: @Sendable (OfflineEvent) -> Void
  /// Something is whole, and its row says so.
  let whole: @Sendable (DownloadRecord) -> Void
  /// Seconds since 1970, by the clock that the board has.
  let date: @Sendable () -> Int64

  var carriages: [MediaKey: ActiveDownload] = [:]
  var planner = Planner()
  var policy = TransferPolicy()
  var budget = Budget()
  var keeper = Keeper()
  /// All that was stored is taken up, and somebody has said what the surroundings are.
  private(set) var hasBegun = false
  var situation = TransferConditions()
  /// The owner has paused everything, or these.
  var isResting = false
  var resting: Set<MediaKey> = []
  var suspectedAt: Moment?
  /// Whose pages those are that come in place of music, and who looks whether a source serves again.
  var pages = CaptivePortalDetector()
  var scouting = OutageProbe(pace: .random(in: 0.75...1))
  var saidWhy: [Why] = []
  var warned = ToldWarnings()
  var keptHouseAt: Moment?
  /// When somebody looks again.
  var looksAgainAt: Moment?
  /// What comes next, whose beginnings are fetched.
  var prepared: [MediaKey] = []
  /// What somebody reads as it comes, and whether that has come so little that it has the line for itself.
  var listened: Set<MediaKey> = []
  var isPressed = false
  /// There may be files of nobody; somebody looks for them.
  var mustHunt = false
  var isHunting = false
  var huntWaiters: [CheckedContinuation<Int, Never>] = []
  /// The numbers that were given last.
  var lastStream = 0
  var lastWindow = 0
  /// Those whose rows are to be stored again.
  var outside: Set<MediaFolder.Name> = []
  /// All is about to be on another disk, and nothing may run.
  var isStandingStill = false
  /// Of which nothing is left but their rows.
  var gone: [MediaKey] = []
  var generator = SystemRandomNumberGenerator()

  /// Rows that cannot be stored are tried again.
  static let storingAgain: Duration = .seconds(30)

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package init(
    _ folder: MediaFolder, on disk: any MediaDisk, rows: any DownloadRows, sources: [any MediaSource],
    fetching: any MediaFetching, loop: EventLoop,
    date: @escaping @Sendable () -> Int64,
    told: @escaping @Sendable (DownloadEvent) -> Void, news: @escaping @Sendable (OfflineEvent) -> Void = { _ in },
    whole: @escaping @Sendable (DownloadRecord) -> Void = { _ in }
  ) {
    (self.folder, self.disk, self.rows, self.fetching) = (folder, disk, rows, fetching)
    var known: [String: any MediaSource] = [:]
    for source in sources { known[source.id] = source }
    (self.sources, self.loop, self.date) = (known, loop, date)
    (self.told, self.news, self.whole) = (told, news, whole)
  }

  // MARK: Orders

  /// From here on downloads run.
  package func begin(_ situation: TransferConditions, isResting: Bool = false) {
    take(situation)
    (hasBegun, self.isResting) = (true, isResting)
    look()
    checkWhatIsHere()
  }

  /// After a start: what was stored, and what lies on the disk.
  package func take(up record: DownloadRecord, as found: Reconciler.Found) async {
    var record = record
    // It may have got its name without the row's knowing, or the disk lies elsewhere by now.
    if let whole = found.whole { record.path = String(decoding: whole.bytes, as: UTF8.self) }
    let (download, actions) = Download.restored(record, found.remains, date: date())
    let carriage = ActiveDownload(download)
    carriage.stored = record
    carriage.isBusy = true
    carriage.waitsSince = loop.now
    carriages[record.key] = carriage
    if let reason = download.record.waits { scouting.waits(record.key, for: reason, at: loop.now) }
    await perform(actions, [], of: carriage)
    carriage.isBusy = false
    if !carriage.inbox.isEmpty { await work(on: record.key) }
    look(at: carriage)
    fill()
  }

  package func hear(_ event: Download.Event, for key: MediaKey) { hear(event, [], for: key) }

  package func record(_ key: MediaKey) -> DownloadRecord? { carriages[key]?.download.record }
  package func records() -> [DownloadRecord] { carriages.values.map(\.download.record) }
  package var runningCount: Int { planner.runningCount }

  // MARK: One after the other

  func hear(_ event: Download.Event, _ bytes: [UInt8], for key: MediaKey) {
    guard let carriage = carriages[key] else { return }
    carriage.inbox.append((event, bytes))
    carriage.lastNews = loop.now
    guard !carriage.isBusy else { return }
    carriage.isBusy = true
    Task(executorPreference: loop) { await self.work(on: key) }
  }

  /// From any thread, in order.
  nonisolated func soon(_ action: @escaping @Sendable (isolated DownloadEngine) -> Void) {
    loop.post { self.assumeIsolated { action($0) } }
  }

  func work(on key: MediaKey) async {
    guard let carriage = carriages[key] else { return }
    carriage.isBusy = true
    while !carriage.inbox.isEmpty {
      let next = carriage.inbox.removeFirst()
      let actions = carriage.download.hear(next.event, date: date(), using: &generator)
      await perform(actions, next.bytes, of: carriage)
      carriage.readers.wake()
      // The line may bring as much as the disk has taken, and no more.
      if case .took(let ticket, let count) = next.event, let fetch = carriage.fetch, fetch.ticket == ticket {
        fetch.running.credit(count)
        holdWhatIsEnough(carriage)
        press()
      }
    }
    carriage.isBusy = false
    look(at: carriage)
    fill()
    if planner.runningCount == 0 || !saidWhy.isEmpty { tellWhy(at: loop.now) }
  }

  /// Nothing may be done that is not stored. It is as if the power had gone: what is stored counts, later.
  func giveUp(_ carriage: ActiveDownload, _ fault: Fault) {
    Log("offline").info("a download cannot be stored", ["reason": fault.message])
    carriage.fetch?.running.stop()
    (carriage.fetch, carriage.part, carriage.place) = (nil, nil, nil)
    carriage.inbox = []
    carriage.readers.wake()
    let record = carriage.stored
    if let name = carriage.name { outside.insert(name) }
    carriages[record.key] = nil
    planner.ended(record.key)
    Task(executorPreference: loop) {
      await self.loop.sleep(for: Self.storingAgain)
      await self.takeUpAgain(record)
    }
  }

  private func takeUpAgain(_ record: DownloadRecord) async {
    if let name = try? MediaFolder.Name(of: record.key) { outside.remove(name) }
    guard carriages[record.key] == nil, planner.rank(of: record.key) != nil else { return }
    await take(up: record, as: found(of: record))
  }
}
