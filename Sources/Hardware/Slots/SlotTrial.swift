import Runtime

/// When a slot that is tried for the first time may be called good: the player has answered for a while without a
/// break, and its sound and its panel ran all that time.
package struct SlotTrial: Sendable {
  /// A part as the player tells of it.
  package struct Part: Sendable {
    package let name: String
    package let isRunning: Bool
    package let restarts: Int64

    package init(_ name: String, isRunning: Bool, restarts: Int64) {
      (self.name, self.isRunning, self.restarts) = (name, isRunning, restarts)
    }
  }

  /// A player that crashes again and again is there for some seconds each time.
  package static let span = Duration.seconds(30)

  private let span: Duration
  private var since: Moment?
  private var restarts: Int64 = 0

  package init(span: Duration = Self.span) { self.span = span }

  /// `parts`: the player's answer, or nil when there was none. True as soon as the slot is good. A board without a panel
  /// has no such part; other parts, such as the network's, say nothing about a version.
  package mutating func take(_ parts: [Part]?, at now: Moment) -> Bool {
    let needed = parts?.filter { ["sound", "panel"].contains($0.name) } ?? []
    let restarts = needed.reduce(0) { $0 + $1.restarts }
    guard needed.contains(where: { $0.name == "sound" }), needed.allSatisfy(\.isRunning) else {
      since = nil
      return false
    }
    guard let since, restarts == self.restarts else {
      (self.since, self.restarts) = (now, restarts)
      return false
    }
    return now - since >= span
  }
}
