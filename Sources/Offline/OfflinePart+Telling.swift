import Runtime
import Services

/// Lists, plans, single items and smart downloads, as the panel and the command line show them.
extension OfflinePart {
  /// The containers, as the downloads screen shows them.
  package func list() async -> [OfflineLine] {
    var lines: [OfflineLine] = []
    for wish in wanted.wishes.values.sorted(by: { $0.container < $1.container }) {
      var keys: [MediaKey] = []
      var sizes: [MediaKey: Int64] = [:]
      for item in wanted.wants.wishes[wish.container]?.items ?? [] {
        guard let key = wanted.wants.key(of: item.key) else { continue }
        keys.append(key)
        sizes[key] = item.bytes ?? wish.quality.estimate(of: item.length)
      }
      var line = OfflineLine(wish.container, at: wish.quality, .waiting)
      (line.items, line.why) = (keys.count, [disks.awayWhy])
      if run.isGoing { line = OfflineLine(wish, await engine.shown(keys), sizes) }
      if wish.container.kind == .predicted { line.because = because(wish.container) }
      lines.append(line)
    }
    return lines
  }

  /// What is fetched unasked is there for reasons; those of most items first.
  private func because(_ container: ContainerKey) -> [[Prediction.Reason]] {
    var counts: [[Prediction.Reason]: Int] = [:]
    for item in wanted.wants.wishes[container]?.items ?? [] {
      if let reasons = smart.reasons(for: item.key) { counts[reasons, default: 0] += 1 }
    }
    return counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key.words < $1.key.words }.map(\.key)
  }

  /// Who is fetched now and next, and why: those that run first.
  package func plan(count: Int) async -> [PlannedLine] {
    let order = await engine.order(count)
    let facts = await catalogue.stored(order.map(\.item))
    var lines: [PlannedLine] = []
    for shown in await engine.shown(order) {
      let record = shown.record
      let rank = shown.rank ?? .older
      let predicted = rank == .predicted ? smart.reasons(for: record.key.item)?.words : nil
      let because = predicted.map { "\(rank.words): \($0)" } ?? rank.words
      var line = PlannedLine(record.key, rank, because: because)
      (line.title, line.artist) = (facts[record.key.item]?.title, facts[record.key.item]?.artist)
      (line.container, line.isRunning) = (shown.containers.first, shown.isRunning)
      (line.bytes, line.size, line.why) = (shown.arrived, record.size, shown.why)
      lines.append(line)
    }
    return lines
  }

  package func health() async -> OfflineHealth {
    var health = OfflineHealth()
    let keys = wanted.wants.keys.sorted()
    for shown in await engine.shown(keys) {
      health.items += 1
      switch shown.record.state {
      case .completed: health.whole += 1
      case .failed: health.failed += 1
      case .downloading: break
      default: health.waiting += 1
      }
    }
    func number(_ name: String) -> Int64 { run.counters[name] ?? 0 }
    (health.completedEver, health.failedEver) = (number("completed"), number("failed"))
    (health.retriedEver, health.recoveredEver) = (number("retried"), number("recovered"))
    (health.removedEver, health.damagedEver) = (number("removed"), number("damaged"))
    health.lookedAfterAt = run.counters[Counters.lookedAfterAt]
    let room = await room()
    (health.kept, health.limit, health.free, health.usage) = (room.kept, room.limit, room.free, room.usage)
    (health.volumes, health.move) = (volumeLines(), mover.line)
    health.check = checker.line
    health.why = run.isGoing ? await engine.everybodys(.download, loop.now) : [disks.awayWhy]
    return health
  }

  package func room() async -> OfflineRoom {
    var room = OfflineRoom()
    let space = await engine.space()
    (room.kept, room.limit, room.free) = (space.kept, space.limit, space.free)
    room.usage = await engine.usage()
    return room
  }

  // MARK: How single items stand

  package func lines(of items: [ItemKey]) async -> [ItemLine] {
    var lines: [ItemLine] = []
    for item in items { lines.append(await line(of: item)) }
    return lines
  }

  /// How much is kept of each of several lists of items. Nothing is read for it: a page of the panel asks whenever a
  /// download begins or ends.
  package func kept(of lists: [[ItemKey]]) async -> [KeptPart] {
    let keys = lists.map { items in items.compactMap { wanted.wants.key(of: $0) } }
    let states = await engine.states(of: Set(keys.flatMap(\.self)))
    return zip(lists, keys).map { items, keys in
      KeptPart(
        items: items.count, wanted: keys.count, whole: keys.count { states[$0] == .completed },
        failed: keys.count { states[$0] == .failed })
    }
  }

  private func line(of item: ItemKey) async -> ItemLine {
    var line = ItemLine(item)
    line.facts = await catalogue.facts(of: item)
    line.containers = wanted.wants.containers(of: item)
    let own = wanted.wants.key(of: item)
    if !run.isGoing {
      if own != nil { (line.state, line.quality, line.why) = (.waiting, own?.quality, [disks.awayWhy]) }
      return line
    }
    guard let key = await shownKey(of: item), let shown = await engine.shown([key]).first else {
      if !line.containers.isEmpty, !wanted.wants.leftOut.contains(item) {
        (line.state, line.why) = (.waiting, [Self.tooMany])
      }
      return line
    }
    line.state = ItemLine.State(shown, isWanted: own != nil)
    (line.quality, line.bytes, line.size) = (key.quality, shown.arrived, shown.record.size)
    (line.speed, line.why, line.record) = (shown.speed, own == nil ? [] : shown.why, shown.record)
    line.offline = OfflineState(shown.record, isThere: disks.isThere(shown.record))
    return line
  }

  /// The download of `item` that is wanted, else the best one that is stored.
  private func shownKey(of item: ItemKey) async -> MediaKey? {
    if let own = wanted.wants.key(of: item) { return own }
    var best: DownloadRecord?
    for quality in Quality.allCases {
      guard let record = await engine.record(item.at(quality)), record.state != .cancelled else { continue }
      if record.state == .completed || best?.state != .completed { best = record }
    }
    return best?.key
  }

  private static let tooMany = Why(code: "O-155", words: "\(Wants.quota) tracks are kept, and no more")

  /// The first of `items` that is wanted or has something stored.
  package func known(_ items: [ItemKey]) async -> ItemKey? {
    for item in items {
      if !wanted.wants.containers(of: item).isEmpty { return item }
      if await shownKey(of: item) != nil { return item }
    }
    return nil
  }

  /// Those that are wanted or here and have this title, in whatever letters.
  package func items(called title: String) async -> [ItemKey] {
    let title = title.lowercased()
    let all = Set(wanted.wants.keys.map(\.item)).union(await engine.records().map(\.key.item)).sorted()
    var found: [ItemKey] = []
    for start in stride(from: 0, to: all.count, by: 200) {
      let some = Array(all[start..<min(start + 200, all.count)])
      let facts = await catalogue.stored(some)
      found += some.filter { (catalogue.remembered($0) ?? facts[$0])?.title?.lowercased() == title }
    }
    return found
  }

  // MARK: Smart downloads

  /// One of those that were chosen, as it is shown.
  package struct SmartDownload: Equatable, Sendable {
    package var item: ItemKey
    package var title: String?
    package var artist: String?
    package var because: [Prediction.Reason]
    package var isWhole: Bool
    package var bytes: Int64
  }

  package func smartDownloads() async -> [SmartDownload] {
    let chosen = smart.chosen
    let facts = await catalogue.stored(chosen.map(\.item))
    var lines: [SmartDownload] = []
    for one in chosen {
      var isWhole = false
      if let key = wanted.wants.key(of: one.item) { isWhole = await engine.record(key)?.state == .completed }
      let fact = facts[one.item]
      lines.append(
        SmartDownload(
          item: one.item, title: fact?.title, artist: fact?.artist, because: one.reasons, isWhole: isWhole,
          bytes: one.bytes))
    }
    return lines
  }

  /// Why nothing is chosen or fetched unasked just now; nothing where the owner's file does not want it at all.
  package func whyNoSmartDownloads() async -> [Why] {
    guard run.rules?.isPredicting == true else { return [] }
    guard run.isGoing else { return [disks.awayWhy] }
    let why = await engine.everybodys(.prediction, loop.now)
    // Without the time of day nothing is a habit.
    return await engine.situation.minute == nil && !why.contains(Why(.clock)) ? why + [Why(.clock)] : why
  }

  // MARK: What music is called

  /// What a source has told of it; nil when nobody has asked.
  package func facts(of item: ItemKey) async -> MediaItem? { await catalogue.facts(of: item) }

  /// By the names of their files below the media folder, without folder and ending. Also of files that are gone, as long
  /// as they are remembered; nothing of files that are nobody's.
  package func items(inFiles names: [String]) async -> [String: KnownItem] { await catalogue.items(inFiles: names) }
}

extension OfflineLine {
  /// `sizes`: of what nobody has told the length of yet.
  init(_ wish: StoredWish, _ shown: [DownloadEngine.Shown], _ sizes: [MediaKey: Int64]) {
    self.init(wish.container, at: wish.quality, .waiting)
    // Times differ from one to the next; the earliest is told.
    var (reasons, again) = ([Why: Int](), [Why: Duration]())
    var isRunning = false
    for one in shown {
      items += 1
      if one.record.state == .completed { whole += 1 }
      if one.record.state == .failed { failed += 1 }
      isRunning = isRunning || one.isRunning
      isTriedAgain = isTriedAgain || one.isRunning && one.record.retry.attempts > 0
      bytes += one.arrived
      size += max(one.record.size ?? sizes[one.record.key] ?? 0, one.arrived)
      speed += one.speed
      for var why in one.why {
        let own = why.again
        why.again = nil
        reasons[why, default: 0] += 1
        if let own { again[why] = min(again[why] ?? own, own) }
      }
    }
    // Where something runs, that others come first is nothing to tell.
    if isRunning { reasons[Why(.turn)] = nil }
    why = reasons.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key.code < $1.key.code }
      .map { Why(code: $0.key.code, words: $0.key.words, again: again[$0.key]) }
    if whole == items {
      state = .whole
    } else if wish.isPaused || shown.allSatisfy({ $0.isResting || $0.record.state == .completed }) {
      state = .paused
    } else if isRunning {
      state = .running
    } else if whole + failed == items {
      state = .failed
    }
  }
}

extension Rank {
  package var words: String {
    switch self {
    case .playing: "it is being played"
    case .askedFor: "it was asked for"
    case .start: "it is the start of what may be played next"
    case .recentlyPlayed: "it was played lately"
    case .currentPlaylist: "it is in the playlist that is played"
    case .older: "it was wanted some time ago"
    case .predicted: "it may be wanted"
    }
  }
}
