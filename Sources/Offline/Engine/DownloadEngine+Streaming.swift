import Runtime

/// Reading what grows.
extension DownloadEngine {
  /// A stream that seeks ends and begins again within a moment, so its connection stays open for so long.
  static let lingers: Duration = .seconds(2)

  /// `isKept`: it is wanted offline as well. Otherwise it is cache when it is over.
  package func stream(_ key: MediaKey, isKept: Bool, endsAtGap: Bool = false) -> MediaStream {
    let isNew = queue.add(key, for: OpenStreams.streaming(key), .playing, order: 0, queuedAt: tools.date())
    var number = 0
    if let active = downloads[key] {
      if isNew { active.download.record.isCache = !isKept }
      // What was given up is tried again: somebody listens.
      if !isNew { downloads.hear(.again, for: key) }
      number = openStreams.begins(active)
      ready(active)
    }
    fill()
    holdOthersIfLow()
    return MediaStream(key, number: number, of: self, endsAtGap: endsAtGap)
  }

  /// One that was let go of already, or whose download was given up meanwhile, is over as well.
  func endStream(_ key: MediaKey, _ number: Int) {
    guard let active = downloads[key] else { return openStreams.ends(key) }
    guard openStreams.ends(active, number) else { return active.listeners.readers.wake() }
    holdOthersIfLow()
    // Another presses already.
    if openStreams.isBufferLow, queue.planner.isRunning(key) { downloads.hear(.hold, for: key) }
    openStreams.windows.leave(active)
    active.listeners.readers.wake()
    Task(executorPreference: tools.loop) {
      await self.tools.loop.sleep(for: Self.lingers)
      await self.leaveStream(key)
    }
  }

  private func leaveStream(_ key: MediaKey) async {
    guard let active = downloads[key], active.listeners.streams.isEmpty, openStreams.isWanted(key) else {
      return
    }
    wasHeard(active)
    let isRunning = queue.planner.isRunning(key)
    queue.planner.drop(key, for: OpenStreams.streaming(key))
    // What was enough for a listener is not for who keeps it.
    ready(active)
    let isWanted = queue.rank(of: key) != nil
    let isKept = StreamKeeping.isKept(
      isWanted: isWanted || active.standsIn, cameAtCost: active.listeners.cameAtCost, free: files.free)
    if active.download.record.isCache, !isKept {
      queue.drop(key)
    } else if isRunning, !isWanted || queue.isHeldByOwner(key) || explainer.mustRest(key) {
      // Nobody else wants it, and another may have its place; or what may be listened to may not be fetched to be kept.
      downloads.hear(.hold, for: key)
    }
    fill()
    await downloads.storeAgain(key)
  }

  /// The whole one was opened by whoever plays it.
  func wasOpened(_ key: MediaKey) async {
    guard let active = downloads[key] else { return }
    active.listeners.heardTo = active.download.record.size ?? 0
    wasHeard(active)
    await downloads.storeAgain(key)
  }

  /// What was read less than half of was passed over.
  private func wasHeard(_ active: ActiveDownload) {
    active.download.record.playedAt = tools.date()
    if let size = active.download.record.size, active.listeners.heardTo * 2 >= size {
      active.download.record.plays += 1
    }
  }

  func read(
    _ key: MediaKey, _ number: Int, at offset: Int64, most count: Int, endsAtGap: Bool
  ) async throws(Fault) -> [UInt8] {
    while true {
      guard let active = downloads[key], !active.isDropped else {
        throw Fault(.missing, "O-411", "what is played is not kept any more")
      }
      guard active.listeners.streams.contains(number) else { throw Fault(.passing, "O-414", "nobody listens any more") }
      let (seen, record) = (active.listeners.readers.changes, active.download.record)
      let there = active.download.arrived
      if offset < there {
        let found = try files.bytes(active, at: offset, most: Int(min(Int64(max(count, 0)), there - offset)))
        // It is about to be written otherwise.
        if !found.isEmpty { return heard(found, upTo: offset, active) }
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
        if let found = openStreams.windows.read(active, at: offset, most: count) {
          return heard(found, upTo: offset, active)
        }
        if endsAtGap, let why = explainer.everybodys(.stream, tools.loop.now).first {
          throw Fault(.passing, why.code, "no more of it is here, and \(why.words)")
        }
        goOn(active, from: offset)
        await withCheckedContinuation { active.listeners.readers.add($0, since: seen) }
      }
    }
  }

  /// All of it, durable or not.
  func isHere(_ key: MediaKey) -> Bool { downloads.isHere(key) }

  private func heard(_ bytes: [UInt8], upTo offset: Int64, _ active: ActiveDownload) -> [UInt8] {
    goOn(active, from: offset + Int64(bytes.count))
    return bytes
  }

  /// Notes how far the listener has read, and resumes a download that rested because it was far enough ahead.
  private func goOn(_ active: ActiveDownload, from place: Int64) {
    active.listeners.heardTo = place
    if active.listeners.ahead.rests {
      ready(active)
      fill()
    }
    holdOthersIfLow()
  }

  /// Others go on when what is listened to does not need the line for itself any more.
  func holdOthersIfLow() { if openStreams.holdOthersIfLow() { fill() } }

  // MARK: What comes next

  var isBufferLow: Bool { openStreams.isBufferLow }
  var prepared: [MediaKey] { openStreams.prepared }
  var mayFetchPictures: Bool { explainer.mayFetchPictures }

  /// The beginnings of what comes next, in this order, shall be here when their turn comes. Of what was to come before,
  /// and does not any more, nothing more is fetched.
  package func prepare(_ keys: [MediaKey]) {
    for key in openStreams.prepare(keys) {
      let isRunning = queue.planner.isRunning(key)
      queue.planner.drop(key, for: OpenStreams.comingNext(key))
      if isRunning, queue.rank(of: key) == nil { downloads.hear(.hold, for: key) }
    }
    for (order, key) in keys.enumerated() {
      let isNew = queue.add(
        key, for: OpenStreams.comingNext(key), .start, order: Int64(order), queuedAt: tools.date())
      guard let active = downloads[key] else { continue }
      if isNew { active.download.record.isCache = true }
      // What is just being cancelled comes back behind that.
      if active.isDropped || active.download.state == .cancelled { downloads.hear(.again, for: key) }
      active.isDropped = false
      ready(active)
    }
    fill()
  }
}
