import Runtime

/// Lets the board rest, and switches it off, when ignition or battery demand it. `Ignition` and `BatteryGuard` decide. This
/// part tells them the time, and does what they decide, one thing after the other: the session is durable before anything
/// else begins. Each step has a time limit, so that a step that hangs does not empty the battery of a parked car.
@MainLoop
package final class SwitchOffPart: Part {
  /// What is done, by rooms that know how.
  package struct Duties: Sendable {
    /// Returns when it is durable.
    package var save: @MainLoop @Sendable () async throws(Fault) -> Void
    package var rest: @MainLoop @Sendable () async throws(Fault) -> Void
    package var wake: @MainLoop @Sendable () async throws(Fault) -> Void
    /// Imports, downloads and copies.
    package var holdWrites: @MainLoop @Sendable (Bool) -> Void
    package var powerOff: @MainLoop @Sendable () async throws(Fault) -> Void
    package var takeBack: @MainLoop @Sendable () async -> Void

    package init(
      save: @escaping @MainLoop @Sendable () async throws(Fault) -> Void,
      rest: @escaping @MainLoop @Sendable () async throws(Fault) -> Void,
      wake: @escaping @MainLoop @Sendable () async throws(Fault) -> Void,
      holdWrites: @escaping @MainLoop @Sendable (Bool) -> Void,
      powerOff: @escaping @MainLoop @Sendable () async throws(Fault) -> Void,
      takeBack: @escaping @MainLoop @Sendable () async -> Void
    ) {
      (self.save, self.rest, self.wake) = (save, rest, wake)
      (self.holdWrites, self.powerOff, self.takeBack) = (holdWrites, powerOff, takeBack)
    }
  }

  private enum Step {
    case ignition(Ignition.Action)
    case battery(BatteryGuard.Action)
  }

  nonisolated package let name = "switch-off"
  /// Edges that are older than this have been read by now.
  nonisolated package static let grace: Duration = .milliseconds(50)
  /// A disk that hangs must not keep a board on until the battery is empty.
  nonisolated package static let longestDuty: Duration = .seconds(5)

  private let duties: Duties
  private let notices: NoticeBoard
  private let unheard: Fault
  private let isWired: Bool
  private var ignition: Ignition
  private var battery: BatteryGuard
  private var todo: [Step] = []
  private let bell = Mailbox<Void>(limit: 1)
  private var timer: Task<Void, Never>?
  private var patience: Task<Void, Never>?
  private let log = Log("switch-off")

  /// Called when the ignition's state has changed.
  package var changed: @MainLoop (Ignition.State) -> Void = { _ in }

  /// `isWired`: the board's file names a line. `unheard` is what is told when nobody has switched the board off.
  package init(
    _ ignition: Ignition.Rules = .init(), _ battery: BatteryGuard.Rules = .init(), isWired: Bool, _ duties: Duties,
    _ notices: NoticeBoard, unheard: Fault
  ) {
    self.ignition = Ignition(ignition)
    self.battery = BatteryGuard(battery)
    self.isWired = isWired
    self.duties = duties
    self.notices = notices
    self.unheard = unheard
  }

  package var state: Ignition.State { ignition.state }

  // MARK: What is told

  /// The line's level since `moment`.
  package func take(_ isOn: Bool, at moment: Moment) {
    let before = ignition.state
    add(ignition.hear(isOn, at: moment).map { .ignition($0) })
    if ignition.state != before { tellChange() }
    keepTime()
  }

  package func take(_ state: PowerState) {
    add(battery.hear(state, at: MainLoop.loop.now).map { .battery($0) })
    keepTime()
  }

  private func add(_ steps: [Step]) {
    guard !steps.isEmpty else { return }
    todo += steps
    bell.send(())
  }

  private func keepTime() {
    timer?.cancel()
    let dues = [ignition.due.map { $0 + Self.grace }, battery.due].compactMap { $0 }
    guard let due = dues.min() else { return }
    timer = MainLoop.start {
      guard await MainLoop.loop.sleep(until: due) else { return }
      self.settle()
    }
  }

  private func settle() {
    let (now, before) = (MainLoop.loop.now, ignition.state)
    add(ignition.settle(by: now - Self.grace).map { .ignition($0) })
    add(battery.settle(by: now).map { .battery($0) })
    if ignition.state != before { tellChange() }
    keepTime()
  }

  private func tellChange() {
    log.info("ignition", ["state": ignition.state.rawValue])
    changed(ignition.state)
  }

  // MARK: What is done

  package func run() async throws(Fault) {
    keepTime()
    while !Task.isCancelled {
      if !todo.isEmpty {
        await perform(todo.removeFirst())
      } else if await bell.receive() == nil {
        break
      }
    }
    timer?.cancel()
    patience?.cancel()
  }

  private func perform(_ step: Step) async {
    switch step {
    case .ignition(.save), .battery(.save): await perform("save", duties.save)
    case .ignition(.rest):
      tellOfResting()
      await perform("rest", duties.rest)
    case .ignition(.wake):
      for code in ["H-600", "H-602"] { notices.withdraw(code) }
      await perform("wake", duties.wake)
    case .ignition(.tooLate): log.notice("the ignition is on again, but the board is already switching off")
    case .ignition(.bounces):
      notices.post(Notice("H-601", "The ignition's line goes on and off without end. Is its wire loose?"))
    case .battery(.holdWrites):
      let words = "The battery is at \(battery.level ?? 0) %: imports, downloads and copies wait for the charger."
      notices.stand(Notice("H-610", words))
      duties.holdWrites(true)
    case .battery(.writeAgain):
      notices.withdraw("H-610")
      notices.post(Notice("H-612", "There is power again: imports, downloads and copies go on."))
      duties.holdWrites(false)
    case .battery(.warn):
      let seconds = BatteryGuard.lasts.components.seconds
      let words = "The battery is at \(battery.level ?? 0) %: the board switches off in \(seconds) s. Plug it in."
      notices.stand(Notice("H-611", words, isUrgent: true))
    case .battery(.calledOff):
      notices.withdraw("H-611")
      notices.post(Notice("H-613", "There is power again: the board stays on."))
    case .ignition(.powerOff): await switchOff(because: "the ignition is off")
    case .battery(.powerOff): await switchOff(because: "the battery is empty")
    }
  }

  private func tellOfResting() {
    guard let off = ignition.offDue else { return }
    let time = Self.shown(off - MainLoop.loop.now)
    let isBenched = ignition.state == .benched
    notices.stand(
      isBenched
        ? Notice("H-600", "The ignition has been off since the start. The board switches off in \(time).")
        : Notice("H-602", "The ignition is off. The board switches off in \(time)."))
  }

  /// 45 s, 30 min, 2 h.
  package nonisolated static func shown(_ time: Duration) -> String {
    let seconds = Int((max(time, .zero) + .milliseconds(500)).components.seconds)
    if seconds < 120 { return "\(seconds) s" }
    return seconds < 7_200 ? "\((seconds + 30) / 60) min" : "\((seconds + 1_800) / 3_600) h"
  }

  private func switchOff(because reason: String) async {
    log.notice("switching off", ["because": reason])
    await perform("power off", duties.powerOff)
    patience?.cancel()
    patience = MainLoop.start {
      guard await MainLoop.loop.sleep(for: OffSwitch.patience) else { return }
      self.notices.post(Notice(self.unheard, instead: "it goes on, and tries again later"))
      await self.duties.takeBack()
      if self.ignition.state == .leaving { self.ignition.stayed(at: MainLoop.loop.now) }
      if self.battery.isLeaving { self.battery.stayed(at: MainLoop.loop.now) }
      self.tellChange()
      self.keepTime()
    }
  }

  /// Waits for it, but not for ever.
  private func perform(_ what: String, _ duty: @escaping @MainLoop @Sendable () async throws(Fault) -> Void) async {
    let over = Mailbox<Bool>(limit: 2)
    let (log, notices) = (log, notices)
    let work = MainLoop.start {
      do throws(Fault) { try await duty() } catch {
        if what == "power off" { notices.post(Notice(error, instead: "it stays on")) }
        log.warning("not done", ["what": what, "reason": error.message])
      }
      over.send(true)
    }
    let limit = MainLoop.start { if await MainLoop.loop.sleep(for: Self.longestDuty) { over.send(false) } }
    if await over.receive() == false { log.error("not waited for any longer", ["what": what]) }
    limit.cancel()
    _ = work
  }

  // MARK: How it is

  /// What is going to happen, and when.
  package struct Outlook: Equatable, Sendable {
    package enum Step: String, Sendable {
      case pause
      case powerOff = "power-off"
    }

    /// Nil if the board's file names no line.
    package let ignition: Ignition.State?
    /// Nothing but the session is written.
    package let holdsWrites: Bool
    package let next: Step?
    /// The time until `next`; zero while the board is being switched off.
    package let left: Duration?

    package init(ignition: Ignition.State?, holdsWrites: Bool, next: Step?, left: Duration?) {
      (self.ignition, self.holdsWrites, self.next, self.left) = (ignition, holdsWrites, next, left)
    }
  }

  package var outlook: Outlook {
    let now = MainLoop.loop.now
    var then: (step: Outlook.Step, at: Moment)?
    if let next = ignition.next, next.action != .wake { then = (next.action == .rest ? .pause : .powerOff, next.at) }
    if let due = battery.due, then.map({ due < $0.at || $0.step == .pause }) ?? true { then = (.powerOff, due) }
    if ignition.state == .leaving || battery.isLeaving { then = (.powerOff, now) }
    return Outlook(
      ignition: isWired ? ignition.state : nil, holdsWrites: battery.holdsWrites, next: then?.step,
      left: then.map { max($0.at - now, .zero) })
  }
}
