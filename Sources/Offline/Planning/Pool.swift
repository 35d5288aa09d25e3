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

  struct Place: Equatable {
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

  private var places: [MediaKey: Place] = [:]
  private var lanes: [Rank: [ContainerKey: Lane]] = [:]
  private var turns: [Rank: Heap<Turn>] = [:]
  private var deadlines: [Rank: Heap<Item>] = [:]
  private var stale = 0

  var count: Int { places.count }
  func hasAny(upTo last: Rank) -> Bool { places.values.contains { $0.rank <= last } }

  mutating func put(
    _ key: MediaKey, _ rank: Rank, in container: ContainerKey, order: Int64, overdue: Moment, stamp: UInt64
  ) {
    remove(key)
    places[key] = Place(rank: rank, container: container, stamp: stamp)
    var lane = lanes[rank, default: [:]][container] ?? Lane()
    lane.items.push(Item(order: order, key: key, stamp: stamp))
    if !lane.isWaiting {
      lane.isWaiting = true
      turns[rank, default: Heap()].push(Turn(number: lane.turn, container: container))
    }
    lanes[rank, default: [:]][container] = lane
    deadlines[rank, default: Heap()].push(Item(order: overdue.nanoseconds, key: key, stamp: stamp))
    sweep()
  }

  mutating func remove(_ key: MediaKey) {
    if places.removeValue(forKey: key) != nil { stale += 1 }
  }

  /// The one whose patience is longest over, of those ranks.
  mutating func overdue(at now: Moment, _ ranks: ClosedRange<Rank>) -> (key: MediaKey, since: Moment)? {
    var longest: (key: MediaKey, since: Moment)?
    for rank in Rank.allCases where ranks.contains(rank) {
      while let item = deadlines[rank]?.first, places[item.key]?.stamp != item.stamp { _ = deadlines[rank]?.pop() }
      guard let item = deadlines[rank]?.first, item.order <= now.nanoseconds else { continue }
      let since = Moment(nanoseconds: item.order)
      if longest.map({ since < $0.since }) ?? true { longest = (item.key, since) }
    }
    return longest
  }

  /// The next in turn, of those ranks. Its container has not had its turn before `took`.
  mutating func next(_ ranks: ClosedRange<Rank>) -> (key: MediaKey, rank: Rank, turn: UInt64)? {
    for rank in Rank.allCases where ranks.contains(rank) {
      while let turn = turns[rank]?.first {
        guard let key = head(rank, turn.container) else {
          _ = turns[rank]?.pop()
          lanes[rank]?[turn.container]?.isWaiting = false
          continue
        }
        return (key, rank, turn.number)
      }
    }
    return nil
  }

  private mutating func head(_ rank: Rank, _ container: ContainerKey) -> MediaKey? {
    while let item = lanes[rank]?[container]?.items.first {
      if places[item.key]?.stamp == item.stamp { return item.key }
      _ = lanes[rank]?[container]?.items.pop()
    }
    return nil
  }

  /// It has a place among those that run: its container goes to the end of the line.
  mutating func took(_ key: MediaKey, turn: UInt64) {
    guard let place = places[key] else { return }
    remove(key)
    lanes[place.rank]?[place.container]?.turn = turn
    guard let first = turns[place.rank]?.first, first.container == place.container else { return }
    _ = turns[place.rank]?.pop()
    turns[place.rank]?.push(Turn(number: turn, container: place.container))
  }

  /// When most of it is forgotten, it is built anew.
  private mutating func sweep() {
    guard stale > 1_000, stale > 2 * places.count else { return }
    stale = 0
    deadlines = deadlines.mapValues { heap in Heap(heap.elements.filter { places[$0.key]?.stamp == $0.stamp }) }
    for (rank, containers) in lanes {
      var kept: [ContainerKey: Lane] = [:]
      for (container, lane) in containers {
        let items = lane.items.elements.filter { places[$0.key]?.stamp == $0.stamp }
        if items.isEmpty { continue }
        kept[container] = Lane(items: Heap(items), turn: lane.turn, isWaiting: true)
      }
      lanes[rank] = kept
      turns[rank] = Heap(kept.map { Turn(number: $0.value.turn, container: $0.key) })
    }
  }
}
