import Runtime

/// Adding, removing and moving. Each gives what is to be saved of it.
extension PlayQueue {
  /// Adds what fits at the end; gives back the entries that were made. When it is shuffled they come at random places
  /// behind `current`, so that they are among what is to come.
  package mutating func add(_ new: [FilePath], behind current: EntryID?) -> (made: [Entry], changes: [Change]) {
    let made = make(new)
    guard !made.isEmpty else { return ([], []) }
    for entry in made { base.append(entry.id) }
    var changes = [Change.appended(made)]
    if isShuffled { changes += scatter(made, behind: current) }
    mendSeams()
    return (made, changes)
  }

  package mutating func append(_ new: [FilePath]) -> [Entry] { add(new, behind: nil).made }

  /// Right behind `current`, in the order given. What was said last comes first: who says "this next" means the very
  /// next, whatever was said before; who means "later" adds at the end or moves.
  package mutating func playNext(_ new: [FilePath], behind current: EntryID?) -> (made: [Entry], changes: [Change]) {
    let made = make(new)
    guard !made.isEmpty else { return ([], []) }
    let start = current.flatMap { base.place(of: $0) }.map { $0 + 1 } ?? 0
    for (index, entry) in made.enumerated() { base.insert(entry.id, at: start + index) }
    var changes = [Change.inserted(made, after: current)]
    if isShuffled {
      var before = current
      for entry in made {
        changes.append(put(entry.id, behind: before))
        before = entry.id
      }
      for coming in rounds.indices.dropFirst() { for entry in made { drop(entry.id, into: coming) } }
    }
    mendSeams()
    return (made, changes)
  }

  private mutating func make(_ new: [FilePath]) -> [Entry] {
    let fitting = new.prefix(max(Self.limit - count, 0))
    let made = fitting.enumerated().map { Entry(id: EntryID(number: nextID + UInt64($0)), path: $1) }
    nextID += UInt64(made.count)
    for entry in made { paths[entry.id] = entry.path }
    return made
  }

  /// More rows than these, and the order is better saved whole.
  private static let manyPlaces = 64

  private mutating func scatter(_ made: [Entry], behind current: EntryID?) -> [Change] {
    let start = index(of: current).map { $0 + 1 } ?? 0
    var changes: [Change] = []
    for entry in made {
      changes.append(insert(entry.id, at: chance.place(of: entry.id, round: round, in: start...rounds[0].count)))
    }
    return made.count > Self.manyPlaces ? [.shuffled(rounds[0].all)] : changes
  }

  /// At a place in the round that is played, and anywhere in those to come.
  private mutating func insert(_ id: EntryID, at place: Int) -> Change {
    rounds[0].insert(id, at: place)
    for coming in rounds.indices.dropFirst() { drop(id, into: coming) }
    return .placed(id, after: place == 0 ? nil : rounds[0][place - 1])
  }

  /// Anywhere in a round to come.
  private mutating func drop(_ id: EntryID, into coming: Int) {
    let place = chance.place(of: id, round: round + UInt64(coming), in: 0...rounds[coming].count)
    rounds[coming].insert(id, at: place)
  }

  package mutating func removeAll() {
    base = Order()
    paths = [:]
    if isShuffled { rounds = [Order()] }
  }

  @discardableResult
  mutating func remove(_ id: EntryID) -> RemovedEntry? {
    guard let path = paths.removeValue(forKey: id), let place = base.remove(id) else { return nil }
    let turn = isShuffled ? rounds[0].remove(id).map { RemovedEntry.Turn(place: $0, round: round) } : nil
    for coming in rounds.indices.dropFirst() { rounds[coming].remove(id) }
    mendSeams()
    return RemovedEntry(entry: Entry(id: id, path: path), place: place, turn: turn)
  }

  /// Where it stood, or at the end when the queue has become shorter. In a shuffled round that is not the one it was
  /// taken out of it comes at a random place behind `current`, as new entries do.
  mutating func putBack(_ removed: RemovedEntry, behind current: EntryID?) -> [Change] {
    let entry = removed.entry
    guard count < Self.limit, paths[entry.id] == nil else { return [] }
    paths[entry.id] = entry.path
    let place = min(removed.place, base.count)
    base.insert(entry.id, at: place)
    var changes = [Change.inserted([entry], after: place == 0 ? nil : base[place - 1])]
    if let turn = removed.turn, isShuffled, turn.round == round {
      changes.append(insert(entry.id, at: min(turn.place, rounds[0].count)))
    } else if isShuffled {
      changes += scatter([entry], behind: current)
    }
    mendSeams()
    return changes
  }

  /// What plays a file plays another in its place; entries keep their numbers and their places.
  mutating func readdress(_ places: [FilePath: FilePath]) -> [Change] {
    let entries = paths.compactMap { id, path in places[path].map { Entry(id: id, path: $0) } }
      .sorted { $0.id.number < $1.id.number }
    for entry in entries { paths[entry.id] = entry.path }
    return entries.isEmpty ? [] : [.readdressed(entries)]
  }

  /// To an index of the order that is played, as near as there is one; while it is shuffled the other order stays.
  package mutating func move(_ id: EntryID, to index: Int) -> [Change] {
    guard let from = self.index(of: id) else { return [] }
    let place = min(max(index, 0), count - 1)
    guard place != from else { return [] }
    // Behind whom it will stand, told in the order as it still is; and not holding it, or the change would copy it.
    let before = place == 0 ? nil : order[place <= from ? place - 1 : place]
    if isShuffled {
      let change = put(id, behind: before)
      mendSeams()
      return [change]
    }
    base.remove(id)
    base.insert(id, at: place)
    return [.moved(id, after: before)]
  }

  /// A new place in the round that is played; of a new entry or an old one.
  mutating func put(_ id: EntryID, behind other: EntryID?) -> Change {
    rounds[0].remove(id)
    let place = other.flatMap { rounds[0].place(of: $0) }.map { $0 + 1 } ?? 0
    rounds[0].insert(id, at: place)
    return .placed(id, after: other)
  }
}
