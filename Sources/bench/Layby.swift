import Glibc
import Runtime

/// The player that is measured, with a home of its own in the bench's folder: board file, state, sockets. The panel is
/// there in its usual size, and nobody looks at it.
struct Layby {
  let program: String
  private let home: FilePath
  private var board: FilePath { home / "board.conf" }
  private var notify: FilePath { home / "notify" }
  private var output: FilePath { home / "output" }

  init(_ program: String, home: FilePath) throws(Fault) {
    self.program = program
    self.home = home
    try AtomicFile.replace(board, with: Array("[board]\nname = bench\n\n[panel]\nsize = 320x240\n".utf8))
    // Louder or softer than the file would be work that the peers are not asked to do.
    try AtomicFile.replace(home / "layby.conf", with: Array("[sound]\nstart_volume = 100\n".utf8))
  }

  private func words(_ arguments: [String]) -> [String] {
    [program, "run", "--board", "\(board)", "--state", "\(home / "state")", "--run", "\(home / "run")"] + arguments
  }

  /// A running player, and how long it took from nothing to ready.
  func start(_ arguments: [String] = ["--output", "null"]) throws(Fault) -> (child: Child, took: Duration) {
    let listener = try UnixSocket.listenForDatagrams(at: notify)
    let child = try Child(words(arguments), environment: ["NOTIFY_SOCKET=\(notify)"], output: output)
    let deadline = child.began + .seconds(60)
    while try Patience.readable(listener.number, before: min(deadline, .now + .milliseconds(500))) || .now < deadline {
      let at = Moment.now
      var message = [UInt8](repeating: 0, count: 4096)
      let count = recv(listener.number, &message, message.count, 0)
      if String(decoding: message.prefix(max(count, 0)), as: UTF8.self).contains("READY=1") {
        return (child, at - child.began)
      }
      if try child.hasEnded { break }
    }
    throw Fault(.passing, "B-150", "\(program) was not ready within 60 s: \(lastWords)")
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

  private var lastWords: String {
    do throws(Fault) {
      let text = String(decoding: try AtomicFile.read(output, limit: 1 << 24), as: UTF8.self)
      return text.split(separator: "\n").suffix(2).joined(separator: "; ")
    } catch {
      return "it said nothing"
    }
  }
}
