import Runtime

/// When a place is open: times of day on days of the week. A value; its week begins on Monday at midnight, and minutes of
/// it count from there.
package struct OpeningHours: Hashable, Sendable {
  /// On so many days from the first on, round the week.
  package struct Rule: Hashable, Sendable {
    package let first: Int
    package let count: Int
    package let hours: DayHours

    package init(first: Int, count: Int, _ hours: DayHours) {
      (self.first, self.count, self.hours) = (first, count, hours)
    }
  }

  package static let day = 1_440
  package static let week = 7 * day
  package static let mostRules = 14

  package let rules: [Rule]

  package init(_ rules: [Rule]) { self.rules = rules }

  /// How it stands at a minute of the week, and in how many minutes that changes; nil where it never does.
  package func state(at minute: Int) -> (isOpen: Bool, changesIn: Int?) {
    let now = ((minute % Self.week) + Self.week) % Self.week
    let spans = spans
    let inside = spans.first { $0.contains(now) }
    // The week goes round: what ends with it goes on where it begins.
    var edge = inside?.upperBound ?? spans.first { $0.lowerBound > now }?.lowerBound
    if inside != nil, edge == Self.week, let first = spans.first, first.lowerBound == 0 {
      edge = first.upperBound == Self.week ? nil : Self.week + first.upperBound
    } else if inside == nil, edge == nil {
      edge = spans.first.map { Self.week + $0.lowerBound }
    }
    return (inside != nil, edge.map { $0 - now })
  }

  /// In order, none touching another, none going past the week's end.
  private var spans: [Range<Int>] {
    var raw: [Range<Int>] = []
    for rule in rules {
      for day in 0..<rule.count {
        let begin = (rule.first + day) % 7 * Self.day + rule.hours.from
        let length = (rule.hours.to - rule.hours.from + Self.day) % Self.day
        let end = begin + length
        raw.append(begin..<min(end, Self.week))
        if end > Self.week { raw.append(0..<end - Self.week) }
      }
    }
    var merged: [Range<Int>] = []
    for span in raw.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
      if let last = merged.last, span.lowerBound <= last.upperBound {
        merged[merged.count - 1] = last.lowerBound..<max(last.upperBound, span.upperBound)
      } else {
        merged.append(span)
      }
    }
    return merged
  }
}

extension SettingType<OpeningHours?> {
  private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]

  static var openingHours: Self {
    SettingType(
      expected: "times such as 9:00-18:00, or with days such as Mon-Fri 9:00-18:00, Sat 10:00-2:00, or any",
      choices: ["any"], form: ["type": "week", "choices": ["any"]],
      parse: { text in
        if text == "any" { return .some(nil) }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let rules = parts.map { rule(trimmed($0)) }
        guard !rules.contains(nil), rules.count <= OpeningHours.mostRules else { return nil }
        return OpeningHours(rules.compactMap(\.self))
      },
      format: { hours in hours.map { $0.rules.map(written).joined(separator: ", ") } ?? "any" })
  }

  private static func rule(_ text: Substring) -> OpeningHours.Rule? {
    let words = text.split(separator: " ")
    guard (1...2).contains(words.count), let last = words.last, let hours = DayHours(last) else { return nil }
    if words.count == 1 { return OpeningHours.Rule(first: 0, count: 7, hours) }
    let named = words[0].split(separator: "-", omittingEmptySubsequences: false).map(day)
    guard (1...2).contains(named.count), let first = named[0] else { return nil }
    guard named.count == 2 else { return OpeningHours.Rule(first: first, count: 1, hours) }
    return named[1].map { OpeningHours.Rule(first: first, count: ($0 - first + 7) % 7 + 1, hours) }
  }

  private static func day(_ text: Substring) -> Int? {
    days.firstIndex { $0.lowercased() == text.lowercased() }
  }

  private static func written(_ rule: OpeningHours.Rule) -> String {
    switch rule.count {
    case 7: rule.first == 0 ? rule.hours.description : "\(days[rule.first])-\(days[(rule.first + 6) % 7]) \(rule.hours)"
    case 1: "\(days[rule.first]) \(rule.hours)"
    default: "\(days[rule.first])-\(days[(rule.first + rule.count - 1) % 7]) \(rule.hours)"
    }
  }
}
