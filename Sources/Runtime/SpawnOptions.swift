internal import CLinux
import Glibc

/// What a process finds when it starts: its standard files, the descriptors it is handed, its environment, and whom it
/// stands with.
package struct SpawnOptions {
  package enum ProcessGroup: Equatable, Sendable {
    case withUs
    /// A group of its own: what it starts goes with it.
    case ownGroup
    /// A session of its own, as a terminal needs it.
    case ownSession
  }

  package enum StandardFile: Equatable, Sendable {
    /// Nothing to read; what is written is gone.
    case nothing
    case ours
    /// The same as standard output, for standard error.
    case asOutput
    /// What is written goes to the end of this file.
    case end(of: FilePath)
    /// One that we have open, such as an end of a pipe; we keep our own.
    case open(Int32)
    /// Opened for reading and writing; it controls the process when that leads a session.
    case terminal(FilePath)
  }

  package var input = StandardFile.nothing
  package var output = StandardFile.nothing
  package var errors = StandardFile.asOutput
  package var processGroup = ProcessGroup.withUs
  /// The first of these arrives as number 3, the next as 4; the sender keeps its own.
  package var handed: [Int32] = []
  /// `NAME=value`, in the place of what we have by that name.
  package var variables: [String] = []
  /// Beginnings of what is not handed on of our own environment.
  package var hidden: [String] = []
  /// Nothing of our own environment is handed on.
  package var isBare = false
  /// Held until the process is gone: its terminal's other side, say, which to lose would be a hang-up.
  package var kept: AnyObject?

  package init() {}

  package init(output: FilePath, processGroup: ProcessGroup = .withUs) {
    self.output = .end(of: output)
    self.processGroup = processGroup
  }

  package init(terminal: FilePath) {
    input = .terminal(terminal)
    output = .terminal(terminal)
    processGroup = .ownSession
  }

  /// For a process that looks at foreign bytes: nothing of our environment, one socket, which arrives as number 3, and a
  /// group of its own.
  package static func shutIn(with socket: Int32) -> SpawnOptions {
    var surroundings = SpawnOptions()
    surroundings.isBare = true
    // The crash handler would start another process; it is shut in, and nobody reads what it says.
    surroundings.variables = ["SWIFT_BACKTRACE=enable=no"]
    surroundings.processGroup = .ownGroup
    surroundings.handed = [socket]
    return surroundings
  }

  var allVariables: [String] {
    guard !isBare else { return variables }
    let replaced = variables.map { String($0.prefix { $0 != "=" }) + "=" }
    return Self.inherited.filter { entry in !(hidden + replaced).contains { entry.hasPrefix($0) } } + variables
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
}

/// Owns what the C library is told about a process before it starts.
final class SpawnPlan {
  var actions = posix_spawn_file_actions_t()
  var attributes = posix_spawnattr_t()
  /// Copies of what is handed over, above all numbers that it is to have, so that none is closed by another's arrival.
  private var copies: [Int32] = []

  /// POSIX_SPAWN_SETSID, which Swift does not see.
  private static let ownSession: Int16 = 0x80

  init() {
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
  }

  deinit {
    for copy in copies { close(copy) }
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }

  func arrange(_ surroundings: SpawnOptions, ended: Int32) throws(Fault) {
    add(surroundings.input, as: 0)
    add(surroundings.output, as: 1)
    add(surroundings.errors, as: 2)
    let all = surroundings.handed + [ended]
    for number in all {
      let copy = fcntl(number, F_DUPFD_CLOEXEC, Int32(3 + all.count))
      guard copy >= 0 else { throw Fault.system("R-142", doing: "hand over descriptor \(number)") }
      copies.append(copy)
    }
    for (index, copy) in copies.enumerated() { posix_spawn_file_actions_adddup2(&actions, copy, Int32(3 + index)) }
    layby_spawn_close_from(&actions, Int32(3 + all.count))

    var flags = Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
    var none = sigset_t()
    var every = sigset_t()
    sigemptyset(&none)
    sigfillset(&every)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &every)
    switch surroundings.processGroup {
    case .withUs: break
    case .ownGroup: flags |= Int16(POSIX_SPAWN_SETPGROUP)
    case .ownSession: flags |= Self.ownSession
    }
    posix_spawnattr_setflags(&attributes, flags)
  }

  private func add(_ file: SpawnOptions.StandardFile, as number: Int32) {
    switch file {
    case .ours: break
    case .asOutput: posix_spawn_file_actions_adddup2(&actions, 1, number)
    case .open(let ours): posix_spawn_file_actions_adddup2(&actions, ours, number)
    case .nothing:
      posix_spawn_file_actions_addopen(&actions, number, "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
    case .end(of: let path):
      let flags = number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
      _ = path.withCString { posix_spawn_file_actions_addopen(&actions, number, $0, flags, 0o600) }
    case .terminal(let path):
      _ = path.withCString { posix_spawn_file_actions_addopen(&actions, number, $0, O_RDWR, 0) }
    }
  }
}
