import Runtime

/// How the decoder is kept one entry ahead, and what happens when the queue changes under it.
extension Player {
  /// A fresh start at the current entry; what was decoded before is thrown away unheard.
  mutating func begin() -> [Action] {
    guard let entry = queue.entry(current) else { return [] }
    generation &+= 1
    cue = Cue(chain: [Cue.Link(id: entry.id)])
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
    if isHeard { startAt = .frame(heard.frame) }
    return begin()
  }

  mutating func give(_ next: PlayQueue.Entry) -> [Action] {
    cue?.chain.append(Cue.Link(id: next.id))
    cue?.lastTaken = false
    return [.follow(next)]
  }

  /// The queue or its repeat changed: holds the chain against the new order, and mends the first link that differs.
  mutating func followUp(_ heard: Spot) -> [Action] {
    // What will not be heard and is gone from the queue leads nowhere, and breaks nothing.
    cue?.chain.removeAll { $0.failed && queue.index(of: $0.id) == nil }
    guard let cue, let last = cue.chain.last else { return [] }
    let chain = cue.chain
    let firstWrong = chain.indices.dropLast().first { follower(of: chain[$0])?.id != chain[$0 + 1].id }
    if let firstWrong {
      // The last one given can still be another as long as the decoder has not taken it up.
      guard firstWrong == chain.count - 2, !cue.lastTaken else { return recue(heard) }
      self.cue?.chain.removeLast()
      self.cue?.lastTaken = true
      if let next = follower(of: chain[firstWrong]) { return give(next) }
      return [.follow(nil)] + (cue.drained ? endOfQueue() : [])
    }
    guard cue.lastTaken, let next = follower(of: last) else { return [] }
    self.cue?.exhausted = false
    return give(next)
  }

  /// A file that cannot be played is not played again and again, whatever repeats.
  func follower(of link: Cue.Link) -> PlayQueue.Entry? {
    link.failed ? queue.skip(from: link.id, by: 1) : queue.successor(of: link.id)
  }
}
