/// The type of a setting's value: what is accepted, and how it is written. Law: `parse(format(value)) == value` for
/// every value that `parse` gives.
package struct SettingType<Value: Equatable & Sendable>: Sendable {
  /// Completes the sentence "expected ...".
  package let expected: String
  /// All accepted words, if the type has a fixed list of them.
  package let choices: [String]
  /// A description as JSON, for programs and the settings screen.
  package let form: JSON
  /// An accepted value, where one example serves all settings of this type. A list of words needs none.
  let example: String?
  package let parse: @Sendable (String) -> Value?
  package let format: @Sendable (Value) -> String
  var isSecret: Bool {
    guard case .object(let members) = form else { return false }
    return members["type"] == "secret"
  }

  /// The word that was probably meant by a text that is not accepted.
  let nearest: @Sendable (String) -> String?

  package init(
    expected: String, choices: [String] = [], form: JSON, parse: @escaping @Sendable (String) -> Value?,
    format: @escaping @Sendable (Value) -> String, nearest: (@Sendable (String) -> String?)? = nil,
    example: String? = nil
  ) {
    self.expected = expected
    self.choices = choices
    self.form = form
    self.parse = parse
    self.format = format
    self.example = example
    self.nearest = nearest ?? { Spelling.nearest(to: $0, among: choices) }
  }
}

/// A whole number as people write it: digits with an optional sign, and no more of them than make sense.
package func wholeNumber(_ text: some StringProtocol) -> Int? {
  guard text.utf8.count <= 12, text.first != "+" else { return nil }
  return Int(text)
}

extension SettingType<Int> {
  package static func whole(_ range: ClosedRange<Int>, unit: String) -> Self {
    SettingType(
      expected: "a whole number from \(range.lowerBound) to \(range.upperBound) (\(unit))",
      form: [
        "type": "whole", "minimum": JSON(range.lowerBound), "maximum": JSON(range.upperBound), "unit": JSON(unit),
      ],
      parse: { text in wholeNumber(text).flatMap { range.contains($0) ? $0 : nil } },
      format: { "\($0)" })
  }
}

extension SettingType {
  package static func choice(_ named: KeyValuePairs<String, Value>) -> Self {
    let words = named.map { word, _ in word }
    return SettingType(
      expected: "one of " + words.joined(separator: ", "), choices: words,
      form: ["type": "choice", "choices": .list(words.map { JSON($0) })],
      parse: { text in named.first { $0.key == text }?.value },
      format: { value in named.first { $0.value == value }?.key ?? "" })
  }
}

extension SettingType<Bool> {
  package static var yesOrNo: Self { choice(["yes": true, "no": false]) }
}

extension SettingType<Duration> {
  /// `500ms`, `4s`, `2m`, `1h`.
  package static func duration(_ range: ClosedRange<Duration>) -> Self {
    let (shortest, longest) = (write(range.lowerBound), write(range.upperBound))
    // Its own form knows no hours, but accepts them.
    let hours = range.upperBound.milliseconds / 3_600_000
    let limit = hours > 0 && range.upperBound.milliseconds % 3_600_000 == 0 ? "\(hours)h" : longest
    return SettingType(
      expected: "a duration from \(shortest) to \(limit), such as 500ms, 4s or 2m",
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
