import Glibc
import Runtime

package typealias Spawned = ChildProcess

/// Here a process stands in a group of its own, so that no emulator outlives the test that wanted it.
extension ChildProcess {
  /// Standard output and error go to the end of the file `output`.
  package convenience init(_ words: [String], output: FilePath) throws(Fault) {
    try self.init(words, in: SpawnOptions(output: output, processGroup: .ownGroup))
  }

  /// Its exit code, or 128 and the signal that ended it.
  package func exitCode(within limit: Duration) throws(Fault) -> Int32 {
    guard ending != nil || Waiting.isReadable(ended, until: .now + limit) else {
      throw Fault(.passing, "V-103", "\(name) did not end within \(limit)")
    }
    return reap().code
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
  static func isReadable(_ number: Int32, until: Moment) -> Bool { !Readiness.readable([number], until: until).isEmpty }

  static func isWritable(_ number: Int32, until: Moment) -> Bool { Readiness.writable(number, until: until) }

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
