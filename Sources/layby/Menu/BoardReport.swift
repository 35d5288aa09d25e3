import Application
import Panel
import Runtime

/// What the board is and how it stands: on the page About, and for whoever helps from afar.
struct BoardReport {
  var version = ""
  var board: String?
  var address: String?
  /// Room that is free on the disk, with its unit.
  var free: String?
  var parts: [Health.Part] = []
  /// What stands first, then the newest.
  var notices: [Notice] = []
  /// The lines of the log, the oldest first.
  var lines: [String] = []

  /// News is none, and neither is the answer to what somebody has just done.
  private var problem: Notice? { notices.first(where: \.isProblem) }
  /// Those that run are nobody's concern.
  private var troubled: [Health.Part] { parts.filter { $0.state != .running } }

  func facts(_ words: PanelWords) -> [(name: String, value: String)] {
    let told: [(Word, String?)] = [
      (.version, version), (.board, board), (.address, address), (.freeOnDisk, free),
      (.lastProblem, problem.map { words.said($0) }),
    ]
    return told.compactMap { word, value in value.map { (words[word], $0) } }
  }

  func partsInTrouble(_ words: PanelWords) -> [(name: String, value: String)] {
    troubled.map { ($0.name, words.said($0.state)) }
  }

  /// First what it is and how it stands, then the latest that went wrong. At most so many bytes: as much as the squares
  /// of a code have room for.
  func text(longest: Int) -> String {
    var all = ["Layby \(version)" + (board.map { " \($0)" } ?? "")]
    all.append([address, free.map { "\($0) free" }].compactMap { $0 }.joined(separator: ", "))
    if let problem { all.append("\(problem.code) \(problem.message)") }
    all += troubled.map { "\($0.name) \($0.state.rawValue) \($0.restarts)" }
    all += notices.filter { $0 != problem }.prefix(6).map { "\($0.code) \($0.message)" }
    all += lines.reversed().filter { $0.utf8.count < 400 }
    var (short, bytes) = ("", 0)
    for character in all.filter({ !$0.isEmpty }).map(withoutSecrets).joined(separator: "\n") {
      bytes += String(character).utf8.count
      if bytes > longest { break }
      short.append(character)
    }
    return short
  }
}
