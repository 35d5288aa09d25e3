import Runtime

/// How far a check is, or what came of the last one.
package struct CheckLine: Equatable, Sendable {
  package var check: Checkup
  /// Bytes a second, lately.
  package var speed: Int64 = 0

  package init(_ check: Checkup) { self.check = check }

  package var isRunning: Bool { check.state == .running }
  package var left: Duration? {
    speed > 0 && isRunning ? .seconds((check.bytes - check.bytesRead) / speed) : nil
  }
}
