import Runtime

/// Where the music was before somebody went elsewhere in it, so that there is a way back also when they have stayed there.
/// A value. Places that follow each other closely are one search: the way back leads to where that began.
package struct PlaceBefore: Equatable, Sendable {
  static let search: Duration = .seconds(30)

  private var entry: UInt64 = 0
  private var place: Duration?
  private var last: Moment?

  package init() {}

  /// Nil where nobody went elsewhere in that entry of the queue, or back again.
  package func place(in entry: UInt64?) -> Duration? { entry == self.entry ? place : nil }

  /// Somebody goes to `goal`; `now` is where the music is.
  package mutating func go(to goal: Duration, from now: Duration, in entry: UInt64, at moment: Moment) {
    let isSearch = entry == self.entry && place != nil && (last.map { moment - $0 < Self.search } ?? false)
    last = moment
    if !isSearch { (self.entry, place) = (entry, now) }
    // Who jumps back to about this place needs no row that leads there, though the music has played on for some seconds.
    if isSearch, let place, abs((goal - place).milliseconds) < Self.search.milliseconds { self.place = nil }
  }
}
