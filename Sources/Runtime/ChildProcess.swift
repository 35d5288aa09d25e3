import Glibc

/// Owns one process that was started here: the one way in which Layby, its tests and its benches start any. It gets
/// what `SpawnOptions` says and nothing else of ours: no other descriptor, no blocked or ignored signal. It is killed
/// and waited for when nobody holds it any more. Used by one thread at a time; nothing here waits for a process that
/// runs, so how long to wait, and where, is the holder's own decision.
package final class ChildProcess {
  /// What the kernel counted for a process that has ended, and for those it had waited for itself.
  package struct Ending: Equatable, Sendable {
    /// The exit code, or 128 and the signal that ended it.
    package let code: Int32
    package let processorSeconds: Double
  }

  package let pid: pid_t
  package let name: String
  package let began: Moment
  package private(set) var ending: Ending?
  private let processGroup: SpawnOptions.ProcessGroup
  private var kept: AnyObject?
  /// Nothing is ever sent through this; its other end goes with the process and those it started.
  private let socket: Descriptor

  /// The first word is a path, or a name that is looked for in PATH.
  package init(_ words: [String], in surroundings: SpawnOptions) throws(Fault) {
    name = words.first ?? ""
    processGroup = surroundings.processGroup
    kept = surroundings.kept
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Fault.system("R-140", doing: "make a socket pair") }
    socket = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    let plan = SpawnPlan()
    try plan.arrange(surroundings, ended: theirs.number)

    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = surroundings.allVariables.map { strdup($0) } + [nil]
    defer { for word in arguments + variables { free(word) } }
    began = .now
    var pid = pid_t()
    let refused = posix_spawnp(&pid, name, &plan.actions, &plan.attributes, arguments, variables)
    guard refused == 0 else { throw Fault.system("R-141", doing: "run \(name)", errno: refused) }
    self.pid = pid
  }

  deinit { end() }

  /// This can be read as soon as the process is gone, and with it all that it started.
  package var ended: Int32 { socket.number }

  package var hasEnded: Bool { ending != nil || !Readiness.readable([ended], until: .now).isEmpty }

  /// To the process alone.
  package func signal(_ number: Int32) { if ending == nil { kill(pid, number) } }

  /// At once, as a power cut ends it; and what it started, when it stands alone.
  package func end() {
    guard ending == nil else { return }
    kill(processGroup == .withUs ? pid : -pid, SIGKILL)
    reap()
  }

  /// How it ended. For those who know that it has: it waits for as long as it takes.
  @discardableResult
  package func reap() -> Ending {
    if let ending { return ending }
    var word: Int32 = 0
    var usage = rusage()
    while wait4(pid, &word, 0, &usage) < 0 && errno == EINTR {}
    let ending = Ending(
      code: word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F,
      processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds)
    self.ending = ending
    kept = nil
    return ending
  }

  /// Something it started is still there. For one that stands alone.
  package var hasLeftProcesses: Bool { processGroup != .withUs && kill(-pid, 0) == 0 }

  /// Where a program lies that people would call by its name; nil when it is not installed.
  package static func find(_ name: String) -> String? {
    let path = EnvironmentVariable.programFolders.text ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}
