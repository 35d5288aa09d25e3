import Runtime

/// How the decoder is kept one entry ahead, and what happens when the queue changes under it.
extension Player {
  /// A fresh start at the current entry; what was decoded before is thrown away unheard.
  mutating func begin() -> [Action] {
    guard let entry = queue.entry(current) else { return [] }
    generation &+= 1
    cue = Cue(chain: [entry.id])
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
    cue?.chain.append(next.id)
    cue?.lastTaken = false
    return [.follow(next)]
  }

  /// The queue or its repeat changed: holds the chain against the new order, and mends the first link that differs.
  mutating func followUp(_ heard: Spot) -> [Action] {
    guard let chain = cue?.chain, let last = chain.last else { return [] }
    let firstWrong = chain.indices.dropLast().first { queue.successor(of: chain[$0])?.id != chain[$0 + 1] }
    if let firstWrong {
      // The last one given can still be another as long as the decoder has not taken it up.
      guard firstWrong == chain.count - 2, cue?.lastTaken == false else { return recue(heard) }
      cue?.chain.removeLast()
      cue?.lastTaken = true
      return queue.successor(of: chain[firstWrong]).map { give($0) } ?? [.follow(nil)]
    }
    guard cue?.lastTaken == true, let next = queue.successor(of: last) else { return [] }
    return give(next)
  }
}
