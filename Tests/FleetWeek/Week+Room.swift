import Offline
import Runtime

/// Room on the disk, and who gives way for it.
extension Week {
  /// What stays free under all circumstances, so that rows can be stored.
  static let floor: Int64 = 32 << 20

  /// What is still to come of all that run, this one included.
  private func incoming(_ carriage: ActiveDownload) -> Int64 {
    guard let life else { return 0 }
    var sum: Int64 = 0
    for key in Set(life.transfers.keys).union([carriage.key]) {
      guard let record = life.carriages[key]?.download.record else { continue }
      sum += missing(record)
    }
    return sum
  }

  /// As far as anybody knows.
  func missing(_ record: DownloadRecord) -> Int64 {
    max((record.size ?? shop.size(record.key, shop.ware(record.key).version)) - record.durable, 0)
  }

  private func isStream(_ key: MediaKey) -> Bool { life?.planner.rank(of: key) == .playing }

  func hasRoom(for carriage: ActiveDownload) -> Bool {
    let coming = incoming(carriage)
    let fits = isStream(carriage.key) || disk.kept + coming <= rules.limit
    return fits && disk.free - coming >= Self.floor
  }

  func makeRoom(for carriage: ActiveDownload) -> Bool {
    if !hasRoom(for: carriage) { keep(incoming: incoming(carriage)) }
    guard hasRoom(for: carriage), let size = carriage.download.record.size else { return hasRoom(for: carriage) }
    disk.claim(part(carriage.key), size)
    return true
  }

  func everyHour() {
    keep(incoming: 0)
    reconsider()
    checkAll()
  }

  /// The keeper's plan is carried out.
  private func keep(incoming: Int64) {
    guard let life, life.isReady, isDiskThere else { return }
    var keeper = Keeper()
    (keeper.limit, keeper.reserve) = (rules.limit, TransferPolicy.reserve)
    let asked = ledger.asked
    var kept: [Kept] = []
    var keys: [String: MediaKey] = [:]
    for key in life.carriages.keys.sorted() {
      guard let record = life.carriages[key]?.download.record, record.durable > 0 else { continue }
      keys["\(key)"] = key
      kept.append(self.kept(key, record, isAsked: life.intents.containers(of: key.item).contains { asks($0) }))
    }
    let plan = keeper.plan(for: kept, .init(kept: disk.kept, free: disk.free), incoming: incoming)
    var leaving: Set<ItemKey> = []
    for one in plan.leaving {
      guard let key = keys[one.id] else { continue }
      if asked[key.item] != nil { complain("\(key) is given up, and was asked for: \(one.of.words)") }
      leaving.insert(key.item)
      counts.givenUp += 1
    }
    if !leaving.isEmpty { forget(leaving) }
  }

  private func asks(_ container: ContainerKey) -> Bool { container.kind != .cache && container.kind != .predicted }

  private func kept(_ key: MediaKey, _ record: DownloadRecord, isAsked: Bool) -> Kept {
    let containers = life?.intents.containers(of: key.item) ?? []
    var kind = containers.contains(Self.smart) && !isAsked ? Kept.Kind.predicted : .cached
    if record.state != .completed { kind = .partial }
    var kept = Kept("\(key)", kind, bytes: record.durable)
    kept.isAskedFor = isAsked
    kept.isInUse = life?.transfers[key] != nil
    let plays = history.filter { $0.item == key.item }
    kept.plays = plays.count
    kept.sincePlayed = plays.last.map { .seconds((day - $0.day) * 86_400) }
    // A clock that jumps makes a file as old as it likes.
    kept.sinceChanged = .seconds(date - (record.begunAt ?? date))
    return kept
  }
}
