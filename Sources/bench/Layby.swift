import Glibc
import Runtime

/// The player that is measured, with a home of its own in the bench's folder: board file, state, sockets. The panel is
/// there in its usual size, and nobody looks at it.
struct Layby {
  let program: String
  let home: FilePath
  private let environment: [String]
  private var board: FilePath { home / "board.conf" }
  private var notify: FilePath { home / "notify" }
  private var output: FilePath { home / "output" }

  /// `settings` are the owner's, after those that every bench has.
  init(_ program: String, home: FilePath, environment: [String] = [], settings: String = "") throws(Fault) {
    self.program = program
    self.home = home
    self.environment = environment
    try AtomicFile.replace(board, with: Array("[board]\nname = bench\n\n[panel]\nsize = 320x240\n".utf8))
    // Louder or softer than the file would be work that the peers are not asked to do.
    try AtomicFile.replace(home / "layby.conf", with: Array("[sound]\nstart_volume = 100\n\(settings)".utf8))
  }

  private func words(_ arguments: [String]) -> [String] {
    [program, "run", "--board", "\(board)", "--state", "\(home / "state")", "--run", "\(home / "run")"] + arguments
  }

  /// A player that has just been started. It says nothing of how it crashes, as the service's unit has it.
  func launch(_ arguments: [String] = ["--output", "null"], in window: PseudoTerminal? = nil) throws(Fault) -> Run {
    let listener = try UnixSocket.listenForDatagrams(at: notify)
    var environment = environment + ["NOTIFY_SOCKET=\(notify)", "SWIFT_BACKTRACE=enable=no"]
    if window != nil { environment += ["TERM=xterm-256color", "COLORTERM=truecolor"] }
    if let window {
      return Run(of: self, try Child(words(arguments), environment: environment, in: window), listener)
    }
    return Run(of: self, try Child(words(arguments), environment: environment, output: output), listener)
  }

  /// A running player, and how long it took from nothing to ready.
  func start(_ arguments: [String] = ["--output", "null"]) throws(Fault) -> (child: Child, took: Duration) {
    let run = try launch(arguments)
    return (run.child, try run.waitUntilReady())
  }

  /// Ends it as a power cut does, which takes the run folder along: it lies in memory. With the ledger of starts in it
  /// each cut would count as a crash, and the third within a minute would make the next start a safe one.
  func cut(_ child: Child) throws(Fault) {
    try child.cut()
    _ = (home / "run" / "starts").withCString { unlink($0) }
  }

  /// Plays once as fast as it can, and gives the processor time of the whole process, its start included.
  func processorSeconds(playing file: FilePath) throws(Fault) -> Double {
    // What was saved would be gone on with: each time is the first time.
    for name in ["state.db", "state.db-wal", "state.db-shm", "position"] {
      _ = (home / "state" / name).withCString { unlink($0) }
    }
    return try Child.processorSeconds(
      of: words(["--output", "null:fast", "--once", "--play", "\(file)"]), within: .seconds(120), output: output)
  }

  /// Starts afresh, and waits until it has ended by itself: its exit code, and its last words.
  func runToTheEnd(_ arguments: [String]) throws(Fault) -> (code: Int32, words: String) {
    let ending = try Child(words(arguments), output: output).wait(within: .seconds(120))
    return (ending.code, lastWords)
  }

  var lastWords: String {
    do throws(Fault) {
      let text = String(decoding: try AtomicFile.read(output, limit: 1 << 24), as: UTF8.self)
      return text.split(separator: "\n").suffix(2).joined(separator: "; ")
    } catch {
      return "it said nothing"
    }
  }
}

extension Layby.Run {
  /// The library is opened after the player is ready.
  func waitForLibrary() throws(Fault) {
    let deadline = Moment.now + .seconds(60)
    while true {
      do throws(Fault) {
        if try ask("browse", ["playlists"]) != nil { return }
      } catch {
        guard error.code == "B-151", .now < deadline else { throw error }
      }
      guard .now < deadline else { throw Fault(.passing, "B-252", "layby did not open its library within 60 s") }
      try Patience.wait(until: .now + .milliseconds(5))
    }
  }

  /// Imports the folder, and waits for the end. Asks how far it is every few milliseconds: `progress` hears how many
  /// files were met. All files have to be met, and `read` of them read.
  func importTree(
    _ tree: MadeUpTree, reading read: Int, _ progress: (Int) throws(Fault) -> Void = { _ in }
  ) throws(Fault) {
    let deadline = Moment.now + .seconds(1_200)
    var answer = try ask("import", ["\(tree.path)"])
    while answer?["running"]?.truth == true {
      guard Moment.now < deadline else { throw Fault(.passing, "B-253", "layby still imports after 20 minutes") }
      try Patience.wait(until: .now + .milliseconds(5))
      answer = try ask("import")
      try progress(Int(answer?["import"]?["files"]?.whole ?? 0))
    }
    let now = answer?["import"]
    guard now?["files"]?.whole == Int64(tree.files), now?["read"]?.whole == Int64(read), now?["unreadable"]?.whole == 0
    else {
      throw Fault(
        .malformed, "B-254",
        "layby was to find \(tree.files) files and to read \(read), but: \(answer.map { "\($0)" } ?? "no answer")")
    }
  }
}

extension Layby {
  /// One running player: what it tells the service manager, and what it answers at its control socket.
  final class Run {
    let child: Child
    private let player: Layby
    private let notices: Descriptor
    private var socket: LineSocket?

    init(of player: Layby, _ child: Child, _ notices: consuming Descriptor) {
      self.player = player
      self.child = child
      self.notices = notices
    }

    /// How long it took from nothing to ready.
    @discardableResult
    func waitUntilReady() throws(Fault) -> Duration {
      let deadline = child.began + .seconds(60)
      while try Patience.readable(notices.number, before: min(deadline, .now + .milliseconds(500))) || .now < deadline {
        let at = Moment.now
        var message = [UInt8](repeating: 0, count: 4096)
        // It may have ended without a word.
        let count = recv(notices.number, &message, message.count, Int32(MSG_DONTWAIT))
        if String(decoding: message.prefix(max(count, 0)), as: UTF8.self).contains("READY=1") {
          return at - child.began
        }
        if child.hasEnded { break }
      }
      throw Fault(.passing, "B-150", "\(player.program) was not ready within 60 s: \(player.lastWords)")
    }

    /// Nil while nobody answers there.
    func ask(_ verb: String, _ arguments: [String] = []) throws(Fault) -> JSON? {
      if socket == nil {
        socket = UnixSocket.connection(to: player.home / "run" / "control").map { LineSocket(taking: $0, to: "layby") }
      }
      guard let socket else { return nil }
      let request: JSON = ["verb": JSON(verb), "arguments": .list(arguments.map { JSON($0) })]
      try socket.send("\(request)")
      let line = try socket.line(within: .seconds(30))
      let answer = try JSON(parsing: Array(line.utf8), limits: JSON.Limits(depth: 8, size: 1 << 20))
      guard answer["ok"]?.truth == true else { throw Fault(.malformed, "B-151", "layby answers \(verb) with \(line)") }
      return answer
    }
  }
}
