/// How far a track has been heard: a frame, as counted at `rate`.
package struct Spot: Equatable, Sendable {
  package var frame: Int64
  package var rate: Int32

  package init(frame: Int64, rate: Int32) {
    self.frame = frame
    self.rate = rate
  }

  package static let nothing = Spot(frame: 0, rate: 44_100)

  package var elapsed: Duration {
    let rate = Int64(max(rate, 1))
    return .seconds(frame / rate) + .nanoseconds(frame % rate * 1_000_000_000 / rate)
  }
}
