import Library
import Runtime
import Services

/// Performs what downloads say, several at once, on the loop `work`: it alone waits for the disk. It decides nothing but
/// whose turn it is; who runs is the first in the line.
///
/// Every action of a download is done before the next begins, and every record is stored before what follows from it. So
/// a power cut anywhere leaves a record and files that `take(up:as:)` goes on from.
package actor Carrier {
  nonisolated let loop: EventLoop
  let folder: MediaFolder
  let disk: any MediaDisk
  let rows: any DownloadRows
  let sources: [String: any MediaSource]
  let fetching: any MediaFetching
  let told: @Sendable (DownloadEvent) -> Void
  /// Seconds since 1970, by the clock that the board has.
  private let date: @Sendable () -> Int64
  /// How many run at once.
  private let places: Int
  var carriages: [MediaKey: Carriage] = [:]
  private var line: [MediaKey] = []
  private var running: Set<MediaKey> = []
  private var generator = SystemRandomNumberGenerator()

  /// What stays free on the disk, so that rows can be stored and files given up on a full one.
  static let reserve: Int64 = 32 << 20
  /// Rows that cannot be stored are tried again.
  static let storingAgain: Duration = .seconds(30)

  nonisolated package var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  package init(
    _ folder: MediaFolder, on disk: any MediaDisk, rows: any DownloadRows, sources: [any MediaSource],
    fetching: any MediaFetching, places: Int = 3, loop: EventLoop, date: @escaping @Sendable () -> Int64,
    told: @escaping @Sendable (DownloadEvent) -> Void
  ) {
    (self.folder, self.disk, self.rows, self.fetching) = (folder, disk, rows, fetching)
    var known: [String: any MediaSource] = [:]
    for source in sources { known[source.id] = source }
    (self.sources, self.places, self.loop, self.date, self.told) = (known, places, loop, date, told)
  }

  // MARK: Orders

  /// A new one, or one that was given up. When it returns, a power cut does not forget it.
  package func want(_ key: MediaKey) async throws(Fault) {
    guard carriages[key] == nil else { return hear(.again, for: key) }
    let carriage = Carriage(Download(key, queuedAt: date()))
    carriages[key] = carriage
    do throws(Fault) { try await rows.store(carriage.stored) } catch {
      carriages[key] = nil
      throw error
    }
    line.append(key)
    fill()
  }

  /// After a start: what was stored, and what lies on the disk.
  package func take(up record: DownloadRecord, as found: Reconciler.Found) async {
    var record = record
    // It may have got its name without the row's knowing, or the disk lies elsewhere by now.
    if let whole = found.whole { record.path = String(decoding: whole.bytes, as: UTF8.self) }
    let (download, actions) = Download.restored(record, found.remains, date: date())
    let carriage = Carriage(download)
    carriage.stored = record
    carriage.isBusy = true
    carriages[record.key] = carriage
    await perform(actions, [], of: carriage)
    carriage.isBusy = false
    if !carriage.inbox.isEmpty { await work(on: record.key) }
    look(at: carriage)
    fill()
  }

  package func hear(_ event: Download.Event, for key: MediaKey) { hear(event, [], for: key) }

  package func record(_ key: MediaKey) -> DownloadRecord? { carriages[key]?.download.record }
  package var runningCount: Int { running.count }

  // MARK: One after the other

  func hear(_ event: Download.Event, _ bytes: [UInt8], for key: MediaKey) {
    guard let carriage = carriages[key] else { return }
    carriage.inbox.append((event, bytes))
    guard !carriage.isBusy else { return }
    carriage.isBusy = true
    Task(executorPreference: loop) { await self.work(on: key) }
  }

  /// From any thread, in order.
  nonisolated func soon(_ action: @escaping @Sendable (isolated Carrier) -> Void) {
    loop.post { self.assumeIsolated { action($0) } }
  }

  private func work(on key: MediaKey) async {
    guard let carriage = carriages[key] else { return }
    carriage.isBusy = true
    while !carriage.inbox.isEmpty {
      let next = carriage.inbox.removeFirst()
      let actions = carriage.download.hear(next.event, date: date(), using: &generator)
      await perform(actions, next.bytes, of: carriage)
      // The line may bring as much as the disk has taken, and no more.
      if case .took(let ticket, let count) = next.event, let fetch = carriage.fetch, fetch.ticket == ticket {
        fetch.running.credit(count)
      }
    }
    carriage.isBusy = false
    look(at: carriage)
    fill()
  }

  private func look(at carriage: Carriage) {
    let key = carriage.key
    if carriage.download.state.isRunning { return }
    running.remove(key)
    (carriage.part, carriage.place) = (nil, nil)
    if carriage.download.record.isReady, !line.contains(key) { line.append(key) }
  }

  private func fill() {
    while running.count < places, !line.isEmpty {
      let key = line.removeFirst()
      guard let carriage = carriages[key], carriage.download.record.isReady else { continue }
      running.insert(key)
      hear(.start, for: key)
    }
  }

  /// Nothing may be done that is not stored. It is as if the power had gone: what is stored counts, later.
  func giveUp(_ carriage: Carriage, _ fault: Fault) {
    Log("offline").info("a download cannot be stored", ["reason": fault.message])
    carriage.fetch?.running.stop()
    (carriage.fetch, carriage.part, carriage.place) = (nil, nil, nil)
    carriage.inbox = []
    let record = carriage.stored
    carriages[record.key] = nil
    running.remove(record.key)
    Task(executorPreference: loop) {
      await self.loop.sleep(for: Self.storingAgain)
      await self.takeUpAgain(record)
    }
  }

  private func takeUpAgain(_ record: DownloadRecord) async {
    guard carriages[record.key] == nil else { return }
    let remains = Download.Remains(length: record.durable, isWhole: record.state == .completed)
    await take(up: record, as: Reconciler.Found(key: record.key, remains: remains))
  }
}
