import Runtime

/// The knob as a place in what plays. A value: detents and moments in, a place out.
///
/// A careful detent is 5 s. Detents that follow each other quickly are 2 minutes each, and while the knob is spun, or
/// turned while pressed, each is a twentieth of the whole. So any place of a book of ten hours is 20 detents of
/// a twentieth, 8 of 2 minutes and 11 careful ones away, or less. Of a short piece a twentieth is less than 2 minutes, and
/// then a quick detent is a twentieth too.
package struct PlaceDial: Equatable, Sendable {
  /// What is shown of it.
  package struct Shown: Equatable, Sendable {
    package var title: String
    package var place: Duration
    /// Where the music was before anybody turned; back leads there.
    package var start: Duration
    package var whole: Duration
    package var isTurned: Bool
    /// How far a detent leads, as the knob is turned now.
    package var step: Duration
  }

  static let careful: Duration = .seconds(5)
  static let quick: Duration = .seconds(120)
  /// An easy turn of a knob of 24 detents has 60 ms between two; who counts them takes 200 ms and more. A key that is
  /// held repeats every 120 ms.
  static let quickPause: Duration = .milliseconds(130)
  /// A flick is 10 to 15 ms.
  static let spunPause: Duration = .milliseconds(30)
  /// So many pauses have to be quick: a twitch is none.
  static let pauses = 2
  /// What is heard follows a seek a little later, so for so long after a turn the place that was turned to is shown.
  static let settles: Duration = .seconds(2)

  /// So much is left in front of the end by steps that are larger than careful ones.
  static let rest: Duration = .seconds(60)

  /// The entry of the queue that it is about.
  package let entry: UInt64
  private let title: String
  private let whole: Duration
  package private(set) var start: Duration
  package private(set) var place: Duration
  package private(set) var isTurned = false
  private var step = careful
  private var last: Moment?
  private var way = 0
  private var recent: [Duration] = []

  package init(entry: UInt64, title: String, at place: Duration, of whole: Duration) {
    (self.entry, self.title, self.whole) = (entry, title, whole)
    start = min(max(place, .zero), whole)
    self.place = start
  }

  package var shown: Shown {
    func seconds(_ time: Duration) -> Duration { .seconds(time.components.seconds) }
    return Shown(
      title: title, place: seconds(place), start: seconds(start), whole: seconds(whole), isTurned: isTurned,
      step: seconds(step))
  }

  /// Of the whole, but never less than a careful detent.
  var twentieth: Duration { max(whole / 20, Self.careful) }

  /// So many detents, clockwise when positive; those that came together had the same pause before each.
  package mutating func turn(by steps: Int, at now: Moment) {
    guard steps != 0 else { return }
    if steps.signum() != way { (way, last, recent) = (steps.signum(), nil, []) }
    if let last {
      let pause = max(now - last, .zero) / abs(steps)
      recent = (recent + Array(repeating: pause, count: min(abs(steps), Self.pauses))).suffix(Self.pauses)
    }
    let slowest = recent.count == Self.pauses ? recent.max() ?? Self.settles : Self.settles
    step =
      slowest <= Self.spunPause
      ? twentieth : slowest <= Self.quickPause ? min(Self.quick, twentieth) : Self.careful
    go(to: place + step * Self.bounded(steps), at: now)
  }

  /// Spun, or turned while pressed.
  package mutating func leap(by steps: Int, at now: Moment) {
    (way, recent, step) = (0, [], twentieth)
    go(to: place + step * Self.bounded(steps), at: now)
  }

  /// A finger lies there: so much of the whole.
  package mutating func slide(to part: Double, at now: Moment) {
    guard part.isFinite else { return }
    (way, recent) = (0, [])
    go(to: .milliseconds(Int64(min(max(part, 0), 1) * Double(whole.milliseconds))), at: now, slides: true)
  }

  /// The music has come to there. What was turned to a moment ago may not be heard yet.
  package mutating func hear(_ elapsed: Duration, at now: Moment) {
    if let last, now - last < Self.settles { return }
    (place, step) = (min(max(elapsed, .zero), whole), Self.careful)
    if !isTurned { start = place }
  }

  /// The end itself would be the next piece. In great steps nobody comes near it: what is heard meanwhile goes on, and
  /// would be over while somebody still looks where they are.
  private mutating func go(to goal: Duration, at now: Moment, slides: Bool = false) {
    let rest = slides || step == Self.careful ? Self.careful : max(min(Self.rest, whole / 10), Self.careful)
    let last = max(whole - rest, min(place, whole - Self.careful), .zero)
    place = min(max(goal, .zero), last)
    (isTurned, self.last) = (true, now)
  }

  /// More than the whole is as good as the whole, and a length that a damaged file claims overflows nothing.
  private static func bounded(_ steps: Int) -> Int { min(max(steps, -10_000), 10_000) }
}
