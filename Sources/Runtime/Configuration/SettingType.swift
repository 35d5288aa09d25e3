/// What a setting's value may be, and how it is written. Law: `parse(format(value)) == value` for every value that
/// `parse` gives.
package struct SettingType<Value: Equatable & Sendable>: Sendable {
  /// Completes the sentence "expected ...".
  package let expected: String
  /// All words that are accepted, when there are only some.
  package let choices: [String]
  /// For programs and the settings screen.
  package let form: JSON
  package let parse: @Sendable (String) -> Value?
  package let format: @Sendable (Value) -> String

  init(
    expected: String, choices: [String] = [], form: JSON, parse: @escaping @Sendable (String) -> Value?,
    format: @escaping @Sendable (Value) -> String
  ) {
    self.expected = expected
    self.choices = choices
    self.form = form
    self.parse = parse
    self.format = format
  }
}

/// A whole number as people write it: digits with an optional sign, and no more of them than make sense.
func wholeNumber(_ text: some StringProtocol) -> Int? {
  guard text.utf8.count <= 12, text.first != "+" else { return nil }
  return Int(text)
}

extension SettingType<Int> {
  static func whole(_ range: ClosedRange<Int>, unit: String) -> Self {
    SettingType(
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound) (\(unit))",
      form: [
        "type": "whole", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound), "unit": JSON(unit),
      ],
      parse: { text in wholeNumber(text).flatMap { range.contains($0) ? $0 : nil } },
      format: { "\($0)" })
  }
}

extension SettingType<Double> {
  /// `-3`, `-3.5`, `-3.5 dB`: steps of a tenth, which nobody can hear.
  static func decibels(_ range: ClosedRange<Double>) -> Self {
    SettingType(
      expected: "decibels from \(range.lowerBound) to \(range.upperBound), such as -3.5 dB",
      form: ["type": "decibels", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound), "unit": "dB"],
      parse: { text in
        let digits = text.hasSuffix("dB") ? text.dropLast(2) : text[...]
        let number = digits.hasSuffix(" ") ? digits.dropLast() : digits
        let plain = number.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E }
        guard plain, number.utf8.count <= 12, let value = Double(number), range.contains(value) else { return nil }
        // Adding zero turns -0 into 0.
        return min(max((value * 10).rounded() / 10, range.lowerBound), range.upperBound) + 0
      },
      format: { "\($0) dB" })
  }
}

extension SettingType {
  static func choice(_ named: KeyValuePairs<String, Value>) -> Self {
    let words = named.map(\.key)
    let pairs = named.map { ($0.key, $0.value) }
    return SettingType(
      expected: "one of " + words.joined(separator: ", "), choices: words,
      form: ["type": "choice", "choices": .list(words.map { JSON($0) })],
      parse: { text in pairs.first { $0.0 == text }?.1 },
      format: { value in pairs.first { $0.1 == value }?.0 ?? "" })
  }
}

extension SettingType<Bool> {
  static var yesOrNo: Self { choice(["yes": true, "no": false]) }
}

extension SettingType<Duration> {
  /// `500ms`, `4s`, `2m`, `1h`.
  package static func duration(_ range: ClosedRange<Duration>) -> Self {
    let (shortest, longest) = (write(range.lowerBound), write(range.upperBound))
    return SettingType(
      expected: "a duration from \(shortest) to \(longest), such as 500ms, 4s or 2m",
      form: ["type": "duration", "minimum": JSON(shortest), "maximum": JSON(longest)],
      parse: { text in read(text).flatMap { range.contains($0) ? $0 : nil } },
      format: { write($0) })
  }

  private static func read(_ text: String) -> Duration? {
    for (unit, scale) in [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)] where text.hasSuffix(unit) {
      guard let number = wholeNumber(text.dropLast(unit.count)) else { continue }
      let (milliseconds, overflow) = number.multipliedReportingOverflow(by: scale)
      return overflow ? nil : .milliseconds(milliseconds)
    }
    return nil
  }

  private static func write(_ duration: Duration) -> String {
    let milliseconds = duration.milliseconds
    if milliseconds % 60_000 == 0, milliseconds > 0 { return "\(milliseconds / 60_000)m" }
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
