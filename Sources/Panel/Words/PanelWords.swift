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

  func with(_ settings: SettingWords) -> PanelWords {
    var words = self
    words.settings = settings
    return words
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
