/// Words that are written with a knob. Searching, it offers the letters that lead to something, and nothing else; first of
/// all stands what was found so far, so that whoever has written enough only presses. A name, a number, a PIN is written
/// from a whole alphabet, and its wheel stays where it is between two letters.
package struct LetterWheel: Equatable, Sendable {
  package enum Choice: Equatable, Sendable {
    /// Of a search what is found; else what was written counts.
    case results
    case letter(String)
    case space
    case delete
  }

  /// The best of what is found with what was written, or why it does not count; and how many all of it are, "150+" where
  /// there are more than are listed.
  package struct Preview: Equatable, Sendable {
    package var rows: [MenuRow]
    package var count: String

    package init(_ rows: [MenuRow] = [], count: String = "") { (self.rows, self.count) = (rows, count) }
  }

  /// Longer words are found by fewer letters.
  static let longest = 40

  /// Nil: something is searched for.
  package let writing: Writing?
  package private(set) var typed = ""
  package private(set) var choices: [Choice] = []
  package private(set) var focus = 0
  package private(set) var isLoading = true
  package private(set) var found = Preview()
  private var alphabet: [String] = []
  /// What was searched for the last time, whose results are still known. Until something is written, they are what the
  /// wheel leads to, one step before the first letter.
  let before: String?

  package init(typed: String = "", _ writing: Writing? = nil, before: String? = nil) {
    (self.writing, self.before) = (writing, before)
    self.typed = String(typed.prefix(Self.longest))
  }

  package var focused: Choice? { choices.indices.contains(focus) ? choices[focus] : nil }

  /// As it may be seen.
  var shown: String {
    if writing?.isSecret == true { return String(repeating: "•", count: typed.count) }
    // As the wheel has it: a small l alone looks like a line.
    let text = writing == nil ? typed.prefix(1).uppercased() + typed.dropFirst() : typed
    // A blank at its end would not be seen.
    return text.last == " " ? text.dropLast() + "␣" : text
  }

  /// Round and round: from the first letter it is one step to deleting.
  package mutating func turn(by steps: Int) {
    guard !choices.isEmpty else { return }
    focus = ((focus + steps % choices.count) % choices.count + choices.count) % choices.count
  }

  /// What can follow, in the order of the alphabet.
  mutating func offer(_ letters: [String], found: Preview) {
    isLoading = false
    // A person looks for A at the beginning; titles that begin with a figure are few.
    let isFigure = { (letter: String) in letter.unicodeScalars.first?.properties.numericType != nil }
    alphabet = writing == nil ? letters.filter { !isFigure($0) } + letters.filter(isFigure) : letters
    self.found = found
    let (before, wasFirst) = (focused, focus == 0)
    choices = made
    // Who wants no name of their own presses at once.
    if let writing, before == nil, !writing.accepts(""), let first = choices.firstIndex(where: { $0 != .results }) {
      focus = first
    } else if before == nil, leadsBack, choices.count > 1 {
      focus = 1
    } else {
      focus = wasFirst && writing == nil ? 0 : before.flatMap { choices.firstIndex(of: $0) } ?? 0
    }
  }

  /// Its results are those of the last search.
  var leadsBack: Bool { typed.isEmpty && before != nil && writing == nil }

  private var made: [Choice] {
    let letters = alphabet.map { Choice.letter($0) }
    let hasResults = writing.map { $0.accepts(typed) } ?? (leadsBack || !found.rows.isEmpty)
    var choices: [Choice] = hasResults ? [.results] : []
    choices += letters
    guard !typed.isEmpty else { return choices }
    let hasSpace = writing.map { !$0.isOfDigits } ?? !found.rows.isEmpty
    if typed.last != " ", hasSpace { choices.append(.space) }
    return choices + [.delete]
  }

  /// Nothing could be looked up.
  mutating func fail() { offer([], found: Preview()) }

  /// What was written does not count, and why; it is written anew.
  mutating func refuse(_ why: MenuRow) {
    typed = ""
    focus = 0
    choices = []
    offer(alphabet, found: Preview([why]))
  }

  /// True: something else is written now, and has to be looked up.
  mutating func choose() -> Bool {
    switch focused {
    case .letter(let letter) where typed.count < Self.longest:
      typed = writing?.adding(letter, to: typed) ?? typed + letter
    case .space where typed.count < Self.longest: typed += " "
    case .delete where !typed.isEmpty: typed.removeLast()
    default: return false
    }
    guard writing == nil else {
      offer(alphabet, found: Preview())
      return false
    }
    // Until it is known what can follow, a press means nothing.
    (isLoading, focus, choices) = (true, 0, [])
    return true
  }
}
