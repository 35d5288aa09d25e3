/// Which notice a person sees now, when several want to be seen. A value; time is told to it.
///
/// Each is shown for as long as it takes to be read. An urgent one is shown at once, and what it hides begins anew after
/// it. The same is not shown twice in a row, and of more than a few that wait the oldest is left out: the log has all of
/// them.
package struct NoticeQueue: Equatable, Sendable {
  package static let mostWaiting = 4

  private struct Shown: Equatable, Sendable {
    var notice: Notice
    var until: Moment
  }

  private var shown: Shown?
  /// Urgent ones first, each kind in the order in which it came.
  private var waiting: [Notice] = []

  package init() {}

  package mutating func post(_ notice: Notice, at now: Moment) {
    pass(to: now)
    guard let shown else { return show(notice, at: now) }
    if shown.notice == notice || waiting.contains(notice) { return }
    if notice.isUrgent && !shown.notice.isUrgent {
      waiting.insert(shown.notice, at: 0)
      makeRoom()
      return show(notice, at: now)
    }
    let place = notice.isUrgent ? waiting.firstIndex { !$0.isUrgent } : nil
    waiting.insert(notice, at: place ?? waiting.count)
    makeRoom()
  }

  /// It says more of the same, for as long as the old one would have been there.
  package mutating func replace(_ old: Notice, by new: Notice) {
    if shown?.notice == old { shown?.notice = new }
    waiting = waiting.map { $0 == old ? new : $0 }
  }

  /// Answers what a hand did a moment ago, so it is seen at once; `old` answered something that is over. News that it
  /// hides begin anew after it. Only what is urgent is read first.
  package mutating func answer(_ notice: Notice, inPlaceOf old: Notice?, at now: Moment) {
    pass(to: now)
    waiting.removeAll { $0 == old || $0 == notice }
    let hidden = shown.flatMap { $0.notice == old || $0.notice == notice ? nil : $0.notice }
    if let hidden, hidden.isUrgent, !notice.isUrgent {
      waiting.insert(notice, at: waiting.firstIndex { !$0.isUrgent } ?? waiting.count)
    } else {
      if let hidden { waiting.insert(hidden, at: 0) }
      show(notice, at: now)
    }
    makeRoom()
  }

  /// What is seen at that moment. It may be asked seldom, or never: what would have been seen meanwhile has been.
  package mutating func current(at now: Moment) -> Notice? {
    pass(to: now)
    return shown?.notice
  }

  /// When that changes, if nothing is posted; nil when nothing is seen.
  package var nextChange: Moment? { shown?.until }

  private mutating func pass(to now: Moment) {
    while let over = shown, over.until <= now {
      shown = nil
      if !waiting.isEmpty { show(waiting.removeFirst(), at: over.until) }
    }
  }

  private mutating func show(_ notice: Notice, at moment: Moment) {
    shown = Shown(notice: notice, until: moment + notice.readingTime)
  }

  private mutating func makeRoom() {
    guard waiting.count > Self.mostWaiting else { return }
    // None that is urgent goes for one that is not.
    waiting.remove(at: waiting.firstIndex { !$0.isUrgent } ?? 0)
  }
}
