import Runtime
import Store

/// Where a search goes on.
package struct SearchPlace: Equatable, Sendable {
  let stage: SearchQuery.Stage
  let row: Int64
}

package struct SearchPart: Equatable, Sendable {
  package var rows: [Row]
  /// Nil when there is nothing more.
  package var next: SearchPlace?
}

extension Catalogue {
  package enum Wanted: CaseIterable, Sendable {
    case artists, albums, tracks

    var table: String {
      switch self {
      case .artists: "artist_words"
      case .albums: "album_words"
      case .tracks: "track_words"
      }
    }

    /// Its column, whose matches go before all others.
    var title: String { self == .artists ? "name" : "title" }

    /// An artist has a name and nothing else.
    var stages: [SearchQuery.Stage] {
      self == .artists ? [.titleExact, .titlePrefix] : SearchQuery.Stage.allCases
    }

    var plan: ListPlan.Rows {
      switch self {
      case .artists: .artists
      case .albums: .albums
      case .tracks: .files
      }
    }

    var rowsOf: String {
      switch self {
      case .artists: "artist"
      case .albums: "album"
      case .tracks: "file"
      }
    }
  }

  /// The best ones first: by how well they match, then by their rank. A part ends where `count` rows are found, after a
  /// stage that found some, and before titles are left: what is best is on the panel before the rest is looked for, and
  /// rare meetings of common beginnings, which cost most, are looked for in two goes. So a part may be empty; `next`
  /// goes on until it is nil.
  package func search(
    _ query: SearchQuery, for wanted: Wanted, after place: SearchPlace? = nil, count: Int
  ) throws(Fault) -> SearchPart {
    if query.isEmpty { return SearchPart(rows: [], next: nil) }
    let count = min(max(count, 1), Self.largestPage)
    let stages = wanted.stages.drop { $0.rawValue < place?.stage.rawValue ?? 0 }
    for stage in stages {
      let start = stage == place?.stage ? place?.row ?? 0 : 0
      let found = try matches(query, wanted, stage, after: start, count: count + 1)
      let following = stages.first { $0.rawValue > stage.rawValue }
      if found.isEmpty {
        guard stage == .titlePrefix, let following else { continue }
        return SearchPart(rows: [], next: SearchPlace(stage: following, row: 0))
      }
      let shown = found.prefix(count)
      var next: SearchPlace?
      if let last = shown.last, found.count > count {
        next = SearchPlace(stage: stage, row: last)
      } else if let following {
        next = SearchPlace(stage: following, row: 0)
      }
      return SearchPart(rows: try rows(wanted, shown.map { Rank.id(ofRow: $0) }), next: next)
    }
    return SearchPart(rows: [], next: nil)
  }

  /// How many rows there are, but no more than `most`. It reads none of them.
  package func count(_ query: SearchQuery, for wanted: Wanted, most: Int) throws(Fault) -> Int {
    guard !query.isEmpty else { return 0 }
    var count = 0
    for stage in wanted.stages where count < most {
      count += try matches(query, wanted, stage, after: 0, count: most - count).count
    }
    return count
  }

  private func matches(
    _ query: SearchQuery, _ wanted: Wanted, _ stage: SearchQuery.Stage, after row: Int64, count: Int
  ) throws(Fault) -> [Int64] {
    try opened().rows(
      "SELECT rowid FROM \(wanted.table) WHERE \(wanted.table) MATCH ? AND rowid > ? ORDER BY rowid LIMIT ?",
      [.text(query.match(stage, title: wanted.title)), .integer(row), .integer(Int64(count))]
    ) { $0.integer(0) ?? 0 }
  }

  private func rows(_ wanted: Wanted, _ ids: [Int64]) throws(Fault) -> [Row] {
    let connection = try opened()
    var reader = RowReader(connection)
    var rows: [Row] = []
    let statement = try connection.prepare(
      "SELECT \(RowReader.columns(wanted.plan)) FROM \(wanted.rowsOf) t WHERE t.id = ?")
    for id in ids {
      try statement.bind([.integer(id)])
      if try statement.step() { rows.append(try reader.row(wanted.plan, statement, from: 0)) }
    }
    return rows
  }
}
