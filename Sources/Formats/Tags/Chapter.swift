import Runtime

/// A named part of one recording: of a book, a podcast, a concert.
package struct Chapter: Equatable, Sendable {
  package var begins: Duration
  /// Empty where the file gives it none.
  package var title: String

  package init(at begins: Duration, title: String) { (self.begins, self.title) = (begins, title) }

  /// In one recording; no book has more.
  package static let most = 1_000
  /// What lies beyond is damage.
  package static let latest: Duration = .seconds(360_000)

  /// As they are played. Of two that begin at once one is left.
  package static func inOrder(_ found: some Sequence<Chapter>) -> [Chapter] {
    var ordered: [Chapter] = []
    for chapter in found.sorted(by: { $0.begins < $1.begins }) where chapter.begins >= .zero && chapter.begins <= latest
    {
      guard ordered.count < most else { break }
      if ordered.last?.begins != chapter.begins { ordered.append(chapter) }
    }
    return ordered
  }
}

/// Chapters in their order.
extension [Chapter] {
  /// The one that is heard at that place; nil in what comes before the first.
  package func index(at place: Duration) -> Int? { lastIndex { $0.begins <= place } }

  /// Where the next one begins; nil in the last.
  package func next(from place: Duration) -> Duration? { first { $0.begins > place }?.begins }

  /// Where this one begins, or near its beginning the one before.
  package func previous(from place: Duration) -> Duration {
    last { $0.begins + Self.near < place }?.begins ?? .zero
  }

  /// Where so many chapters on lead to, or back when `steps` is negative; no further than the first and the last one.
  /// Nil when there is none that way.
  package func place(_ steps: Int, from place: Duration) -> Duration? {
    var goal = place
    for _ in 0..<Swift.min(steps.magnitude, UInt(count)) {
      if steps < 0, goal <= Self.near { break }
      goal = steps > 0 ? next(from: goal) ?? goal : previous(from: goal)
    }
    return goal == place ? nil : goal
  }

  /// Within this time after a chapter's beginning "previous" means the chapter before it.
  private static let near: Duration = .seconds(3)
}

/// Chapters as comments have them: `CHAPTER001=00:12:30.000` and `CHAPTER001NAME=The storm`.
package struct ChapterComments {
  private var begins: [Int: Duration] = [:]
  private var titles: [Int: String] = [:]

  private static let prefix = "CHAPTER"
  private static let digits = 3

  /// Whether a key is one of these, in whatever letters.
  static func isKey(_ key: some Collection<UInt8>) -> Bool {
    let (word, number) = (key.prefix(prefix.utf8.count), key.dropFirst(prefix.utf8.count).prefix(digits))
    return number.count == digits && number.allSatisfy { (0x30...0x39).contains($0) }
      && word.elementsEqual(prefix.utf8) { $0 & 0xDF == $1 }
  }

  /// `key`: in capitals. False when it means something else.
  mutating func add(_ key: String, _ value: String) -> Bool {
    let number = Int(key.dropFirst(Self.prefix.count).prefix(Self.digits))
    guard Self.isKey(key.utf8), let number else { return false }
    switch key.dropFirst(Self.prefix.count + Self.digits) {
    case "": begins[number] = Self.time(value)
    case "NAME": titles[number] = Tags.clean(value)
    // An address, say.
    default: break
    }
    return true
  }

  var chapters: [Chapter] { Chapter.inOrder(begins.map { Chapter(at: $0.value, title: titles[$0.key] ?? "") }) }

  /// `HH:MM:SS.mmm`; nil when it is none.
  static func time(_ text: String) -> Duration? {
    guard text.utf8.count <= 20 else { return nil }
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = whole(parts[0]), let minutes = whole(parts[1]), minutes < 60 else { return nil }
    let last = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(last.count), let seconds = whole(last[0]), seconds < 60 else { return nil }
    let fraction = last.count == 2 ? last[1].prefix(3) : "0"
    guard let part = whole(fraction) else { return nil }
    let milliseconds = part * [1: 100, 2: 10, 3: 1][fraction.count, default: 1]
    return .milliseconds(((hours * 60 + minutes) * 60 + seconds) * 1_000 + milliseconds)
  }

  private static func whole(_ text: Substring) -> Int64? {
    guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text)
  }
}
