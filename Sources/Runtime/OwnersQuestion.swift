/// Something that only the owner can decide, asked on the panel: the knob chooses among a few answers, a press gives
/// one. The first answer is the safest: it is chosen at first, and given when nobody answers.
package struct OwnersQuestion: Equatable, Sendable {
  package static let answerCounts = 2...4
  package static let safest = 0
  /// More nobody reads, and no panel holds.
  static let longestText = 200
  static let longestAnswer = 40

  package let code: String
  package let text: String
  /// What it is about, a line each.
  package let details: [String]
  package let answers: [String]
  /// Whom it is about, for those who ask it in other words.
  package let subject: String?

  /// Whatever texts are put into it are made plain: what steers a terminal or turns a line round is not in them.
  package init(
    _ code: String, _ text: String, about subject: String? = nil, details: [String] = [], answers: [String]
  ) {
    precondition(Self.answerCounts.contains(answers.count), "a question has 2 to 4 answers")
    self.code = code
    self.subject = subject.map { Self.plain($0, Self.longestAnswer) }
    self.text = Self.plain(text, Self.longestText)
    self.details = details.map { Self.plain($0, Self.longestText) }
    self.answers = answers.map { Self.plain($0, Self.longestAnswer) }
  }

  private static func plain(_ text: String, _ longest: Int) -> String {
    let plain = shownPlain(text)
    guard plain.unicodeScalars.count > longest else { return plain }
    return String(String.UnicodeScalarView(plain.unicodeScalars.prefix(longest - 1))) + "…"
  }
}
