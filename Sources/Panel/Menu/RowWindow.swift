import Runtime

/// The part of a list that is held while somebody goes through it: of a hundred thousand rows some hundred around the
/// one that is looked at. It asks for more before its end is reached, and lets go of what is far behind.
package struct RowWindow: Equatable, Sendable {
  static let most = 400
  /// So near to an end more is asked for.
  static let near = 24

  package enum End: Equatable, Sendable { case after, before }

  package private(set) var rows: [MenuRow] = []
  package private(set) var focus = 0
  /// There is more behind the last row, and before the first.
  package private(set) var goesOn = false
  package private(set) var goesBack = false
  /// Nothing is known of it yet.
  package private(set) var isLoading = true
  /// What is being asked for.
  private(set) var asked: End?
  package private(set) var trouble: String?

  package init() {}

  /// The row furthest to that end that stands anywhere.
  func edge(_ end: End) -> RowKey? {
    end == .after ? rows.last?.key : rows.first { $0.key != nil }?.key
  }

  package var focused: MenuRow? { rows.indices.contains(focus) ? rows[focus] : nil }

  /// As many rows as there are; it stops at the ends.
  package mutating func turn(by steps: Int) {
    guard !rows.isEmpty else { return }
    let most = rows.count
    focus = min(max(focus + min(max(steps, -most), most), 0), rows.count - 1)
  }

  /// Which end has to be asked for now; nil while nothing is missing, or it was asked for already.
  mutating func wants() -> End? {
    guard asked == nil, !isLoading, trouble == nil else { return nil }
    if goesOn, focus + Self.near >= rows.count { asked = .after }
    if asked == nil, goesBack, focus < Self.near { asked = .before }
    return asked
  }

  /// All anew: what was looked at is looked at again, wherever it stands now; where it is gone, what stood beside it.
  mutating func show(_ new: [MenuRow], goesOn: Bool, goesBack: Bool = false) {
    let (old, looked, wasLoading) = (rows, focused, isLoading)
    (rows, self.goesOn, self.goesBack, isLoading, asked, trouble) = (new, goesOn, goesBack, false, nil, nil)
    guard !wasLoading, let looked else {
      // A list that is played as a whole opens at its first song, so that the row above it, which leads to everything else
      // that can be done, is seen also while one of its songs plays.
      let hasHead = rows.first?.head != nil && rows.count > 1
      let first = rows.firstIndex { !$0.isAbove } ?? 0
      focus = hasHead ? 1 : rows.firstIndex { $0.sign == .current } ?? first
      return
    }
    focus = index(of: looked, near: focus) ?? neighbour(of: focus, in: old) ?? place(after: looked)
    focus = min(max(focus, 0), max(rows.count - 1, 0))
  }

  /// The new rows in the order of those that are shown; a download that is new stands last. Rows that do something with
  /// all downloads have their place at the top.
  func inOrder(_ new: [MenuRow]) -> [MenuRow] {
    // Their names come from sources, so they are compared byte by byte.
    func download(_ row: MenuRow) -> ExactText? {
      if case .open(.download(let id)) = row.action { ExactText(id.text) } else { nil }
    }
    guard !isLoading else { return new }
    var places: [ExactText: Int] = [:]
    for row in rows { if let id = download(row) { places[id] = places.count } }
    return new.enumerated().map { index, row in
      (row: row, place: download(row).map { places[$0] ?? places.count + index } ?? -1)
    }.sorted { $0.place < $1.place }.map(\.row)
  }

  /// False where it is not among the rows.
  mutating func look(atEntry id: UInt64) -> Bool {
    let index = rows.firstIndex { row in
      if case .thing(let thing)? = row.more { thing.entry == id } else { false }
    }
    focus = index ?? focus
    return index != nil
  }

  /// False where all rows stood there before.
  mutating func lookAtNew(since old: [MenuRow]) -> Bool {
    let index = rows.firstIndex { row in !row.isBeside && !old.contains { $0.isSame(as: row) } }
    focus = index ?? focus
    return index != nil
  }

  /// Where a row stands now. What is there twice is known by its key, and else by where it was.
  private func index(of row: MenuRow, near place: Int) -> Int? {
    var same = rows.indices.filter { rows[$0].isSame(as: row) }
    // What leads to a list may know how long it is, and that may be otherwise now.
    if same.isEmpty, row.key == nil, row.more == nil { same = rows.indices.filter { rows[$0].title == row.title } }
    let byKey = row.key == nil ? nil : same.first { rows[$0].key == row.key }
    return byKey ?? same.min { abs($0 - place) < abs($1 - place) }
  }

  /// Where the row of a list that stood nearest to one that is gone stands now: first of those behind it.
  private func neighbour(of place: Int, in old: [MenuRow]) -> Int? {
    guard old[place].key != nil else { return nil }
    let behind = old[place...].dropFirst().prefix(Self.near)
    let before = old[..<place].suffix(Self.near).reversed()
    for row in behind + before where row.key != nil {
      if let found = index(of: row, near: place) { return found }
    }
    return nil
  }

  /// Where to look when the row that was looked at is gone. Whoever pressed what does something, and presses once more,
  /// meets something else that does; and nobody meets what takes something away.
  private func place(after gone: MenuRow) -> Int {
    guard gone.key == nil, !rows.isEmpty else { return focus }
    let before = 0...min(focus, rows.count - 1)
    guard case .perform = gone.action else { return before.last { !rows[$0].takesAway } ?? 0 }
    return before.last { index in
      if case .perform = rows[index].action { rows[index].key == nil && !rows[index].takesAway } else { false }
    } ?? 0
  }

  /// What was asked for has come; as much is let go at the other end as there is too much.
  mutating func extend(_ end: End, by new: [MenuRow], isMore: Bool) {
    asked = nil
    switch end {
    case .after:
      rows += new
      goesOn = isMore
      let gone = min(max(rows.count - Self.most, 0), focus)
      rows.removeFirst(gone)
      focus -= gone
      if gone > 0 { goesBack = true }
    case .before:
      rows = new + rows
      focus += new.count
      goesBack = isMore
      let gone = min(max(rows.count - Self.most, 0), rows.count - 1 - focus)
      rows.removeLast(gone)
      if gone > 0 { goesOn = true }
    }
  }

  mutating func fail(_ why: String) { (trouble, isLoading, asked) = (why, false, nil) }

  /// It is looked for anew, somewhere else.
  mutating func begin() {
    self = RowWindow()
  }
}
