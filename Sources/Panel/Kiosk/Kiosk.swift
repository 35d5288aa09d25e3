import Application
import Runtime

/// A panel in public: what visitors may do, when the panel invites them, when the place is closed, and how the staff
/// open it with a PIN. It lives on the main loop. It exists on every board; where the settings make no kiosk of it, it
/// allows everything and sets no timer.
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

  /// What the program does when something changes here. Each is called on the main loop.
  package struct Effects {
    /// The kiosk's screen, or what visitors may do, has changed.
    package var changed: @MainLoop (Kiosk) -> Void
    /// The place closes (true) or opens.
    package var closes: @MainLoop (Bool) -> Void
    /// The visitor has gone.
    package var visitorLeft: @MainLoop () -> Void
    /// Stores the number of tries of the PIN, so that a power cut does not reset it. No try is judged before this
    /// returns.
    package var keepTries: @MainLoop (Int) async throws(Fault) -> Void

    package init(
      changed: @escaping @MainLoop (Kiosk) -> Void = { _ in }, closes: @escaping @MainLoop (Bool) -> Void = { _ in },
      visitorLeft: @escaping @MainLoop () -> Void = {},
      keepTries: @escaping @MainLoop (Int) async throws(Fault) -> Void = { _ in }
    ) {
      (self.changed, self.closes, self.visitorLeft, self.keepTries) = (changed, closes, visitorLeft, keepTries)
    }
  }

  /// The minute of the week, and how many seconds of it are over. Nil while the clock may be wrong.
  package typealias Clock = @MainLoop () -> (minute: Int, second: Int)?

  /// After the staff have opened it, it locks itself when nobody has touched anything for so long.
  nonisolated package static let patience: Duration = .seconds(60)

  package var manner: Manner { didSet { if manner != oldValue { begin() } } }
  package private(set) var face = Face.music
  /// Whether it is outside the opening hours.
  package private(set) var isClosed = false

  private let effects: Effects
  private let clock: Clock
  private var guardian: PinGuard
  private var isOpenToKeeper = false
  private var opening: KioskHours.Opening?
  private var lastTouch: Moment
  private var idling: Task<Void, Never>?
  private var looking: Task<Void, Never>?
  private let log = Log("kiosk")

  /// `tries`: how often the PIN was tried in vain before this start.
  package init(_ manner: Manner, tries: Int = 0, _ effects: Effects = Effects(), clock: @escaping Clock) {
    self.manner = manner
    (self.effects, self.clock) = (effects, clock)
    guardian = PinGuard(tries: tries, at: MainLoop.loop.now)
    lastTouch = MainLoop.loop.now
  }

  /// Looks at the clock, now and from here on. When it returns, `isClosed` is right.
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
    do throws(Fault) { try await effects.keepTries(guardian.tries) } catch {
      log.warning("a try of the PIN cannot be counted, so it is not judged", ["reason": error.message])
      return .uncounted
    }
    guard guardian.end(typed, is: pin) else {
      log.notice("a wrong PIN", ["tries": guardian.tries])
      return .wrong
    }
    do throws(Fault) { try await effects.keepTries(0) } catch {
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
    if face != before, face != .music { effects.visitorLeft() }
    waitForIdleness()
    effects.changed(self)
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
      effects.closes(isClosed)
    }
    guard manner.isKiosk, manner.hours != nil else { return }
    looking = MainLoop.start { [weak self] in
      guard await MainLoop.loop.sleep(for: .seconds(60 - (time?.second ?? 0))) else { return }
      self?.lookAtClock()
      self?.settle()
    }
  }
}
