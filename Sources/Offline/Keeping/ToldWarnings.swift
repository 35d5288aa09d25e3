import Runtime

/// Which warnings are told: each once, and again only after a while without it. What is near a border goes to and fro
/// over it, and nobody wants to hear of that each minute.
package struct ToldWarnings: Equatable, Sendable {
  package static let calm: Duration = .seconds(6 * 3_600)

  private var last: [String: Moment] = [:]

  package init() {}

  /// All that hold now; gives those that are news.
  package mutating func hear(_ warnings: [Keeper.Warning], at now: Moment) -> [Keeper.Warning] {
    var news: [Keeper.Warning] = []
    for warning in warnings {
      let isNews = last[warning.code].map { now - $0 >= Self.calm } ?? true
      if isNews { news.append(warning) }
      last[warning.code] = now
    }
    return news
  }
}
