import Runtime

/// Reading what grows.
extension Carrier {
  static func streaming(_ key: MediaKey) -> ContainerKey {
    ContainerKey(source: key.source, kind: .cache, id: key.item.item)
  }

  /// Who seeks lets go of a stream and takes it up again; the line is not torn down for that.
  static let lingers: Duration = .seconds(2)

  /// `isKept`: it is wanted offline as well. Otherwise it is cache when it is over.
  package func stream(_ key: MediaKey, isKept: Bool, endsAtGap: Bool = false) -> MediaStream {
    let isNew = carriages[key] == nil
    add(key, for: Self.streaming(key), Planner.Want(.playing, order: 0, since: loop.now), queuedAt: date())
    if let carriage = carriages[key] {
      if isNew { carriage.download.record.isCache = !isKept }
      // What was given up is tried again: somebody listens.
      if !isNew { hear(.again, for: key) }
      carriage.isDropped = false
      carriage.streams += 1
      carriage.heardTo = 0
      listened.insert(key)
      ready(carriage)
    }
    fill()
    press()
    return MediaStream(key, of: self, endsAtGap: endsAtGap)
  }

  func endStream(_ key: MediaKey) {
    guard let carriage = carriages[key], carriage.streams > 0 else { return }
    carriage.streams -= 1
    guard carriage.streams == 0 else { return }
    listened.remove(key)
    press()
    leaveWindow(carriage)
    carriage.wakeReaders()
    Task(executorPreference: loop) {
      await self.loop.sleep(for: Self.lingers)
      await self.leaveStream(key)
    }
  }

  private func leaveStream(_ key: MediaKey) async {
    guard let carriage = carriages[key], carriage.streams == 0, planner.wants(key, for: Self.streaming(key)) else {
      return
    }
    wasHeard(carriage)
    let isRunning = planner.isRunning(key)
    planner.drop(key, for: Self.streaming(key))
    let isWanted = planner.rank(of: key) != nil
    if !StreamKeeping.isKept(isWanted: isWanted || carriage.standsIn, free: free), carriage.download.record.isCache {
      drop(key)
    } else if isRunning, !isWanted || isHeldByOwner(key) {
      // Nobody else wants it: another may have its place.
      hear(.hold, for: key)
    }
    fill()
    await storeAgain(key)
  }

  /// The whole one was opened by whoever plays it.
  func wasOpened(_ key: MediaKey) async {
    guard let carriage = carriages[key] else { return }
    carriage.heardTo = carriage.download.record.size ?? 0
    wasHeard(carriage)
    await storeAgain(key)
  }

  /// What was read less than half of was passed over.
  private func wasHeard(_ carriage: Carriage) {
    carriage.download.record.playedAt = date()
    if let size = carriage.download.record.size, carriage.heardTo * 2 >= size { carriage.download.record.plays += 1 }
  }

  func read(_ key: MediaKey, at offset: Int64, most count: Int, endsAtGap: Bool) async throws(Fault) -> [UInt8] {
    while true {
      guard let carriage = carriages[key], !carriage.isDropped else {
        throw Fault(.missing, "O-411", "what is played is not kept any more")
      }
      guard carriage.streams > 0 else { throw Fault(.passing, "O-414", "nobody listens any more") }
      let record = carriage.download.record
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
      case .failed:
        let trouble = record.trouble ?? .unknown
        throw Fault(.passing, trouble.code, trouble.words)
      case .cancelled: throw Fault(.missing, "O-411", "what is played is not kept any more")
      default:
        if let found = window(carriage, at: offset, most: count) { return heard(found, upTo: offset, carriage) }
        if endsAtGap, let why = everybodys(.stream, loop.now).first {
          throw Fault(.passing, why.code, "no more of it is here, and \(why.words)")
        }
        goOn(carriage, from: offset)
        await withCheckedContinuation { carriage.readers.append($0) }
      }
    }
  }

  private func heard(_ bytes: [UInt8], upTo offset: Int64, _ carriage: Carriage) -> [UInt8] {
    goOn(carriage, from: offset + Int64(bytes.count))
    return bytes
  }

  /// Where it may not run ahead it goes on when enough was heard; and when hardly anything is there that was not.
  private func goOn(_ carriage: Carriage, from place: Int64) {
    carriage.heardTo = place
    if carriage.ahead.rests {
      ready(carriage)
      fill()
    }
    press()
  }

  /// By its name as it is now: it changes when the file is whole.
  private func bytes(_ carriage: Carriage, at offset: Int64, most count: Int) throws(Fault) -> [UInt8] {
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
