import Glibc
import Runtime

/// Owns one process and whatever that starts: a process group of its own, killed and waited for when nobody holds it
/// any more, so that no emulator outlives the test that wanted it.
package final class Spawned {
  package let pid: pid_t
  private let name: String
  private var code: Int32?
  /// Nothing is ever sent through this; its other end goes with the process.
  private let ended: Descriptor

  /// Standard output and error go to the end of the file `output`. The program is looked for in PATH.
  package init(_ words: [String], output: FilePath) throws(Fault) {
    name = words.first ?? ""
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Fault.system("V-101", doing: "make a socket pair") }
    let ours = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    _ = output.withCString { posix_spawn_file_actions_addopen(&actions, 1, $0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_adddup2(&actions, theirs.number, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    posix_spawnattr_setpgroup(&attributes, 0)

    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var pid = pid_t()
    let refused = posix_spawnp(&pid, name, &actions, &attributes, arguments, environ)
    guard refused == 0 else { throw Fault.system("V-102", doing: "run \(name)", errno: refused) }
    self.pid = pid
    ended = ours
  }

  deinit { end() }

  /// At once, as a power cut ends it.
  package func end() {
    guard code == nil else { return }
    kill(-pid, SIGKILL)
    reap()
  }

  package var hasEnded: Bool { code != nil || Waiting.isReadable(ended.number, until: .now) }

  /// Its exit code, or 128 and the signal that ended it.
  package func exitCode(within limit: Duration) throws(Fault) -> Int32 {
    if let code { return code }
    guard Waiting.isReadable(ended.number, until: .now + limit) else {
      throw Fault(.passing, "V-103", "\(name) did not end within \(limit)")
    }
    return reap()
  }

  @discardableResult
  private func reap() -> Int32 {
    var word: Int32 = 0
    while waitpid(pid, &word, 0) < 0 && errno == EINTR {}
    let ending = word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F
    code = ending
    return ending
  }

  /// Runs `words` to their end; a complaint of theirs is a fault that ends with their last words.
  package static func run(_ words: [String], output: FilePath, within limit: Duration = .seconds(60)) throws(Fault) {
    let code = try Spawned(words, output: output).exitCode(within: limit)
    guard code == 0 else {
      let said = try AtomicFile.read(output, limit: 1 << 26).suffix(500)
      throw Fault(
        .malformed, "V-104",
        "\(words.joined(separator: " ")) ended with \(code): \(String(decoding: said, as: UTF8.self))")
    }
  }
}

/// For what blocks: nothing here runs on a loop.
package enum Waiting {
  /// Something can be read, or the other end is gone; false when the time is over.
  static func isReadable(_ number: Int32, until: Moment) -> Bool { isReady(number, Int16(POLLIN), until: until) }

  static func isWritable(_ number: Int32, until: Moment) -> Bool { isReady(number, Int16(POLLOUT), until: until) }

  private static func isReady(_ number: Int32, _ events: Int16, until: Moment) -> Bool {
    while true {
      var request = pollfd(fd: number, events: events, revents: 0)
      let left = max((until - Moment.now).milliseconds, 0)
      let count = Glibc.poll(&request, 1, Int32(clamping: left))
      if count > 0 { return true }
      if count == 0 || errno != EINTR { return false }
    }
  }

  /// Looks again and again until `isSo`; false when the time is over. For what nobody tells of.
  package static func poll(
    every pause: Duration = .milliseconds(20), until end: Moment, _ isSo: () throws -> Bool
  ) rethrows -> Bool {
    while true {
      if try isSo() { return true }
      if Moment.now >= end { return false }
      Glibc.poll(nil, 0, Int32(clamping: pause.milliseconds))
    }
  }
}
