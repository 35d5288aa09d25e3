import Runtime

/// What a person asks the program on the board.
extension VirtualBoard {
  /// `layby VERB ... --json`; a refusal is a fault with layby's own words.
  @discardableResult
  package func layby(_ words: String..., within limit: Duration = .seconds(30)) throws(Fault) -> JSON {
    let command = (["layby"] + words.map(Self.quoted) + ["--json"]).joined(separator: " ")
    let ran = try shell(command, within: limit)
    guard ran.code == 0, let answer = Self.json(ran.line) else {
      throw Fault(.passing, "V-193", "\(command) ended with \(ran.code): \(ran.line)")
    }
    return answer
  }

  package func status() throws(Fault) -> JSON { try layby("status")["status"] ?? .null }

  package var plays: Bool { get throws(Fault) { try state() == "playing" } }

  /// Nil as long as nobody answers.
  package func state() throws(Fault) -> String? {
    let ran = try shell("layby status --json", within: .seconds(30))
    return ran.code == 0 ? Self.json(ran.line)?["status"]?["state"]?.string : nil
  }

  /// Plays, and has really played something.
  package func waitUntilItPlays(within limit: Duration = .seconds(120)) throws(Fault) {
    var first: Int64?
    do throws(Fault) {
      try waitUntil("it plays", within: limit) { () throws(Fault) in
        let ran = try shell("layby status --json", within: .seconds(30))
        guard ran.code == 0, let status = Self.json(ran.line)?["status"], status["state"]?.string == "playing" else {
          return false
        }
        defer { first = first ?? status["frame"]?.whole }
        return first.map { $0 != status["frame"]?.whole } ?? false
      }
    } catch {
      throw Fault(error.kind, error.code, "\(error.message); the log says: \(try journalOfBoot(8))")
    }
  }

  package func waitUntil(state: String, within limit: Duration = .seconds(30)) throws(Fault) {
    try waitUntil("it is \(state)", within: limit) { () throws(Fault) in try self.state() == state }
  }

  /// The last lines of layby's own log, one after the other, of the run that is under way: what an earlier one said is
  /// no answer to what was done to this one.
  package func journal(_ lines: Int = 200) throws(Fault) -> String {
    let run = "_SYSTEMD_INVOCATION_ID=$(systemctl show -P InvocationID layby)"
    return try shell("journalctl \(run) -n \(lines) --no-pager -o cat").line
  }

  /// The same of every run since the board was switched on, and what the service manager said of them.
  package func journalOfBoot(_ lines: Int = 200) throws(Fault) -> String {
    try shell("journalctl -b -u layby -n \(lines) --no-pager -o cat").line
  }

  /// Edits board.conf, until the next power cut: the layer of tools lies over it. Layby has to be started afterwards.
  package func editBoardConf(_ script: String) throws(Fault) {
    try says("sed -i \(Self.quoted(script)) /etc/layby/board.conf")
  }

  package func startLayby() throws(Fault) { try says("systemctl start layby") }

  package static func quoted(_ word: String) -> String {
    "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  private static func json(_ line: String) -> JSON? {
    do throws(Fault) { return try JSON(parsing: Array(line.utf8)) } catch { return nil }
  }
}
