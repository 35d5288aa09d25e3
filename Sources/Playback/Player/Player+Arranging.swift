import Formats
import Runtime

/// Changes of the queue under what is heard.
extension Player {
  mutating func arrange(_ command: Command, _ heard: Spot) -> [Action] {
    switch command {
    case .add(let paths, let origin): return add(paths, from: origin, heard) { $0.add(paths, behind: $1) }
    case .playNext(let paths, let origin): return add(paths, from: origin, heard) { $0.playNext(paths, behind: $1) }
    case .remove(let id): return remove(id, heard)
    case .putBack(let id): return putBack(id, heard)
    case .move(let id, let index): return saved(queue.move(id, to: index)) + followUp(heard)
    case .readdress(let places): return readdress(places, heard)
    case .clear: return replace(by: Replacement([], plays: false), heard)
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
    _ paths: [FilePath], from origin: Origin?, _ heard: Spot,
    _ change: (inout PlayQueue, EntryID?) -> (made: [PlayQueue.Entry], changes: [PlayQueue.Change])
  ) -> [Action] {
    let (made, changes) = change(&queue, current)
    var actions = saved(changes)
    if let origin, let first = made.first { actions.append(.save(.origin(origin, of: made.count, from: first.id))) }
    if made.count < paths.count { actions.append(.notice(.queueFull(leftOut: paths.count - made.count))) }
    return actions + chooseFirst() + followUp(heard)
  }

  /// The first entry is the current one where there was none.
  private mutating func chooseFirst() -> [Action] {
    guard current == nil, let first = queue.first else { return [] }
    current = first.id
    playedSince = first.id
    startAt = start(of: first.id)
    return [.savePlace]
  }

  private mutating func remove(_ id: EntryID, _ heard: Spot) -> [Action] {
    guard let index = queue.index(of: id) else { return [] }
    guard id == current else {
      return takeOut(id) + followUp(heard)
    }
    let left = leave(heard)
    // Where to go on is decided while the entry still has neighbours.
    let following = queue.skip(from: queue.turn(of: id), by: 1).flatMap { $0.id == id ? nil : $0 }
    let next = following ?? (index > 0 ? queue.entry(at: index - 1).map { queue.turn(of: $0.id) } : nil)
    let actions = left + takeOut(id)
    guard let next else { return actions + beEmpty() }
    if playedSince == id { playedSince = next.id }
    return actions + go(to: next, .onward) + [.savePlace]
  }

  private mutating func takeOut(_ id: EntryID) -> [Action] {
    guard let gone = queue.remove(id) else { return [] }
    removed = removed.suffix(Self.removedLimit - 1) + [gone]
    return [.save(.queue(.removed(id)))]
  }

  /// A file that the decoder has opened plays to its end; the new path counts the next time. What was taken
  /// out and the former queue can be had back, so they are played from there too.
  private mutating func readdress(_ places: [FilePath: FilePath], _ heard: Spot) -> [Action] {
    var actions: [Action] = []
    for index in removed.indices {
      guard let path = places[removed[index].entry.path] else { continue }
      removed[index].entry = PlayQueue.Entry(id: removed[index].entry.id, path: path)
    }
    if let new = former?.readdressed(places) {
      former = new
      actions.append(.save(.former(new)))
    }
    let changes = queue.readdress(places)
    guard case .readdressed(let moved)? = changes.first else { return actions }
    // The last one given can still be given otherwise, as long as the decoder has not opened it.
    if cue?.lastTaken == false, let chain = cue?.chain, chain.count > 1, let last = chain.last,
      moved.contains(where: { $0.id == last.id })
    {
      cue?.chain.removeLast()
      cue?.lastTaken = true
    }
    return actions + saved(changes) + followUp(heard)
  }

  private mutating func putBack(_ id: EntryID, _ heard: Spot) -> [Action] {
    guard let index = removed.lastIndex(where: { $0.entry.id == id }) else { return [] }
    let changes = queue.putBack(removed[index], behind: current)
    guard !changes.isEmpty else { return [.notice(.queueFull(leftOut: 1))] }
    removed.remove(at: index)
    return saved(changes) + chooseFirst() + followUp(heard)
  }

  private mutating func clear(_ heard: Spot) -> [Action] {
    let left = leave(heard)
    queue.removeAll()
    // What comes instead is another queue.
    removed = []
    return left + [.save(.queue(.cleared))] + beEmpty()
  }

  /// Leads to what clear, shuffle, add, jump and play would, with nothing in between.
  mutating func replace(by new: Replacement, _ heard: Spot) -> [Action] {
    var actions = keepFormer(isExchange: new.isExchange, heard) + clear(heard)
    // Before anything is in it, so that no first one is chosen by standing first.
    switch new.order {
    case .asBefore: break
    case .inOrder, .shuffledAs: actions += saved(queue.unshuffle())
    case .shuffled: actions += saved(queue.shuffle(at: nil))
    }
    let begin = queue.nextID
    actions += add(new.files, from: new.origin, heard) { $0.add(new.files, behind: $1) }
    if case .shuffledAs(let order) = new.order { actions += saved(queue.shuffle(as: order)) }
    let count = Int(queue.nextID - begin)
    if let first = new.first, (0..<count).contains(first) {
      let id = EntryID(number: begin + UInt64(first))
      switch new.order {
      case .asBefore, .inOrder, .shuffled: actions += saved(queue.bringForward(id, to: current, wasHeard: false))
      // The order that was given already says when its turn is.
      case .shuffledAs: break
      }
      actions += go(to: queue.turn(of: id), .elsewhere)
    }
    if let place = new.place, current != nil { startAt = .time(max(place, .zero)) }
    actions.append(.savePlace)
    guard new.plays else { return actions }
    way.decided()
    stopFading()
    return actions + play(heard)
  }

  private mutating func keepFormer(isExchange: Bool, _ heard: Spot) -> [Action] {
    // A single song is not worth it; a book is.
    let isBook = current.flatMap { queue.entry($0) }.map { isLong($0.id, $0.path) } ?? false
    let old = queue.count > 1 || isBook ? FormerQueue(queue, at: current, heard.elapsed) : nil
    guard isExchange || old != nil else { return [] }
    former = old
    return [.save(.former(old))]
  }

  mutating func playAtOnce(_ paths: [FilePath], from origin: Origin?, _ heard: Spot) -> [Action] {
    let first = EntryID(number: queue.nextID)
    let added = add(paths, from: origin, heard) { $0.add(paths, behind: $1) }
    guard queue.contains(first) else { return added }
    way.decided()
    stopFading()
    return added + jump(to: first, heard)
  }

  private mutating func beEmpty() -> [Action] {
    current = nil
    playedSince = nil
    wish = .stopped
    startAt = .beginning
    return halt() + [.savePlace]
  }
}
