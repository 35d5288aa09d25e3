import Runtime

/// The panel's words in one language. What is missing is said in English.
package struct PanelWords: Equatable, Sendable {
  package static let english = PanelWords([:])

  let table: [Word: String]
  /// What it calls the owner's settings.
  private(set) var settings = SettingWords.english
  /// Lines begin at the right, and what leads on is at the left.
  package let isRightToLeft: Bool
  /// What names are written with.
  let alphabet: String

  init(_ table: [Word: String], isRightToLeft: Bool = false, alphabet: String = "abcdefghijklmnopqrstuvwxyz") {
    (self.table, self.isRightToLeft, self.alphabet) = (table, isRightToLeft, alphabet)
  }

  /// By their codes.
  private(set) var notices: [String: String] = [:]

  func with(_ settings: SettingWords, _ notices: [String: String]) -> PanelWords {
    var words = self
    (words.settings, words.notices) = (settings, notices)
    return words
  }

  /// What the house says, where this language has words for all of it. A reason by itself is no notice.
  package func said(_ notice: Notice) -> String { Self.shorteningPaths(in: phrase(of: notice)) }

  /// Of a long path what tells it apart: where it begins and what it is called.
  static func shorteningPaths(in text: String) -> String {
    guard text.contains("/") else { return text }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word in
      guard let slash = word.firstIndex(of: "/"), word.count > longestPath else { return String(word) }
      // A quote or a bracket may stand before it; where letters do, it is an address.
      guard word[..<slash].allSatisfy({ !$0.isLetter && !$0.isNumber }) else { return String(word) }
      let parts = word[slash...].split(separator: "/")
      guard parts.count > 2, let first = parts.first, let last = parts.last else { return String(word) }
      return "\(word[..<slash])/\(first)/…/\(last)"
    }.joined(separator: " ")
  }

  /// In letters; as much as a line of a small panel holds.
  private static let longestPath = 24

  private func phrase(of notice: Notice) -> String {
    guard !NoticeWords.isReason(notice.phrase), let phrase = notices[notice.phrase] else { return notice.shortMessage }
    guard let reason = notice.reason else { return Self.fill(phrase, notice.names) ?? notice.shortMessage }
    return notices[reason].flatMap { Self.fill(phrase, notice.names + [$0]) } ?? notice.shortMessage
  }

  /// Each % is the next name; nil when there are not as many.
  private static func fill(_ phrase: String, _ names: [String]) -> String? {
    let parts = phrase.split(separator: "%", omittingEmptySubsequences: false)
    guard parts.count == names.count + 1 else { return nil }
    return zip(parts, names + [""]).map { "\($0)\($1)" }.joined()
  }

  /// With each % replaced by the next of `names`.
  func filled(_ word: Word, _ names: String...) -> String { Self.fill(self[word], names) ?? self[word] }

  /// `Free: 21 GB`.
  func labelled(_ word: Word, _ what: String) -> String { "\(self[word])\(self[.colon])\(what)" }

  /// In three digits or fewer, of the unit that leaves that many.
  func bytes(_ count: Int64) -> String {
    let units = self[.byteUnits].split(separator: " ")
    // Nothing that a source says of a size overflows.
    var (tenths, unit) = (min(max(count, 0), Int64.max / 20) * 10, 0)
    while tenths >= 9_995, unit < units.count - 1 {
      tenths = (tenths + 500) / 1_000
      unit += 1
    }
    let number =
      unit == 0 || tenths >= 100 ? "\((tenths + 5) / 10)" : "\(tenths / 10)\(self[.decimalPoint])\(tenths % 10)"
    return "\(number) \(units[unit])"
  }

  /// Begun ones count: "3 min".
  func minutes(_ time: Duration) -> String { "\(max((time.milliseconds + 59_999) / 60_000, 1)) \(self[.minutes])" }

  /// When something was that is so old: "5 min ago", or the time of day, where the clock is right and it was today.
  func ago(_ age: Duration, at now: TimeOfDay?) -> String {
    let minutes = Int(max(age, .zero).components.seconds / 60)
    if minutes < 1 { return self[.justNow] }
    if minutes < 60 { return filled(.ago, "\(minutes) \(self[.minutes])") }
    if let now, minutes <= now.minute { return TimeOfDay(minute: now.minute - minutes, second: 0).text }
    if minutes < 48 * 60 { return filled(.ago, "\(minutes / 60) \(self[.hours])") }
    return filled(.ago, "\(minutes / (24 * 60)) \(self[.days])")
  }

  /// `O-131: it is not the time of day for downloads`.
  package func said(_ code: String, _ message: String) -> String {
    guard let known = notices[code] else { return "\(code): \(message)" }
    // A line runs the way that its first letter does.
    return isRightToLeft ? "\(known) (\(code))" : "\(code)\(self[.colon])\(known)"
  }

  /// Also when it is tried again, in minutes.
  package func said(_ code: String, _ message: String, again: Duration?) -> String {
    guard let again else { return said(code, message) }
    return [said(code, message), Self.fill(self[.againIn], [minutes(again)])].compactMap(\.self).joined(separator: ", ")
  }

  /// A question as the house asks it, and its answers in their order.
  func said(_ question: OwnersQuestion) -> (text: String, answers: [String]) {
    let known: (Word, [Word])? =
      switch question.code {
      case "H-713": (.askTakeIn, [.notNow, .yesEachTime, .yesAndPlay, .neverThis])
      case "H-717": (.askReadStick, [.no, .yes])
      case "H-720": (.askSetUp, [.no, .yes])
      default: nil
      }
    guard let (ask, answers) = known, question.answers.count <= answers.count,
      let text = Self.fill(self[ask], [question.subject ?? self[.thisStick]])
    else { return (question.text, question.answers) }
    return (text, answers.prefix(question.answers.count).map { self[$0] })
  }

  package static func of(_ language: PanelLanguage) -> PanelWords {
    switch language {
    case .english: english
    case .german: german
    case .french: french
    case .spanish: spanish
    case .japanese: japanese
    case .arabic: arabic
    }
  }

  /// "Opens Mon 9:00", or without the day where it is today.
  func said(_ opening: KioskHours.Opening) -> String {
    let days: [Word] = [.monday, .tuesday, .wednesday, .thursday, .friday, .saturday, .sunday]
    let day = opening.day.flatMap { days.indices.contains($0) ? self[days[$0]] : nil }
    return [self[.opensAt], day, opening.clock].compactMap(\.self).joined(separator: " ")
  }

  package subscript(_ word: Word) -> String { table[word] ?? word.rawValue }
}
