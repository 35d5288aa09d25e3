import Runtime

/// All downloads that the engine knows of, and the events that they have not heard yet. Lives on the loop `offline`,
/// inside `DownloadEngine`. After a power cut it is filled from the rows, by `DownloadEngine.take(up:as:)`.
final class ActiveDownloads {
  private let tools: EngineTools
  private var all: [MediaKey: ActiveDownload] = [:]
  /// Downloads whose files are gone, and whose rows are still to be deleted.
  private var gone: [MediaKey] = []
  /// Files of those whose rows could not be stored, and are to be stored again.
  private var outside: Set<MediaFolder.Name> = []

  init(_ tools: EngineTools) { self.tools = tools }

  subscript(key: MediaKey) -> ActiveDownload? {
    get { all[key] }
    set { all[key] = newValue }
  }

  var values: Dictionary<MediaKey, ActiveDownload>.Values { all.values }
  var isEmpty: Bool { all.isEmpty }

  /// It hears that behind what it has been told before, and performs what follows. `bytes` belong to the event.
  func hear(_ event: Download.Event, _ bytes: [UInt8] = [], for key: MediaKey) {
    guard let active = all[key] else { return }
    active.inbox.append((event, bytes))
    active.lastNews = tools.loop.now
    guard !active.isBusy else { return }
    active.isBusy = true
    tools.tasks.start { engine in await engine.work(on: key) }
  }

  /// Nothing was heard of them for so long: whatever they do, they begin it anew.
  func wakeStuck(after limit: Duration) {
    let now = tools.loop.now
    for active in all.values where active.download.state.isRunning && !active.isBusy {
      guard now - active.lastNews >= limit else { continue }
      Log("offline").info("a download is stuck", ["item": "\(active.key)"])
      hear(.failed(active.download.ticket, .stalled), for: active.key)
    }
  }

  // MARK: Those that come and go

  func isGone(_ key: MediaKey) {
    all[key] = nil
    gone.append(key)
  }

  /// Gives them away: whoever takes them deletes their rows.
  func takeGone() -> [MediaKey] {
    defer { gone = [] }
    return gone.filter { all[$0] == nil }
  }

  /// Takes out a download whose row could not be stored. Its file name stays reserved, so that the hunt for orphans
  /// spares the file.
  func putOutside(_ active: ActiveDownload) {
    if let name = active.name { outside.insert(name) }
    all[active.key] = nil
  }

  func comesBack(_ key: MediaKey) {
    if let name = try? MediaFolder.Name(of: key) { outside.remove(name) }  // without a sum it was never put there
  }

  /// Also by one whose row is to be stored again.
  func owns(_ name: MediaFolder.Name) -> Bool {
    outside.contains(name) || all.values.contains { $0.name == name && $0.download.state != .cancelled }
  }

  /// No download is working on its file or waits to be stored again.
  var areQuiet: Bool { outside.isEmpty && all.values.allSatisfy { !$0.isBusy } }

  // MARK: Questions

  func record(_ key: MediaKey) -> DownloadRecord? { all[key]?.download.record }
  var records: [DownloadRecord] { all.values.map(\.download.record) }

  /// In the order of keys.
  var completed: [DownloadRecord] {
    records.filter { $0.state == .completed }.sorted { $0.key < $1.key }
  }

  /// All of it, durable or not.
  func isHere(_ key: MediaKey) -> Bool {
    guard let download = all[key]?.download, let size = download.record.size else { return false }
    return download.arrived >= size
  }

  /// By its name alone: a link leads there, and it may lie on another disk by now.
  func whole(named name: FilePath) -> ActiveDownload? {
    let found = all.values.first { $0.download.record.path.map { FilePath($0).name } == name }
    return found?.download.state == .completed ? found : nil
  }

  /// In one look at all of them.
  func items(inFiles names: Set<String>) -> [String: ItemKey] {
    var found: [String: ItemKey] = [:]
    for active in all.values where active.download.state == .completed {
      guard let name = active.name?.description, names.contains(name) else { continue }
      found[name] = active.key.item
    }
    return found
  }

  /// When any of them was played last.
  func lastPlayed(_ keys: [MediaKey]) -> Int64? { keys.compactMap { all[$0]?.download.record.playedAt }.max() }

  // MARK: What is known of a whole one beside its file

  /// Should it be lost with the power, nothing depends on it.
  func storeAgain(_ key: MediaKey, isolation: isolated (any Actor)? = #isolation) async {
    guard let active = all[key], !active.isBusy, active.download.state == .completed else { return }
    let record = active.download.record
    do throws(Fault) {
      try await tools.rows.store(record)
      active.stored = record
    } catch { Log("offline").info("what is known of a file cannot be stored", ["reason": error.message]) }
  }

  /// The program knows of the whole file: it is not told again after a power cut.
  func entered(_ key: MediaKey, isolation: isolated (any Actor)? = #isolation) async {
    guard let active = all[key], !active.isBusy, active.download.state == .completed else { return }
    active.download.record.isEntered = true
    await storeAgain(key)
  }

  /// It was played: that counts when something has to go. Nil for what was not fetched.
  func played(
    _ path: FilePath, at date: Int64, isolation: isolated (any Actor)? = #isolation
  ) async -> MediaKey? {
    guard let active = whole(named: path.name) else { return nil }
    let before = active.download.record.playedAt ?? date
    (active.download.record.playedAt, active.download.record.plays) =
      (max(before, date), active.download.record.plays + 1)
    await storeAgain(active.key)
    return active.key
  }

  /// Nobody wants it any more; what is whole stays until its room is needed.
  func becomeCache(_ key: MediaKey, isolation: isolated (any Actor)? = #isolation) async {
    guard let active = all[key], active.download.state == .completed else { return }
    active.download.record.isCache = true
    await storeAgain(key)
  }

  // MARK: When everything goes to another disk

  /// Whole ones, older versions that are still played too; in the order of keys.
  var wholeFiles: [Move.File] {
    var files: [Move.File] = []
    for record in records {
      guard let path = record.path.map({ FilePath($0) }), record.state != .cancelled else { continue }
      let isWhole = record.state == .completed
      // Of an older version nobody knows the length any more.
      guard let size = isWhole ? record.durable : length(of: path) else { continue }
      files.append(Move.File(record.key, at: path, size: size, hash: isWhole ? record.hash : nil))
    }
    return files.sorted { $0.key < $1.key }
  }

  private func length(of path: FilePath) -> Int64? {
    do throws(Fault) {
      guard let file = try tools.disk.open(path, making: false) else { return nil }
      defer { tools.disk.close(file) }
      return try tools.disk.length(of: file, path)
    } catch { return nil }
  }

  /// Those that grow, as far as that is certain.
  var parts: [(key: MediaKey, durable: Int64)] {
    let growing = records.filter { $0.state != .completed && $0.state != .cancelled }
    return growing.map { ($0.key, $0.durable) }.sorted { $0.key < $1.key }
  }

  /// All lies there now. Rows name the old paths until they are stored again; a start looks for files by their names.
  func settle(in folder: MediaFolder) {
    for active in all.values {
      active.part = nil
      guard let path = active.download.record.path, let name = active.name else { continue }
      let whole = folder.whole(name, ending: FilePath(path).ending)
      active.download.record.path = String(decoding: whole.bytes, as: UTF8.self)
      active.stored.path = active.download.record.path
    }
  }
}

extension DownloadRecord {
  /// All of it is here, and nobody has looked whether it is right.
  var isUnchecked: Bool { isReady && size.map { $0 > 0 && durable == $0 } ?? false }
}
