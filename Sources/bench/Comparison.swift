import Runtime

/// A row that was measured beside a peer: how much of what the peer needs Layby needs.
struct Comparison: Equatable {
  let bench: String
  let name: String
  let unit: Unit
  let peer: String
  /// As a table shows it, rounded to hundredths.
  let ratio: Double

  /// Whether Layby needs no more than the peer, or is at least as fast.
  var isGood: Bool { unit.moreIsBetter ? ratio >= 1 : ratio <= 1 }
}

extension Comparison {
  /// Nil for a row without a peer.
  init?(_ row: Row) {
    guard let ratio = row.ratio, let peer = row.peer.name else { return nil }
    self.init(bench: row.bench, name: row.name, unit: row.unit, peer: peer, ratio: (ratio * 100).rounded() / 100)
  }

  /// Those of all tables in a text that a bench printed, or in a page that shows such tables.
  static func printed(in text: String) -> [Comparison] {
    var columns: TableColumns?
    return text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line in
      let characters = Array(line)
      if let head = TableColumns(head: characters) {
        columns = head
        return nil
      }
      // A table ends with an empty line, or with the fence around it.
      if line.isEmpty || line.hasPrefix("```") { columns = nil }
      return columns.flatMap { Comparison($0, characters) }
    }
  }

  private init?(_ columns: TableColumns, _ line: [Character]) {
    let names = line.prefix { $0 != " " }
    guard let ratio = columns.figure(endingAt: columns.ratioEnd, of: line), let number = Double(String(ratio)),
      let value = columns.figure(endingAt: columns.valueEnd, of: line),
      let theirs = columns.figure(endingAt: columns.peersEnd, of: line),
      let unit = Unit(rawValue: columns.words(line[columns.unitStart..<columns.peerStart]))
    else { return nil }
    self.init(
      bench: String(names), name: columns.words(line[columns.caseStart..<value.startIndex]), unit: unit,
      peer: columns.words(line[columns.peerStart..<theirs.startIndex]), ratio: number)
  }
}

/// Where the columns of a printed table begin, if they hold words, or end, if they hold figures.
private struct TableColumns {
  let caseStart: Int
  let valueEnd: Int
  let unitStart: Int
  let peerStart: Int
  let peersEnd: Int
  let ratioEnd: Int

  /// Nil when the line is not the head of a table, or the table has no peers.
  init?(head: [Character]) {
    let words = head.indices.split { head[$0] == " " }
    let names = ["bench", "case", "value", "unit", "peer", "peer's", "ratio"]
    guard words.count >= names.count, zip(words, names).allSatisfy({ String(head[$0.startIndex..<$0.endIndex]) == $1 })
    else { return nil }
    (caseStart, valueEnd) = (words[1].startIndex, words[2].endIndex)
    (unitStart, peerStart) = (words[3].startIndex, words[4].startIndex)
    (peersEnd, ratioEnd) = (words[5].endIndex, words[6].endIndex)
  }

  /// Nil where the cell is empty.
  func figure(endingAt end: Int, of line: [Character]) -> ArraySlice<Character>? {
    guard end <= line.count else { return nil }
    let start = line[..<end].lastIndex(of: " ").map { $0 + 1 } ?? 0
    return start == end ? nil : line[start..<end]
  }

  /// Without the space that fills the cell.
  func words(_ cell: ArraySlice<Character>) -> String {
    var cell = cell
    while cell.last == " " { cell.removeLast() }
    return String(cell)
  }
}
