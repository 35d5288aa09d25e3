/// Entries one after another: gives the place of any of them, and takes and gives up entries anywhere, without
/// touching more than a few hundred of ten thousand. Each stands in it once.
///
/// They lie in blocks of at most `longest`. A dictionary says in which block an entry lies, so that moving an entry
/// changes two blocks and one word of the dictionary, and a place is found by adding up the blocks before it.
package struct Order: Sendable {
  private static let longest = 256
  private static let usual = 128

  private var blocks: [[EntryID]] = []
  /// Beside `blocks`: the name of each, which stays when others come and go before it.
  private var names: [Int] = []
  private var homes: [EntryID: Int] = [:]
  private var nextName = 0
  /// Entries that were looked at or moved since it was made: what its cost is judged by.
  private(set) var touched = 0

  package init() {}

  /// Of ids that come twice the first counts.
  package init(_ ids: some Sequence<EntryID>) {
    homes.reserveCapacity(ids.underestimatedCount)
    for id in ids {
      let isFull = (blocks.last?.count ?? Self.usual) >= Self.usual
      let home = isFull ? nextName : names[names.count - 1]
      if let first = homes.updateValue(home, forKey: id) {
        homes[id] = first
        continue
      }
      if isFull { addBlock(at: blocks.count, []) }
      blocks[blocks.count - 1].append(id)
    }
  }

  package var count: Int { homes.count }
  package var isEmpty: Bool { homes.isEmpty }
  package var first: EntryID? { blocks.first?.first }
  package var last: EntryID? { blocks.last?.last }

  package func contains(_ id: EntryID) -> Bool { homes[id] != nil }

  package func place(of id: EntryID) -> Int? {
    guard let (block, place) = find(id) else { return nil }
    return blocks[..<block].reduce(place) { $0 + $1.count }
  }

  package subscript(place: Int) -> EntryID {
    let (block, rest) = locate(place)
    return blocks[block][rest]
  }

  /// From a place on, at most so many; as many as there are.
  package func page(from start: Int, count: Int) -> [EntryID] {
    guard start >= 0, start < self.count, count > 0 else { return [] }
    var (block, place) = locate(start)
    var page: [EntryID] = []
    while page.count < count, block < blocks.count {
      page += blocks[block][place...].prefix(count - page.count)
      (block, place) = (block + 1, 0)
    }
    return page
  }

  package var all: [EntryID] { Array(blocks.joined()) }

  /// `place` is one of the entries', or their count.
  package mutating func insert(_ id: EntryID, at place: Int) {
    precondition((0...count).contains(place) && !contains(id), "inserted once, and where there is a place")
    if blocks.isEmpty { addBlock(at: 0, []) }
    // Behind the last of a block rather than before the first of the next.
    var (block, rest) = place == 0 ? (0, 0) : locate(place - 1)
    if place > 0 { rest += 1 }
    blocks[block].insert(id, at: rest)
    homes[id] = names[block]
    touched += blocks[block].count
    if blocks[block].count > Self.longest { split(block) }
  }

  package mutating func append(_ id: EntryID) { insert(id, at: count) }

  /// Gives the place that it had.
  @discardableResult
  package mutating func remove(_ id: EntryID) -> Int? {
    guard let (block, rest) = find(id) else { return nil }
    let place = blocks[..<block].reduce(rest) { $0 + $1.count }
    blocks[block].remove(at: rest)
    homes[id] = nil
    touched += blocks[block].count
    mend(block)
    return place
  }

  // MARK: Blocks

  private func find(_ id: EntryID) -> (block: Int, place: Int)? {
    guard let name = homes[id], let block = names.firstIndex(of: name), let place = blocks[block].firstIndex(of: id)
    else { return nil }
    return (block, place)
  }

  private func locate(_ place: Int) -> (block: Int, place: Int) {
    var rest = place
    for block in blocks.indices {
      if rest < blocks[block].count { return (block, rest) }
      rest -= blocks[block].count
    }
    preconditionFailure("place \(place) of \(count)")
  }

  private mutating func addBlock(at index: Int, _ ids: [EntryID]) {
    blocks.insert(ids, at: index)
    names.insert(nextName, at: index)
    for id in ids { homes[id] = nextName }
    touched += ids.count
    nextName += 1
  }

  private mutating func split(_ block: Int) {
    let half = Array(blocks[block][Self.usual...])
    blocks[block].removeLast(half.count)
    addBlock(at: block + 1, half)
  }

  /// A block that has become small goes into its neighbour, so that there are never many of them.
  private mutating func mend(_ block: Int) {
    if blocks[block].isEmpty {
      blocks.remove(at: block)
      names.remove(at: block)
    } else if blocks[block].count < Self.usual / 4, block + 1 < blocks.count,
      blocks[block].count + blocks[block + 1].count <= Self.usual
    {
      for id in blocks[block] { homes[id] = names[block + 1] }
      touched += blocks[block].count + blocks[block + 1].count
      blocks[block + 1].insert(contentsOf: blocks[block], at: 0)
      blocks.remove(at: block)
      names.remove(at: block)
    }
  }
}

extension Order: Equatable {
  /// How it lies in blocks is its own affair.
  package static func == (left: Order, right: Order) -> Bool {
    left.count == right.count && left.blocks.joined().elementsEqual(right.blocks.joined())
  }
}
