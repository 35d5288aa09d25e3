import Testing

@Suite("CI keeps its budget")
struct BudgetTests {
  /// What the steps of CI may take in all, in seconds; 220 more are to spare.
  static let most = 1_580

  /// A row of `steps` in Tests/run: name, budget in seconds, limit in seconds, when it is run.
  struct Step: Equatable {
    var name: String
    var budget: Int
    var when: String
  }

  static let steps: [Step] = House.read("Tests/run").split(separator: "\n").compactMap { line in
    let words = line.split { " \"".contains($0) }
    guard line.hasPrefix("  \""), words.count == 4, let budget = Int(words[1]) else { return nil }
    return Step(name: String(words[0]), budget: budget, when: String(words[3]))
  }

  /// The seconds of each row of the table in Tests/README.md.
  static let table: [String: Int] = House.read("Tests/README.md").split(separator: "\n")
    .reduce(into: [:]) { rows, line in
      let cells = line.split(separator: "|").map { $0.trimmingPrefix { $0 == " " }.prefix { $0 != " " } }
      if cells.count == 3, let seconds = Int(cells[1]) { rows[String(cells[0])] = seconds }
    }

  @Test("the table in Tests/README.md is the one in Tests/run")
  func table() {
    let steps = Self.steps.filter { $0.when != "all" }.map { ($0.name, $0.budget) }
    #expect(steps.count > 8)
    #expect(Self.table == Dictionary(uniqueKeysWithValues: steps))
  }

  @Test("the steps are below the budget, counting the dearest of those that take turns, and not what runs beside it")
  func sum() {
    let always = Self.steps.filter { ["quick", "plain"].contains($0.when) }.map(\.budget)
    let turns = Self.steps.filter { $0.when == "turns" }.map(\.budget)
    let beside = Self.steps.filter { $0.when == "beside" }.map(\.budget)
    #expect(turns.count == 5 && always.count > 6)
    #expect(always.reduce(0, +) + (turns.max() ?? 0) <= Self.most)
    #expect(!beside.isEmpty && beside.allSatisfy { $0 <= turns.min() ?? 0 })
  }

  @Test("each long proof is named in Tests/README.md, and each step is written")
  func proofs() {
    let page = House.read("Tests/README.md")
    let written = House.tests.filter { $0.path.hasPrefix("Tests/lib/") }.map(\.text).joined()
    for step in Self.steps {
      #expect(page.contains("`\(step.name)`") || Self.table[step.name] != nil, "\(step.name) is not explained")
      let function = "step_\(step.name.replacing("-", with: "_"))()"
      #expect(step.name == "packages" || written.contains(function), "\(function) is not in Tests/lib")
    }
  }
}
