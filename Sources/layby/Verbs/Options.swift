import Remote
import Runtime

/// The words behind a verb: options with a value, switches, and everything else.
struct Options {
  private(set) var values: [String: [String]] = [:]
  private(set) var others: [String] = []

  /// Everything else fits a form of the verb too.
  init(_ arguments: [String], checkedFor verb: Verb) throws(Fault) {
    try self.init(arguments, of: verb)
    try verb.check(others.map { JSON($0) })
  }

  init(_ arguments: [String], of verb: Verb) throws(Fault) {
    let known = verb.allOptions
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word != "--" else {
        if word == "--" { others += rest; break }
        others.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let option = known.first(where: { $0.name == name }) else {
        let all = known.map(\.name).sorted()
        let near = Spelling.nearest(to: name, among: all).map { "did you mean \($0)? " } ?? ""
        throw Fault(
          .malformed, "X-141",
          "layby \(verb.name) has no option \(shownPlain(name)); \(near)it has \(all.isEmpty ? "none" : all.joined(separator: ", "))"
        )
      }
      var given = parts.count > 1 ? [String(parts[1])] : []
      if option.value == nil {
        guard given.isEmpty else { throw Fault(.malformed, "X-142", "\(name) takes no value") }
      } else if option.takesMany {
        while let value = rest.first, !value.hasPrefix("--") {
          given.append(value)
          rest.removeFirst()
        }
      } else {
        if given.isEmpty, let value = rest.popFirst() { given = [value] }
        guard given.count == 1 else { throw Fault(.malformed, "X-142", "\(name) needs a value") }
      }
      values[name, default: []] += given
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  subscript(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  func path(_ name: String) -> FilePath? { self[name].flatMap { FilePath(bytes: $0.utf8) } }
}
