import Runtime

/// A source that has answered with something else than its index is not asked again by each item that is wanted: for a
/// minute what it said then holds, and each time for twice as long, up to an hour. A line that broke is no answer.
struct SourceBackoff: Equatable, Sendable {
  static let firstPause: Duration = .seconds(60)
  static let longestPause: Duration = .seconds(3_600)

  private var last: MediaFailure?
  private var until = Moment(nanoseconds: 0)
  private var pause = SourceBackoff.firstPause

  /// What whoever asks for an item now is told.
  func failure(at now: Moment) -> MediaFailure? { now < until ? last : nil }

  /// Nil: it gave its index.
  mutating func heard(_ failure: MediaFailure?, at now: Moment) {
    guard let failure else { return forget() }
    guard failure.reason != .network else { return }
    (last, until) = (failure, now + pause)
    pause = min(pause * 2, Self.longestPause)
  }

  mutating func forget() { self = SourceBackoff() }
}
