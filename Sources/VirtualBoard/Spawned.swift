import Glibc
import Runtime

package typealias Spawned = ChildProcess

/// Processes in groups of their own, so that no QEMU outlives the test that started it.
extension ChildProcess {
  /// Standard output and error go to the end of the file `output`.
  package convenience init(_ words: [String], output: FilePath) throws(Fault) {
    try self.init(words, in: SpawnOptions(output: output, processGroup: .ownGroup))
  }

  /// The exit code, or 128 plus the number of the signal that ended it.
  package func exitCode(within limit: Duration) throws(Fault) -> Int32 {
    guard ending != nil || Waiting.isReadable(ended, until: .now + limit) else {
      throw Fault(.passing, "V-103", "\(name) did not end within \(limit)")
    }
    return reap().code
  }

  /// Runs a command and waits for its end. Throws when it fails, with the end of its output.
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

/// Waiting that blocks the thread. This room uses no event loop.
package enum Waiting {
  /// Waits until something can be read or the other end has closed. False when the time is over.
  static func isReadable(_ number: Int32, until: Moment) -> Bool { !Readiness.readable([number], until: until).isEmpty }

  static func isWritable(_ number: Int32, until: Moment) -> Bool { Readiness.writable(number, until: until) }

  /// Calls `isSo` again and again until it returns true. False when the time is over.
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
