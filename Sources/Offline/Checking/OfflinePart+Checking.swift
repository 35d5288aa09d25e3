import Runtime

/// All that is kept is looked at on demand, beside what else goes on; it can be called off, and forgets nothing that it
/// has found.
extension OfflinePart {
  /// Begins, unless it is under way.
  package func check() async throws(Fault) -> CheckLine {
    guard isGoing, isHomeThere else { throw VolumeMark.away(folder.path) }
    if let line = checking(), line.isRunning { return line }
    let begun = Checkup(of: await carrier.completed())
    // Somebody else may have begun one meanwhile.
    if let line = checking(), line.isRunning { return line }
    (checkup, checkSpeed) = (begun, Speed())
    checkNumber += 1
    let number = checkNumber
    Task(executorPreference: loop) { await self.goOnChecking(number) }
    return CheckLine(begun)
  }

  /// Gives what came of it so far; nil when none was ever begun.
  package func callOffCheck() -> CheckLine? {
    checkup?.callOff()
    return checking()
  }

  package func checking() -> CheckLine? {
    guard let checkup else { return nil }
    var line = CheckLine(checkup)
    if line.isRunning { line.speed = checkSpeed.perSecond(at: loop.now) }
    return line
  }

  /// One that was called off may find another in its place.
  private func goOnChecking(_ number: Int) async {
    while checkNumber == number, let step = checkup?.next() {
      switch step {
      case .file(let key):
        let finding = await lookAfter(key)
        if checkNumber == number { checkup?.found(finding) }
      case .orphans:
        let removed = await carrier.hunt()
        if checkNumber == number { checkup?.took(removed: removed) }
      case .failures:
        let old = await carrier.clearFailures()
        if checkNumber == number { checkup?.took(removed: old.removed, again: old.again) }
      }
      await loop.nextRound()
    }
    guard checkNumber == number, let checkup else { return }
    if checkup.isThorough { numbers[Self.lookedAfterAt] = date() }
    add(Int64(checkup.removed), to: "removed")
    let (checked, repaired) = (checkup.checked, checkup.repaired)
    told(.download(.maintenanceDone(checked: checked, repaired: repaired, removed: checkup.removed)))
  }

  private func lookAfter(_ key: MediaKey) async -> Checkup.Finding {
    guard let record = await carrier.record(key), record.state == .completed else { return .other }
    return await lookAfter(record, isPatient: false)
  }

  // MARK: By itself

  static let lookedAfterAt = "looked.after.at"
  /// So long after all was looked at it begins anew.
  static let looksAfterDays: Int64 = 30

  /// Also when the clock was set back since.
  var isCheckDue: Bool {
    guard let last = numbers[Self.lookedAfterAt] else { return true }
    return !(last..<last + Self.looksAfterDays * 86_400).contains(date())
  }

  /// The last of a round that goes file by file, one a minute.
  func endRound() async {
    numbers[Self.lookedAfterAt] = date()
    let orphans = await carrier.hunt()
    let old = await carrier.clearFailures()
    let removed = orphans + old.removed
    add(Int64(removed), to: "removed")
    told(.download(.maintenanceDone(checked: checkedOfRound, repaired: repairedOfRound, removed: removed)))
    (checkedOfRound, repairedOfRound) = (0, 0)
  }
}
