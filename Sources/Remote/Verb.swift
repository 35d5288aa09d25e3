import Application
import Runtime

/// The description of a verb: the first word of `layby VERB` and of a request to the control socket. Help, checks of
/// arguments, suggestions for typing mistakes, the man page and the bash completion are all made from it. Verbs that the
/// program performs without a player (`doctor`, `config` ...) are described in the same way.
package struct Verb: Sendable {
  /// The groups of `layby help`.
  package enum Group: String, CaseIterable, Sendable {
    case playing, sound, queue, library, offline, device
  }

  package struct Option: Sendable {
    package let name: String
    /// The kind of its value; nil for an option without one.
    package let value: ArgumentKind?
    /// All arguments up to the next option are values of this one.
    package let takesMany: Bool
    package let isRequired: Bool
    package let help: String

    package init(
      _ name: String, _ value: ArgumentKind? = nil, takesMany: Bool = false, isRequired: Bool = false, help: String
    ) {
      (self.name, self.value, self.help) = (name, value, help)
      (self.takesMany, self.isRequired) = (takesMany, isRequired)
    }

    package var usage: String { name + (value.map { " \($0.rawValue)\(takesMany ? "..." : "")" } ?? "") }
  }

  package let name: String
  /// Nil for a verb that needs no running player.
  package let group: Group?
  package let help: String
  package let forms: [VerbForm]
  package let options: [Option]

  package init(
    _ name: String, _ group: Group?, _ help: String, _ forms: KeyValuePairs<String, String?> = ["": nil],
    options: [Option] = []
  ) {
    (self.name, self.group, self.help, self.options) = (name, group, help, options)
    self.forms = forms.map { VerbForm($0.key, $0.value) }
  }

  /// The options of every verb that asks a running player.
  package static let commonOptions = [
    Option("--json", help: "the answer for programs"),
    Option("--socket", .path, help: "the socket of the player that is meant"),
    Option("--run", .folder, help: "the folder of that socket"),
    Option("--wait", .span, help: "how long the player may take to answer, such as 500ms or 30s"),
  ]

  package var allOptions: [Option] { group == nil ? options : Self.commonOptions + options }

  package static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

  /// The error for a verb that does not exist. It names the verb that was probably meant.
  package static func unknown(_ name: String, code: String, among more: [String] = []) -> Fault {
    let near = Spelling.nearest(to: name, among: all.map(\.name) + more)
    let hint = near.map { "did you mean \"layby \($0)\"? " } ?? ""
    return Fault(.malformed, code, "there is no \"layby \(shownBriefly(name))\"; \(hint)layby help lists what there is")
  }

  // MARK: Checking

  /// The kind of each argument, by the first form that fits; nil for an argument that is a fixed word such as `add`.
  /// Returns nil when no form fits.
  package func kinds(of arguments: [JSON]) -> [ArgumentKind?]? {
    var mismatch = VerbForm.Mismatch()
    return kinds(of: arguments, &mismatch)
  }

  private func kinds(of arguments: [JSON], _ mismatch: inout VerbForm.Mismatch) -> [ArgumentKind?]? {
    for form in forms { if let kinds = form.kinds(of: arguments, &mismatch) { return kinds } }
    return nil
  }

  /// Throws when the arguments fit no form. The error says which argument is wrong and what was expected there.
  package func check(_ arguments: [JSON]) throws(Fault) {
    var mismatch = VerbForm.Mismatch()
    guard kinds(of: arguments, &mismatch) == nil else { return }
    let words = mismatch.expected.compactMap { if case .word(let word) = $0 { word } else { nil } }
    let kinds = mismatch.expected.compactMap { if case .kind(let kind) = $0 { kind } else { nil } }
    let all = (words.isEmpty ? [] : [words.joined(separator: ", ")]) + kinds.map(\.expected)
    let expected = all.joined(separator: " or ")
    guard mismatch.place < arguments.count else { throw wrong("\(expected) is missing", arguments) }
    let argument = arguments[mismatch.place]
    let text = argument.string ?? argument.description
    guard !expected.isEmpty else { throw wrong("\"\(shownBriefly(text))\" means nothing here", arguments) }
    throw wrong(Self.refusal(of: text, expected, among: words + kinds.flatMap(\.choices)), arguments)
  }

  /// The error for `word`, which is none of `choices`. For kinds whose choices only the caller knows, such as the names
  /// of presets.
  package func refusal(of word: String, as kind: ArgumentKind, among choices: [String]) -> Fault {
    wrong(Self.refusal(of: word, kind.expected, among: choices))
  }

  private static func refusal(of text: String, _ expected: String, among choices: [String]) -> String {
    let near = Spelling.nearest(to: text, among: choices).map { "did you mean \"\($0)\"? " } ?? ""
    return "\"\(shownBriefly(text))\" means nothing here; \(near)it can be \(expected)"
  }

  /// The error for wrong arguments: what is wrong, and the forms of the verb that were probably meant.
  func wrong(_ what: String, _ arguments: [JSON] = []) -> Fault {
    let shown = shownForms
    let begun = shown.filter { $0.firstWord != nil && $0.firstWord == arguments.first?.string }
    let meant = begun.isEmpty ? shown : begun
    var uses = meant.map { "layby " + usage(of: $0) }.joined(separator: ", ")
    if meant.count > Self.mostShown {
      let words = meant.compactMap(\.firstWord)
      let distinct = words.enumerated().filter { words.firstIndex(of: $0.element) == $0.offset }.map(\.element)
      uses = "layby \(name) and one of \(distinct.joined(separator: ", ")); layby help \(name) says more"
    }
    return Fault(.malformed, "X-130", "\(what); expected: \(uses)")
  }

  /// With more forms than this, an error only lists their first words.
  private static let mostShown = 4

  // MARK: Help

  /// How the form is written on a command line, with the options that the verb requires.
  package func usage(of form: VerbForm) -> String {
    ([name] + options.filter(\.isRequired).map(\.usage) + [form.text]).filter { !$0.isEmpty }.joined(separator: " ")
  }

  /// The same with all options of the verb.
  package func wholeUsage(of form: VerbForm) -> String {
    ([usage(of: form)] + options.filter { !$0.isRequired }.map { "[\($0.usage)]" }).joined(separator: " ")
  }

  /// The forms that help and the man page show. Forms without a help text are for programs.
  package var shownForms: [VerbForm] { forms.filter { $0.help != nil || forms.count == 1 } }

  /// The explanation of `commonOptions`, which follows the explanation of a verb.
  package static var commonExplanation: String {
    (["As with all verbs of a running player:"] + commonOptions.flatMap { line($0.usage, $0.help) }).joined(
      separator: "\n")
  }

  /// Each form with what it does, and the verb's own options.
  package var explanation: String {
    var lines = ["layby \(name): \(help)", ""]
    for form in shownForms { lines += Self.line("layby " + usage(of: form), form.help ?? help) }
    if !options.isEmpty { lines.append("") }
    for option in options { lines += Self.line(option.usage, option.help) }
    return lines.joined(separator: "\n")
  }

  /// Where help texts begin, in characters from the left.
  private static let column = 36

  private static func line(_ use: String, _ help: String) -> [String] {
    let indented = "  " + use
    guard indented.count < column else { return [indented, String(repeating: " ", count: column) + help] }
    return [indented + String(repeating: " ", count: column - indented.count) + help]
  }
}

/// A time to seek to, as people write it: `90`, `1:30`, `1:02:03.5`. With a sign it counts from the present place.
package enum SeekTarget: Equatable, Sendable {
  case to(Duration)
  case by(Duration)

  /// Nil when it is none of these, or longer than a hundred hours.
  package init?(_ text: String) {
    let sign = text.first == "+" ? 1 : text.first == "-" ? -1 : 0
    let parts = text.dropFirst(sign == 0 ? 0 : 1).split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(parts.count) else { return nil }
    var milliseconds: Int64 = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      guard let value = Self.milliseconds(part, fraction: isLast), index == 0 || value < 60_000 else { return nil }
      milliseconds = milliseconds * 60 + value
    }
    guard milliseconds <= 360_000_000 else { return nil }
    self = sign == 0 ? .to(.milliseconds(milliseconds)) : .by(.milliseconds(Int64(sign) * milliseconds))
  }

  private static func milliseconds(_ text: Substring, fraction: Bool) -> Int64? {
    let halves = text.split(separator: ".", omittingEmptySubsequences: false)
    // Digits only: `Double` and `UInt32` would accept a second sign.
    guard let whole = halves.first, whole.count <= 7, whole.allSatisfy({ $0.isASCII && $0.isNumber }),
      let seconds = UInt32(whole), halves.count <= (fraction ? 2 : 1)
    else { return nil }
    guard halves.count == 2 else { return Int64(seconds) * 1_000 }
    let digits = halves[1].prefix(3)
    guard !halves[1].isEmpty, halves[1].allSatisfy({ $0.isASCII && $0.isNumber }), let part = Int64(digits) else {
      return nil
    }
    return Int64(seconds) * 1_000 + part * [1: 100, 2: 10, 3: 1][digits.count, default: 1]
  }
}
