import Runtime
import Services

/// What the player is given, and what it will want next.
extension OfflinePart {
  package enum Playable: Sendable {
    case file(FilePath)
    case stream(MediaStream)
  }

  /// How long after the start `playable` waits for a network before it fails, so that what was playing can go on.
  static let lineComesWithin: Duration = .seconds(10)

  /// Where an item is to be played from now. A whole one stays where it is until it is played to its end, also when it
  /// is given up meanwhile. `quality`: else as good as the line is worth just now.
  package func playable(_ item: ItemKey, at quality: Quality? = nil) async throws(Fault) -> Playable {
    guard tools.sources[item.source] != nil else { throw ItemCatalogue.noSource(item.source) }
    await missWhatIsGone(item)
    var found = await choice(item, at: quality)
    while case .nothing = found, let begunAt = run.begunAt, loop.now - begunAt < Self.lineComesWithin {
      guard await loop.sleep(for: .milliseconds(500)) else { break }
      found = await choice(item, at: quality)
    }
    switch found {
    case .file(let key, let path):
      await engine.wasOpened(key)
      return .file(path)
    case .stream(let key): return .stream(await engine.stream(key, isKept: isKept(key)))
    case .cached(let key): return .stream(await engine.stream(key, isKept: isKept(key), endsAtGap: true))
    case .nothing(let why):
      throw Fault(.missing, why.code, "\(item) is not here, and cannot be fetched: \(why.words)")
    }
  }

  /// To be played at once, whether it is wanted offline or not; the whole one that is here in another quality serves as
  /// well.
  package func stream(_ item: ItemKey, at quality: Quality) async throws(Fault) -> MediaStream {
    guard tools.sources[item.source] != nil else { throw ItemCatalogue.noSource(item.source) }
    for here in Quality.allCases.reversed() {
      guard await engine.record(item.at(here))?.state == .completed else { continue }
      return await engine.stream(item.at(here), isKept: isKept(item.at(here)))
    }
    let key = wanted.wants.key(of: item) ?? item.at(quality)
    return await engine.stream(key, isKept: isKept(key))
  }

  /// Returns when the first bytes of an item are here. Throws the reason when none can be had now, or none came within
  /// `patience`. The connection stays open for a moment, for the player that asks next.
  package func begin(_ item: ItemKey, within patience: Duration) async throws(Fault) {
    guard case .stream(let stream) = try await playable(item) else { return }
    // Closing it wakes whoever reads.
    let late = Task(executorPreference: loop) { [loop] in
      let isLate = await loop.sleep(for: patience)
      await stream.close()
      return isLate
    }
    defer { late.cancel() }
    do throws(Fault) { _ = try await stream.read(at: 0, most: 1) } catch {
      late.cancel()
      let waits = await engine.record(stream.key)?.waits
      guard await late.value || waits?.isOutage == true else { throw error }
      throw Self.noAnswer(of: item.source)
    }
  }

  package static func noAnswer(of source: String) -> Fault {
    Fault(.passing, "O-415", "\(shownPlain(source)) does not answer")
  }

  private func choice(_ item: ItemKey, at quality: Quality?) async -> SourceChoice {
    var records: [DownloadRecord] = []
    for quality in Quality.allCases {
      guard var record = await engine.record(item.at(quality)) else { continue }
      // Whoever removed its file has not said so.
      if record.path != nil, !disks.isThere(record) {
        if record.state == .completed { continue }
        record.path = nil
      }
      records.append(record)
    }
    let waits = await engine.everybodys(.stream, loop.now)
    let (streamed, isReal) = await streamed(item, quality, records, mayAsk: waits.isEmpty)
    let kept = wanted.wants.key(of: item)?.quality
    return .of(item, records, wanted: kept, streamed: streamed, waits: waits, isReal: isReal)
  }

  /// Under the name of what its source really has, so that the same bytes are not fetched twice: it is asked, unless
  /// that was told before or nothing has to be fetched. What has begun goes on, when it is no worse and the line bears
  /// it. `isReal`: the source has it that good, and the line was seen to bear it at no cost.
  private func streamed(
    _ item: ItemKey, _ said: Quality?, _ records: [DownloadRecord], mayAsk: Bool
  ) async -> (Quality, isReal: Bool) {
    var best = Quality.lossless
    if let said { best = said } else { best = await engine.quality(for: .stream) }
    let (line, prepared) = (await engine.situation, await engine.prepared)
    let begun = records.filter { record in
      let quality = record.key.quality
      guard record.durable > 0, quality >= best, ![.failed, .cancelled].contains(record.state) else { return false }
      let isBorne = !line.isMetered && line.bitsASecond.map { $0 >= quality.bitsASecond } ?? true
      return prepared.contains(record.key) && isBorne || record.size.map { record.durable >= $0 / 2 } ?? false
    }
    if let most = begun.max(by: { $0.durable < $1.durable }) { return (most.key.quality, false) }
    var known = catalogue.remembered(item)
    if known == nil, mayAsk, wanted.wants.key(of: item) == nil, !records.contains(where: { $0.path != nil }) {
      known = await catalogue.asked(item)
      if let known { catalogue.remember([known], of: item.source) }
    }
    guard let real = known?.quality(upTo: best) else { return (best, false) }
    return (real, real <= best && !line.isMetered && line.bitsASecond != nil)
  }

  /// Whatever there is of it, as good as it is: better than nothing, when a better one does not come.
  package func whole(_ item: ItemKey) async -> FilePath? {
    for quality in Quality.allCases.reversed() {
      guard let record = await engine.record(item.at(quality)), record.state == .completed, disks.isThere(record) else {
        continue
      }
      await engine.wasOpened(record.key)
      return record.path.map { FilePath($0) }
    }
    return nil
  }

  /// Whoever removed its file has not said so; it comes anew. A disk that is not there has lost nothing.
  private func missWhatIsGone(_ item: ItemKey) async {
    for quality in Quality.allCases {
      guard let record = await engine.record(item.at(quality)), record.state == .completed, !disks.isThere(record)
      else {
        continue
      }
      // It may have moved to another disk meanwhile.
      guard disks.isHomeThere, await engine.record(record.key) == record else { continue }
      await engine.hear(.lost, for: record.key)
    }
  }

  private func isKept(_ key: MediaKey) -> Bool { wanted.wants.key(of: key.item) == key }

  // MARK: What comes next

  /// So many begin at once when their turn comes.
  package static let preparedAhead = 3

  package func prepare(_ items: [ItemKey], at quality: Quality? = nil) async {
    guard run.isGoing else { return }
    var keys: [MediaKey] = []
    for item in items.prefix(Self.preparedAhead) where tools.sources[item.source] != nil {
      if case .stream(let key) = await choice(item, at: quality), !keys.contains(key) { keys.append(key) }
    }
    await engine.prepare(keys)
  }

  // MARK: What somebody chose

  /// The items of a container, in its order: as it was wanted, or else as its source has it now.
  package func items(of container: ContainerKey) async throws(Fault) -> [ItemKey] {
    if let wish = wanted.wants.wishes[container] { return wish.items.map(\.key) }
    let items = try await catalogue.listed(container)
    catalogue.remember(items, of: container.source)
    return items.map { ItemKey(source: container.source, item: $0.id) }
  }

  // MARK: What was played

  /// What is played now and what comes next, as the queue names it.
  package func notePlaying(_ paths: [FilePath], next: [FilePath] = []) async {
    if run.isGoing { await wanted.notePlaying(paths, next: next) }
  }

  /// A file was played to its end, or for long enough to count.
  package func heard(_ path: FilePath, at date: Int64) async {
    // Its stream has counted it already.
    if let item = ItemKey(address: path) { return await heard(item, at: date) }
    guard let key = await engine.played(path, at: date) else { return }
    await heard(key.item, at: date)
    let containers = Set(wanted.wants.containers(of: key.item))
    // Behind whatever is being changed just now; who told of it does not wait for that.
    tools.tasks.start { part in await part.wanted.rank(containers) }
  }

  package func heard(_ item: ItemKey, at date: Int64) async {
    do throws(Fault) { try await tools.rows.note(ItemPlay(item, at: date)) } catch {
      Log("offline").info("what was heard is not remembered", ["reason": error.message])
    }
  }
}
