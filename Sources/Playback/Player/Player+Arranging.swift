import Runtime

/// Changes of the queue under what is heard.
extension Player {
  mutating func arrange(_ command: Command, _ heard: Spot) -> [Action] {
    switch command {
    case .add(let paths): return add(paths, heard) { $0.add(paths, behind: $1) }
    case .playNext(let paths): return add(paths, heard) { $0.playNext(paths, behind: $1) }
    case .remove(let id): return remove(id, heard)
    case .move(let id, let index): return saved(queue.move(id, to: index)) + followUp(heard)
    case .clear: return clear(heard)
    case .shuffle(let wanted):
      let changes = wanted ? queue.shuffle(at: current, playedSince: playedSince) : queue.unshuffle()
      playedSince = current
      return changes.isEmpty ? [] : saved(changes) + followUp(heard) + [.savePlace]
    case .repeats(let mode):
      queue.repeats = mode
      return followUp(heard) + [.savePlace]
    default: return []
    }
  }

  private func saved(_ changes: [PlayQueue.Change]) -> [Action] { changes.map { .save(.queue($0)) } }

  private mutating func add(
    _ paths: [FilePath], _ heard: Spot,
    _ change: (inout PlayQueue, EntryID?) -> (made: [PlayQueue.Entry], changes: [PlayQueue.Change])
  ) -> [Action] {
    let (made, changes) = change(&queue, current)
    var actions = saved(changes)
    if made.count < paths.count { actions.append(.notice(.queueFull(leftOut: paths.count - made.count))) }
    if current == nil, let first = queue.first {
      current = first.id
      playedSince = first.id
      startAt = start(of: first.id)
      actions.append(.savePlace)
    }
    return actions + followUp(heard)
  }

  private mutating func remove(_ id: EntryID, _ heard: Spot) -> [Action] {
    guard let index = queue.index(of: id) else { return [] }
    guard id == current else {
      queue.remove(id)
      return [.save(.queue(.removed(id)))] + followUp(heard)
    }
    let left = leave(heard)
    // Where to go on is decided while the entry still has neighbours.
    let following = queue.skip(from: queue.turn(of: id), by: 1).flatMap { $0.id == id ? nil : $0 }
    let next = following ?? (index > 0 ? queue.entry(at: index - 1).map { queue.turn(of: $0.id) } : nil)
    queue.remove(id)
    let actions = left + [.save(.queue(.removed(id)))]
    guard let next else { return actions + beEmpty() }
    if playedSince == id { playedSince = next.id }
    return actions + go(to: next, .onward) + [.savePlace]
  }

  private mutating func clear(_ heard: Spot) -> [Action] {
    let left = leave(heard)
    queue.removeAll()
    return left + [.save(.queue(.cleared))] + beEmpty()
  }

  private mutating func beEmpty() -> [Action] {
    current = nil
    playedSince = nil
    wish = .stopped
    startAt = .beginning
    return halt() + [.savePlace]
  }
}
