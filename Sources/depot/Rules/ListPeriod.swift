import Runtime

/// Lists that are made anew each day or week, of what there is.
enum ListPeriod: String, CaseIterable {
  case day, week

  /// The same number for all of a period. Weeks begin on Monday, UTC.
  func number(at now: Int64) -> Int64 {
    let day = now / 86_400
    switch self {
    case .day: return day
    // 1970 began on a Thursday.
    case .week: return (day + 3) / 7
    }
  }

  /// Which of `paths` stand on it: the same for whoever asks within a period, others in the next.
  static func choice(
    of paths: [String], _ count: Int, period: Int64, _ subject: String, _ seal: borrowing ServiceSeal
  ) throws(Fault) -> [String] {
    var weighed: [(sum: [UInt8], path: String)] = []
    for path in paths { weighed.append((try seal.sum("\(period)\n\(subject)\n\(path)"), path)) }
    weighed.sort { $0.sum.lexicographicallyPrecedes($1.sum) }
    return weighed.prefix(count).map(\.path)
  }
}
