import Runtime

/// One way in which a verb is used: `add MUSIC...`. The same text is shown as help and checked against.
///
/// Small letters stand for themselves, capitals for an argument of that kind. `a|B` is one or the other, `[...]` may be
/// left out, and what ends with `...` is one or more up to the end: whatever the text says behind that is only shown.
package struct VerbForm: Sendable {
  enum Alternative: Equatable, Sendable {
    case word(String)
    case kind(ArgumentKind)

    func accepts(_ argument: JSON) -> Bool {
      switch self {
      case .word(let word): argument.string == word
      case .kind(let kind): kind.accepts(argument)
      }
    }
  }

  indirect enum Element: Equatable, Sendable {
    case one([Alternative])
    case rest([Alternative])
    case optional([Element])
  }

  package let text: String
  /// Nil where it is for programs, and help does not show it.
  package let help: String?
  let elements: [Element]

  init(_ text: String, _ help: String?) {
    (self.text, self.help) = (text, help)
    let spaced = text.flatMap { $0 == "[" || $0 == "]" ? [" ", $0, " "] : [$0] }
    var words = String(spaced).split(separator: " ")[...]
    elements = Self.parse(&words)
  }

  private static func parse(_ words: inout ArraySlice<Substring>) -> [Element] {
    var elements: [Element] = []
    while let word = words.popFirst(), word != "]" {
      if word == "[" {
        elements.append(.optional(parse(&words)))
        continue
      }
      let isRest = word.hasSuffix("...")
      let alternatives = (isRest ? word.dropLast(3) : word).split(separator: "|").map { part in
        ArgumentKind(rawValue: String(part)).map { Alternative.kind($0) } ?? .word(String(part))
      }
      elements.append(isRest ? .rest(alternatives) : .one(alternatives))
    }
    return elements
  }

  /// All ways to write the form without brackets: with what was in them, and without it.
  package var withoutBrackets: [String] { Self.written(elements[...]).map { $0.joined(separator: " ") } }

  private static func written(_ elements: ArraySlice<Element>) -> [[String]] {
    guard let element = elements.first else { return [[]] }
    let rest = written(elements.dropFirst())
    switch element {
    case .one(let alternatives): return rest.map { [written(alternatives)] + $0 }
    case .rest(let alternatives): return rest.map { [written(alternatives) + "..."] + $0 }
    case .optional(let inner): return written((inner + elements.dropFirst())[...]) + rest
    }
  }

  private static func written(_ alternatives: [Alternative]) -> String {
    alternatives.map { alternative in
      switch alternative {
      case .word(let word): word
      case .kind(let kind): kind.rawValue
      }
    }.joined(separator: "|")
  }

  /// The kinds of its arguments, which help writes in capitals.
  package var kinds: [ArgumentKind] { elements.flatMap(Self.kinds) }

  private static func kinds(of element: Element) -> [ArgumentKind] {
    switch element {
    case .one(let alternatives), .rest(let alternatives):
      alternatives.compactMap { if case .kind(let kind) = $0 { kind } else { nil } }
    case .optional(let inner): inner.flatMap(kinds)
    }
  }

  /// The fixed word that the form begins with; nil when it begins with an argument or with a choice.
  var firstWord: String? {
    guard case .one(let alternatives) = elements.first, alternatives.count == 1,
      case .word(let word) = alternatives[0]
    else { return nil }
    return word
  }

  /// The first argument that fitted no form (by the form that got furthest), and what would have fitted in its place.
  struct Mismatch {
    var place = -1
    var expected: [Alternative] = []

    mutating func note(_ place: Int, _ alternatives: [Alternative]) {
      guard place >= self.place else { return }
      if place > self.place { (self.place, expected) = (place, []) }
      expected += alternatives.filter { !expected.contains($0) }
    }
  }

  /// The kind of each argument; nil for an argument that is a fixed word. Returns nil when the arguments do not fit.
  func kinds(of arguments: [JSON], _ mismatch: inout Mismatch) -> [ArgumentKind?]? {
    var kinds: [ArgumentKind?] = []
    return Self.fit(elements[...], arguments, &kinds, &mismatch) ? kinds : nil
  }

  private static func fit(
    _ elements: ArraySlice<Element>, _ arguments: [JSON], _ kinds: inout [ArgumentKind?], _ mismatch: inout Mismatch
  ) -> Bool {
    let place = kinds.count
    guard let element = elements.first else {
      if place == arguments.count { return true }
      mismatch.note(place, [])
      return false
    }
    switch element {
    case .one(let alternatives):
      guard take(alternatives, arguments, &kinds, &mismatch) else { return false }
      if fit(elements.dropFirst(), arguments, &kinds, &mismatch) { return true }
    case .rest(let alternatives):
      repeat {
        guard take(alternatives, arguments, &kinds, &mismatch) else {
          kinds.removeSubrange(place...)
          return false
        }
      } while kinds.count < arguments.count
      return true
    case .optional(let inner):
      if fit(inner + elements.dropFirst(), arguments, &kinds, &mismatch) { return true }
      kinds.removeSubrange(place...)
      if fit(elements.dropFirst(), arguments, &kinds, &mismatch) { return true }
    }
    kinds.removeSubrange(place...)
    return false
  }

  private static func take(
    _ alternatives: [Alternative], _ arguments: [JSON], _ kinds: inout [ArgumentKind?], _ mismatch: inout Mismatch
  ) -> Bool {
    let place = kinds.count
    guard place < arguments.count, let taken = alternatives.first(where: { $0.accepts(arguments[place]) }) else {
      mismatch.note(place, alternatives)
      return false
    }
    if case .kind(let kind) = taken { kinds.append(kind) } else { kinds.append(nil) }
    return true
  }
}
