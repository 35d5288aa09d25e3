import Runtime

/// A panel in front of which anybody may stand: what they may do there, when it invites them, when the place is closed,
/// and how its keeper gets past all that. Lives on the deck, and is there where no kiosk is, too: then it allows
/// everything and never wakes.
@Deck
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
    case closed(opensAt: String?)
  }

  /// What of the clock is believed: the minute of the week, and the seconds of it that are over. Nil: nothing.
  package typealias Clock = @Deck () -> (minute: Int, second: Int)?

  /// Its keeper has gone when nobody has touched anything for so long.
  nonisolated package static let patience: Duration = .seconds(60)

  package var manner: Manner { didSet { if manner != oldValue { begin() } } }
  package private(set) var face = Face.music
  /// What is shown, or may be done, is another.
  package var changed: @Deck () -> Void = {}
  /// The place closes (true), or opens.
  package var closes: @Deck (Bool) -> Void = { _ in }
  /// Has the count of tries outlast a power cut. Until that is done no try is judged.
  package var keepTries: @Deck (Int) async throws(Fault) -> Void = { _ in }

  private let clock: Clock
  private var guardian: PinGuard
  private var isOpenToKeeper = false
  private var isClosed = false
  private var opensAt: String?
  private var lastTouch: Moment
  private var idling: Task<Void, Never>?
  private var looking: Task<Void, Never>?
  private let log = Log("kiosk")

  package init(_ manner: Manner, tries: Int = 0, clock: @escaping Clock) {
    self.manner = manner
    self.clock = clock
    guardian = PinGuard(tries: tries, at: Deck.loop.now)
    lastTouch = Deck.loop.now
  }

  /// From here on it looks at the clock. At once it is known whether the place is closed.
  package func begin() {
    if !manner.isKiosk { isOpenToKeeper = false }
    lookAtClock()
    waitForIdleness()
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

  package var rights: PanelRights {
    guard case .locked(let opensByPIN) = lock else { return .all }
    return PanelRights(only: isClosed ? [] : manner.allows, opensByPIN: opensByPIN)
  }

  /// Somebody turned, pressed or touched something. True: that only woke the panel, and means nothing else.
  package func touch() -> Bool {
    lastTouch = Deck.loop.now
    guard face == .inviting else { return false }
    settle()
    waitForIdleness()
    return true
  }

  package func unlock(_ typed: String) async -> PinGuard.Verdict {
    guard let pin = manner.pin, manner.isKiosk else { return .wrong }
    if let wait = guardian.begin(at: Deck.loop.now) { return .closed(wait) }
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
    waitForIdleness()
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
    let isIdle = manner.attractsAfter.map { Deck.loop.now - lastTouch >= $0 } ?? false
    let next: Face =
      if !manner.isKiosk || isOpenToKeeper { .music } else if isClosed { .closed(opensAt: opensAt) } else {
        isIdle ? .inviting : .music
      }
    face = next
    changed()
  }

  /// One task that sleeps until nobody has touched anything for long enough, whenever that will be.
  private func waitForIdleness() {
    idling?.cancel()
    guard manner.isKiosk else { return }
    idling = Deck.start { [weak self] in
      while let self, let due = self.idleAt {
        guard await Deck.loop.sleep(until: due) else { return }
        if let now = self.idleAt, now > Deck.loop.now { continue }
        self.isOpenToKeeper = false
        self.settle()
        // The next touch begins it anew.
        if self.face == .inviting || self.manner.attractsAfter == nil { return }
      }
    }
  }

  private var idleAt: Moment? {
    let waits = [isOpenToKeeper ? Self.patience : nil, face == .music && !isOpenToKeeper ? manner.attractsAfter : nil]
    return waits.compactMap(\.self).min().map { lastTouch + $0 }
  }

  private func lookAtClock() {
    looking?.cancel()
    let time = manner.isKiosk ? clock() : nil
    let standing = KioskHours(manner.isKiosk ? manner.hours : nil).standing(at: time?.minute)
    let wasClosed = isClosed
    (isClosed, opensAt) = (!standing.isOpen, standing.opensAt)
    if isClosed != wasClosed {
      log.notice(isClosed ? "closed" : "open")
      closes(isClosed)
    }
    guard manner.isKiosk, manner.hours != nil else { return }
    let wait = Duration.seconds(standing.lookAgainIn * 60 - (time?.second ?? 0))
    looking = Deck.start { [weak self] in
      guard await Deck.loop.sleep(for: max(wait, .seconds(1))) else { return }
      self?.lookAtClock()
      self?.settle()
    }
  }
}
