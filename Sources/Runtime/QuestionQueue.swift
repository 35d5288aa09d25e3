/// Which question stands before the owner, and what becomes of it. A value; time is told to it.
///
/// One stands at a time, in the order in which they came. It goes with a press, with an answer from elsewhere, when
/// what it is about has gone, or after a long while with the safest answer: a board alone in a car must not wait for
/// ever, nor do what nobody wanted. A hand that was at the knob when a question came up meant something else: what it
/// does within the first moments counts for nothing.
package struct QuestionQueue: Equatable, Sendable {
  package static let patience: Duration = .seconds(300)
  package static let grace: Duration = .milliseconds(700)
  package static let most = 16

  package struct Asked: Equatable, Sendable {
    package let number: Int
    package let question: OwnersQuestion
    package fileprivate(set) var chosen = OwnersQuestion.safest
  }

  package struct Answered: Equatable, Sendable {
    package let number: Int
    package let question: OwnersQuestion
    package let answer: Int
  }

  /// The first one stands, the others wait.
  package private(set) var asked: [Asked] = []
  private var since = Moment(nanoseconds: 0)
  private var lastNumber = 0

  package init() {}

  package var current: Asked? { asked.first }

  /// When the one that stands is answered by itself.
  package var nextChange: Moment? { asked.isEmpty ? nil : since + Self.patience }

  /// Its number; nil when too many wait.
  package mutating func ask(_ question: OwnersQuestion, at now: Moment) -> Int? {
    guard asked.count < Self.most else { return nil }
    lastNumber += 1
    if asked.isEmpty { since = now }
    asked.append(Asked(number: lastNumber, question: question))
    return lastNumber
  }

  /// Stays at the first and the last: turned back far enough it is always the safest.
  package mutating func turn(by steps: Int, at now: Moment) {
    guard let standing = asked.first, isHeard(now) else { return }
    let last = standing.question.answers.count - 1
    asked[0].chosen = min(max(standing.chosen + min(max(steps, -last), last), 0), last)
    // Whoever turns is there, and thinks.
    since = max(since, now - Self.grace)
  }

  package mutating func press(at now: Moment) -> Answered? {
    guard let standing = asked.first, isHeard(now) else { return nil }
    return end(0, with: standing.chosen, at: now)
  }

  /// By its number, also one that waits; nil when there is no such question or answer.
  package mutating func answer(_ number: Int, with answer: Int, at now: Moment) -> Answered? {
    guard let place = asked.firstIndex(where: { $0.number == number }),
      asked[place].question.answers.indices.contains(answer)
    else { return nil }
    return end(place, with: answer, at: now)
  }

  /// What it is about has gone.
  package mutating func withdraw(_ number: Int, at now: Moment) -> Asked? {
    guard let place = asked.firstIndex(where: { $0.number == number }) else { return nil }
    let gone = asked[place]
    _ = end(place, with: OwnersQuestion.safest, at: now)
    return gone
  }

  /// Those that nobody has answered for too long.
  package mutating func pass(to now: Moment) -> [Answered] {
    var over: [Answered] = []
    while let end = nextChange, end <= now {
      over.append(self.end(0, with: OwnersQuestion.safest, at: end))
    }
    return over
  }

  private func isHeard(_ now: Moment) -> Bool { now >= since + Self.grace }

  private mutating func end(_ place: Int, with answer: Int, at now: Moment) -> Answered {
    let ended = asked.remove(at: place)
    if place == 0 { since = now }
    return Answered(number: ended.number, question: ended.question, answer: answer)
  }
}
