import Runtime
import Services

/// What is shown of it all.
extension OfflinePart {
  /// The containers, as the downloads screen shows them.
  package func list() async -> [OfflineLine] {
    var lines: [OfflineLine] = []
    for wish in wishes.values.sorted(by: { $0.container < $1.container }) {
      var keys: [MediaKey] = []
      var sizes: [MediaKey: Int64] = [:]
      for item in intents.wishes[wish.container]?.items ?? [] {
        guard let key = intents.key(of: item.key) else { continue }
        keys.append(key)
        sizes[key] = item.bytes ?? wish.quality.estimate(of: item.length)
      }
      var line = OfflineLine(wish.container, at: wish.quality, .waiting)
      (line.items, line.why) = (keys.count, [awayWhy])
      if isGoing { line = OfflineLine(wish, await carrier.shown(keys), sizes) }
      if wish.container.kind == .predicted { line.because = because(wish.container) }
      lines.append(line)
    }
    return lines
  }

  /// What is fetched unasked is there for reasons; those of most items first.
  private func because(_ container: ContainerKey) -> [String] {
    var counts: [String: Int] = [:]
    for item in intents.wishes[container]?.items ?? [] {
      if let words = unasked.chosen[item.key]?.words { counts[words, default: 0] += 1 }
    }
    return counts.sorted { $0.value != $1.value ? $0.value > $1.value : $0.key < $1.key }.map(\.key)
  }

  /// Who is fetched now and next, and why: those that run first.
  package func plan(count: Int) async -> [PlannedLine] {
    let order = await carrier.order(count)
    let facts = (try? await rows.facts(of: order.map(\.item))) ?? [:]
    var lines: [PlannedLine] = []
    for shown in await carrier.shown(order) {
      let record = shown.record
      let rank = shown.rank ?? .older
      let guess = rank == .predicted ? unasked.chosen[record.key.item] : nil
      let because = guess.map { "\(rank.words): \($0.words)" } ?? rank.words
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
    let keys = intents.keys.sorted()
    for shown in await carrier.shown(keys) {
      health.items += 1
      switch shown.record.state {
      case .completed: health.whole += 1
      case .failed: health.failed += 1
      case .downloading: break
      default: health.waiting += 1
      }
    }
    func number(_ name: String) -> Int64 { numbers[name] ?? 0 }
    (health.completedEver, health.failedEver) = (number("completed"), number("failed"))
    (health.retriedEver, health.recoveredEver) = (number("retried"), number("recovered"))
    (health.removedEver, health.damagedEver) = (number("removed"), number("damaged"))
    health.lookedAfterAt = numbers[Self.lookedAfterAt]
    let room = await room()
    (health.kept, health.limit, health.free, health.usage) = (room.kept, room.limit, room.free, room.usage)
    (health.volumes, health.move) = (volumeLines(), moving())
    health.check = checking()
    health.why = isGoing ? await carrier.everybodys(.download, loop.now) : [awayWhy]
    return health
  }

  package func room() async -> OfflineRoom {
    var room = OfflineRoom()
    let space = await carrier.space()
    (room.kept, room.limit, room.free) = (space.kept, space.limit, space.free)
    room.usage = await carrier.usage()
    return room
  }
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
    if speed > 0 { left = .seconds((size - bytes) / speed) }
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
