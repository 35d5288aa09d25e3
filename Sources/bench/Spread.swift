/// A figure measured several times. The median is what is compared: on a machine that does other things too, single
/// rounds are disturbed upwards and never downwards, and a mean would count that as ours.
struct Spread: Equatable {
  let median: Double
  let low: Double
  let high: Double
  let rounds: Int

  /// Nil when nothing was measured.
  init?(_ values: [Double]) {
    let sorted = values.sorted()
    guard let low = sorted.first, let high = sorted.last else { return nil }
    let middle = sorted.count / 2
    median = sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    self.low = low
    self.high = high
    rounds = sorted.count
  }

  /// Measured once.
  init(_ value: Double) { (median, low, high, rounds) = (value, value, value, 1) }
}

/// `value` rounded half away from zero to so many places; plain digits, however large or small.
func decimal(_ value: Double, places: Int) -> String {
  guard value.isFinite else { return "-" }
  var scale = 1.0
  for _ in 0..<places { scale *= 10 }
  let scaled = (value.magnitude * scale).rounded()
  guard scaled < 9e15 else { return "\(value)" }
  let digits = "\(Int64(scaled))"
  let padded = String(repeating: "0", count: max(places + 1 - digits.count, 0)) + digits
  let text = places == 0 ? padded : "\(padded.dropLast(places)).\(padded.suffix(places))"
  return value < 0 && scaled > 0 ? "-\(text)" : text
}
