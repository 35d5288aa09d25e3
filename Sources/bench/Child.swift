import Glibc
import Runtime

/// Owns one process that was started here, and ends it by its id when nobody holds it any more.
final class Child {
  /// What the kernel counted for a process that has ended, and for those it had waited for itself.
  struct Ending {
    /// The exit code, or 128 and the signal that ended it.
    let code: Int32
    let processorSeconds: Double
  }

  let pid: pid_t
  let began: Moment
  private let name: String
  /// Held until the process is gone: to lose it would be a hang-up.
  private let terminal: PseudoTerminal?
  /// The other end goes with the process.
  private let ended: Descriptor
  private var isReaped = false

  /// POSIX_SPAWN_SETSID, which Swift does not see.
  private static let ownSession: Int16 = 0x80

  /// What its three standard descriptors are.
  enum Surroundings {
    /// Nothing to read; what it says goes to the end of the file.
    case output(FilePath)
    /// The terminal, which controls it: it leads a session of its own.
    case terminal(PseudoTerminal)
  }

  convenience init(_ words: [String], environment extra: [String] = [], output: FilePath) throws(Fault) {
    try self.init(words, environment: extra, in: .output(output))
  }

  init(_ words: [String], environment extra: [String] = [], in surroundings: Surroundings) throws(Fault) {
    name = words.first ?? ""
    if case .terminal(let given) = surroundings { terminal = given } else { terminal = nil }
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Fault.system("B-110", doing: "make a socket pair") }
    let ours = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    switch surroundings {
    case .output(let file):
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      _ = file.withCString { posix_spawn_file_actions_addopen(&actions, 1, $0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
    case .terminal(let terminal):
      posix_spawnattr_setflags(&attributes, Self.ownSession)
      _ = terminal.name.withCString { posix_spawn_file_actions_addopen(&actions, 0, $0, O_RDWR, 0) }
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
    }
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_adddup2(&actions, theirs.number, 3)

    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let environment = Self.inherited.filter { !$0.hasPrefix("NOTIFY_SOCKET=") } + extra
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for word in arguments + variables { free(word) } }

    began = .now
    var pid = pid_t()
    let refused = posix_spawn(&pid, name, &actions, &attributes, arguments, variables)
    guard refused == 0 else { throw Fault.system("B-111", doing: "run \(name)", errno: refused) }
    self.pid = pid
    ended = ours
  }

  deinit {
    guard !isReaped else { return }
    kill(pid, SIGKILL)
    _ = reap()
  }

  private static var inherited: [String] {
    var all: [String] = []
    var next = environ
    while let entry = next.pointee {
      all.append(String(cString: entry))
      next += 1
    }
    return all
  }

  func signal(_ number: Int32) { if !isReaped { kill(pid, number) } }

  var hasEnded: Bool {
    get throws(Fault) { try Patience.readable(ended.number, before: .now) }
  }

  /// Waits for the end by itself; a process that does not come to it is a fault.
  func wait(within limit: Duration) throws(Fault) -> Ending {
    guard try Patience.readable(ended.number, before: .now + limit) else {
      throw Fault(.passing, "B-112", "\(name) did not end within \(limit)")
    }
    return reap()
  }

  /// As a service manager stops it.
  func stop(within limit: Duration = .seconds(10)) throws(Fault) {
    if isReaped { return }
    signal(SIGTERM)
    _ = try wait(within: limit)
  }

  /// As a power cut stops it.
  func cut() throws(Fault) {
    if isReaped { return }
    signal(SIGKILL)
    _ = try wait(within: .seconds(10))
  }

  private func reap() -> Ending {
    var status: Int32 = 0
    var usage = rusage()
    while wait4(pid, &status, 0, &usage) < 0 && errno == EINTR {}
    isReaped = true
    let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
    return Ending(code: code, processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds)
  }
}

extension timeval {
  fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1_000_000 }
}

extension Child {
  /// Runs `words` to their end and gives the processor time; a complaint of theirs is a fault.
  static func processorSeconds(of words: [String], within limit: Duration, output: FilePath) throws(Fault) -> Double {
    let ending = try Child(words, output: output).wait(within: limit)
    guard ending.code == 0 else {
      throw Fault(.malformed, "B-113", "\(words.joined(separator: " ")) ended with \(ending.code); see \(output)")
    }
    return ending.processorSeconds
  }

  /// Where a program lies that people would call by its name; nil when it is not installed.
  static func find(_ name: String) -> String? {
    let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }
}
