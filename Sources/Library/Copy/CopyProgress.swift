import Files
import Runtime

/// How far a copy is.
package struct CopyProgress: Equatable, Sendable {
  package enum Phase: String, Sendable { case counting, copying, done, planned }

  package struct Failure: Equatable, Sendable {
    package var path: FilePath
    package var fault: Fault
  }

  package var from: FilePath
  package var to: FilePath
  package var phase = Phase.counting
  /// Done with, however it went.
  package var files = 0
  package var bytes: Int64 = 0
  package var of = 0
  package var ofBytes: Int64 = 0
  /// That were on the device already, byte for byte.
  package var there = 0
  package var thereBytes: Int64 = 0
  package var failed = 0
  package var failures: [Failure] = []
  /// Links, pipes and folders that are no collection of music.
  package var leftOut = 0
  package var space = DiskSpace(free: 0, total: 0)
  /// What the plan found missing on the device.
  package var needed: Int64 = 0
  package var now: FilePath?
  /// When the first byte was copied.
  package var began: Moment?

  /// Failures that are told one by one.
  package static let mostTold = 50
  /// Bytes a second, until a copy has shown how fast it is: a stick of today, a card of yesterday, each byte read back.
  package static let guess: Double = 8_000_000
  private static let mostBytes = 1e15

  package init(from: FilePath, to: FilePath) {
    self.from = from
    self.to = to
  }

  package var fits: Bool { space.fits(needed) }

  package mutating func fail(_ path: FilePath, _ fault: Fault) {
    failed += 1
    if failures.count < Self.mostTold { failures.append(Failure(path: path, fault: fault)) }
  }

  /// Bytes a second; nil until there is something to reckon with.
  package func speed(at now: Moment) -> Double? {
    guard phase == .copying, let began, now - began >= .seconds(1), bytes > thereBytes else { return nil }
    return min(Double(bytes) - Double(thereBytes), Self.mostBytes) * 1_000 / Double((now - began).milliseconds)
  }

  /// As fast as so far; `before` is how fast an earlier copy was.
  package func left(at now: Moment, before: Double? = nil) -> Duration? {
    switch phase {
    case .planned: return Self.time(for: needed, before ?? Self.guess)
    case .copying: return speed(at: now).map { Self.time(for: ofBytes.adding(-max(bytes, 0)), $0) }
    case .counting, .done: return nil
    }
  }

  /// More is not told: it is three years.
  private static func time(for bytes: Int64, _ speed: Double) -> Duration {
    .seconds(Int64(min(Double(max(0, bytes)) / max(speed, 1), 1e8)))
  }
}
