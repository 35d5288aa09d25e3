import Glibc
import Runtime

typealias Child = ChildProcess

/// A bench waits for what it starts, with `Patience`.
extension ChildProcess {
  convenience init(_ words: [String], environment extra: [String] = [], output: FilePath) throws(Fault) {
    try self.init(words, environment: extra, in: SpawnOptions(output: output))
  }

  /// A program in a terminal leads a session of its own, which the terminal controls.
  convenience init(
    _ words: [String], environment extra: [String] = [], in window: PseudoTerminal
  ) throws(Fault) {
    var surroundings = SpawnOptions(terminal: window.name)
    surroundings.kept = window
    try self.init(words, environment: extra, in: surroundings)
  }

  private convenience init(_ words: [String], environment extra: [String], in given: SpawnOptions) throws(Fault) {
    var surroundings = given
    surroundings.variables += extra
    surroundings.hidden.append("NOTIFY_SOCKET=")
    try self.init(words, in: surroundings)
  }

  /// Waits for the end by itself; a process that does not come to it is a fault.
  @discardableResult
  func wait(within limit: Duration) throws(Fault) -> Ending {
    if let ending { return ending }
    guard try Patience.readable(ended, before: .now + limit) else {
      throw Fault(.passing, "B-112", "\(name) did not end within \(limit)")
    }
    return reap()
  }

  /// As a service manager stops it.
  func stop(within limit: Duration = .seconds(10)) throws(Fault) {
    signal(SIGTERM)
    try wait(within: limit)
  }

  /// As a power cut stops it.
  func cut() throws(Fault) {
    signal(SIGKILL)
    try wait(within: .seconds(10))
  }

  /// Runs `words` to their end and gives the processor time; a complaint of theirs is a fault.
  static func processorSeconds(of words: [String], within limit: Duration, output: FilePath) throws(Fault) -> Double {
    let ending = try Child(words, output: output).wait(within: limit)
    guard ending.code == 0 else {
      throw Fault(.malformed, "B-113", "\(words.joined(separator: " ")) ended with \(ending.code); see \(output)")
    }
    return ending.processorSeconds
  }
}
