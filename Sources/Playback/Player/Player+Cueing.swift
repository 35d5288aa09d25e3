import Formats
import Runtime

/// How the decoder is kept one entry ahead, and what happens when the queue changes under it.
extension Player {
  /// A fresh start at the current entry; what was decoded before is thrown away unheard.
  mutating func begin() -> [Action] {
    guard let entry = queue.entry(current) else { return [] }
    generation &+= 1
    cue = Cue(chain: [Cue.Link(queue.turn(of: entry.id))])
    return [.start(entry, at: startAt, generation: generation)]
  }

  mutating func halt() -> [Action] {
    guard cue != nil else { return [] }
    generation &+= 1
    cue = nil
    return [.halt(generation: generation)]
  }

  /// The same place of the same entry, with what follows decoded anew.
  mutating func recue(_ heard: Spot) -> [Action] {
    if isHeard { startAt = .spot(heard) }
    return begin()
  }

  /// Decoded behind the last one, without a gap; unless it begins in its middle, for which it waits until its turn.
  mutating func give(_ next: PlayQueue.Turn) -> [Action] {
    guard let entry = queue.entry(next.id), !beginsInside(next) else { return [] }
    cue?.chain.append(Cue.Link(next))
    cue?.lastTaken = false
    return [.follow(entry)]
  }

  func beginsInside(_ turn: PlayQueue.Turn) -> Bool { start(of: turn.id) != .beginning }

  /// The queue or what follows in it changed: holds the chain against the new order, and mends the first link that
  /// differs.
  mutating func followUp(_ heard: Spot) -> [Action] {
    guard cue != nil else { return [] }
    let (firstWrong, count) = checkChain()
    guard count > 0 else { return [] }
    if let firstWrong {
      // The last one given can still be another as long as the decoder has not taken it up.
      guard firstWrong.link == count - 2, cue?.lastTaken == false else { return recue(heard) }
      cue?.chain.removeLast()
      cue?.lastTaken = true
      let given = firstWrong.next.map { give($0) } ?? []
      if !given.isEmpty { return given }
      return [.follow(nil)] + (cue?.drained == true ? over() : [])
    }
    guard cue?.lastTaken == true, let last = cue?.chain.last, let next = follower(of: last) else { return [] }
    cue?.exhausted = false
    return give(next)
  }

  /// The first link that is not followed by what should follow it, and how many links there are.
  private mutating func checkChain() -> (wrong: (link: Int, next: PlayQueue.Turn?)?, count: Int) {
    guard var chain = cue?.chain else { return (nil, 0) }
    // What will not be heard and is gone from the queue, or from a round that is over, leads nowhere and breaks nothing.
    chain.removeAll { $0.failed && (!queue.contains($0.id) || queue.isShuffled && $0.round < queue.round) }
    if !chain.isEmpty { chain[0].round = queue.round }
    var wrong: (link: Int, next: PlayQueue.Turn?)?
    for index in chain.indices.dropLast() {
      let next = follower(of: chain[index])
      guard let next, next.id == chain[index + 1].id else {
        wrong = (index, next)
        break
      }
      // It may stand in another round now.
      chain[index + 1].round = next.round
    }
    cue?.chain = chain
    return (wrong, chain.count)
  }

  /// A file that cannot be played is not played again and again, whatever repeats.
  mutating func follower(of link: Cue.Link) -> PlayQueue.Turn? {
    if link.failed { return sleep.until == .queue ? inThisRound(link.turn) : queue.skip(from: link.turn, by: 1) }
    if sleepsAfterThis { return nil }
    return sleep.until == .queue ? inThisRound(link.turn) : queue.successor(of: link.turn)
  }

  private mutating func inThisRound(_ turn: PlayQueue.Turn) -> PlayQueue.Turn? {
    queue.successor(of: turn, repeating: .off)
  }
}
