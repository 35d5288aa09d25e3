import Offline
import Runtime

/// What has to hold whatever happens, said without the rules that are looked at: from what was asked for, what lies on
/// the disk, and what the mission allows.
extension Week {
  // MARK: A download

  func checkStored(_ record: DownloadRecord, after before: DownloadRecord) {
    let key = record.key
    if !DownloadRecord.isWay(from: before.state, to: record.state) {
      complain("\(key) goes from \(before.state.name) to \(record.state.name)")
    }
    guard isDiskThere, record.state != .completed else { return }
    let synced = disk.synced(part(key))
    if record.durable > synced.length { complain("\(key): \(record.durable) are stored and \(synced.length) durable") }
    if !synced.isCertain(upTo: min(record.durable, synced.length)) { complain("\(key) believes what nobody wrote") }
  }

  /// Whatever is done was stored before.
  func checkActed(_ action: Download.Action, _ carriage: ActiveDownload, _ actions: [Download.Action]) {
    if case .tell = action { return }
    let stores = actions.contains { if case .store = $0 { true } else { false } }
    if stores, carriage.stored != carriage.download.record { complain("\(action) comes before it is stored") }
  }

  /// What is nobody's fault uses nothing up; and nothing is tried for ever.
  func checkHeard(_ event: Download.Event, _ before: DownloadRecord, _ after: DownloadRecord) {
    if after.retry.attempts >= Retry.limit, after.state == .retrying {
      complain("\(after.key) is tried a \(after.retry.attempts + 1)th time without progress")
    }
    if after.state == .failed, before.state != .failed, let trouble = after.trouble, passes(trouble) {
      complain("\(after.key) was given up for \(trouble.name), which passes")
    }
    guard case .failed(_, let trouble) = event, [.portal, .noSpace, .clockWrong].contains(trouble) else { return }
    if after.retry.attempts > before.retry.attempts { complain("\(after.key): \(trouble.name) has used up an attempt") }
    if after.state == .failed, before.state != .failed { complain("\(after.key) was given up for \(trouble.name)") }
  }

  /// Nothing is wrong with the item itself; said anew, because that is what is looked at.
  private func passes(_ trouble: Trouble) -> Bool {
    switch trouble {
    case .network, .stalled, .disk, .noSpace, .overLimit, .diskGone, .portal, .page, .source, .clockWrong, .signIn: true
    case .tls(.expired), .tls(.other), .redirect: true
    case .httpStatus(let status): status >= 500 || status == 408 || status == 429
    default: false
    }
  }

  /// Nothing goes round in circles: what has to wait is not let go on only to wait again.
  func checkWaits(_ carriage: ActiveDownload, _ reason: WaitReason) {
    let hour = now.nanoseconds / 3_600_000_000_000
    carriage.waits = (hour, carriage.waits.hour == hour ? carriage.waits.count + 1 : 1)
    counts.mostWaits = max(counts.mostWaits, carriage.waits.count)
    if carriage.waits.count > 100 { complain("\(carriage.key) waits a hundred times in an hour, now for \(reason)") }
  }

  /// The worst that could happen: half of one and half of another under a name.
  func checkPublished(_ key: MediaKey, _ content: Content, _ record: DownloadRecord) {
    guard let version = content.version, version <= shop.ware(key).version else {
      return complain("\(key) gets a name, and is of no one version: \(content.runs)")
    }
    if content.length != shop.size(key, version) { complain("\(key) gets a name, and is \(content.length) long") }
    if shop.ware(key).tellsHash, record.hash != shop.hash(key, version) { complain("\(key) is not what was promised") }
  }

  // MARK: The power is gone

  /// A megabyte is sent again at most, and what was on its way.
  func checkLost(_ life: Life) {
    for (key, transfer) in life.transfers where transfer.hasHead {
      guard let record = rows[key], let length = disk.content(part(key))?.length else { continue }
      let lost = length - record.durable
      counts.again += max(lost, 0)
      if lost > Download.syncEvery + Int64(2 * Self.piece) { complain("\(lost) of \(key) are lost with the power") }
    }
  }

  /// No file without a row.
  func checkReconciled(_ found: [Reconciler.Found]) {
    if found.count != rows.count { complain("of \(rows.count) rows \(found.count) were looked for") }
    var known: Set<FilePath> = []
    for key in rows.keys { known.formUnion([part(key), whole(key)]) }
    for path in disk.paths where !known.contains(path) {
      complain("\(String(decoding: path.bytes, as: UTF8.self)) is nobody's")
    }
    if disk.setAside > 0 { complain("\(disk.setAside) bytes are kept for what does not run") }
  }

  // MARK: After every step

  func checkStep() {
    guard let life else { return }
    if life.transfers.count > rules.atOnce { complain("\(life.transfers.count) run, and \(rules.atOnce) are allowed") }
    var items: Set<ItemKey> = []
    for key in life.transfers.keys {
      if !items.insert(key.item).inserted { complain("\(key.item) is fetched twice at once") }
      let rank = life.planner.rank(of: key) ?? .predicted
      if let why = forbidden(rank, key, life) { complain("\(key) is fetched as \(rank) \(why)") }
    }
  }

  /// By the mission: O8, O9 and O12. Levels waver; what is demanded here is the least.
  private func forbidden(_ rank: Rank, _ key: MediaKey, _ life: Life) -> String? {
    let situation = life.policy.situation
    let isFree = isExcepted.contains(key)
    if situation.network == .none { return "without a network" }
    if situation.internet == .portal || situation.internet == .none { return "without internet" }
    guard let free = situation.free else { return "without a disk" }
    if free < 500_000_000 { return "on a full disk" }
    if let heat = situation.heat, heat >= 80 { return "at \(heat) degrees" }
    if situation.isMetered, rank == .predicted || !isFree && !paysFor(rank) { return "where bytes cost" }
    if rank == .playing { return nil }
    if let level = situation.battery, level < 10, !situation.hasCharger { return "at \(level) per cent" }
    if situation.kept >= rules.limit { return "over the limit" }
    if let hours = rules.hours, !isFree {
      guard let minute = situation.minute else { return "without a clock" }
      if !(minute >= hours.from || minute < hours.to) { return "at minute \(minute)" }
    }
    guard rank == .predicted else { return nil }
    if !rules.isPredicting { return "though nobody wants smart downloads" }
    if let level = situation.battery, level <= 30 || !situation.hasCharger { return "from the battery" }
    return nil
  }

  private func paysFor(_ rank: Rank) -> Bool { rank == .playing ? rules.streamsOnMetered : rules.downloadsOnMetered }

  // MARK: Every hour, and at the end

  func checkAll() {
    guard let life, life.isReady, complaints.isEmpty else { return }
    let wanted = ledger.all
    let keys = life.intents.keys
    if keys.count > life.intents.quota { complain("\(keys.count) are wanted, and \(life.intents.quota) allowed") }
    for key in keys where wanted[key.item] != key.quality {
      complain("\(key) is fetched, and wanted at \(wanted[key.item]?.words ?? "no quality")")
    }
    if keys.count < min(wanted.count, life.intents.quota) {
      complain("\(wanted.count) are wanted, and \(keys.count) fetched")
    }
    checkSizes(keys, wanted)
    for (key, record) in rows where record.state == .completed && isDiskThere {
      guard let content = disk.content(whole(key)) else { return complain("\(key) is completed, and not there") }
      checkPublished(key, content, record)
    }
  }

  private func checkSizes(_ keys: Set<MediaKey>, _ wanted: [ItemKey: Quality]) {
    let (asked, cached) = (ledger.asked, Set(ledger.wishes[Self.cache]?.items ?? []))
    var (smart, count): (Int64, Int) = (0, 0)
    for item in ledger.wishes[Self.smart]?.items ?? [] where asked[item] == nil && !cached.contains(item) {
      let key = item.at(.high)
      smart += disk.content(whole(key))?.length ?? disk.content(part(key))?.length ?? 0
      count += 1
    }
    // A version that grew meanwhile is no smart download's fault.
    if smart > Self.budget + 50_000 { complain("\(smart) bytes are smart downloads") }
    if count > Prediction.mostInARound { complain("\(count) are smart downloads") }
  }

  func checkEnd() {
    checkAll()
    guard let life, life.isReady, isDiskThere else { return complain("it does not run at the end") }
    for key in life.intents.keys.sorted() {
      guard let record = life.carriages[key]?.download.record else {
        return complain("\(key) is wanted, and has no row")
      }
      counts.here += record.state == .completed ? 1 : 0
      if let why = unfinished(key, record, life) { return complain("\(key) at the end: \(why)") }
    }
    var known: Set<FilePath> = []
    for (key, record) in rows where record.state != .cancelled { known.formUnion([part(key), whole(key)]) }
    for path in disk.paths where !known.contains(path) { complain("\(path) is left over") }
  }

  /// Nil when it is whole, or waits for a reason that has a name and is true.
  private func unfinished(_ key: MediaKey, _ record: DownloadRecord, _ life: Life) -> String? {
    let flaw = shop.ware(key).flaw
    switch record.state {
    case .completed, .paused: return nil
    case .failed:
      let isTrue = [.notThere: .gone, .denied: .denied, .wrongHash: .lying][record.trouble ?? .unknown] == flaw
      if record.trouble == .wrongHash, garbled.contains(key) { return nil }
      return isTrue ? nil : "given up for \(record.trouble?.name ?? "nothing")"
    case .queued:
      if record.waits == .untrusted, flaw == .untrusted { return nil }
      if record.waits == .server, flaw == .page { return nil }
      let isOver = disk.kept + missing(record) > rules.limit
      if record.waits == .space, isOver { return nil }
      let rank = life.planner.rank(of: key) ?? .predicted
      let purpose = TransferPolicy.Purpose(rank)
      let verdict = life.policy.verdict(purpose, isExcepted: isExcepted.contains(key), at: life.moment(now))
      if case .waits(let reasons) = verdict, let why = reasons.first, isReason(why, isOver) { return nil }
      return "queued, waits for \(record.waits?.rawValue ?? "\(verdict)")"
    default: return "\(record.state.name), \(record.trouble?.name ?? "no trouble")"
    }
  }

  /// With everything there that anybody could wish for.
  private func isReason(_ reason: WaitReason, _ isOver: Bool) -> Bool {
    reason == .limit ? isOver : reason == .hours && rules.hours != nil
  }
}
