import Glibc
import Remote
import Runtime
import Testing

/// One life of the real program. A test starts it, asks it by its socket, waits for what it tells, and stops it.
final class RunningPlayer {
  struct Refused: Error, CustomStringConvertible { let description: String }

  let home: Home
  let process: ChildProcess
  let systemd: FakeSystemd
  var control: ControlConnection?
  var events: ControlConnection?

  /// `through` stands before the program: what runs it with fewer rights or on another disk, and becomes it.
  init(
    output: String = "null", playing: [FilePath] = [], in home: Home, _ options: [String] = [],
    program: String = Built.layby, through wrapper: [String] = [], environment: [String] = []
  ) async throws {
    self.home = home
    systemd = try FakeSystemd(at: home.notify)
    var words = wrapper + [program, "run", "--board", "\(home.board)", "--state", "\(home.state)"]
    words += ["--run", "\(home.run)", "--output", output] + options
    if !playing.isEmpty { words += ["--play"] + playing.map(\.description) }
    process = try ChildProcess(
      words, environment: ["NOTIFY_SOCKET=\(home.notify)"] + environment, output: home.folder / "output",
      errors: home.log)
    try await systemd.wait(for: "READY=1", from: process, telling: { self.said })
    // It may have ended before anybody could ask it.
    if options.contains("--once") { return }
    events = try ControlConnection(to: home.run / "control")
    try events?.send(Request(verb: "events"))
    control = try ControlConnection(to: home.run / "control")
    // Answered in order of connection: from now on nothing that happens is missed.
    _ = try await ask("status")
  }

  /// What it has written to standard error.
  var said: String {
    do throws(Fault) { return String(decoding: try AtomicFile.read(home.log, limit: 1 << 26), as: UTF8.self) } catch {
      return "(nothing)"
    }
  }

  // MARK: Asking

  /// The answer; a refusal is an error here.
  @discardableResult
  func ask(_ verb: String, _ arguments: String...) async throws -> JSON {
    let answer = try await answer(verb, arguments.map { JSON($0) })
    if let fault = Response.fault(in: answer) { throw Refused(description: "\(verb): \(fault)") }
    return answer
  }

  func answer(_ verb: String, _ arguments: [JSON] = []) async throws -> JSON {
    try control?.send(Request(verb: verb, arguments: arguments))
    guard let answer = try await control?.next(within: patience) else {
      throw Refused(description: "no answer to \(verb); it said:\n\(said)")
    }
    return answer
  }

  func add(_ paths: [FilePath]) async throws -> JSON {
    try await answer("queue", [JSON("add")] + paths.map { JSON(path: $0) })
  }

  /// What `health` says of the sound.
  var sound: JSON {
    get async throws {
      let parts = try await ask("health")["health"]?.items
      guard let sound = parts?.last(where: { $0["part"] == "sound" }) else { throw Refused(description: "no sound") }
      return sound
    }
  }

  func status() async throws -> JSON {
    guard let status = try await ask("status")["status"] else { throw Refused(description: "a status without status") }
    return status
  }

  // MARK: Waiting

  /// Asks again whenever something has happened, and now and then: that time has passed is told to nobody.
  @discardableResult
  func status(until isSo: (JSON) -> Bool, _ location: SourceLocation = #_sourceLocation) async throws -> JSON {
    let until = Moment.now + patience
    while true {
      let status = try await status()
      if isSo(status) { return status }
      guard Moment.now < until else {
        Issue.record("it never came to that; it is \(status) and said:\n\(said)", sourceLocation: location)
        throw Refused(description: "waited in vain")
      }
      await events?.news(within: .milliseconds(50))
    }
  }

  func plays(_ path: FilePath, _ location: SourceLocation = #_sourceLocation) async throws {
    var began: Double?
    try await status(
      until: { status in
        guard status["state"] == "playing", status["path"]?.path == path else { return false }
        let position = status["position_s"]?.double ?? 0
        defer { began = began ?? position }
        return position > began ?? position
      }, location)
  }

  /// A notice with all these words in it, from now or from before.
  func tells(_ words: String..., location: SourceLocation = #_sourceLocation) async throws {
    try await logs(["notice"] + words, location)
  }

  /// A line of the log with all these words in it.
  func logs(_ words: [String], _ location: SourceLocation = #_sourceLocation) async throws {
    let until = Moment.now + patience
    while true {
      let lines = try await ask("log")["lines"]?.items?.compactMap(\.string) ?? []
      if lines.contains(where: { line in words.allSatisfy { line.contains($0) } }) { return }
      guard Moment.now < until else {
        Issue.record("no line with \(words); it said:\n\(said)", sourceLocation: location)
        throw Refused(description: "waited in vain")
      }
      await events?.news(within: .milliseconds(500))
    }
  }

  // MARK: Ending

  /// As systemd does it, and nothing may be left behind.
  func stop(by signal: Int32 = SIGTERM, _ location: SourceLocation = #_sourceLocation) async throws {
    process.signal(signal)
    try await ends(with: EX_OK, location)
  }

  func ends(with expected: Int32, _ location: SourceLocation = #_sourceLocation) async throws {
    let code = await process.exitCode()
    #expect(code == expected, "it said:\n\(said)", sourceLocation: location)
    #expect(home.leftovers.isEmpty, sourceLocation: location)
    #expect(!process.hasLeftProcesses, sourceLocation: location)
  }

  /// As a cut power line does it.
  func kill() async {
    process.signal(SIGKILL)
    _ = await process.exitCode()
  }
}
