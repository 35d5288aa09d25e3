/// The notices of this run, newest last: what the panel shows for a while and `status` tells.
@Deck
package final class NoticeBoard {
  package struct Posted: Equatable, Sendable {
    package let notice: Notice
    package let at: Moment
  }

  /// Long enough to be read twice.
  package static let shownFor: Duration = .seconds(10)
  private static let limit = 100

  package private(set) var posted: [Posted] = []
  private var listeners: [@Deck (Posted) -> Void] = []
  private let log = Log("notice")

  nonisolated package init() {}

  package func post(_ notice: Notice) {
    // The code is the text, so that a thousand missing files count as one text that repeats.
    log.warning(notice.code, ["message": notice.message])
    let new = Posted(notice: notice, at: Deck.loop.now)
    if posted.count == Self.limit { posted.removeFirst() }
    posted.append(new)
    for listener in listeners { listener(new) }
  }

  package func listen(_ listener: @escaping @Deck (Posted) -> Void) { listeners.append(listener) }

  /// What a person should see now, and until when.
  package func current(at now: Moment) -> Posted? {
    posted.last.flatMap { now - $0.at < Self.shownFor ? $0 : nil }
  }
}
