import Runtime

/// How good a stored or streamed track sounds, from the smallest to what the source has. Stored as its number.
package enum Quality: Int64, Sendable, CaseIterable, Comparable {
  case low = 1
  case normal = 2
  case high = 3
  case veryHigh = 4
  case lossless = 5

  /// Lossless music needs about so much; the others are made to need it.
  package var bitsASecond: Int64 {
    switch self {
    case .low: 24_000
    case .normal: 96_000
    case .high: 160_000
    case .veryHigh: 320_000
    case .lossless: 1_000_000
    }
  }

  package var words: String {
    switch self {
    case .low: "low"
    case .normal: "normal"
    case .high: "high"
    case .veryHigh: "very high"
    case .lossless: "lossless"
    }
  }

  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// Bytes of music of this length, and 5 % more for tags, covers and the container.
  package func estimate(of length: Duration) -> Int64 {
    let seconds = min(max(Double(length.nanoseconds) / 1e9, 0), Self.longest)
    return Int64((seconds * Double(bitsASecond) / 8 * Self.overhead).rounded())
  }

  private static let overhead = 1.05
  /// A month; what says that it is longer says nonsense.
  private static let longest = 31.0 * 86_400
}
