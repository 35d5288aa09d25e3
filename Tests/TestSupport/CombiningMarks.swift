import Runtime

/// A text that costs whoever compares it as Unicode a time that grows with the square of its length: one letter with
/// ever more marks on it that would have to be put in order.
package func combiningMarks(bytes: Int) -> String {
  var text = "a".unicodeScalars
  // Above and below in turns, so that no two neighbours stand in the canonical order.
  for number in 0..<bytes / 2 { text.append(number % 2 == 0 ? "\u{301}" : "\u{316}") }
  return String(text)
}

/// How many times as long as `plain` this thread works for `foreign`; each is done three times and the least counts.
package func timesAsLong(_ foreign: () throws -> Void, as plain: () throws -> Void) rethrows -> Double {
  func least(_ work: () throws -> Void) rethrows -> Duration {
    var least = Duration.seconds(1_000)
    for _ in 0..<3 {
      let before = ProcessorTime.ofThread
      try work()
      least = min(least, ProcessorTime.ofThread - before)
    }
    return least
  }
  return try least(foreign) / max(least(plain), .microseconds(1))
}
