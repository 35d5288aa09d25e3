import Hardware
import Runtime
import Testing

@Suite("Report of a survey")
struct SurveyReportTests {
  private static let machines = [MadeUpMachine.goodBoard().survey(), MadeUpMachine().survey(screen: nil)]

  @Test("as JSON it can be parsed, and says what the findings say", arguments: machines.indices)
  func json(index: Int) throws {
    let survey = Self.machines[index]
    let parsed = try JSON(parsing: SurveyReport.json(survey.findings).bytes)
    #expect(parsed["heard"]?.truth == survey.isHeard)
    let items = try #require(parsed["findings"]?.items)
    #expect(items.count == survey.findings.count)
    for (item, finding) in zip(items, survey.findings) {
      #expect(item["name"]?.string == finding.name && item["verdict"]?.string == finding.verdict.rawValue)
      #expect(item["seen"]?.string == finding.seen && item["needed"]?.truth == finding.isNeeded)
      #expect(item["advice"]?.string == finding.advice)
    }
  }

  @Test("no line is longer than the terminal is wide, but for a word that is longer", arguments: [40, 60, 80, 120])
  func width(columns: Int) {
    for survey in Self.machines {
      for line in SurveyReport(survey.findings, width: columns).lines {
        #expect(line.count <= columns || line.split(separator: " ").count == 1, "\(line)")
      }
    }
  }

  @Test("verdicts stand below each other, as words, with and without colours")
  func aligned() {
    let findings = [Finding("a", .works, "one"), Finding("longer", .missing, "two", advice: "do it")]
    #expect(
      SurveyReport(findings).lines == [
        "a       works      one", "longer  missing    two", "                   -> do it", "",
        "Music can be played and heard on this machine.",
      ])
    let coloured = SurveyReport(findings, colours: true).lines
    #expect(coloured[0] == "a       \u{1B}[32mworks    \u{1B}[0m  one")
    let needed = Finding("sound", .forbidden, "two", isNeeded: true)
    #expect(SurveyReport([needed]).lines.last == "Music cannot be heard on this machine yet: sound is forbidden.")
  }
}
