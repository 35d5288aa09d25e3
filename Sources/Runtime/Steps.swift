import Glibc

/// Named steps inside a save, at which tests end the process as a power cut would. What ships has none.
package enum Steps {
  #if DEBUG
    /// `LAYBY_DIE_AT=position.written:3` dies when that step is reached the third time.
    private static let fatalStep: (name: String, count: Int)? = {
      guard let wish = getenv("LAYBY_DIE_AT").map({ String(cString: $0) }) else { return nil }
      let parts = wish.split(separator: ":")
      return parts.first.map { (String($0), parts.count > 1 ? Int(parts[1]) ?? 1 : 1) }
    }()

    nonisolated(unsafe) private static var reached = 0  // steps of one name are all on one thread

    package static func reach(_ name: StaticString) {
      guard let fatalStep, fatalStep.name == "\(name)" else { return }
      reached += 1
      if reached == fatalStep.count { kill(getpid(), SIGKILL) }
    }
  #else
    @inline(__always) package static func reach(_ name: StaticString) {}
  #endif
}
