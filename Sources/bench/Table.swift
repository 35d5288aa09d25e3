import Runtime

/// The rows as people and as programs read them.
enum Table {
  private static let heads = ["bench", "case", "value", "unit", "peer", "peer's", "ratio", "goal", "met"]
  /// Figures stand right, words left.
  private static let figures: Set = [2, 5, 6]

  static func text(_ rows: [Row]) -> String {
    let cells = [heads] + rows.map(cells)
    let widths = heads.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
    return cells.map { line in
      let padded = zip(line, widths).enumerated().map { column, cell in
        let space = String(repeating: " ", count: cell.1 - cell.0.count)
        return figures.contains(column) ? space + cell.0 : cell.0 + space
      }
      var text = padded.joined(separator: "  ")
      while text.last == " " { text.removeLast() }
      return text
    }.joined(separator: "\n")
  }

  private static func cells(_ row: Row) -> [String] {
    let theirs =
      switch row.peer {
      case .none, .standard: ""
      case .notInstalled: "not installed"
      case .measured(_, let value): decimal(value.median, places: row.unit.decimals)
      }
    return [
      row.bench, row.name, row.value.map { decimal($0.median, places: row.unit.decimals) } ?? "-", row.unit.rawValue,
      row.peer.name ?? "", theirs, row.ratio.map { decimal($0, places: 2) } ?? "", row.goal.words(in: row.unit),
      row.isMet.map { $0 ? "yes" : "NO" } ?? "",
    ]
  }

  /// Figures in full, with how far the rounds lay apart.
  static func json(_ rows: [Row], on machine: Machine) -> JSON {
    ["machine": machine.json, "rows": .list(rows.map(json))]
  }

  private static func json(_ row: Row) -> JSON {
    [
      "bench": JSON(row.bench), "case": JSON(row.name), "value": row.value.map { JSON($0.median) } ?? nil,
      "unit": JSON(row.unit.rawValue), "low": row.value.map { JSON($0.low) } ?? nil,
      "high": row.value.map { JSON($0.high) } ?? nil, "rounds": row.value.map { JSON($0.rounds) } ?? nil,
      "peer": row.peer.name.map { JSON($0) } ?? nil, "peer_value": theirs(row.peer),
      "ratio": row.ratio.map { JSON($0) } ?? nil,
      "goal": row.goal == .none ? nil : JSON(row.goal.words(in: row.unit)), "met": row.isMet.map { JSON($0) } ?? nil,
    ]
  }

  private static func theirs(_ peer: Peer) -> JSON {
    switch peer {
    case .none, .standard: nil
    case .notInstalled: "not installed"
    case .measured(_, let value): JSON(value.median)
    }
  }
}
