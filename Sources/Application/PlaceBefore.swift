import Runtime

/// Where the music was before somebody went elsewhere in it the last time, so that there is a way back also when they have
/// stayed there. A value. Whoever goes back has come from somewhere too, and so the way back leads there again, to and
/// fro, as between two channels.
///
/// Somebody who jumps again within a minute has not listened there. Both jumps are one way, and *Back to* leads to where
/// the first one began.
///
/// A knob on the page Go to goes through many places. Together they are one way, from where the music was when the page
/// was opened.
package struct PlaceBefore: Equatable, Sendable {
  private var entry: UInt64 = 0
  private var place: Duration?
  /// The place that the last jump led to.
  private var arrived: Duration?
  private var turning: Turning?
  /// A jump from a place where the music played for less than this belongs to the jump that led there.
  package static let stays: Duration = .seconds(60)

  /// The way that a knob is on: where it began, where back leads meanwhile, and what the way before it led back to.
  private struct Turning: Equatable, Sendable {
    let start: Duration
    let back: Duration
    let former: Duration?
  }

  package init() {}

  /// The place that *Back to* leads to in this entry of the queue. Nil when nobody has jumped in it.
  package func place(in entry: UInt64?) -> Duration? { entry == self.entry ? place : nil }

  /// Somebody goes to `goal`; `now` is where the music is. `start` is where it was when they began to turn through it;
  /// nil: they go there at once.
  package mutating func go(to goal: Duration, from now: Duration, turnedFrom start: Duration?, in entry: UInt64) {
    if entry != self.entry { (self.entry, place, turning, arrived) = (entry, nil, nil, nil) }
    let hasStayed = arrived.map { !($0..<$0 + Self.stays).contains(start ?? now) } ?? true
    defer { arrived = goal }
    guard let start else {
      // From the place before it leads here again.
      if hasStayed || goal == place || place == nil { place = now }
      turning = nil
      return
    }
    if turning?.start != start {
      turning = Turning(start: start, back: hasStayed ? start : place ?? start, former: place)
    }
    // Somebody who turns back to where they began has not jumped, so the place of the jump before counts again.
    place = goal == start ? turning?.former : turning?.back
  }
}
