import Application
import Files
import Library
import Panel
import Runtime

/// What the board is and how it stands, asked of what knows it.
extension ProgramMenuActions {
  func facts() async -> [(name: String, value: String)] {
    let report = boardReport
    var facts = report.facts(words)
    // Without a library there is nothing to count, and the rest is told.
    if let survey = try? await music.browsing.survey() {
      facts += [
        (words[.songs], "\(survey.tracks)"), (words[.albums], "\(survey.albums)"),
        (words[.artists], "\(survey.artists)"),
      ]
    }
    return facts + report.partsInTrouble(words)
  }

  /// As much as a panel of 240 rows has squares for.
  private static let longestReport = 340

  func report() async -> String { boardReport.text(longest: Self.longestReport) }

  private var boardReport: BoardReport {
    let health = application.health
    return BoardReport(
      version: health.version, board: health.boardName.nonEmpty, address: health.address,
      free: health.free.map { DiskSpace.shown($0) }, parts: health.parts,
      notices: notices.active.map(\.notice) + notices.posted.reversed().map(\.notice), lines: LogBook.shared.lines)
  }
}
