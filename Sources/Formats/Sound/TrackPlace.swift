/// A place in a track.
package enum TrackPlace: Equatable, Sendable {
  case frame(Int64)
  case time(Duration)
  /// Exact where the track has the spot's rate, the same moment where it has another.
  case spot(Spot)

  package static let beginning = TrackPlace.frame(0)

  package func frame(atRate rate: Int32) -> Int64 {
    switch self {
    case .frame(let frame): return max(frame, 0)
    case .spot(let spot):
      let (frame, own) = (spot.frame, spot.rate)
      if own == rate || own <= 0 { return max(frame, 0) }
      let (seconds, rest) = max(frame, 0).quotientAndRemainder(dividingBy: Int64(own))
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(rate))
      let (sum, beyond) = whole.addingReportingOverflow(rest * Int64(rate) / Int64(own))
      return overflow || beyond ? .max : sum
    case .time(let time):
      let (seconds, attoseconds) = max(time, .zero).components
      let (whole, overflow) = seconds.multipliedReportingOverflow(by: Int64(rate))
      let (sum, beyond) = whole.addingReportingOverflow(attoseconds / 1_000_000_000 * Int64(rate) / 1_000_000_000)
      return overflow || beyond ? .max : sum
    }
  }
}
