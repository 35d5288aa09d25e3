/// What comes after what, in this round and beyond it.
extension PlayQueue {
  /// Its turn in the round that is played.
  package func turn(of id: EntryID) -> Turn { Turn(id: id, round: round) }

  /// What plays by itself when `turn` ends; nil at the end of the queue.
  mutating func successor(of turn: Turn, repeating mode: Repeat? = nil) -> Turn? {
    guard contains(turn.id) else { return nil }
    let mode = mode ?? repeats
    return mode == .one ? turn : neighbour(of: turn, by: 1, mode)
  }

  /// What a person gets who skips `count` entries on, or back when it is negative. Going back stops at the first; nil
  /// beyond the end. "Repeat one" holds what plays by itself, not a person who wants to go on.
  mutating func skip(from turn: Turn, by count: Int) -> Turn? {
    contains(turn.id) ? neighbour(of: turn, by: count, repeats) : nil
  }

  /// The same without looking ahead for good.
  package func successor(of id: EntryID) -> Entry? {
    var looking = self
    return entry(looking.successor(of: turn(of: id))?.id)
  }

  package func skip(from id: EntryID, by count: Int) -> Entry? {
    var looking = self
    return entry(looking.skip(from: turn(of: id), by: count)?.id)
  }

  /// The next ones, across the end of the round when all repeat. What one repeats is not counted: it is what a person
  /// gets who goes on.
  package func upNext(after id: EntryID?, count: Int) -> [Entry] {
    var looking = self
    var next: [Entry] = []
    guard var turn = id.map({ self.turn(of: $0) }), contains(turn.id) else { return page(from: 0, count: count) }
    while next.count < count, let following = looking.neighbour(of: turn, by: 1, repeats) {
      if let entry = entry(following.id) { next.append(entry) }
      turn = following
    }
    return next
  }

  /// The round of `turn` is the one that is played now. Gives what is to be saved.
  mutating func enter(_ turn: Turn) -> [Change] {
    guard turn.round > round, isShuffled else { return [] }
    let steps = Int(turn.round - round)
    shuffle(ahead: steps)
    rounds.removeFirst(steps)
    round = turn.round
    return [.shuffled(rounds[0].all)]
  }

  /// The round is over, and who plays it again gets another.
  mutating func beginAgain() -> [Change] { enter(Turn(id: EntryID(number: 0), round: round + 1)) }

  private mutating func neighbour(of turn: Turn, by count: Int, _ mode: Repeat) -> Turn? {
    guard !isEmpty else { return nil }
    let ahead = isShuffled && turn.round > round ? Int(turn.round - round) : 0
    shuffle(ahead: ahead)
    let order = isShuffled ? rounds[ahead] : base
    // Of a round that is over: before the first of this one.
    let isPast = isShuffled && turn.round < round
    let place = isPast ? -1 : order.place(of: turn.id) ?? -1
    let (wanted, overflow) = place.addingReportingOverflow(count)
    if !overflow && wanted < order.count {
      if wanted >= 0 { return Turn(id: order[wanted], round: round + UInt64(ahead)) }
      return back(to: wanted, in: order, ahead, mode)
    }
    if overflow && count < 0 { return back(to: place + count % order.count, in: order, ahead, mode) }
    guard mode == .all else { return nil }
    let rest = (place + count % order.count + order.count) % order.count
    guard isShuffled else { return Turn(id: order[rest], round: round) }
    // However far, it is the next round: nobody hears the ones between.
    shuffle(ahead: ahead + 1)
    return Turn(id: rounds[ahead + 1][rest], round: round + UInt64(ahead) + 1)
  }

  /// To before the first: that is the first, or round to the last where the rounds are alike.
  private func back(to wanted: Int, in order: Order, _ ahead: Int, _ mode: Repeat) -> Turn {
    let goesRound = mode == .all && !isShuffled
    let place = goesRound ? (wanted % order.count + order.count) % order.count : 0
    return Turn(id: order[place], round: round + UInt64(ahead))
  }

  /// So many rounds ahead, as chance will have them.
  private mutating func shuffle(ahead: Int) {
    guard isShuffled, rounds.count <= ahead else { return }
    while rounds.count <= ahead {
      rounds.append(Order(chance.shuffled(base.all, round: round + UInt64(rounds.count))))
    }
    mendSeams()
  }

  /// Where one round meets the next nothing is heard twice in a row.
  mutating func mendSeams() {
    guard count > 1 else { return }
    for coming in rounds.indices.dropFirst() {
      guard let first = rounds[coming].first, first == rounds[coming - 1].last else { continue }
      rounds[coming].remove(first)
      rounds[coming].insert(first, at: 1)
    }
  }
}
