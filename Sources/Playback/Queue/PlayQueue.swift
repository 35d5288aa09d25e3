import Runtime

/// What is to be played, in order, and the rules of what comes after what. A value: no file is touched, no clock read,
/// and chance follows from a seed.
///
/// It keeps the order in which it was put together, and beside it, when it is shuffled, the order of the round that is
/// played; leaving the shuffle finds the first untouched. A round plays each entry once. What stands before the current
/// entry of a shuffled round was played or passed over in it, what stands behind it is to come.
///
/// The same file may stand in it twice, so an entry is known by its id; ids grow and are never used again, which is
/// how a saved position can tell that its entry has gone.
package struct PlayQueue: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let id: EntryID
    package let path: FilePath

    package init(id: EntryID, path: FilePath) {
      self.id = id
      self.path = path
    }
  }

  package enum Repeat: String, Sendable, CaseIterable {
    case off, all, one
  }

  /// An entry in one of the rounds: the decoder works ahead, and may be in the next round already.
  package struct Turn: Equatable, Sendable {
    package let id: EntryID
    package let round: UInt64
  }

  /// What must be saved of a change; in the order given each makes sense.
  package enum Change: Equatable, Sendable {
    case appended([Entry])
    /// In the order in which it was put together; nil is the beginning.
    case inserted([Entry], after: EntryID?)
    case moved(EntryID, after: EntryID?)
    case removed(EntryID)
    /// They lie elsewhere now, and stand where they stood.
    case readdressed([Entry])
    case cleared
    /// The order of a round, whole.
    case shuffled([EntryID])
    /// An entry's place in it, new or another.
    case placed(EntryID, after: EntryID?)
    case unshuffled
  }

  package static let limit = 10_000
  /// Ids grow by one for each entry added; beyond this they were never ours.
  package static let lastID = UInt64(1) << 62

  /// As it was put together.
  package internal(set) var base = Order()
  /// The order of the round that is played, and behind it those of coming rounds as far as somebody has looked; empty
  /// when it is not shuffled.
  var rounds: [Order] = []
  var paths: [EntryID: FilePath] = [:]
  package internal(set) var nextID: UInt64 = 1
  /// Counts the rounds that were shuffled, so that each has an order of its own.
  package internal(set) var round: UInt64 = 0
  package let chance: Chance
  package var repeats = Repeat.off

  package init(seed: UInt64 = 1) { chance = Chance(seed: seed) }

  /// As it was saved. Entries beyond the limit, ids seen twice, and ids that we never gave, are left out; what is
  /// missing from a shuffled order comes at its end.
  package init(
    entries: [Entry], nextID: UInt64, repeats: Repeat, shuffled: [EntryID]? = nil, round: UInt64 = 0, seed: UInt64 = 1
  ) {
    self.init(seed: seed)
    var ids: [EntryID] = []
    let most = min(entries.count, Self.limit)
    ids.reserveCapacity(most)
    paths.reserveCapacity(most)
    for entry in entries where (1...Self.lastID).contains(entry.id.number) {
      guard ids.count < Self.limit else { break }
      if let first = paths.updateValue(entry.path, forKey: entry.id) {
        paths[entry.id] = first
      } else {
        ids.append(entry.id)
      }
    }
    base = Order(ids)
    self.nextID = max(nextID <= Self.lastID ? nextID : 1, (ids.map(\.number).max() ?? 0) + 1)
    self.repeats = repeats
    self.round = round
    if let shuffled {
      var order = Order(shuffled.filter { paths[$0] != nil })
      for id in base.all where !order.contains(id) { order.append(id) }
      rounds = [order]
    }
  }

  package var isEmpty: Bool { base.isEmpty }
  package var count: Int { base.count }
  package var isShuffled: Bool { !rounds.isEmpty }

  /// As it was put together, all of it; for a part ask for a page.
  package var entries: [Entry] { base.all.compactMap { entry($0) } }

  /// The order that is played, which is the one that is shown.
  package var order: Order { rounds.first ?? base }

  package func contains(_ id: EntryID?) -> Bool { id.flatMap { paths[$0] } != nil }

  package func entry(_ id: EntryID?) -> Entry? {
    id.flatMap { id in paths[id].map { Entry(id: id, path: $0) } }
  }

  /// Its place in the order that is played.
  package func index(of id: EntryID?) -> Int? { id.flatMap { order.place(of: $0) } }

  /// Of the order that is played.
  package func page(from start: Int, count: Int) -> [Entry] {
    order.page(from: start, count: count).compactMap { entry($0) }
  }

  package func entry(at index: Int) -> Entry? { page(from: index, count: 1).first }

  package var first: Entry? { entry(order.first) }
}

/// Shuffling, and going to and fro in a shuffled round so that it still plays each entry once.
extension PlayQueue {
  /// What was played in a row from `start` up to `current` has been heard in this round and is not played in it again;
  /// then comes `current`, as it does, and then all others by chance.
  package mutating func shuffle(at current: EntryID?, playedSince start: EntryID? = nil) -> [Change] {
    guard !isShuffled else { return [] }
    round += 1
    var order: [EntryID] = []
    if let current, let place = base.place(of: current) {
      let first = start.flatMap { base.place(of: $0) } ?? place
      order = base.page(from: min(first, place), count: max(place - first, 0)) + [current]
    }
    let settled = Set(order)
    order += chance.shuffled(base.all.filter { !settled.contains($0) }, round: round)
    rounds = [Order(order)]
    return [.shuffled(order)]
  }

  /// The order that is played, each entry as its index among all as they were put together.
  var orderAsPutTogether: [Int] {
    var places: [EntryID: Int] = [:]
    for (place, id) in base.all.enumerated() { places[id] = place }
    return order.all.compactMap { places[$0] }
  }

  /// In an order that was told in that way. What is missing from it comes at its end.
  mutating func shuffle(as places: [Int]) -> [Change] {
    guard !isShuffled else { return [] }
    round += 1
    let all = base.all
    // Of those that come twice the first counts.
    let order = Order(places.lazy.filter { all.indices.contains($0) }.map { all[$0] } + all)
    rounds = [order]
    return [.shuffled(order.all)]
  }

  /// The order in which it was put together, untouched; who is current is found in it by its id.
  package mutating func unshuffle() -> [Change] {
    guard isShuffled else { return [] }
    rounds = []
    return [.unshuffled]
  }

  /// Before somebody jumps to `id`: it comes out of its turn, and what lies between still comes. `current` was heard;
  /// if it was not, it comes after.
  mutating func bringForward(_ id: EntryID, to current: EntryID?, wasHeard: Bool) -> [Change] {
    guard isShuffled, contains(id), id != current, let current, let place = rounds[0].place(of: current) else {
      return []
    }
    let before = wasHeard ? current : place == 0 ? nil : rounds[0][place - 1]
    guard before != id else { return [] }
    let change = put(id, behind: before)
    mendSeams()
    return [change]
  }

  /// Before somebody goes back to `id`, heard before `current`: it stands before it then, and next leads here again.
  mutating func bringBack(_ id: EntryID, before current: EntryID?) -> [Change] {
    guard isShuffled, let current, let place = rounds[0].place(of: current), let theirs = rounds[0].place(of: id),
      theirs > place
    else { return [] }
    let change = put(id, behind: place == 0 ? nil : rounds[0][place - 1])
    mendSeams()
    return [change]
  }
}
