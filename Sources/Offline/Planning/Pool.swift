import Runtime

/// What can be given a place, in the order of `Planner`'s rules: by rank; in a rank the containers take turns; in a
/// container in its own order. Beside that by when each is overdue.
///
/// What is taken out is only forgotten by its stamp, and thrown away when it comes up. So to put one in, take one out
/// and find the next costs a few comparisons among however many.
struct Pool {
  struct Item: Comparable {
    let order: Int64
    let key: MediaKey
    let stamp: UInt64

    static func < (left: Self, right: Self) -> Bool { (left.order, left.stamp) < (right.order, right.stamp) }
  }

  struct Position: Equatable {
    var rank: Rank
    var container: ContainerKey
    var stamp: UInt64
  }

  /// A container's line in one rank.
  private struct Lane {
    var items = Heap<Item>()
    /// When it last had its turn.
    var turn: UInt64 = 0
    var isWaiting = false
  }

  private struct Turn: Comparable {
    let number: UInt64
    let container: ContainerKey

    static func < (left: Self, right: Self) -> Bool {
      left.number != right.number ? left.number < right.number : left.container < right.container
    }
  }

  /// A source's lines in one rank.
  private struct Lines {
    var lanes: [ContainerKey: Lane] = [:]
    var turns = Heap<Turn>()
    var deadlines = Heap<Item>()

    mutating func put(_ item: Item, in container: ContainerKey, overdue: Moment) {
      lanes[container, default: Lane()].items.push(item)
      if let lane = lanes[container], !lane.isWaiting {
        lanes[container]?.isWaiting = true
        turns.push(Turn(number: lane.turn, container: container))
      }
      deadlines.push(Item(order: overdue.nanoseconds, key: item.key, stamp: item.stamp))
    }
  }

  private var positions: [MediaKey: Position] = [:]
  private var lines: [Rank: [String: Lines]] = [:]
  private var stale = 0

  var count: Int { positions.count }
  func hasAny(upTo last: Rank) -> Bool { positions.values.contains { $0.rank <= last } }

  mutating func put(
    _ key: MediaKey, _ rank: Rank, in container: ContainerKey, order: Int64, overdue: Moment, stamp: UInt64
  ) {
    remove(key)
    positions[key] = Position(rank: rank, container: container, stamp: stamp)
    let item = Item(order: order, key: key, stamp: stamp)
    lines[rank, default: [:]][container.source, default: Lines()].put(item, in: container, overdue: overdue)
    sweep()
  }

  mutating func remove(_ key: MediaKey) {
    if positions.removeValue(forKey: key) != nil { stale += 1 }
  }

  private func sources(_ rank: Rank, besides full: Set<String>) -> [String] {
    guard let all = lines[rank] else { return [] }
    return full.isEmpty ? Array(all.keys) : all.keys.filter { !full.contains($0) }
  }

  /// The one whose patience is longest over, of those ranks and of other sources.
  mutating func overdue(
    at now: Moment, _ ranks: ClosedRange<Rank>, besides full: Set<String>
  ) -> (key: MediaKey, since: Moment)? {
    var longest: (key: MediaKey, since: Moment)?
    for rank in Rank.allCases where ranks.contains(rank) {
      for source in sources(rank, besides: full) {
        guard let item = mostOverdue(rank, source), item.order <= now.nanoseconds else { continue }
        let since = Moment(nanoseconds: item.order)
        // Of two at once the one by its name, so that the order of sources is nobody's chance.
        let isLonger = longest.map { since < $0.since || since == $0.since && item.key < $0.key } ?? true
        if isLonger { longest = (item.key, since) }
      }
    }
    return longest
  }

  private mutating func mostOverdue(_ rank: Rank, _ source: String) -> Item? {
    while let item = lines[rank]?[source]?.deadlines.first {
      if positions[item.key]?.stamp == item.stamp { return item }
      _ = lines[rank]?[source]?.deadlines.pop()
    }
    return nil
  }

  /// The next in turn, of those ranks and of other sources. Its container has not had its turn before `took`.
  mutating func next(
    _ ranks: ClosedRange<Rank>, besides full: Set<String>
  ) -> (key: MediaKey, rank: Rank, turn: UInt64)? {
    for rank in Rank.allCases where ranks.contains(rank) {
      var first: (key: MediaKey, turn: Turn)?
      for source in sources(rank, besides: full) {
        guard let one = next(rank, source) else { continue }
        if first.map({ one.turn < $0.turn }) ?? true { first = one }
      }
      if let first { return (first.key, rank, first.turn.number) }
    }
    return nil
  }

  private mutating func next(_ rank: Rank, _ source: String) -> (key: MediaKey, turn: Turn)? {
    while let turn = lines[rank]?[source]?.turns.first {
      if let key = head(rank, turn.container) { return (key, turn) }
      _ = lines[rank]?[source]?.turns.pop()
      lines[rank]?[source]?.lanes[turn.container]?.isWaiting = false
    }
    return nil
  }

  private mutating func head(_ rank: Rank, _ container: ContainerKey) -> MediaKey? {
    while let item = lines[rank]?[container.source]?.lanes[container]?.items.first {
      if positions[item.key]?.stamp == item.stamp { return item.key }
      _ = lines[rank]?[container.source]?.lanes[container]?.items.pop()
    }
    return nil
  }

  /// It has a place among those that run: its container goes to the end of the line.
  mutating func took(_ key: MediaKey, turn: UInt64) {
    guard let place = positions[key] else { return }
    remove(key)
    let (rank, source) = (place.rank, place.container.source)
    lines[rank]?[source]?.lanes[place.container]?.turn = turn
    guard let first = lines[rank]?[source]?.turns.first, first.container == place.container else { return }
    _ = lines[rank]?[source]?.turns.pop()
    lines[rank]?[source]?.turns.push(Turn(number: turn, container: place.container))
  }

  /// When most of it is forgotten, it is built anew.
  private mutating func sweep() {
    guard stale > 1_000, stale > 2 * positions.count else { return }
    stale = 0
    for (rank, sources) in lines {
      for (source, old) in sources {
        let new = swept(old)
        lines[rank]?[source] = new
      }
    }
  }

  private func swept(_ old: Lines) -> Lines {
    var new = Lines()
    new.deadlines = Heap(old.deadlines.elements.filter { positions[$0.key]?.stamp == $0.stamp })
    for (container, lane) in old.lanes {
      let items = lane.items.elements.filter { positions[$0.key]?.stamp == $0.stamp }
      if items.isEmpty { continue }
      new.lanes[container] = Lane(items: Heap(items), turn: lane.turn, isWaiting: true)
    }
    new.turns = Heap(new.lanes.map { Turn(number: $0.value.turn, container: $0.key) })
    return new
  }
}

/// Smallest first. What is not wanted any more stays in it until it comes up: whoever pops knows.
struct Heap<Element: Comparable> {
  private(set) var elements: [Element] = []

  var first: Element? { elements.first }
  var count: Int { elements.count }

  init() {}

  init(_ unordered: [Element]) {
    // Sorted is a heap too.
    elements = unordered.sorted()
  }

  mutating func push(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[child] < elements[parent] else { return }
      elements.swapAt(child, parent)
      child = parent
    }
  }

  mutating func pop() -> Element? {
    guard let first = elements.first, let last = elements.popLast() else { return nil }
    guard !elements.isEmpty else { return first }
    elements[0] = last
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[child] < elements[smallest] {
        smallest = child
      }
      guard smallest != parent else { return first }
      elements.swapAt(parent, smallest)
      parent = smallest
    }
  }
}

extension Heap: Sendable where Element: Sendable {}
