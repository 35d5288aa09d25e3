import Audio
import Runtime

/// What is said aloud, and when: a value that is told what is on the panel and what hands do, and says what to say and
/// what to break off.
///
/// A hand hears where it has come to: what was being said is broken off at once, and when it rests what is looked at now
/// is said, not all that was passed. What changes by itself is told by nobody; only what a hand waits for is, and a
/// question speaks up, and a notice, and that waits until nothing else is said. Nothing is said twice for having been
/// seen twice.
package struct Announcer: Equatable, Sendable {
  package enum Action: Equatable, Sendable {
    /// Under its number its end is told.
    case say(SpokenText, number: Int)
    case hush
  }

  /// A hand that turns rests when nothing has come for so long.
  package static let rest: Duration = .milliseconds(250)
  /// What comes later was not caused by it.
  package static let reach: Duration = .seconds(2)
  package static let mostWaiting = 4

  private struct Pending: Equatable, Sendable {
    var scene: Scene
    let due: Moment
  }

  private struct Speaking: Equatable, Sendable {
    let text: SpokenText
    let number: Int
  }

  private var shown: Scene?
  /// A hand has led to what is shown, which is still being looked up.
  private var isAwaited = false
  /// What was told of the panel last.
  private var told: Scene?
  private var pending: Pending?
  private var speaking: Speaking?
  /// Notices that wait, oldest first.
  private var waiting: [SpokenText] = []
  private var touched: Moment?
  private var lastNumber = 0

  package init() {}

  /// When something will have to be said although nothing comes any more.
  package var due: Moment? { pending?.due }
  package var isSpeaking: Bool { speaking != nil }

  /// A hand did something.
  package mutating func touch(at now: Moment) { touched = now }

  /// The panel shows something else, or the same again.
  package mutating func see(_ scene: Scene, at now: Moment) -> [Action] {
    guard scene != shown else { return [] }
    let before = shown
    shown = scene
    let hasCome = isAwaited && before?.place == scene.place
    let isNews = hasCome || isNews(scene, after: before, at: now)
    isAwaited = scene.isComing && isNews
    guard isNews else {
      // It is still where one came to, only as it is by now.
      if pending != nil { pending?.scene = scene }
      return []
    }
    pending = Pending(scene: scene, due: now + Self.rest)
    guard speaking != nil else { return [] }
    speaking = nil
    return [.hush]
  }

  private func isNews(_ scene: Scene, after before: Scene?, at now: Moment) -> Bool {
    let isElsewhere = before.map { $0.place != scene.place || $0.focus != scene.focus } ?? true
    if !isElsewhere, scene.isMoving || before?.isMoving == true { return false }
    if scene.asks, isElsewhere { return true }
    return touched.map { now - $0 <= Self.reach } ?? false
  }

  /// It is told when nothing else is said; the same is not told twice in a row.
  package mutating func notice(_ message: String) -> [Action] {
    let text = SpokenText(message)
    guard !text.isEmpty, text != speaking?.text, !waiting.contains(text) else { return [] }
    if waiting.count == Self.mostWaiting { waiting.removeFirst() }
    waiting.append(text)
    return goOn()
  }

  /// What was said under that number is over, or could not be said.
  package mutating func ended(_ number: Int) -> [Action] {
    guard speaking?.number == number else { return [] }
    speaking = nil
    return goOn()
  }

  /// What has rested long enough by `now`.
  package mutating func settle(by now: Moment) -> [Action] {
    guard let pending, pending.due <= now else { return [] }
    self.pending = nil
    let text = SpokenText(words(of: pending.scene))
    told = pending.scene
    return text.isEmpty ? goOn() : [say(text)]
  }

  private mutating func goOn() -> [Action] {
    guard speaking == nil, pending == nil, !waiting.isEmpty else { return [] }
    return [say(waiting.removeFirst())]
  }

  private mutating func say(_ text: SpokenText) -> Action {
    lastNumber += 1
    speaking = Speaking(text: text, number: lastNumber)
    return .say(text, number: lastNumber)
  }

  /// Where one is only on arrival; and of what one stayed at, what has changed.
  private func words(of scene: Scene) -> String {
    let focus = [scene.focus, scene.value].filter { !$0.isEmpty }.joined(separator: ", ")
    guard let told, told.place == scene.place, !scene.asks || told.asks else {
      return [scene.place, focus, scene.advice].filter { !$0.isEmpty }.joined(separator: ". ")
    }
    return told.focus == scene.focus && told.value != scene.value && !scene.value.isEmpty ? scene.value : focus
  }
}
