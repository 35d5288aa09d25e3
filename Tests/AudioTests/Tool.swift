import Glibc
import Runtime
import Testing

/// Runs the programs that our decoders are held against: flac, lame, mpg123, metaflac.
enum Tool {
  struct Failed: Error, CustomStringConvertible { let description: String }

  static func run(_ name: String, _ arguments: [String]) throws {
    let process: ChildProcess
    do throws(Fault) {
      process = try ChildProcess([name] + arguments, in: SpawnOptions())
    } catch {
      throw Failed(description: "\(name) is needed for this test: \(error)")
    }
    let code = process.reap().code
    guard code == 0 else { throw Failed(description: "\(name) \(arguments) ended with \(code)") }
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
