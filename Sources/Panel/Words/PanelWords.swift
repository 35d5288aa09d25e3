import Canvas
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

  /// Nil in English, which says all that goes wrong as the log does.
  private(set) var faults: FaultWords?

  /// By the kernel's names. English has those that are printed on the keys.
  private(set) var keys: [String: String] = [:]
  /// What the house says itself.
  var isEnglish: Bool { faults == nil }

  func with(
    _ settings: SettingWords, _ notices: [String: String], _ faults: FaultWords, _ keys: [String: String]
  ) -> PanelWords {
    var words = self
    (words.settings, words.notices, words.faults, words.keys) = (settings, notices, faults, keys)
    return words
  }

  /// What the house says, where this language has words for all of it. A reason by itself is no notice.
  package func said(_ notice: Notice) -> String { Self.shorteningPaths(in: phrase(of: notice)) }

  /// The same in two or three words, for a panel on which all of it is cut.
  func inShort(_ notice: Notice) -> String? {
    NoticeWords.inShort(notice).flatMap { word in
      fill(self[word], Array(notice.names.map(localised).prefix(self[word].count { $0 == "%" })))
    }
  }

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

  private func phrase(of notice: Notice) -> String { known(notice) ?? told(notice) ?? notice.shortMessage }

  /// By its own phrase.
  private func known(_ notice: Notice) -> String? {
    guard let phrase = notices[notice.phrase], !NoticeWords.isReason(notice.phrase) else { return nil }
    let names = notice.names.map(localised)
    guard let reason = notice.reason else { return fill(phrase, names) }
    return notices[NoticeWords.phrase(of: reason)].flatMap { fill(phrase, names + [$0]) }
  }

  /// By what kind of trouble it is.
  private func told(_ notice: Notice) -> String? {
    guard let faults else { return nil }
    if let mistakes = notice.mistakes { return said(mistakes, faults) }
    return notice.kind.map { kind in
      let (subject, trouble) = faults.said(notice.code, kind, of: notice.path)
      return "\(isolated(subject))\(self[.colon])\(trouble)"
    }
  }

  /// A size is told as the house writes it; any other name stays as it is.
  private func localised(_ name: String) -> String {
    let parts = name.split(separator: " ", omittingEmptySubsequences: false)
    let (own, ours) = (Self.english[.byteUnits].split(separator: " "), self[.byteUnits].split(separator: " "))
    guard parts.count == 2, let unit = own.firstIndex(of: parts[1]), ours.indices.contains(unit),
      Double(parts[0]) != nil
    else { return name }
    return "\(parts[0].split(separator: ".").joined(separator: self[.decimalPoint])) \(ours[unit])"
  }

  /// Each % is the next name; nil when there are not as many.
  func fill(_ phrase: String, _ names: [String]) -> String? {
    let parts = phrase.split(separator: "%", omittingEmptySubsequences: false)
    guard parts.count == names.count + 1 else { return nil }
    return zip(parts, names.map(isolated) + [""]).map { "\($0)\($1)" }.joined()
  }

  /// A name or a number as it stands in a sentence.
  func isolated(_ name: String) -> String { isRightToLeft ? Isolated.name(name) : name }

  /// Figures that are read in the order of the words around them: of 7–20 the 7 comes first.
  func running(_ text: String) -> String { isRightToLeft ? Isolated.sentence(text) : text }

  /// Right to left, the letters around it would move the sign to the other side of its number.
  func percent(_ number: String) -> String { isRightToLeft ? isolated("\(number)%") : "\(number) %" }

  /// `Album · 2001`, without those that are empty.
  func joined(_ facts: [String], by between: String = MenuHead.between) -> String {
    let facts = facts.filter { !$0.isEmpty }
    guard isRightToLeft, facts.count > 1 else { return facts.joined(separator: between) }
    return Isolated.sentence(facts.map(Isolated.name).joined(separator: between))
  }

  /// With each % replaced by the next of `names`.
  package func filled(_ word: Word, _ names: String...) -> String { fill(self[word], names) ?? self[word] }

  /// With a capital letter, to begin a sentence.
  package func begun(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// One after the other, in one sentence.
  package func listed(_ parts: [String]) -> String { parts.joined(separator: self[.comma]) }

  /// `kitchen: Albums`, where both have room in the title of the smallest panel; else the second.
  func beside(_ name: String, _ what: String) -> String {
    TextPieces.columns(name + what) <= 16 ? running("\(isolated(name))\(self[.colon])\(isolated(what))") : what
  }

  /// `Free: 21 GB`.
  func labelled(_ word: Word, _ what: String) -> String { "\(self[word])\(self[.colon])\(isolated(what))" }

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

  /// How long something still takes: "40 s", "3 min", "2 h 30 min".
  func wait(_ time: Duration) -> String {
    let seconds = Self.waited(time).components.seconds
    if seconds < 60 { return "\(seconds) \(self[.seconds])" }
    return hours(ofMinutes: seconds / 60)
  }

  /// "3 min", "2 h", "2 h 30 min".
  func hours(ofMinutes minutes: Int64) -> String {
    let (hours, rest) = (minutes / 60, minutes % 60)
    let parts = [hours > 0 ? "\(hours) \(self[.hours])" : "", rest > 0 ? "\(rest) \(self[.minutes])" : ""]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// Rounds a remaining time up: to tens of seconds in the last minute, to minutes below two hours, and to half hours
  /// above, where a guess is not more exact than that.
  static func waited(_ time: Duration) -> Duration {
    let seconds = max((time.milliseconds + 999) / 1_000, 1)
    let step: Int64 = seconds <= 50 ? 10 : seconds < 7_200 ? 60 : 1_800
    return .seconds((seconds + step - 1) / step * step)
  }

  /// How far the next detent leads on the page *Go to*: "Each click: 2 min".
  func step(_ shown: PlaceDial.Shown) -> String {
    filled(shown.isTwentieth ? .aTwentieth : .aDetent, span(shown.step))
  }

  /// How far it leads in the end when one turns quickly, where that is further: "quick: up to 2 min".
  func quickStep(_ shown: PlaceDial.Shown) -> String? { shown.quick.map { filled(.aQuickDetent, span($0)) } }

  /// `step` where there is room for a few letters: "2 min".
  func shortStep(_ shown: PlaceDial.Shown) -> String { shown.isTwentieth ? "1/20" : span(shown.step) }

  /// "5 s", "2 min", and what is neither as a clock shows it.
  private func span(_ time: Duration) -> String {
    let seconds = time.components.seconds
    if seconds < 60 { return "\(seconds) \(self[.seconds])" }
    return seconds % 60 == 0 ? "\(seconds / 60) \(self[.minutes])" : time.clock
  }

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
    guard let known = notices[NoticeWords.phrase(of: code)] else { return "\(code): \(message)" }
    // A line runs the way that its first letter does.
    return isRightToLeft ? "\(known) (\(isolated(code)))" : "\(code)\(self[.colon])\(known)"
  }

  /// Why something is not as wished, for people: without its code. Also when it is tried again.
  package func reason(_ code: String, _ message: String, again: Duration? = nil) -> String {
    let reason = begun(notices[NoticeWords.phrase(of: code)] ?? message)
    let next = again.map(tried)
    return [reason, next].compactMap(\.self).joined(separator: self[.comma])
  }

  /// When the next try comes. Within a minute no number is told: it would begin anew after each try, every few seconds.
  private func tried(in time: Duration) -> String {
    time <= .seconds(60) ? self[.keepsTrying] : filled(.againIn, wait(time))
  }

  /// What nothing comes from just now, and when it is tried again: "kitchen does not answer, again in 2 min".
  package func away(_ source: String, again: Duration?) -> String {
    let next = again.map(tried)
    return [filled(.serverAway, source), next].compactMap(\.self).joined(separator: self[.comma])
  }

  /// What went wrong, without its code.
  package func reason(_ fault: Fault) -> String {
    guard let faults else { return fault.message }
    if let known = notices[NoticeWords.phrase(of: fault.code)], !known.contains("%") { return begun(known) }
    let (subject, trouble) = faults.said(fault.code, fault.kind)
    return "\(subject)\(self[.colon])\(trouble)"
  }

  /// With the code to read out.
  package func said(_ fault: Fault) -> String {
    isEnglish ? "\(fault.code): \(fault.message)" : "\(reason(fault)) (\(isolated(fault.code)))"
  }

  /// A question as the house asks it, and its answers in their order.
  func said(_ question: OwnersQuestion) -> (text: String, answers: [String]) {
    let known: (Word, [Word])? =
      switch question.code {
      case "H-713": (.askTakeIn, [.notNow, .yesEachTime, .yesAndPlay, .neverThis])
      case "H-717": (.askReadStick, [.no, .yes])
      case "H-720": (.askSetUp, [.no, .yes])
      case "H-750": (.askUpdate, [.no, .yes])
      default: nil
      }
    guard let (ask, answers) = known, question.answers.count <= answers.count,
      let text = fill(self[ask], [question.subject.map(quoted) ?? self[.thisStick]])
    else { return (question.text, question.answers) }
    return (text, answers.prefix(question.answers.count).map { self[$0] })
  }

  /// The house quotes names with signs that are right in no language.
  private func quoted(_ subject: String) -> String {
    guard subject.count > 2, subject.hasPrefix("\""), subject.hasSuffix("\"") else { return subject }
    return self[.quoted].split(separator: "%", omittingEmptySubsequences: false)
      .joined(separator: String(subject.dropFirst().dropLast()))
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
    return day.map { filled(.opensOn, $0, opening.clock) } ?? filled(.opensAt, opening.clock)
  }

  package subscript(_ word: Word) -> String { table[word] ?? word.rawValue }
}
