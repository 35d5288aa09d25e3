import Runtime

/// Reading what grows.
extension DownloadEngine {
  static func streaming(_ key: MediaKey) -> ContainerKey {
    ContainerKey(source: key.source, kind: .cache, id: key.item.item)
  }

  /// Who seeks lets go of a stream and takes it up again; the line is not torn down for that.
  static let lingers: Duration = .seconds(2)

  /// `isKept`: it is wanted offline as well. Otherwise it is cache when it is over.
  package func stream(_ key: MediaKey, isKept: Bool, endsAtGap: Bool = false) -> MediaStream {
    lastStream += 1
    let isNew = carriages[key] == nil
    add(key, for: Self.streaming(key), Planner.Want(.playing, order: 0, since: loop.now), queuedAt: date())
    if let carriage = carriages[key] {
      if isNew { carriage.download.record.isCache = !isKept }
      // What was given up is tried again: somebody listens.
      if !isNew { hear(.again, for: key) }
      carriage.isDropped = false
      carriage.streams.insert(lastStream)
      carriage.fetch?.running.listened(true)
      carriage.heardTo = 0
      listened.insert(key)
      ready(carriage)
    }
    fill()
    press()
    return MediaStream(key, number: lastStream, of: self, endsAtGap: endsAtGap)
  }

  /// One that was let go of already, or whose download was given up meanwhile, is over as well.
  func endStream(_ key: MediaKey, _ number: Int) {
    guard let carriage = carriages[key] else {
      listened.remove(key)
      return planner.drop(key, for: Self.streaming(key))
    }
    carriage.streams.remove(number)
    guard carriage.streams.isEmpty else { return carriage.readers.wake() }
    listened.remove(key)
    carriage.fetch?.running.listened(false)
    // It keeps no place from what is listened to; and what was dropped meanwhile stays so.
    if planner.wants(key, for: Self.streaming(key)), !carriage.isDropped {
      planner.want(key, for: Self.streaming(key), Planner.Want(.start, order: 0, since: loop.now))
    }
    press()
    // Another presses already.
    if isPressed, planner.isRunning(key) { hear(.hold, for: key) }
    leaveWindow(carriage)
    carriage.readers.wake()
    Task(executorPreference: loop) {
      await self.loop.sleep(for: Self.lingers)
      await self.leaveStream(key)
    }
  }

  private func leaveStream(_ key: MediaKey) async {
    guard let carriage = carriages[key], carriage.streams.isEmpty, planner.wants(key, for: Self.streaming(key)) else {
      return
    }
    wasHeard(carriage)
    let isRunning = planner.isRunning(key)
    planner.drop(key, for: Self.streaming(key))
    // What was enough for a listener is not for who keeps it.
    ready(carriage)
    let isWanted = planner.rank(of: key) != nil
    let isKept = StreamKeeping.isKept(
      isWanted: isWanted || carriage.standsIn, cameAtCost: carriage.cameAtCost, free: free)
    if carriage.download.record.isCache, !isKept {
      drop(key)
    } else if isRunning, !isWanted || isHeldByOwner(key) || mustRest(key) {
      // Nobody else wants it, and another may have its place; or what may be listened to may not be fetched to be kept.
      hear(.hold, for: key)
    }
    fill()
    await storeAgain(key)
  }

  /// Somebody might listen, and that is all. What runs has its room already.
  private func mustRest(_ key: MediaKey) -> Bool {
    let purpose = TransferPolicy.Purpose(planner.rank(of: key) ?? .predicted)
    let reasons = everybodys(purpose, isExcepted: planner.isExcepted(key), loop.now)
    return reasons.contains { $0.code != WaitReason.limit.code }
  }

  /// The whole one was opened by whoever plays it.
  func wasOpened(_ key: MediaKey) async {
    guard let carriage = carriages[key] else { return }
    carriage.heardTo = carriage.download.record.size ?? 0
    wasHeard(carriage)
    await storeAgain(key)
  }

  /// What was read less than half of was passed over.
  private func wasHeard(_ carriage: ActiveDownload) {
    carriage.download.record.playedAt = date()
    if let size = carriage.download.record.size, carriage.heardTo * 2 >= size { carriage.download.record.plays += 1 }
  }

  func read(
    _ key: MediaKey, _ number: Int, at offset: Int64, most count: Int, endsAtGap: Bool
  ) async throws(Fault) -> [UInt8] {
    while true {
      guard let carriage = carriages[key], !carriage.isDropped else {
        throw Fault(.missing, "O-411", "what is played is not kept any more")
      }
      guard carriage.streams.contains(number) else { throw Fault(.passing, "O-414", "nobody listens any more") }
      let (seen, record) = (carriage.readers.changes, carriage.download.record)
      let there = carriage.download.arrived
      if offset < there {
        let found = try bytes(carriage, at: offset, most: Int(min(Int64(max(count, 0)), there - offset)))
        // It is about to be written otherwise.
        if !found.isEmpty { return heard(found, upTo: offset, carriage) }
      } else if let size = record.size, offset >= size {
        return []
      }
      switch record.state {
      case .completed: return []
      case .failed,
        .queued where record.waits?.isTrouble == true:
        let trouble = record.trouble ?? .unknown
        throw Fault(.passing, trouble.code, trouble.words)
      case .cancelled: throw Fault(.missing, "O-411", "what is played is not kept any more")
      default:
        if let found = window(carriage, at: offset, most: count) { return heard(found, upTo: offset, carriage) }
        if endsAtGap, let why = everybodys(.stream, loop.now).first {
          throw Fault(.passing, why.code, "no more of it is here, and \(why.words)")
        }
        goOn(carriage, from: offset)
        await withCheckedContinuation { carriage.readers.add($0, since: seen) }
      }
    }
  }

  /// All of it, durable or not.
  func isHere(_ key: MediaKey) -> Bool {
    guard let download = carriages[key]?.download, let size = download.record.size else { return false }
    return download.arrived >= size
  }

  private func heard(_ bytes: [UInt8], upTo offset: Int64, _ carriage: ActiveDownload) -> [UInt8] {
    goOn(carriage, from: offset + Int64(bytes.count))
    return bytes
  }

  /// Where it may not run ahead it goes on when enough was heard; and when hardly anything is there that was not.
  private func goOn(_ carriage: ActiveDownload, from place: Int64) {
    carriage.heardTo = place
    if carriage.ahead.rests {
      ready(carriage)
      fill()
    }
    press()
  }

  /// By its name as it is now: it changes when the file is whole.
  private func bytes(_ carriage: ActiveDownload, at offset: Int64, most count: Int) throws(Fault) -> [UInt8] {
    let record = carriage.download.record
    let name = try MediaFolder.Name(of: carriage.key)
    var path = folder.part(name)
    if record.state == .completed, let whole = record.path { path = FilePath(whole) }
    // It may have its name already, and its row not know.
    let named = folder.whole(name, ending: record.ending ?? "")
    var found = try disk.open(path, making: false)
    if found == nil { found = try disk.open(named, making: false) }
    guard let file = found else {
      throw Fault(.missing, "O-412", "\(path) is not there any more")
    }
    defer { disk.close(file) }
    return try disk.bytes(of: file, at: offset, most: count, code: "O-412", path)
  }
}
