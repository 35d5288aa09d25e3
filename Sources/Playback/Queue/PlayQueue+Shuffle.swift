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
