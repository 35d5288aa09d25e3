import Runtime

/// Runs the parts: starts them in order, restarts those that fail, and stops them in the opposite order.
///
/// It does not know what parts do. A part that throws is restarted alone while the others go on; if the whole process
/// crashes, systemd restarts it. It lives on the main loop.
@MainLoop
package final class Supervisor {
  private struct Kept {
    let part: any Part
    let ending: Ending
    var rule: RestartRule
    var state = PartState.starting
    var restarts = 0
    var task: Task<Void, Never>?
  }

  /// The longest time for a graceful stop; parts that have not ended by then are abandoned.
  package static let stopLimit: Duration = .seconds(2)

  private var kept: [Kept] = []
  private var stopping = false
  private var whenEnded = Waiters()
  private var whenStopWanted = Waiters()
  private let log = Log("supervisor")
  /// Called for each part that failed, with whether it will be restarted.
  package var tell: @MainLoop (_ name: String, Fault, _ triesAgain: Bool) -> Void = { _, _, _ in }

  package init() {}

  /// Prepares `part` and starts it. It returns when the part is prepared, so parts start in the order of the calls.
  package func keep(_ part: any Part, when ending: Ending, restarting rule: RestartRule = .standard) async {
    guard !stopping else { return }
    kept.append(Kept(part: part, ending: ending, rule: rule))
    await start(kept.count - 1)
  }

  package var isStopping: Bool { stopping }

  package var health: [(name: String, state: PartState, restarts: Int)] {
    kept.map { ($0.part.name, $0.state, $0.restarts) }
  }

  /// Waits until somebody calls `wantStop`, or a part ends whose end stops the program.
  package func untilStopWanted() async {
    while !stopping {
      let seen = whenStopWanted.changes
      await withCheckedContinuation { whenStopWanted.add($0, since: seen) }
    }
  }

  package func wantStop(because reason: String) {
    guard !stopping else { return }
    stopping = true
    log.notice("stopping", ["because": reason])
    whenStopWanted.wake()
  }

  /// Ends the parts, the last started first, and lets each save. It takes no longer than `stopLimit` in all.
  package func stop() async {
    stopping = true
    let deadline = MainLoop.loop.now + Self.stopLimit
    for index in kept.indices.reversed() {
      guard let task = kept[index].task else { continue }
      task.cancel()
      // Half of what is left for each: one that hangs must not cost the last ones their save.
      let turn = MainLoop.loop.now + (deadline - MainLoop.loop.now) / 2
      while kept[index].task != nil {
        guard await nextEnd(since: whenEnded.changes, before: turn) else {
          log.error("did not end in time", ["name": kept[index].part.name])
          break
        }
      }
    }
  }

  private func start(_ index: Int) async {
    let part = kept[index].part
    do throws(Fault) {
      kept[index].state = .starting
      try await part.prepare()
    } catch {
      return await ended(index, with: error)
    }
    // It ends meanwhile: then nothing begins any more.
    guard !stopping else { return await ended(index, with: nil) }
    kept[index].state = .running
    kept[index].task = MainLoop.start {
      do throws(Fault) {
        try await part.run()
        await self.ended(index, with: nil)
      } catch {
        await self.ended(index, with: error)
      }
    }
  }

  private func ended(_ index: Int, with fault: Fault?) async {
    kept[index].task = nil
    defer { tellWaiters() }
    let name = kept[index].part.name
    guard !stopping else { return kept[index].state = .ended }
    if let fault { log.error("part failed", ["name": name, "code": fault.code, "reason": fault.message]) }

    switch (kept[index].ending, fault) {
    case (.stopsAll, _):
      kept[index].state = .ended
      wantStop(because: "\(name) ended")
    case (.done, nil):
      kept[index].state = .ended
    case (.done, _), (.restart, _):
      let fault = fault ?? Fault(.passing, "R-150", "\(name) ended by itself")
      switch kept[index].rule.failed(at: MainLoop.loop.now) {
      case .giveUp:
        kept[index].state = .degraded(by: fault)
        log.error("going on without it", ["name": name])
        tell(name, fault, false)
      case .startAgain(let pause):
        kept[index].state = .restarting(after: fault)
        kept[index].restarts += 1
        if kept[index].restarts == 1 { tell(name, fault, true) }
        kept[index].task = MainLoop.start { await self.startAgain(index, after: pause) }
      }
    }
  }

  private func startAgain(_ index: Int, after pause: Duration) async {
    guard await MainLoop.loop.sleep(for: pause), !stopping else {
      kept[index].task = nil
      kept[index].state = .ended
      return tellWaiters()
    }
    await start(index)
  }

  private func tellWaiters() { whenEnded.wake() }

  /// False when the deadline came first.
  private func nextEnd(since seen: UInt64, before deadline: Moment) async -> Bool {
    guard MainLoop.loop.now < deadline else { return false }
    let alarm = MainLoop.start {
      if await MainLoop.loop.sleep(until: deadline) { self.tellWaiters() }
    }
    await withCheckedContinuation { whenEnded.add($0, since: seen) }
    alarm.cancel()
    return MainLoop.loop.now < deadline
  }
}
