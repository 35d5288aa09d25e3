import Application
import Files
import Library
import Panel
import Runtime

/// What the board is and how it stands: on the page About, and for whoever helps from afar.
extension ProgramMenuActions {
  func facts() async -> [(name: String, value: String)] {
    var facts: [(name: String, value: String)] = [(words[.version], health.version)]
    if let name = boardName { facts.append((words[.board], name)) }
    if let address = health.address { facts.append((words[.address], address)) }
    if let free { facts.append((words[.freeOnDisk], free)) }
    if let problem = lastProblem { facts.append((words[.lastProblem], words.said(problem))) }
    // Without a library there is nothing to count, and the rest is told.
    if let survey = try? await music.browsing.survey() {
      facts += [
        (words[.songs], "\(survey.tracks)"), (words[.albums], "\(survey.albums)"),
        (words[.artists], "\(survey.artists)"),
      ]
    }
    // Those that run are nobody's concern.
    for part in health.parts where part.state != .running { facts.append((part.name, words.said(part.state))) }
    return facts
  }

  /// As much as a panel of 240 rows has squares for.
  private static let longestReport = 340

  /// First what it is and how it stands, then the latest that went wrong.
  func report() async -> String {
    var report = "Layby \(health.version)" + (boardName.map { " \($0)" } ?? "") + "\n"
    report += [health.address, free.map { "\($0) free" }].compactMap { $0 }.joined(separator: ", ") + "\n"
    if let problem = lastProblem { report += "\(problem.code) \(problem.message)\n" }
    for part in health.parts where part.state != .running {
      report += "\(part.name) \(part.state.rawValue) \(part.restarts)\n"
    }
    for notice in told.filter({ $0 != lastProblem }).prefix(6) { report += "\(notice.code) \(notice.message)\n" }
    for line in LogBook.shared.lines.reversed() where line.utf8.count < 400 { report += "\(line)\n" }
    var (short, bytes) = ("", 0)
    for character in withoutSecrets(report) {
      bytes += String(character).utf8.count
      if bytes > Self.longestReport { break }
      short.append(character)
    }
    return short
  }

  private var health: Health { application.health }

  private var boardName: String? { health.boardName.nonEmpty }

  private var free: String? { health.free.map { DiskSpace.shown($0) } }

  /// What stands first, then the newest.
  private var told: [Notice] {
    notices.active.map(\.notice) + notices.posted.reversed().map(\.notice)
  }

  private var lastProblem: Notice? { told.first(where: \.isProblem) }
}
