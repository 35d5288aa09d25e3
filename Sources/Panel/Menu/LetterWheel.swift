/// PanelWords that are written with a knob: it offers the letters that lead to something, and nothing else. First of all
/// stands what was found so far, so that whoever has written enough only presses.
package struct LetterWheel: Equatable, Sendable {
  package enum Choice: Equatable, Sendable {
    case results
    case letter(String)
    case space
    case delete
  }

  /// Longer words are found by fewer letters.
  static let longest = 40

  package private(set) var typed = ""
  package private(set) var choices: [Choice] = []
  package private(set) var focus = 0
  package private(set) var isLoading = true
  /// The best of what is found with what was written.
  package private(set) var found: [MenuRow] = []

  package init(typed: String = "") { self.typed = String(typed.prefix(Self.longest)) }

  package var focused: Choice? { choices.indices.contains(focus) ? choices[focus] : nil }

  /// Round and round: from the first letter it is one step to deleting.
  package mutating func turn(by steps: Int) {
    guard !choices.isEmpty else { return }
    focus = ((focus + steps % choices.count) % choices.count + choices.count) % choices.count
  }

  /// What can follow, in the order of the alphabet.
  mutating func offer(_ letters: [String], found: [MenuRow]) {
    isLoading = false
    self.found = found
    let wasFirst = focus == 0
    let before = focused
    choices = found.isEmpty ? [] : [.results]
    choices += letters.map { .letter($0) }
    if !typed.isEmpty {
      if typed.last != " ", !found.isEmpty { choices.append(.space) }
      choices.append(.delete)
    }
    focus = wasFirst ? 0 : before.flatMap { choices.firstIndex(of: $0) } ?? 0
  }

  /// Nothing could be looked up.
  mutating func fail() { offer([], found: []) }

  /// True: something else is written now, and has to be looked up.
  mutating func choose() -> Bool {
    switch focused {
    case .letter(let letter) where typed.count < Self.longest: typed += letter
    case .space where typed.count < Self.longest: typed += " "
    case .delete where !typed.isEmpty: typed.removeLast()
    default: return false
    }
    // Until it is known what can follow, a press means nothing.
    (isLoading, focus, choices) = (true, 0, [])
    return true
  }
}
