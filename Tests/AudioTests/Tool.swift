import Glibc
import Runtime
import Testing

/// Runs the programs that our decoders are held against: flac, lame, mpg123, metaflac.
enum Tool {
  struct Failed: Error, CustomStringConvertible { let description: String }

  static func run(_ name: String, _ arguments: [String]) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY, 0)
    }
    var words: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let refused = posix_spawnp(&process, name, &actions, nil, &words, environ)
    guard refused == 0 else {
      throw Failed(description: "\(name) is needed for this test and cannot be run: \(Fault.describe(refused))")
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 && errno == EINTR {}
    guard status == 0 else { throw Failed(description: "\(name) \(arguments) ended with \(status)") }
  }
}

/// Whole files, for tests only.
enum Bytes {
  static func write(_ bytes: [UInt8], to path: FilePath) throws(Fault) {
    try Descriptor.open(path, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o644, code: "T-1")
      .writeAll(bytes, code: "T-1", doing: "write \(path)")
  }

  static func read(_ path: FilePath) throws(Fault) -> [UInt8] {
    try Descriptor.open(path, O_RDONLY, code: "T-2").readAll(limit: 1 << 30, code: "T-2", doing: "read \(path)")
  }
}
