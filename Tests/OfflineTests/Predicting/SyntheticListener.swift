import TestSupport

@testable import Offline

/// Somebody who listens by a simple habit. Each day makes sessions, of which each is some plays in a row.
struct SyntheticListener {
  enum Kind: String, CaseIterable, Sendable {
    /// Other music on the way to work, in the evening, and at weekends.
    case commuter
    /// Albums, from beginning to end.
    case albums
    /// A list that the source makes anew each week, and some favourites.
    case weeklyList
    /// A few songs over and over, others each fortnight.
    case fads
    /// Anything of a large library.
    case random
  }

  let kind: Kind
  var random: SeededGenerator
  private(set) var history: [Prediction.Play] = []
  private var session = 0

  init(_ kind: Kind, seed: UInt64) {
    self.kind = kind
    random = SeededGenerator(seed: seed)
  }

  static func song(_ number: Int) -> ItemKey { ItemKey(source: "shop", item: "\(number)") }

  /// Those of this week.
  func list(day: Int) -> Prediction.Personal {
    Prediction.Personal("Monday's list", (0..<15).map { Self.song(10_000 + (day + 3) / 7 * 15 + $0) })
  }

  /// The sessions of a day: when, and what.
  mutating func day(_ day: Int) -> [(hour: Int, items: [ItemKey])] {
    let isWeekend = (day + 3) % 7 >= 5
    switch kind {
    case .commuter:
      if isWeekend { return [(11, some(10, of: 200..<230))] }
      return [(8, some(10, of: 0..<25)), (18, some(10, of: 100..<125))]
    case .albums:
      return [20, 21].map { hour in
        let album = Int.random(in: 0..<25, using: &random)
        return (hour, (0..<10).map { Self.song(album * 10 + $0) })
      }
    case .weeklyList:
      let list = list(day: day).items
      return [(17, (0..<8).compactMap { _ in list.randomElement(using: &random) } + some(3, of: 0..<60))]
    case .fads:
      let first = day / 14 * 12
      return [(9, some(8, of: first..<first + 12)), (19, some(6, of: first..<first + 12) + some(2, of: 0..<2_000))]
    case .random: return [(12, some(12, of: 0..<3_000)), (20, some(8, of: 0..<3_000))]
    }
  }

  private mutating func some(_ count: Int, of range: Range<Int>) -> [ItemKey] {
    var chosen: [ItemKey] = []
    for _ in 0..<count { chosen.append(Self.song(Int.random(in: range, using: &random))) }
    return chosen
  }

  mutating func listen(_ items: [ItemKey], day: Int, hour: Int, isNew: Bool) {
    if isNew { session += 1 }
    history += items.map { Prediction.Play($0, day: day, hour: hour, session: session) }
  }
}
