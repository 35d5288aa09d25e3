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
  package var space = CopySpace(free: 0, total: 0)
  /// What the plan found missing on the device.
  package var needed: Int64 = 0
  package var now: FilePath?
  /// When the first byte was copied.
  package var began: Moment?

  /// Failures that are told one by one.
  package static let mostTold = 50
  /// Bytes a second, until a copy has shown how fast it is: a stick of today, a card of yesterday, each byte read back.
  package static let guess: Double = 8_000_000

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
    return Double(bytes - thereBytes) * 1_000 / Double((now - began).milliseconds)
  }

  /// As fast as so far; `before` is how fast an earlier copy was.
  package func left(at now: Moment, before: Double? = nil) -> Duration? {
    switch phase {
    case .planned: return .seconds(Int64(Double(needed) / (before ?? Self.guess)))
    case .copying:
      return speed(at: now).map { .seconds(Int64(min(Double(max(0, ofBytes - bytes)) / $0, 1e8))) }
    case .counting, .done: return nil
    }
  }
}
