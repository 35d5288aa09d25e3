import Glibc
import Runtime

/// Owns one process and whatever it starts; none of them outlives its owner.
final class ChildProcess {
  let pid: pid_t
  private var code: Int32?
  /// Nothing is ever sent through this; its other end goes with the process.
  private let ended: Descriptor

  /// Standard output and error go to the ends of these files.
  init(_ words: [String], environment extra: [String] = [], output: FilePath, errors: FilePath) throws(Fault) {
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Fault.system("T-61", doing: "make a socket pair") }
    let ours = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (number, path) in [(Int32(1), output), (2, errors)] {
      _ = path.withCString {
        posix_spawn_file_actions_addopen(&actions, number, $0, O_WRONLY | O_CREAT | O_APPEND, 0o600)
      }
    }
    posix_spawn_file_actions_adddup2(&actions, theirs.number, 3)
    // A group of its own, so that what it started can be counted when it is gone.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)

    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let hidden = ["LD_PRELOAD=", "LAYBY_", "NOTIFY_SOCKET=", "WATCHDOG_", "ALSA_", "JOURNAL_STREAM="]
    var environment = Self.inherited.filter { entry in !hidden.contains { entry.hasPrefix($0) } }
    // The crash handler's child can hang for ever.
    environment += ["SWIFT_BACKTRACE=enable=no"] + extra
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for word in arguments + variables { free(word) } }

    var pid = pid_t()
    let refused = posix_spawnp(&pid, words[0], &actions, &attributes, arguments, variables)
    guard refused == 0 else { throw Fault.system("T-60", doing: "run \(words[0])", errno: refused) }
    self.pid = pid
    ended = ours
  }

  deinit {
    guard code == nil else { return }
    kill(-pid, SIGKILL)
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

  func signal(_ number: Int32) { if code == nil { kill(pid, number) } }

  private func reap() -> Int32 {
    var word: Int32 = 0
    while waitpid(pid, &word, 0) < 0 && errno == EINTR {}
    return word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F
  }

  /// Its exit code, or 128 and the signal that ended it; nil when it has not ended in time.
  func exitCode(within limit: Duration = patience) async -> Int32? {
    if let code { return code }
    guard await Poll.readable([ended.number], within: limit) == [ended.number] else { return nil }
    code = reap()
    return code
  }

  enum First { case other, end, neither }

  /// What comes first: that `other` can be read, that the process ends, or that the time is over.
  func first(_ other: Int32, within limit: Duration = patience) async -> First {
    let ready = await Poll.readable([other, ended.number], within: limit)
    if ready.contains(other) { return .other }
    return ready.isEmpty ? .neither : .end
  }

  /// Something it started is still there.
  var hasLeftProcesses: Bool { kill(-pid, 0) == 0 }
}

/// Longer than anything takes on a busy machine; a test that works never waits for it.
let patience: Duration = .seconds(30)

enum Poll {
  /// Those that can be read, as soon as there is one. It waits on a thread of its own: the language's pool, on which
  /// tests run, is for what does not block.
  static func readable(_ numbers: [Int32], within limit: Duration) async -> [Int32] {
    await withCheckedContinuation { continuation in
      do throws(Fault) {
        try NamedThread.start("waits") { continuation.resume(returning: wait(numbers, limit)) }
      } catch {
        fatalError("no thread to wait on: \(error)")
      }
    }
  }

  private static func wait(_ numbers: [Int32], _ limit: Duration) -> [Int32] {
    let until = Moment.now + limit
    while true {
      var list = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      let left = max((until - Moment.now).milliseconds, 0)
      let count = poll(&list, nfds_t(list.count), Int32(clamping: left))
      if count > 0 { return list.filter { $0.revents != 0 }.map(\.fd) }
      if count == 0 || errno != EINTR { return [] }
    }
  }
}
