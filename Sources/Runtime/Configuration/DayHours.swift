/// Minutes since midnight; may go past it (22:00-6:00).
package struct DayHours: Hashable, Sendable {
  package let from: Int
  package let to: Int

  package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }
}

extension SettingType<DayHours?> {
  package static var dayHours: Self {
    SettingType(
      expected: "two times of day such as 22:00-6:00, or any", choices: ["any"],
      form: ["type": "hours", "choices": ["any"]],
      parse: { text in text == "any" ? .some(nil) : DayHours(text[...]).map { .some($0) } },
      format: { hours in hours.map(\.description) ?? "any" })
  }
}

extension DayHours: CustomStringConvertible {
  package init?(_ text: Substring) {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map { Self.minute(trimmed($0)) }
    guard times.count == 2, let from = times[0], let to = times[1], from != to else { return nil }
    self.init(from: from, to: to)
  }

  package var description: String { "\(Self.clock(from))-\(Self.clock(to))" }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].utf8.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } }),
      let hour = wholeNumber(parts[0]), let minute = wholeNumber(parts[1]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  /// `9:05`.
  package static func clock(_ minute: Int) -> String {
    "\(minute / 60):\(minute % 60 < 10 ? "0" : "")\(minute % 60)"
  }
}
