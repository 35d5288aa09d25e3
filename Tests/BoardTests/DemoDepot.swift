import Glibc
import Runtime
import TestSupport
import VirtualBoard

/// `depot --demo` on this computer: another machine for the board, which reaches it as http://music.example.
final class DemoDepot {
  static let address = "http://music.example"
  private static let day: Int64 = 86_400

  private let folder = TempFolder()
  private var process: ChildProcess?
  private var starts = 0
  private var answers = 0
  /// So many seconds its clock is ahead of this computer's.
  private var ahead: Int64 = 0
  private(set) var port = 0
  private var password = ""
  private(set) var root = ""
  var path: FilePath { folder.path / "demo/depot" }

  init() throws { try start() }

  deinit { process?.end() }

  /// Some days later, at the same address and with all that it knew. It stands still meanwhile.
  func pass(days: Int64) throws {
    process?.end()
    ahead += days * Self.day
    try start()
  }

  /// As the board's clock shows it after so many days: `2026-12-24T18:00:00`.
  static func date(inDays days: Int64) -> String {
    var (seconds, parts) = (time(nil) + Int(days * day), tm())
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 32)
    strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private func start() throws {
    starts += 1
    let said = folder.path / "said\(starts)"
    let words = ["--demo", "--state", "\(folder.path / "demo")", "--port", "\(port)", "--url", Self.address]
    var options = SpawnOptions(output: said, processGroup: .ownGroup)
    options.variables = clock
    process = try ChildProcess(["\(Board.program("depot"))"] + words, in: options)
    // The first time it composes its music.
    var text = ""
    let isThere = Waiting.poll(every: .milliseconds(100), until: .now + .seconds(240)) {
      text = Self.text(said)
      return text.contains("trust = ") || process?.hasEnded == true
    }
    guard isThere, let port = text.rest(behind: "listens at http://127.0.0.1:").flatMap({ Int($0) }),
      let password = text.rest(behind: "with the password "), let root = text.rest(behind: "trust = ")
    else { throw Fault(.missing, "T-99", "the depot did not start: \(text)") }
    (self.port, self.password, self.root) = (port, password, root)
  }

  private var clock: [String] {
    ["LD_PRELOAD=\(Board.program("libShiftedClock.so"))", "LAYBY_CLOCK_AHEAD=\(ahead)"]
  }

  /// What stands in a device's layby.conf.
  var settings: String {
    "[offline]\nreserve = 50\n[source demo]\nkind = depot\nurl = \(Self.address)\ntrust = \(root)\n"
  }

  /// What its keeper does.
  func keeper(_ verb: String, _ words: String...) throws {
    var options = SpawnOptions(output: folder.path / "verbs")
    options.variables = clock
    let code = try ChildProcess(["\(Board.program("depot"))", verb, "\(path)"] + words, in: options)
      .exitCode(within: .seconds(60))
    guard code == 0 else { throw Fault(.malformed, "T-99", "depot \(verb): \(Self.text(folder.path / "verbs"))") }
  }

  // MARK: Its web pages

  /// What a person with a telephone does, who reads the code off the panel.
  func letIn(_ code: String) throws {
    let page = try visit("/sign-in?code=\(code)")
    guard let form = page.rest(behind: "name=\"form\" value=\"", to: "\"") else {
      throw Fault(.malformed, "T-99", "the page has no form: \(page)")
    }
    var words: [String] = ["-H", "Origin: \(Self.address)"]
    for (name, value) in [("form", form), ("code", code), ("account", "demo"), ("password", password)] {
      words += ["--data-urlencode", "\(name)=\(value)"]
    }
    let done = try visit("/sign-in", words)
    guard done.contains("<h1>Done</h1>") else { throw Fault(.denied, "T-99", "the depot says: \(done)") }
  }

  /// Files that it gave out since its last start, in whole or in part.
  func mediaGiven() throws -> Bool { try visit("/metrics").contains("route=\"/media/") }

  /// By the name that the board knows, as its host.
  private func visit(_ place: String, _ more: [String] = []) throws -> String {
    answers += 1
    let (jar, answer) = (folder.path / "cookies", folder.path / "answer\(answers)")
    let words = ["--silent", "--show-error", "--max-time", "25", "--cookie", "\(jar)", "--cookie-jar", "\(jar)"]
    try Spawned.run(
      ["curl", "--connect-to", "music.example:80:127.0.0.1:\(port)"] + words + more + [Self.address + place],
      output: answer)
    return Self.text(answer)
  }

  private static func text(_ path: FilePath) -> String {
    // It may not have said anything yet.
    String(decoding: (try? AtomicFile.read(path, limit: 1 << 24)) ?? [], as: UTF8.self)
  }
}

extension String {
  /// What stands behind the first text, to the line's end or before `end`.
  fileprivate func rest(behind start: String, to end: Character = "\n") -> String? {
    guard let range = firstRange(of: start) else { return nil }
    return String(self[range.upperBound...].prefix { $0 != end })
  }
}

extension VirtualBoard {
  /// The board's own cable is pulled for good; its network is another one, in which the depot is.
  func join(_ depot: DemoDepot) throws(Fault) {
    try cableIn()
    // The line is there when all behind it is.
    try leaveNetwork()
    try layCable(into: "lan")
    // `music.example` is there.
    try says("ip -n lan address add 192.168.77.9/24 dev plug")
    try start(
      "exec ip netns exec lan socat TCP-LISTEN:80,bind=192.168.77.9,fork,reuseaddr TCP:10.0.2.2:\(depot.port)",
      into: "/run/way")
    try waitUntil("the depot can be reached") { () throws(Fault) in
      try shell("ip netns exec lan ss -Hltn | grep -q 192.168.77.9:80").code == 0
    }
    try says("ip -n lan link set plug up")
    try waitUntilOnline("lan0", "192.168.77.")
  }

  func leaveNetwork() throws(Fault) { try says("ip -n lan link set plug down") }

  /// Plays music of the depot, and goes on.
  func waitUntilSealedMusicPlays(within limit: Duration = .seconds(180)) throws(Fault) {
    var (first, said): (Int64?, JSON?) = (nil, nil)
    try waitUntil("sealed music plays", within: limit, instead: { "\(said ?? .null)" }) { () throws(Fault) in
      let ran = try shell("layby status --json")
      guard ran.code == 0 else { return false }
      said = try JSON(parsing: Array(ran.line.utf8))["status"]
      guard said?["state"] == "playing", said?["path"]?.string?.hasPrefix("source:demo/") == true else { return false }
      defer { first = first ?? said?["frame"]?.whole }
      return first.map { $0 != said?["frame"]?.whole } ?? false
    }
  }

  /// Since the board was switched on.
  func hasLogged(_ words: String) throws(Fault) -> Bool {
    try shell("journalctl -b -u layby --no-pager -o cat | grep -qF \(Self.quoted(words))").code == 0
  }

  /// How its only licence stands, once layby-keys answers.
  func licence(within limit: Duration = .seconds(120)) throws(Fault) -> (verdict: String, days: Int64?, witness: String)
  {
    var answer: JSON?
    try waitUntil("it says what it may play", within: limit) { () throws(Fault) in
      let ran = try shell("layby rights --json")
      guard ran.code == 0 else { return false }
      answer = try JSON(parsing: Array(ran.line.utf8))
      return true
    }
    let line = answer?["licences"]?.items?.first
    return (line?["verdict"]?.string ?? "none", line?["days"]?.whole, answer?["time"]?["witness"]?.string ?? "")
  }

  /// Sums of all that is kept.
  func keptSums() throws(Fault) -> [String] {
    let all = "find /data/state/media -type f ! -name .layby-volume"
    return try says("\(all) -exec sha256sum {} + | cut -c1-64 | sort").split(separator: "\n").map(String.init)
  }

  /// So many days after now. Somebody may wait for that in front of a board that is on.
  func clockGoes(toDay days: Int64) throws(Fault) { try says("date -u -s \(DemoDepot.date(inDays: days))") }
}
