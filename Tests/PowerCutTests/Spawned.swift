import Glibc
import Runtime

/// Owns one process; it does not outlive its owner.
struct Spawned: ~Copyable {
  private let pid: pid_t
  private var status: Int32?
  /// Nothing is ever sent through this; its other end goes with the process.
  private let ended: Descriptor

  /// Standard output and error go to the end of the file `output`.
  init(_ words: [String], environment extra: [String] = [], output: FilePath) throws(Fault) {
    var ends: [Int32] = [-1, -1]
    let stream = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, stream, 0, &ends) == 0 else { throw Fault.system("T-41", doing: "make a socket pair") }
    let ours = Descriptor(taking: ends[0])
    let theirs = Descriptor(taking: ends[1])
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    _ = output.withCString { posix_spawn_file_actions_addopen(&actions, 1, $0, O_WRONLY | O_CREAT | O_APPEND, 0o600) }
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_adddup2(&actions, theirs.number, 3)

    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    // The crash handler's child can hang for ever; and a test that is itself preloaded hands nothing on.
    var environment = Self.inherited.filter { !$0.hasPrefix("LD_PRELOAD=") && !$0.hasPrefix("LAYBY_") }
    environment += ["SWIFT_BACKTRACE=enable=no"] + extra
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for word in arguments + variables { free(word) } }

    var pid = pid_t()
    let refused = posix_spawnp(&pid, words[0], &actions, nil, arguments, variables)
    guard refused == 0 else { throw Fault.system("T-40", doing: "run \(words[0])", errno: refused) }
    self.pid = pid
    ended = ours
  }

  deinit {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    var unread: Int32 = 0
    while waitpid(pid, &unread, 0) < 0 && errno == EINTR {}
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

  func signal(_ number: Int32) { if status == nil { kill(pid, number) } }

  /// Its exit code, or 128 and the signal that ended it. It is waited for as long as it takes.
  @discardableResult
  mutating func wait() -> Int32 {
    if let status { return status }
    var word: Int32 = 0
    while waitpid(pid, &word, 0) < 0 && errno == EINTR {}
    let code = word & 0x7F == 0 ? word >> 8 & 0xFF : 128 + word & 0x7F
    status = code
    return code
  }

  enum First { case other, end, neither }

  /// What comes first: that `other` can be read, that the process ends, or that the time is over.
  func first(_ other: Int32? = nil, within limit: Duration) -> First {
    let ready = Poll.readable([other, ended.number].compactMap { $0 }, within: limit)
    if let other, ready.contains(other) { return .other }
    return ready.contains(ended.number) ? .end : .neither
  }
}

enum Poll {
  /// Those that can be read, as soon as there is one.
  static func readable(_ numbers: [Int32], within limit: Duration) -> [Int32] {
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

/// What the build made, beside the test itself.
enum Built {
  static let folder: FilePath = {
    var space = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &space, space.count - 1)
    return FilePath(bytes: space.prefix(max(count, 0)).map { UInt8(bitPattern: $0) })?.folder ?? FilePath(".")
  }()

  static var layby: FilePath { folder / "layby" }
  static var lossyDisk: FilePath { folder / "libLossyDisk.so" }

  /// What a program needs to be watched.
  static func watching(_ folder: FilePath, log: FilePath) -> [String] {
    ["LD_PRELOAD=\(lossyDisk)", "LAYBY_LOSSY_FOLDER=\(folder)", "LAYBY_LOSSY_LOG=\(log)"]
  }
}

extension Built {
  /// A sanitizer's runtime wants to be loaded before everything else, and finds the watcher there.
  static var isSanitized: Bool {
    guard let program = dlopen(nil, RTLD_NOW) else { return false }
    return dlsym(program, "__asan_init") != nil || dlsym(program, "__tsan_init") != nil
  }
}
