import Ciphers
import Runtime

/// Compares finished files with their hashes and has damaged ones fetched again: slowly by itself, file by file, while
/// nothing else is to be done, and all of them on demand. Owns the progress of both. Lives on the
/// loop `offline`, inside `OfflinePart`.
///
/// When all was checked last is one of the stored numbers; how far a round is, is lost with the power, and a round
/// begins anew.
final class FileChecker {
  private static let slice = 1 << 19
  /// So long after all was looked at it begins anew.
  static let everyDays: Int64 = 30

  private let tools: OfflineTools
  private let run: RunState
  private let disks: Disks
  /// On demand: the one that runs, or the last; and which it is.
  private var checkup: Checkup?
  private var number = 0
  private var speed = Speed()
  /// By itself: what was looked at last, and what came of the round since its first.
  private var lookedAt: MediaKey?
  private var round = (checked: 0, repaired: 0)

  init(_ tools: OfflineTools, _ run: RunState, _ disks: Disks) {
    (self.tools, self.run, self.disks) = (tools, run, disks)
  }

  // MARK: On demand

  /// Begins, unless it is under way. It can be called off, and forgets nothing that it has found.
  func check(isolation: isolated (any Actor)? = #isolation) async throws(Fault) -> CheckLine {
    guard run.isGoing, disks.isHomeThere else { throw VolumeMark.away(disks.folder.path) }
    if let line, line.isRunning { return line }
    let begun = Checkup(of: await tools.engine.completed())
    // Somebody else may have begun one meanwhile.
    if let line, line.isRunning { return line }
    (checkup, speed) = (begun, Speed())
    number += 1
    tools.tasks.start { [number] part in await part.checker.goOn(number) }
    return CheckLine(begun)
  }

  /// Gives what came of it so far; nil when none was ever begun.
  func callOff() -> CheckLine? {
    checkup?.callOff()
    return line
  }

  var line: CheckLine? {
    guard let checkup else { return nil }
    var line = CheckLine(checkup)
    if line.isRunning { line.speed = speed.perSecond(at: tools.loop.now) }
    return line
  }

  /// One that was called off may find another in its place.
  private func goOn(_ number: Int, isolation: isolated (any Actor)? = #isolation) async {
    while self.number == number, let step = checkup?.next() {
      switch step {
      case .file(let key):
        let finding = await lookAfter(key)
        if self.number == number { checkup?.found(finding) }
      case .orphans:
        let removed = await tools.engine.hunt()
        if self.number == number { checkup?.took(removed: removed) }
      case .failures:
        let old = await tools.engine.clearFailures()
        if self.number == number { checkup?.took(removed: old.removed, again: old.again) }
      }
      await tools.loop.nextRound()
    }
    guard self.number == number, let checkup else { return }
    if checkup.isThorough { run.counters[Counters.lookedAfterAt] = tools.date() }
    tell(checkup.checked, checkup.repaired, removed: checkup.removed)
  }

  private func lookAfter(_ key: MediaKey, isolation: isolated (any Actor)? = #isolation) async -> Checkup.Finding {
    guard let record = await tools.engine.record(key), record.state == .completed else { return .other }
    return await lookAfter(record, isPatient: false)
  }

  private func tell(_ checked: Int, _ repaired: Int, removed: Int) {
    run.counters.add(Int64(removed), to: "removed")
    tools.told(.download(.maintenanceDone(checked: checked, repaired: repaired, removed: removed)))
  }

  // MARK: By itself

  /// One a minute, each once a month.
  func checkNext(isolation: isolated (any Actor)? = #isolation) async {
    guard run.rules?.looksAfter != false, checkup?.state != .running, lookedAt != nil || isDue else { return }
    guard await tools.engine.isAtEase, disks.isHomeThere else { return }
    let whole = await tools.engine.completed()
    guard let record = whole.first(where: { record in lookedAt.map { $0 < record.key } ?? true }) else {
      // All of them: the next round begins with the first.
      if lookedAt != nil { await endRound() }
      return lookedAt = nil
    }
    let finding = await lookAfter(record, isPatient: true)
    guard finding != .interrupted else { return }
    round.checked += 1
    if finding == .damaged || finding == .gone { round.repaired += 1 }
    lookedAt = record.key
  }

  /// Also when the clock was set back since.
  private var isDue: Bool {
    guard let last = run.counters[Counters.lookedAfterAt] else { return true }
    return !(last..<last + Self.everyDays * 86_400).contains(tools.date())
  }

  private func endRound(isolation: isolated (any Actor)? = #isolation) async {
    run.counters[Counters.lookedAfterAt] = tools.date()
    let orphans = await tools.engine.hunt()
    let old = await tools.engine.clearFailures()
    tell(round.checked, round.repaired, removed: orphans + old.removed)
    round = (0, 0)
  }

  // MARK: One file

  /// `isPatient`: it is interrupted when anything else is to be done.
  private func lookAfter(
    _ record: DownloadRecord, isPatient: Bool, isolation: isolated (any Actor)? = #isolation
  ) async -> Checkup.Finding {
    guard let path = record.path else { return .right }
    let finding = await inspect(FilePath(path), record, isPatient: isPatient)
    guard finding == .damaged || finding == .gone else { return finding }
    // It may have been given up while it was looked at.
    guard await tools.engine.record(record.key) == record else { return .other }
    run.counters.add(1, to: "damaged")
    Log("offline").info("a whole file is not as it was", ["file": path])
    await tools.engine.hear(.lost, for: record.key)
    return finding
  }

  private func inspect(
    _ path: FilePath, _ record: DownloadRecord, isPatient: Bool, isolation: isolated (any Actor)? = #isolation
  ) async -> Checkup.Finding {
    do throws(Fault) {
      guard let file = try tools.disk.open(path, making: false) else {
        // A disk that is not there has lost nothing.
        return disks.isHomeThere ? .gone : .interrupted
      }
      let finding = await read(file, path, record, isPatient: isPatient)
      tools.disk.close(file)
      return finding
    } catch { return .interrupted }
  }

  private func read(
    _ file: Int32, _ path: FilePath, _ record: DownloadRecord, isPatient: Bool,
    isolation: isolated (any Actor)? = #isolation
  ) async -> Checkup.Finding {
    do throws(Fault) {
      let length = try tools.disk.length(of: file, path)
      if let size = record.size, size != length { return .damaged }
      var sum = try SHA256()
      var at: Int64 = 0
      while at < length {
        let count = try add(file, path, at: at, upTo: length, to: &sum)
        at += count
        if !isPatient {
          checkup?.read(count)
          speed.took(Int(count), at: tools.loop.now)
        }
        await tools.loop.nextRound()
        if isPatient, await !tools.engine.isAtEase { return .interrupted }
        if !isPatient, checkup?.state == .calledOff { return .interrupted }
      }
      let found = try sum.value().description
      return record.hash == nil || record.hash == found ? .right : .damaged
    } catch { return error.kind == .damaged ? .damaged : .interrupted }
  }

  private func add(
    _ file: Int32, _ path: FilePath, at offset: Int64, upTo length: Int64, to sum: inout SHA256
  ) throws(Fault) -> Int64 {
    let bytes = try tools.disk.bytes(of: file, at: offset, most: Self.slice, code: "O-306", path)
    guard !bytes.isEmpty else { throw Fault(.damaged, "O-306", "\(path) ends before its time") }
    sum.add(bytes)
    tools.disk.drop(file, offset..<offset + Int64(bytes.count))
    return Int64(bytes.count)
  }
}
