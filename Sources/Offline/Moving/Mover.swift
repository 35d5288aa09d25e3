import Ciphers
import Files
import Runtime

/// Carries everything to another disk, and back; and clears what was left on others (`Leftovers`). Owns how far a move is;
/// where all is and goes to is `Disks`'. Lives on the loop `offline`, inside `OfflinePart`.
///
/// Each file is read back from the new disk before a row says that it is there. All is on the old disk until one row says
/// otherwise, so a power cut costs the file that was being carried, and a start goes on with the next.
final class Mover {
  private let tools: OfflineTools
  private let run: RunState
  private let disks: Disks
  private let turn: ChangeTurn
  /// All is kept in that folder from now on.
  private let moved: @Sendable (FilePath) async -> Void
  let leftovers: Leftovers
  private var move: Move?
  private var speed = Speed()
  /// Why it does not go on.
  private var why: [Why] = []
  private var isCarrying = false

  init(
    _ tools: OfflineTools, _ run: RunState, _ disks: Disks, _ turn: ChangeTurn,
    moved: @escaping @Sendable (FilePath) async -> Void
  ) {
    (self.tools, self.run, self.disks, self.turn, self.moved) = (tools, run, disks, turn, moved)
    leftovers = Leftovers(tools, disks)
  }

  /// What was read at the start: a move that the power has interrupted goes on.
  func takeUp(_ copied: [String: Move.Copy]) {
    let known = disks.stored
    if let target = known.target { move = Move(to: target, having: copied) }
    leftovers.mayBe(on: known)
  }

  /// When it returns, a power cut does not forget it. To where all is already: what was begun is called off. Called in its
  /// caller's turn.
  func move(to name: String, isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> MoveLine {
    guard run.isGoing, let home = disks.home, disks.isHomeThere else {
      throw Fault(.missing, "O-422", "the disk that all is kept on is not there")
    }
    guard let volume = disks.volumes.first(where: { $0.name == name }) else { throw disks.unknown(name) }
    let old = disks.stored.target
    if name == old, let line { return line }
    var plan = Move(to: name)
    plan.recount(await tools.engine.wholeFiles())
    if name != home.name {
      try await check(plan, volume)
      try await disks.ready(volume)
    }
    try await disks.store(target: name == home.name ? nil : name)
    // What was carried to another one is of no use.
    if let old { leftovers.add(old) }
    leftovers.remove(name)
    (move, why) = (name == home.name ? nil : plan, [])
    if name != home.name { tools.told(.moving(from: home.name, to: name)) }
    carryOn()
    if run.isGoing { leftovers.clear() }
    return line ?? MoveLine(from: home.name, to: name)
  }

  private func check(
    _ plan: Move, _ volume: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    var needed = plan.missing
    for part in await tools.engine.parts() { needed = needed.plus(DiskSpace.taken(by: part.durable)) }
    let free = try tools.disk.space(at: volume.path).free
    let reserve = await tools.engine.reserve
    guard needed > free - reserve else { return }
    let (all, there, stays) = (DiskSpace.shown(needed), DiskSpace.shown(free), DiskSpace.shown(reserve))
    throw Fault(.full, "O-427", "\(all) are to be moved; \(volume.name) has \(there) left, of which \(stays) stay free")
  }

  /// Nil when nothing is being moved.
  var line: MoveLine? {
    guard let move, let name = disks.stored.target else { return nil }
    var line = MoveLine(from: disks.stored.home, to: name)
    (line.there, line.files) = (move.filesThere, move.files)
    (line.bytes, line.size) = (move.bytesThere, move.bytes)
    line.speed = isCarrying ? speed.perSecond(at: tools.loop.now) : 0
    if let target = disks.target, disks.isThere(target) { line.free = disks.space(of: target)?.free }
    line.why = why
    return line
  }

  // MARK: Carrying

  func carryOn() {
    guard run.isGoing, move != nil, !isCarrying else { return }
    isCarrying = true
    tools.tasks.start { part in await part.mover.carry() }
  }

  private func carry(isolation: isolated (any Actor)? = #isolation) async {
    var found: [Why] = []
    do throws(Fault) {
      while try await carryNext() { await tools.loop.nextRound() }
    } catch {
      found = [Why(code: error.code, words: error.message)]
      Log("offline").info("a move does not go on", ["reason": error.message])
    }
    isCarrying = false
    guard found != why else { return }
    why = found
    if !why.isEmpty { tools.told(.moveWaits(why)) }
  }

  /// False: there is nothing to be carried any more.
  private func carryNext(isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> Bool {
    guard let name = disks.stored.target else { return false }
    guard let target = disks.target else { throw Disks.noDisk(name) }
    guard disks.isThere(target) else { throw VolumeMark.away(target.path) }
    guard disks.isHomeThere else { throw VolumeMark.away(disks.folder.path) }
    if let file = move?.next() {
      try await carry(file, to: target)
      return true
    }
    if try await isMissingSome(on: target) { return true }
    return try await settle(on: target)
  }

  private func isMissingSome(
    on target: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Bool {
    let files = await tools.engine.wholeFiles()
    guard disks.stored.target == target.name else { return true }
    move?.recount(files)
    return move.map { $0.filesThere < $0.files } ?? true
  }

  private func carry(
    _ file: Move.File, to target: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) {
    let name = try MediaFolder.Name(of: file.key)
    let part = target.folder.part(name)
    let written = try await pour(file.path, upTo: file.size, into: part, for: target)
    guard disks.stored.target == target.name else { return }
    guard let written, file.hash == nil || file.hash == written else {
      // Not as it was: fetched anew, unless it has gone in the meantime.
      tools.disk.remove(part)
      return await tools.engine.hear(.lost, for: file.key)
    }
    guard try await sum(of: part) == written else {
      throw Fault(.damaged, "O-428", "\(target.name) does not keep what is written to it")
    }
    guard disks.stored.target == target.name else { return }
    try PartFile(part, on: tools.disk).publish(as: target.folder.whole(name, ending: file.path.ending))
    let copy = Move.Copy(size: file.size, hash: written)
    try await tools.rows.store(copy, of: file.name)
    Steps.reach("move.carried")
    if disks.stored.target == target.name { move?.carried(file, as: copy) }
  }

  // MARK: The last step

  /// What grows stands still for as long as it takes to carry it over; then one row says where everything is.
  private func settle(
    on target: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Bool {
    guard await tools.engine.standStill() else { return await tools.loop.sleep(for: Self.asksStreamsAgain) }
    while await !tools.engine.isQuiet {
      guard await tools.loop.sleep(for: .milliseconds(20)) else { return false }
    }
    await turn.enter()
    let outcome: Result<Bool, Fault>
    do throws(Fault) { outcome = .success(try await takeOver(on: target)) } catch { outcome = .failure(error) }
    turn.leave()
    await tools.engine.goOn()
    return try outcome.get()
  }

  private static let asksStreamsAgain: Duration = .seconds(5)

  private func takeOver(
    on target: MediaVolume, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> Bool {
    // Something came, went or was called off.
    if try await isMissingSome(on: target) { return true }
    for part in await tools.engine.parts() {
      let name = try MediaFolder.Name(of: part.key)
      let path = target.folder.part(name)
      var sum: String?
      if part.durable > 0 {
        sum = try await pour(disks.folder.part(name), upTo: part.durable, into: path, for: target)
      }
      if sum == nil { tools.disk.remove(path) }
    }
    guard disks.stored.target == target.name else { return true }
    let old = disks.stored.home
    try await disks.store(home: target)
    move = nil
    await disks.settle()
    await moved(target.path)
    leftovers.add(old)
    tools.told(.moved(to: target.name))
    if run.isGoing { leftovers.clear() }
    return false
  }

  // MARK: Bytes

  private static let slice: Int64 = 1 << 19
  /// The disk writes no more than this at once, and what comes over the line waits no longer for it.
  private static let syncEvery: Int64 = 1 << 22

  /// Durably; gives the sum of what was read. Nil: less is there than there should be.
  private func pour(
    _ from: FilePath, upTo length: Int64, into path: FilePath, for target: MediaVolume,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> String? {
    guard let source = try tools.disk.open(from, making: false) else { return nil }
    let outcome: Result<String?, Fault>
    do throws(Fault) {
      outcome = .success(try await pour(source, from, upTo: length, into: path, for: target))
    } catch { outcome = .failure(error) }
    tools.disk.close(source)
    return try outcome.get()
  }

  private func pour(
    _ source: Int32, _ from: FilePath, upTo length: Int64, into path: FilePath, for target: MediaVolume,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> String? {
    let part = try PartFile(path, on: tools.disk)
    try part.cutBack(to: 0)
    try part.makeRoom(for: length, keeping: await tools.engine.reserve)
    var (at, synced): (Int64, Int64) = (0, 0)
    while at < length, disks.stored.target == target.name {
      let most = Int(min(Self.slice, length - at))
      let bytes = try tools.disk.bytes(of: source, at: at, most: most, code: "O-429", from)
      if bytes.isEmpty { return nil }
      let written = bytes.withUnsafeBytes { raw -> Result<Void, Fault> in
        Result { () throws(Fault) in try part.write(raw, at: at) }
      }
      try written.get()
      Steps.reach("move.wrote")
      tools.disk.drop(source, at..<at + Int64(bytes.count))
      at += Int64(bytes.count)
      speed.took(bytes.count, at: tools.loop.now)
      if at - synced >= Self.syncEvery {
        try part.sync()
        synced = at
      }
      await tools.loop.nextRound()
    }
    try part.sync()
    guard case .whole(let sum) = try part.sum() else { return nil }
    return sum
  }

  /// As the disk has it, and not the memory.
  private func sum(of path: FilePath, isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> String {
    guard let file = try tools.disk.open(path, making: false) else {
      throw Fault(.damaged, "O-428", "\(path) went away while it was written")
    }
    let outcome: Result<String, Fault>
    do throws(Fault) { outcome = .success(try await sum(file, path)) } catch { outcome = .failure(error) }
    tools.disk.close(file)
    return try outcome.get()
  }

  private func sum(
    _ file: Int32, _ path: FilePath, isolation: isolated (any Actor)? = #isolation
  ) async throws(Fault) -> String {
    let length = try tools.disk.length(of: file, path)
    tools.disk.drop(file, 0..<length)
    var sum = try SHA256()
    var at: Int64 = 0
    while true {
      let bytes = try tools.disk.bytes(of: file, at: at, most: Int(Self.slice), code: "O-429", path)
      guard !bytes.isEmpty else { return try sum.value().description }
      sum.add(bytes)
      at += Int64(bytes.count)
      await tools.loop.nextRound()
    }
  }
}
