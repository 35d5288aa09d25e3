import Application
import Runtime

/// A panel in front of which anybody may stand: what they may do there, when it invites them, when the place is closed,
/// and how its keeper gets past all that. Lives on the main loop, and is there where no kiosk is, too: then it allows
/// everything and never wakes.
@MainLoop
package final class Kiosk {
  package struct Manner: Equatable, Sendable {
    package var isKiosk: Bool
    package var allows: Set<KioskRight>
    package var pin: String?
    package var hours: OpeningHours?
    /// Nil: never.
    package var attractsAfter: Duration?
    package var welcome: String

    package init(_ settings: Settings) {
      isKiosk = settings.isKiosk
      allows = settings[.kioskAllows]
      pin = settings[.kioskPIN]
      hours = settings[.kioskHours]
      let after = settings[.kioskAttractsAfter]
      attractsAfter = after > .zero ? after : nil
      welcome = settings[.kioskWelcome]
    }
  }

  /// What is shown in place of the music.
  package enum Face: Equatable, Sendable {
    case music, inviting
    /// When it opens, as people say it.
    case closed(KioskHours.Opening?)
  }

  /// What of the clock is believed: the minute of the week, and the seconds of it that are over. Nil: nothing.
  package typealias Clock = @MainLoop () -> (minute: Int, second: Int)?

  /// Its keeper has gone when nobody has touched anything for so long.
  nonisolated package static let patience: Duration = .seconds(60)

  package var manner: Manner { didSet { if manner != oldValue { begin() } } }
  package private(set) var face = Face.music
  /// What is shown, or may be done, is another.
  package var changed: @MainLoop () -> Void = {}
  /// The place closes (true), or opens.
  package var closes: @MainLoop (Bool) -> Void = { _ in }
  /// Whoever was there has gone.
  package var isLeft: @MainLoop () -> Void = {}
  /// Has the count of tries outlast a power cut. Until that is done no try is judged.
  package var keepTries: @MainLoop (Int) async throws(Fault) -> Void = { _ in }

  private let clock: Clock
  private var guardian: PinGuard
  private var isOpenToKeeper = false
  private var isClosed = false
  private var opening: KioskHours.Opening?
  private var lastTouch: Moment
  private var idling: Task<Void, Never>?
  private var looking: Task<Void, Never>?
  private let log = Log("kiosk")

  package init(_ manner: Manner, tries: Int = 0, clock: @escaping Clock) {
    self.manner = manner
    self.clock = clock
    guardian = PinGuard(tries: tries, at: MainLoop.loop.now)
    lastTouch = MainLoop.loop.now
  }

  /// From here on it looks at the clock. At once it is known whether the place is closed.
  package func begin() {
    if !manner.isKiosk { isOpenToKeeper = false }
    lookAtClock()
    settle()
  }

  package func end() {
    idling?.cancel()
    looking?.cancel()
  }

  package var lock: KioskLock {
    guard manner.isKiosk else { return .none }
    return isOpenToKeeper ? .open : .locked(opensByPIN: manner.pin != nil)
  }

  package var rights: AccessRights {
    guard case .locked(let opensByPIN) = lock else { return .all }
    return AccessRights(only: manner.allows, opensByPIN: opensByPIN, isClosed: isClosed)
  }

  /// Somebody turned, pressed or touched something. True: that only woke the panel, and means nothing else.
  package func touch() -> Bool {
    lastTouch = MainLoop.loop.now
    guard face == .inviting else { return false }
    settle()
    return true
  }

  package func unlock(_ typed: String) async -> PinGuard.Verdict {
    guard let pin = manner.pin, manner.isKiosk else { return .wrong }
    if let wait = guardian.begin(at: MainLoop.loop.now) { return .closed(wait) }
    do throws(Fault) { try await keepTries(guardian.tries) } catch {
      // Else a full disk would be as good as no count.
      log.warning("a try of the PIN cannot be counted, so it is not judged", ["reason": error.message])
      return .closed(PinGuard.firstWait)
    }
    guard guardian.end(typed, is: pin) else {
      log.notice("a wrong PIN", ["tries": guardian.tries])
      return .wrong
    }
    do throws(Fault) { try await keepTries(0) } catch {
      log.warning("after the next start the PIN may have to wait", ["reason": error.message])
    }
    log.notice("opened by its PIN")
    isOpenToKeeper = true
    settle()
    return .right
  }

  package func close() {
    guard isOpenToKeeper else { return }
    isOpenToKeeper = false
    settle()
  }

  // MARK: Time

  private func settle() {
    let isIdle = manner.attractsAfter.map { MainLoop.loop.now - lastTouch >= $0 } ?? false
    let before = face
    if !manner.isKiosk || isOpenToKeeper {
      face = .music
    } else if isClosed {
      face = .closed(opening)
    } else {
      face = isIdle ? .inviting : .music
    }
    if face != before, face != .music { isLeft() }
    waitForIdleness()
    changed()
  }

  /// One task that sleeps until nobody has touched anything for long enough, whenever that will be; none where nothing
  /// comes of that.
  private func waitForIdleness() {
    idling?.cancel()
    guard let due = idleAt else { return }
    idling = MainLoop.start { [weak self] in
      guard await MainLoop.loop.sleep(until: due), let self, !Task.isCancelled else { return }
      if let later = self.idleAt, later > MainLoop.loop.now { return self.waitForIdleness() }
      self.isOpenToKeeper = false
      self.settle()
    }
  }

  private var idleAt: Moment? {
    guard manner.isKiosk else { return nil }
    if isOpenToKeeper { return lastTouch + Self.patience }
    return face == .music ? manner.attractsAfter.map { lastTouch + $0 } : nil
  }

  /// Each minute while there are hours to be kept: somebody may set the clock.
  private func lookAtClock() {
    looking?.cancel()
    let time = manner.isKiosk ? clock() : nil
    let wasClosed = isClosed
    switch KioskHours(manner.isKiosk ? manner.hours : nil).state(at: time?.minute) {
    case .open: (isClosed, opening) = (false, nil)
    case .closed(let next): (isClosed, opening) = (true, next)
    }
    if isClosed != wasClosed {
      log.notice(isClosed ? "closed" : "open")
      closes(isClosed)
    }
    guard manner.isKiosk, manner.hours != nil else { return }
    looking = MainLoop.start { [weak self] in
      guard await MainLoop.loop.sleep(for: .seconds(60 - (time?.second ?? 0))) else { return }
      self?.lookAtClock()
      self?.settle()
    }
  }
}
