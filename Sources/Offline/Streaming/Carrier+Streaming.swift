import Runtime

/// Reading what grows.
extension Carrier {
  static func streaming(_ key: MediaKey) -> ContainerKey {
    ContainerKey(source: key.source, kind: .cache, id: key.item.item)
  }

  /// `isKept`: it is wanted offline as well. Otherwise it is cache when it is over.
  package func stream(_ key: MediaKey, isKept: Bool) -> MediaStream {
    let isNew = carriages[key] == nil
    add(key, for: Self.streaming(key), Planner.Want(.playing, order: 0, since: loop.now), queuedAt: date())
    if let carriage = carriages[key] {
      if isNew { carriage.download.record.isCache = !isKept }
      // What was given up is tried again: somebody listens.
      if !isNew { hear(.again, for: key) }
      carriage.isDropped = false
      carriage.streams += 1
      ready(carriage)
    }
    fill()
    return MediaStream(key, of: self)
  }

  func endStream(_ key: MediaKey) {
    guard let carriage = carriages[key], carriage.streams > 0 else { return }
    carriage.streams -= 1
    guard carriage.streams == 0 else { return }
    carriage.download.record.playedAt = date()
    carriage.download.record.plays += 1
    if carriage.download.state == .completed {
      Task(executorPreference: loop) { await self.storeAgain(key) }
    }
    let isRunning = planner.isRunning(key)
    planner.drop(key, for: Self.streaming(key))
    // Nobody else wants it: another may have its place.
    if planner.rank(of: key) == nil, isRunning { hear(.hold, for: key) }
    fill()
  }

  func read(_ key: MediaKey, at offset: Int64, most count: Int) async throws(Fault) -> [UInt8] {
    while true {
      guard let carriage = carriages[key], !carriage.isDropped else {
        throw Fault(.missing, "O-411", "what is played is not kept any more")
      }
      let record = carriage.download.record
      let there = carriage.download.arrived
      if offset < there { return try bytes(carriage, at: offset, most: Int(min(Int64(max(count, 0)), there - offset))) }
      switch record.state {
      case .completed: return []
      case .failed:
        let trouble = record.trouble ?? .unknown
        throw Fault(.passing, trouble.code, trouble.words)
      case .cancelled: throw Fault(.missing, "O-411", "what is played is not kept any more")
      default: await withCheckedContinuation { carriage.readers.append($0) }
      }
    }
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

extension OfflinePart {
  /// To be played at once, whether it is wanted offline or not; the whole one that is here in another quality serves as
  /// well.
  package func stream(_ item: ItemKey, at quality: Quality) async throws(Fault) -> MediaStream {
    guard sources[item.source] != nil else {
      throw Fault(.missing, "O-401", "there is no source named \(shownPlain(item.source))")
    }
    for here in Quality.allCases.reversed() {
      guard await carrier.record(item.at(here))?.state == .completed else { continue }
      return await carrier.stream(item.at(here), isKept: intents.key(of: item) == item.at(here))
    }
    let key = intents.key(of: item) ?? item.at(quality)
    return await carrier.stream(key, isKept: intents.key(of: item) != nil)
  }
}
