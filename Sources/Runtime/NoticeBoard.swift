/// The notices of this run, newest last: what the panel shows for a while and `status` tells. Some stand for as long as
/// what they say is so.
@MainLoop
package final class NoticeBoard {
  package struct Posted: Equatable, Sendable {
    package let notice: Notice
    package let at: Moment
    /// Shown until it is withdrawn, whenever none passes.
    package var stands = false
    /// It is read aloud. A count that has only grown is not: its first notice was.
    package var isHeard = true
    /// Nobody has looked at the list of notices since it came.
    fileprivate(set) var isNew = true
  }

  /// A line of the list of notices. What says the same is told once.
  package struct Told: Equatable, Sendable {
    package let notice: Notice
    /// When it came last; of what stands, when that began.
    package let at: Moment
    package fileprivate(set) var times = 1
    package let stands: Bool
    /// Nobody has looked at the list since it came last.
    package fileprivate(set) var isNew: Bool
  }

  private static let limit = 100

  package private(set) var posted: [Posted] = []
  /// Those that stand, newest last.
  package private(set) var active: [Posted] = []
  private var passing = NoticeQueue()
  private var lastAnswer: Notice?
  private var list: [Told]?
  private var listeners: [@MainLoop (Posted) -> Void] = []
  private var withdrawalListeners: [@MainLoop () -> Void] = []
  private let log = Log("notice")

  nonisolated package init() {}

  /// `old` says less of the same: it is told no more. What of it was read already is not shown once more.
  /// `isListed`: it is news; an answer to what somebody just did is only shown.
  package func post(
    _ notice: Notice, inPlaceOf old: Notice? = nil, isHeard: Bool = true, isListed: Bool = true
  ) {
    let new = Posted(notice: notice, at: MainLoop.loop.now, isHeard: isHeard)
    if let old { posted.removeAll { $0.notice == old } }
    if isListed {
      if posted.count == Self.limit { posted.removeFirst() }
      posted.append(new)
    }
    list = nil
    if let old { passing.replace(old, by: notice) } else { passing.post(notice, at: new.at) }
    tell(new)
  }

  /// Answers what somebody did a moment ago: it is shown at once, in place of the answer before it, and is no news.
  package func answer(_ notice: Notice) {
    passing.answer(notice, inPlaceOf: lastAnswer, at: MainLoop.loop.now)
    lastAnswer = notice
    tell(Posted(notice: notice, at: MainLoop.loop.now))
  }

  /// It stands until its code is withdrawn; one of the same code takes its place. What stood already, word for word, has
  /// stood since then and is nothing new.
  package func stand(_ notice: Notice) {
    let old = active.first { $0.notice == notice }
    var new = Posted(notice: notice, at: old?.at ?? MainLoop.loop.now, stands: true)
    new.isNew = old?.isNew ?? true
    active.removeAll { $0.notice.code == notice.code }
    active.append(new)
    list = nil
    tell(new)
  }

  package func withdraw(_ code: String) {
    let before = active.count
    active.removeAll { $0.notice.code == code }
    guard active.count < before else { return }
    list = nil
    log.notice("withdrawn", ["code": code])
    for listener in withdrawalListeners { listener() }
  }

  /// What people read in the list of notices: first what stands, and the newest first.
  package var told: [Told] {
    if let list { return list }
    var told: [Told] = []
    for one in (posted + active).reversed() {
      if let index = told.firstIndex(where: { $0.notice.says(one.notice) }) {
        told[index].times += 1
        told[index].isNew = told[index].isNew || one.isNew
      } else {
        told.append(Told(notice: one.notice, at: one.at, stands: one.stands, isNew: one.isNew))
      }
    }
    list = told
    return told
  }

  /// How many lines of it nobody has looked at.
  package var newCount: Int { told.count(where: \.isNew) }

  /// Somebody has looked at the list.
  package func markSeen() {
    for index in posted.indices { posted[index].isNew = false }
    for index in active.indices { active[index].isNew = false }
    list = nil
  }

  /// Nobody needs those any more that do not stand. The log keeps them.
  package func clear() {
    (posted, passing, list) = ([], NoticeQueue(), nil)
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

extension Notice {
  /// Somebody who reads both has read the same twice.
  fileprivate func says(_ other: Notice) -> Bool { code == other.code && message == other.message }
}
