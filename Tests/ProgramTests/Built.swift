import Glibc
import Runtime
import TestSupport

/// What the build made, beside the test itself.
enum Built {
  private static var folder: FilePath { BuildProducts.folder }
  static var layby: String { "\(folder / "layby")" }
  static var compose: String { "\(folder / "compose")" }
  static var keys: String { "\(folder / "layby-keys")" }
  static var depot: String { "\(folder / "depot")" }
}

/// Runs a program to its end.
struct Finished {
  let code: Int32?
  let output: String
  let errors: String

  init(_ words: [String], environment: [String] = [], in home: Home, within limit: Duration = patience) async throws {
    let output = home.folder / "finished.out"
    let errors = home.folder / "finished.err"
    for path in [output, errors] { _ = path.withCString { unlink($0) } }
    let process = try ChildProcess(words, environment: environment, output: output, errors: errors)
    code = await process.exitCode(within: limit)
    self.output = String(decoding: try AtomicFile.read(output, limit: 1 << 26), as: UTF8.self)
    self.errors = String(decoding: try AtomicFile.read(errors, limit: 1 << 26), as: UTF8.self)
  }
}

/// The tools that make music and take it apart; they must be there.
func tool(_ words: String..., in home: Home) async throws {
  let finished = try await Finished(words, in: home)
  guard finished.code == 0 else {
    throw Fault(.unsupported, "T-62", "\(words[0]), which this test needs, failed: \(finished.errors)")
  }
}
