import Glibc
import Runtime
import TestSupport

typealias Spawned = ChildProcess

extension ChildProcess {
  /// Standard output and error go to the end of the file `output`.
  convenience init(_ words: [String], environment extra: [String] = [], output: FilePath) throws(Fault) {
    var surroundings = SpawnOptions(output: output)
    // The crash handler's child can hang for ever, and an idle thread beside busy suites gets no turn for minutes; and a
    // test that is itself preloaded hands nothing on.
    surroundings.hidden = ["LD_PRELOAD=", "LAYBY_"]
    // Tests look into the player's files below /proc.
    surroundings.variables = ["SWIFT_BACKTRACE=enable=no", "LAYBY_IDLE=takes-part", "LAYBY_OPEN_MEMORY=yes"] + extra
    try self.init(words, in: surroundings)
  }

  /// Its exit code, or 128 and the signal that ended it. It is waited for as long as it takes.
  @discardableResult
  func wait() -> Int32 { reap().code }

  enum First { case other, end, neither }

  /// What comes first: that `other` can be read, that the process ends, or that the time is over.
  func first(_ other: Int32? = nil, within limit: Duration) -> First {
    let ready = Readiness.readable([other, ended].compactMap { $0 }, until: .now + limit)
    if let other, ready.contains(other) { return .other }
    return ready.contains(ended) ? .end : .neither
  }
}

/// What the build made, beside the test itself.
enum Built {
  private static var folder: FilePath { BuildProducts.folder }
  static var layby: FilePath { folder / "layby" }
  static var lossyDisk: FilePath { folder / "libLossyDisk.so" }

  /// What a program needs to be watched.
  static func watching(_ folder: FilePath, log: FilePath) -> [String] {
    ["LD_PRELOAD=\(lossyDisk)", "LAYBY_LOSSY_FOLDER=\(folder)", "LAYBY_LOSSY_LOG=\(log)"]
  }
}
