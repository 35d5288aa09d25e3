import Runtime

/// The words behind a verb: options with a value, switches, and everything else.
struct Options {
  /// An option's name, and whether values follow: none, one, or all up to the next option.
  enum Form { case flag, one, many }

  private(set) var values: [String: [String]] = [:]
  private(set) var others: [String] = []

  init(_ arguments: [String], knowing known: [String: Form], of verb: String) throws(Fault) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--"), word != "--" else {
        if word == "--" { others += rest; break }
        others.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = String(parts[0])
      guard let form = known[name] else {
        let all = known.keys.sorted()
        let near = Spelling.nearest(to: name, among: all).map { "did you mean \($0)? " } ?? ""
        throw Fault(
          .malformed, "X-141",
          "layby \(verb) has no option \(shownPlain(name)); \(near)it has \(all.joined(separator: ", "))")
      }
      var given = parts.count > 1 ? [String(parts[1])] : []
      switch form {
      case .flag:
        guard given.isEmpty else { throw Fault(.malformed, "X-142", "\(name) takes no value") }
      case .one:
        if given.isEmpty, let value = rest.popFirst() { given = [value] }
        guard given.count == 1 else { throw Fault(.malformed, "X-142", "\(name) needs a value") }
      case .many:
        while let value = rest.first, !value.hasPrefix("--") {
          given.append(value)
          rest.removeFirst()
        }
      }
      values[name, default: []] += given
    }
  }

  func has(_ name: String) -> Bool { values[name] != nil }
  subscript(_ name: String) -> String? { values[name]?.last }
  func all(_ name: String) -> [String] { values[name] ?? [] }

  func path(_ name: String) -> FilePath? { self[name].flatMap { FilePath(bytes: $0.utf8) } }
}
