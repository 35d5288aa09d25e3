/// The notices of this run, newest last: what the panel shows for a while and `status` tells. Some stand for as long as
/// what they say is so.
@MainLoop
package final class NoticeBoard {
  package struct Posted: Equatable, Sendable {
    package let notice: Notice
    package let at: Moment
    /// Shown until it is withdrawn, whenever none passes.
    package var stands = false
  }

  private static let limit = 100

  package private(set) var posted: [Posted] = []
  /// Those that stand, newest last.
  package private(set) var active: [Posted] = []
  private var passing = NoticeQueue()
  private var listeners: [@MainLoop (Posted) -> Void] = []
  private var withdrawalListeners: [@MainLoop () -> Void] = []
  private let log = Log("notice")

  nonisolated package init() {}

  package func post(_ notice: Notice) {
    let new = Posted(notice: notice, at: MainLoop.loop.now)
    if posted.count == Self.limit { posted.removeFirst() }
    posted.append(new)
    passing.post(notice, at: new.at)
    tell(new)
  }

  /// It stands until its code is withdrawn; one of the same code takes its place.
  package func stand(_ notice: Notice) {
    let new = Posted(notice: notice, at: MainLoop.loop.now, stands: true)
    active.removeAll { $0.notice.code == notice.code }
    active.append(new)
    tell(new)
  }

  package func withdraw(_ code: String) {
    let before = active.count
    active.removeAll { $0.notice.code == code }
    guard active.count < before else { return }
    log.notice("withdrawn", ["code": code])
    for listener in withdrawalListeners { listener() }
  }

  package func listen(_ listener: @escaping @MainLoop (Posted) -> Void) { listeners.append(listener) }

  package func listenToWithdrawals(_ listener: @escaping @MainLoop () -> Void) { withdrawalListeners.append(listener) }

  /// What a person should see now: those that pass, one after the other, else what stands.
  package func current(at now: Moment) -> (notice: Notice, stands: Bool)? {
    if let notice = passing.current(at: now) { return (notice, false) }
    // What stands can wait: it is there for longer.
    return active.last.map { ($0.notice, true) }
  }

  /// When that changes by time alone.
  package func nextChange(at now: Moment) -> Moment? {
    _ = passing.current(at: now)
    return passing.nextChange
  }

  private func tell(_ new: Posted) {
    // The code is the text, so that a thousand missing files count as one text that repeats.
    log.warning(new.notice.code, ["message": new.notice.message])
    for listener in listeners { listener(new) }
  }
}
