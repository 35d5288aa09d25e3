/// Between two lists of lines, in which a line may stand several times.
package struct Differences: CustomStringConvertible {
  package private(set) var missing: [String] = []
  package private(set) var added: [String] = []

  package init(between expected: [String], and found: [String]) {
    var counts: [String: Int] = [:]
    for line in found { counts[line, default: 0] += 1 }
    for line in expected {
      if let count = counts[line], count > 0 { counts[line] = count - 1 } else { missing.append(line) }
    }
    added = counts.flatMap { Array(repeating: $0.key, count: $0.value) }.sorted()
  }

  package var isNone: Bool { missing.isEmpty && added.isEmpty }

  package var description: String {
    let lines = missing.prefix(8).map { "- \($0)" } + added.prefix(8).map { "+ \($0)" }
    return (["\(missing.count) lines are missing, \(added.count) are new"] + lines).joined(separator: "\n")
  }
}
