import Runtime

/// Findings as a person reads them: aligned, each verdict as a word, advice below it.
package struct SurveyReport: Sendable {
  private let findings: [Finding]
  private let width: Int
  private let hasColours: Bool

  /// `width` in characters; lines are broken between words where they can be.
  package init(_ findings: [Finding], width: Int = 100, colours: Bool = false) {
    self.findings = findings
    self.width = max(width, 40)
    hasColours = colours
  }

  package static func json(_ findings: [Finding]) -> JSON {
    [
      "heard": JSON(!findings.contains { $0.stopsTheMusic }),
      "findings": .list(findings.map(\.json)),
    ]
  }

  package var lines: [String] {
    let names = findings.map(\.name.count).max() ?? 0
    let verdicts = Finding.Verdict.allCases.map(\.rawValue.count).max() ?? 0
    // In a narrow window what was seen stands below.
    let isNarrow = width < names + verdicts + 4 + 30
    let indent = isNarrow ? 2 : names + verdicts + 4
    var lines: [String] = []
    for finding in findings {
      let texts = [finding.seen] + (finding.advice.map { ["-> \($0)"] } ?? [])
      var rest = texts.flatMap { Self.wrapped($0, to: width - indent) }[...]
      var head = "\(Self.padded(finding.name, to: names))  "
      head += coloured(Self.padded(finding.verdict.rawValue, to: verdicts), finding)
      if !isNarrow, let first = rest.popFirst() { head += "  \(first)" }
      lines.append(head)
      lines += rest.map { Self.padded("", to: indent) + $0 }
    }
    return lines + [""] + Self.wrapped(conclusion, to: width)
  }

  private var conclusion: String {
    let causes = findings.filter(\.stopsTheMusic).map { "\($0.name) is \($0.verdict.rawValue)" }
    if causes.isEmpty { return "Music can be played and heard on this machine." }
    return "Music cannot be heard on this machine yet: \(causes.joined(separator: ", "))."
  }

  private func coloured(_ text: String, _ finding: Finding) -> String {
    guard hasColours else { return text }
    let colour =
      switch finding.verdict {
      case .works: 32
      case .limited: 33
      case .missing: finding.isNeeded ? 31 : 90
      case .forbidden: 31
      }
    return "\u{1B}[\(colour)m\(text)\u{1B}[0m"
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  /// A word longer than a line (a path) stands on a line of its own, whole, so that it can be copied.
  private static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += line.isEmpty ? String(word) : " \(word)"
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
