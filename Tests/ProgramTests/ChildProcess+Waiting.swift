import Glibc
import Runtime

/// Tests wait on threads of their own. What a test starts stands in a group of its own, so that what it left behind
/// can be counted when it is gone.
extension ChildProcess {
  /// Standard output and error go to the ends of these files.
  convenience init(
    _ words: [String], environment extra: [String] = [], output: FilePath, errors: FilePath
  ) throws(Fault) {
    var surroundings = SpawnOptions(output: output, processGroup: .ownGroup)
    surroundings.errors = .end(of: errors)
    surroundings.hidden = ["LD_PRELOAD=", "LAYBY_", "NOTIFY_SOCKET=", "WATCHDOG_", "ALSA_", "JOURNAL_STREAM="]
    // The crash handler's child can hang for ever, and an idle thread beside busy suites gets no turn for minutes.
    // Tests look into the player's files below /proc.
    surroundings.variables = ["SWIFT_BACKTRACE=enable=no", "LAYBY_IDLE=takes-part", "LAYBY_OPEN_MEMORY=yes"] + extra
    try self.init(words, in: surroundings)
  }

  /// Its exit code, or 128 and the signal that ended it; nil when it has not ended in time.
  func exitCode(within limit: Duration = patience) async -> Int32? {
    if let ending { return ending.code }
    guard await Poll.readable([ended], within: limit) == [ended] else { return nil }
    return reap().code
  }

  enum First { case other, end, neither }

  /// What comes first: that `other` can be read, that the process ends, or that the time is over.
  func first(_ other: Int32, within limit: Duration = patience) async -> First {
    let ready = await Poll.readable([other, ended], within: limit)
    if ready.contains(other) { return .other }
    return ready.isEmpty ? .neither : .end
  }
}

/// Longer than anything takes on a busy machine; a test that works never waits for it.
let patience: Duration = .seconds(30)

enum Poll {
  /// Those that can be read, as soon as there is one. It waits on a thread of its own: the language's pool, on which
  /// tests run, is for what does not block.
  static func readable(_ numbers: [Int32], within limit: Duration) async -> [Int32] {
    let already = Readiness.readable(numbers, until: .now)
    guard already.isEmpty, limit > .zero else { return already }
    return await withCheckedContinuation { continuation in
      do throws(Fault) {
        try NamedThread.start("waits") {
          continuation.resume(returning: Readiness.readable(numbers, until: .now + limit))
        }
      } catch {
        fatalError("no thread to wait on: \(error)")
      }
    }
  }
}
