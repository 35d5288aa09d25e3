import Ciphers
import Files
import Runtime

/// Everything goes to another disk, and back.
extension OfflinePart {
  /// When it returns, a power cut does not forget it. To where all is already: what was begun is called off.
  package func move(to name: String) async throws(Fault) -> MoveLine {
    await enter()
    defer { leave() }
    guard isGoing, let home, isHomeThere else {
      throw Fault(.missing, "O-422", "the disk that all is kept on is not there")
    }
    guard let volume = volumes.first(where: { $0.name == name }) else {
      let all = volumes.map(\.name).joined(separator: ", ")
      throw Fault(.missing, "O-423", "there is no disk \(shownPlain(name)); there is \(all)")
    }
    if name == stored.target, let line = moving() { return line }
    var after = stored
    after.target = name == home.name ? nil : name
    var plan = Move(to: name)
    plan.look(at: await carrier.files())
    if name != home.name {
      try await check(plan, volume)
      try await ready(volume)
      after.marks = stored.marks
    }
    if after != stored { try await rows.store(after) }
    Steps.reach("move.begun")
    // What was carried to another one is of no use.
    if let old = stored.target { uncleared.insert(old) }
    stored = after
    uncleared.remove(name)
    (move, moveWhy) = (after.target == nil ? nil : plan, [])
    if after.target != nil { told(.moving(from: home.name, to: name)) }
    carryOn()
    clearOthers()
    return moving() ?? MoveLine(from: home.name, to: name)
  }

  private func check(_ plan: Move, _ volume: MediaVolume) async throws(Fault) {
    var needed = plan.missing
    for part in await carrier.parts() { needed = needed.plus(DiskSpace.taken(by: part.durable)) }
    let free = try disk.space(at: volume.path).free
    let reserve = await carrier.reserve
    guard needed > free - reserve else { return }
    let (all, there, stays) = (DiskSpace.shown(needed), DiskSpace.shown(free), DiskSpace.shown(reserve))
    throw Fault(.full, "O-427", "\(all) are to be moved; \(volume.name) has \(there) left, of which \(stays) stay free")
  }

  /// Nil when nothing is being moved.
  package func moving() -> MoveLine? {
    guard let move, let name = stored.target else { return nil }
    var line = MoveLine(from: stored.home, to: name)
    (line.there, line.files) = (move.filesThere, move.files)
    (line.bytes, line.size) = (move.bytesThere, move.bytes)
    line.speed = isCarrying ? moveSpeed.perSecond(at: loop.now) : 0
    if let target, isThere(target) { line.free = try? disk.space(at: target.path).free }
    line.why = moveWhy
    return line
  }

  // MARK: Carrying

  func carryOn() {
    guard isGoing, move != nil, !isCarrying else { return }
    isCarrying = true
    Task(executorPreference: loop) { await self.carry() }
  }

  private func carry() async {
    var why: [Why] = []
    do throws(Fault) {
      while try await carryNext() { await loop.nextRound() }
    } catch {
      why = [Why(code: error.code, words: error.message)]
      Log("offline").info("a move does not go on", ["reason": error.message])
    }
    isCarrying = false
    guard why != moveWhy else { return }
    moveWhy = why
    if !why.isEmpty { told(.moveWaits(why)) }
  }

  /// False: there is nothing to be carried any more.
  private func carryNext() async throws(Fault) -> Bool {
    guard let name = stored.target else { return false }
    guard let target else { throw Self.noDisk(name) }
    guard isThere(target) else { throw VolumeMark.away(target.path) }
    guard isHomeThere else { throw VolumeMark.away(folder.path) }
    if let file = move?.next() {
      try await carry(file, to: target)
      return true
    }
    if try await isMissingSome(on: target) { return true }
    return try await settle(on: target)
  }

  private func isMissingSome(on target: MediaVolume) async throws(Fault) -> Bool {
    let files = await carrier.files()
    guard stored.target == target.name else { return true }
    move?.look(at: files)
    return move.map { $0.filesThere < $0.files } ?? true
  }

  private func carry(_ file: Move.File, to target: MediaVolume) async throws(Fault) {
    let name = try MediaFolder.Name(of: file.key)
    let part = target.folder.part(name)
    let written = try await pour(file.path, upTo: file.size, into: part, for: target)
    guard stored.target == target.name else { return }
    guard let written, file.hash == nil || file.hash == written else {
      // Not as it was: fetched anew, unless it has gone in the meantime.
      disk.remove(part)
      return await carrier.hear(.lost, for: file.key)
    }
    guard try await sum(of: part) == written else {
      throw Fault(.damaged, "O-428", "\(target.name) does not keep what is written to it")
    }
    guard stored.target == target.name else { return }
    try PartFile(part, on: disk).publish(as: target.folder.whole(name, ending: file.path.ending))
    let copy = Move.Copy(size: file.size, hash: written)
    try await rows.store(copy, of: file.name)
    Steps.reach("move.carried")
    if stored.target == target.name { move?.carried(file, as: copy) }
  }

  // MARK: The last step

  /// What grows stands still for as long as it takes to carry it over; then one row says where everything is.
  private func settle(on target: MediaVolume) async throws(Fault) -> Bool {
    guard await carrier.standStill() else { return await loop.sleep(for: Self.asksStreamsAgain) }
    while await !carrier.isQuiet {
      guard await loop.sleep(for: .milliseconds(20)) else { return false }
    }
    await enter()
    let outcome: Result<Bool, Fault>
    do throws(Fault) { outcome = .success(try await takeOver(on: target)) } catch { outcome = .failure(error) }
    leave()
    await carrier.goOn()
    return try outcome.get()
  }

  private static let asksStreamsAgain: Duration = .seconds(5)

  private func takeOver(on target: MediaVolume) async throws(Fault) -> Bool {
    // Something came, went or was called off.
    if try await isMissingSome(on: target) { return true }
    for part in await carrier.parts() {
      let name = try MediaFolder.Name(of: part.key)
      let path = target.folder.part(name)
      var sum: String?
      if part.durable > 0 {
        sum = try await pour(folder.part(name), upTo: part.durable, into: path, for: target)
      }
      if sum == nil { disk.remove(path) }
    }
    guard stored.target == target.name else { return true }
    let old = stored.home
    var after = stored
    (after.home, after.target) = (target.name, nil)
    try await rows.store(after)
    Steps.reach("move.settled")
    (stored, move, folder) = (after, nil, target.folder)
    await carrier.settle(in: folder, mark(of: target))
    await moved(target.path)
    uncleared.insert(old)
    told(.moved(to: target.name))
    clearOthers()
    return false
  }

  // MARK: Bytes

  private static let slice: Int64 = 1 << 19
  /// The disk writes no more than this at once, and what comes over the line waits no longer for it.
  private static let syncEvery: Int64 = 1 << 22

  /// Durably; gives the sum of what was read. Nil: less is there than there should be.
  private func pour(
    _ from: FilePath, upTo length: Int64, into path: FilePath, for target: MediaVolume
  ) async throws(Fault) -> String? {
    guard let source = try disk.open(from, making: false) else { return nil }
    let outcome: Result<String?, Fault>
    do throws(Fault) {
      outcome = .success(try await pour(source, from, upTo: length, into: path, for: target))
    } catch { outcome = .failure(error) }
    disk.close(source)
    return try outcome.get()
  }

  private func pour(
    _ source: Int32, _ from: FilePath, upTo length: Int64, into path: FilePath, for target: MediaVolume
  ) async throws(Fault) -> String? {
    let part = try PartFile(path, on: disk)
    try part.cutBack(to: 0)
    try part.makeRoom(for: length, keeping: await carrier.reserve)
    var (at, synced): (Int64, Int64) = (0, 0)
    while at < length, stored.target == target.name {
      let most = Int(min(Self.slice, length - at))
      let bytes = try disk.bytes(of: source, at: at, most: most, code: "O-429", from)
      if bytes.isEmpty { return nil }
      let written = bytes.withUnsafeBytes { raw -> Result<Void, Fault> in
        Result { () throws(Fault) in try part.write(raw, at: at) }
      }
      try written.get()
      Steps.reach("move.wrote")
      disk.drop(source, at..<at + Int64(bytes.count))
      at += Int64(bytes.count)
      moveSpeed.took(bytes.count, at: loop.now)
      if at - synced >= Self.syncEvery {
        try part.sync()
        synced = at
      }
      await loop.nextRound()
    }
    try part.sync()
    guard case .whole(let sum) = try part.sum() else { return nil }
    return sum
  }

  /// As the disk has it, and not the memory.
  private func sum(of path: FilePath) async throws(Fault) -> String {
    guard let file = try disk.open(path, making: false) else {
      throw Fault(.damaged, "O-428", "\(path) went away while it was written")
    }
    let outcome: Result<String, Fault>
    do throws(Fault) { outcome = .success(try await sum(file, path)) } catch { outcome = .failure(error) }
    disk.close(file)
    return try outcome.get()
  }

  private func sum(_ file: Int32, _ path: FilePath) async throws(Fault) -> String {
    let length = try disk.length(of: file, path)
    disk.drop(file, 0..<length)
    var sum = try SHA256()
    var at: Int64 = 0
    while true {
      let bytes = try disk.bytes(of: file, at: at, most: Int(Self.slice), code: "O-429", path)
      guard !bytes.isEmpty else { return try sum.value().description }
      sum.add(bytes)
      at += Int64(bytes.count)
      await loop.nextRound()
    }
  }
}
