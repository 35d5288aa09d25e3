import Runtime

/// The knob as a place in what plays. A value: detents and moments in, a place out.
///
/// A careful detent is 5 s. In a piece of more than 40 minutes the detents that follow a pressed turn are a minute each,
/// until the knob has rested or is turned back. So a place in a long book is found by half hours, by minutes and then
/// exactly, however slowly a hand turns.
///
/// Detents that follow each other quickly lead further and further: 15 s, 30 s, 1 minute, 2 minutes, the sooner the
/// quicker they are. While the knob is spun, or turned while pressed, each is a twentieth of the
/// whole. So any place of a book of ten hours is 20 detents of a twentieth and 16 smaller ones away, or less. Of a short
/// piece a twentieth is less than 2 minutes, and then no quick detent is more than that.
///
/// Whoever has gone too far turns back: that begins with careful detents again, and none of them leads as far as the last
/// one did. So also a hand that is late to see where it is comes nearer with each turn to and fro, until the knob has
/// rested for a moment.
package struct PlaceDial: Equatable, Sendable {
  /// A part of it that has a beginning and perhaps a name.
  package struct Chapter: Equatable, Sendable {
    let begins: Duration
    let title: String

    package init(at begins: Duration, title: String) { (self.begins, self.title) = (begins, title) }
  }

  /// What is shown of it.
  package struct Shown: Equatable, Sendable {
    /// Of the chapter that the place is in, where it has a name.
    package var title: String
    package var place: Duration
    /// Where the music was before anybody turned; back leads there.
    package var start: Duration
    package var whole: Duration
    package var isTurned: Bool
    /// How far the next detent leads, if it comes as quickly as the last ones.
    package var step: Duration
    /// That is a twentieth of the whole.
    package var isTwentieth: Bool
    /// How far quick detents lead in the end, where the next one is a careful one and they lead further.
    package var quick: Duration?
  }

  static let careful: Duration = .seconds(5)
  /// What quick detents grow to, one after the other.
  static let growing: [Duration] = [.seconds(15), .seconds(30), .seconds(60), .seconds(120)]
  /// Who counts detents takes 200 ms and more for one. A key that is held repeats every 120 ms.
  static let quickPause: Duration = .milliseconds(130)
  /// An easy turn of a knob of 24 detents has 60 ms between two; it grows at each of them, and a slower one at each second.
  static let easyPause: Duration = .milliseconds(60)
  /// A flick is 10 to 15 ms.
  static let spunPause: Duration = .milliseconds(30)
  /// So many pauses have to be that short: a twitch is no spin, and several detents that a busy main loop sees at once
  /// are none either.
  static let spunPauses = 3
  /// After so long without a detent nobody is on the way back any more.
  static let rests: Duration = .milliseconds(500)
  /// What is heard follows a seek a little later, so for so long after a turn the place that was turned to is shown.
  static let settles: Duration = .seconds(2)

  /// What follows a pressed turn.
  static let minute: Duration = .seconds(60)

  /// So much is left in front of the end by steps that are larger than careful ones.
  static let rest: Duration = .seconds(60)

  /// The entry of the queue that it is about.
  package let entry: UInt64
  private let title: String
  private let whole: Duration
  /// In their order.
  private let chapters: [Chapter]
  package private(set) var start: Duration
  package private(set) var place: Duration
  package private(set) var isTurned = false
  private var step = careful
  private var last: Moment?
  private var way = 0
  /// How far quick detents have grown, in halves of a step of `growing`. The first pause alone grows nothing.
  private var growth = atRest
  /// How many of the last pauses were those of a spun knob.
  private var spun = 0
  /// After a pressed turn, until the knob has rested.
  private var goesByMinutes = false
  private var wayOfMinutes = 0
  /// Whoever turns back goes no further at once than this.
  private var limit: Duration?
  private static let atRest = -2
  /// So many detents that came together are all that can grow.
  private static let mostGrowing = 16

  package init(
    entry: UInt64, title: String, at place: Duration, of whole: Duration, chapters: [Chapter] = []
  ) {
    (self.entry, self.title, self.whole, self.chapters) = (entry, title, whole, chapters)
    start = min(max(place, .zero), whole)
    self.place = start
  }

  package var shown: Shown {
    func seconds(_ time: Duration) -> Duration { .seconds(time.components.seconds) }
    let isTwentieth = step == twentieth && step > Self.careful
    let chapter = chapters.last { $0.begins <= place }.map(\.title) ?? ""
    return Shown(
      title: chapter.isEmpty ? title : chapter, place: seconds(place), start: seconds(start), whole: seconds(whole),
      isTurned: isTurned, step: seconds(step), isTwentieth: isTwentieth,
      quick: step == Self.careful && quickest > step ? seconds(quickest) : nil)
  }

  /// As far as they grow without the knob being spun.
  private var quickest: Duration { min(Self.growing[Self.growing.count - 1], twentieth) }

  /// Of the whole, but never less than a careful detent.
  var twentieth: Duration { max(whole / 20, Self.careful) }

  /// So many detents, clockwise when positive; those that came together had the same pause before each.
  package mutating func turn(by steps: Int, at now: Moment) {
    let steps = Self.bounded(steps)
    guard steps != 0 else { return }
    let (count, forward) = (abs(steps), steps.signum())
    if let last, now - last >= Self.settles { goesByMinutes = false }
    if goesByMinutes, wayOfMinutes == -steps.signum() { goesByMinutes = false }
    wayOfMinutes = steps.signum()
    let pause = last.map { max(now - $0, .zero) / count }
    if pause.map({ $0 >= Self.rests }) ?? true { rest() }
    var isBack = false
    if forward != way {
      // A careful step was no way to anywhere, and a contact that bounces makes one.
      if way != 0, step > Self.careful { limit = Self.smaller(than: step) }
      (way, growth, spun, isBack) = (forward, Self.atRest, 0, true)
    }
    for index in 0..<min(count, Self.mostGrowing) {
      grow(after: isBack && index == 0 ? nil : pause)
      go(by: forward, at: now)
    }
    if count > Self.mostGrowing { go(by: forward * (count - Self.mostGrowing), at: now) }
  }

  /// Turned while pressed.
  package mutating func leap(by steps: Int, at now: Moment) {
    rest()
    step = twentieth
    go(by: Self.bounded(steps), at: now)
    (goesByMinutes, wayOfMinutes) = (twentieth > Self.minute * 2, 0)
  }

  /// How far a detent leads that is not quick.
  private var slow: Duration { goesByMinutes ? Self.minute : Self.careful }

  /// When the next detent leads less far, if none comes until then.
  func stepChanges(after now: Moment) -> Moment? {
    guard let last else { return nil }
    if now < last + Self.rests { return last + Self.rests }
    return goesByMinutes && now < last + Self.settles ? last + Self.settles : nil
  }

  /// As `turn` would find it: after a rest a detent is a careful one, or a minute.
  mutating func settle(at now: Moment) {
    guard let last else { return }
    if now - last >= Self.settles { goesByMinutes = false }
    if now - last >= Self.rests { step = slow }
  }

  /// A finger lies there: so much of the whole.
  package mutating func slide(to part: Double, at now: Moment) {
    guard part.isFinite else { return }
    rest()
    go(to: .milliseconds(Int64(min(max(part, 0), 1) * Double(whole.milliseconds))), at: now, slides: true)
  }

  private static func smaller(than step: Duration) -> Duration { growing.last { $0 < step } ?? careful }

  /// The next detent is the first of a new turn.
  private mutating func rest() { (way, growth, spun, limit) = (0, Self.atRest, 0, nil) }

  /// How far the next detent leads. Nil: nobody knows how quick it was, or it is the first on the way back.
  private mutating func grow(after pause: Duration?) {
    guard let pause, pause <= Self.quickPause else {
      (growth, spun, step) = (Self.atRest, 0, slow)
      return
    }
    growth = min(growth + (pause <= Self.easyPause ? 2 : 1), 2 * Self.growing.count)
    spun = pause <= Self.spunPause ? spun + 1 : 0
    let grown = max(growth < 2 ? Self.careful : Self.growing[growth / 2 - 1], slow)
    step = min(spun >= Self.spunPauses ? twentieth : min(grown, twentieth), limit ?? twentieth)
  }

  /// The music has come to there. What was turned to a moment ago may not be heard yet.
  package mutating func hear(_ elapsed: Duration, at now: Moment) {
    if let last, now - last < Self.settles { return }
    (place, step, goesByMinutes) = (min(max(elapsed, .zero), whole), Self.careful, false)
    if !isTurned { start = place }
  }

  /// By as much as a detent leads now.
  private mutating func go(by steps: Int, at now: Moment) { go(to: place + step * steps, at: now) }

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
