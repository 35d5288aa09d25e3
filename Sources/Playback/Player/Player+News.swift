import Audio
import Formats
import Runtime

extension Player {
  package mutating func hear(_ news: News, heard: Spot) -> [Action] {
    switch news {
    case .opened(let id, let generation, let item):
      guard isOurs(generation) else { return [] }
      know(id, item)
      return opened(id, heard)
    case .failed(let id, let fault, let generation):
      guard isOurs(generation) else { return [] }
      return failed(id, fault)
    case .heard(let id, let generation):
      guard isOurs(generation) else { return [] }
      return began(id)
    case .drained(let generation):
      guard isOurs(generation) else { return [] }
      return drained()
    case .deviceLost(let fault):
      deviceIsLost = true
      return [.notice(.deviceLost(fault)), .savePlace]
    case .deviceBack:
      deviceIsLost = false
      return [.notice(.deviceBack)]
    case .outputFailed(let fault): return outputFailed(fault, heard)
    }
  }

  /// Keeps what the decoder said, for the current entry and those that come next.
  private mutating func know(_ id: EntryID, _ item: Item) {
    items[id] = item
    if items.count > 16 { items = items.filter { isAbout($0.key) } }
  }

  private func isOurs(_ generation: UInt32) -> Bool { cue != nil && generation == self.generation }

  private mutating func opened(_ id: EntryID, _ heard: Spot) -> [Action] {
    // The decoder opened it just when another follower was given, so the chain is not what it seems: start it again.
    guard let last = cue?.chain.last, last.id == id, cue?.lastTaken == false else { return recue(heard) }
    cue?.lastTaken = true
    cue?.drained = false
    absent = 0
    silent += 1
    if silent >= Self.silentLimit { return giveUp(.tooManyUnplayable(silent)) }
    if cue?.exhausted == true { return [] }
    return follower(of: last).map { give($0) } ?? []
  }

  private mutating func began(_ id: EntryID) -> [Action] {
    // A removed entry may still have a moment of sound; the current one follows it.
    guard let cue, !cue.chain.isEmpty, queue.contains(id) else { return [] }
    // An entry that repeats is in the chain twice, and its first turn is being heard.
    guard let place = cue.chain[(cue.heard ? 1 : 0)...].firstIndex(where: { $0.id == id }) else { return [] }
    let turn = cue.chain[place].turn
    // Either the entry before it has ended by itself, or the entries before it could not be played.
    var actions = cue.heard && place > 0 ? finish() : []
    self.cue?.chain.removeFirst(place)
    self.cue?.heard = true
    forgetFailures()
    actions += arrive(at: turn, .onward) + listen(to: id)
    startAt = .beginning
    actions.append(.savePlace)
    guard cue.exhausted, cue.lastTaken, let last = cue.chain.last else { return actions }
    // An entry that was given before giving up can be played after all.
    self.cue?.exhausted = false
    return actions + (follower(of: last).map { give($0) } ?? [])
  }

  private mutating func failed(_ id: EntryID, _ fault: Fault) -> [Action] {
    var actions: [Action] = [.notice(.fault(fault, of: queue.entry(id)?.path.ofFile))]
    // An entry that broke in its middle did exist.
    let wasOpened = cue?.chain.last?.id != id || cue?.lastTaken == true
    if fault.kind == .missing && !wasOpened { absent += 1 } else { unplayable += 1 }

    let isLast = cue?.chain.last?.id == id
    if isLast, let chain = cue?.chain {
      // An entry that repeats is in the chain more than once, and fails each time.
      for index in chain.indices where chain[index].id == id { cue?.chain[index].failed = true }
      cue?.lastTaken = true
      cue?.drained = false
    }
    if cue?.exhausted == true { return actions }
    if unplayable >= rules.unplayableLimit { return actions + giveUp(.tooManyUnplayable(unplayable)) }
    // Missing files are passed over, even a whole folder of them, but not round and round for ever.
    if absent > 0, absent >= queue.count { return actions + giveUp(.nothingThere) }

    // It broke in its middle, and its follower is given already.
    guard isLast, let last = cue?.chain.last else { return actions }
    let next = follower(of: last)
    if id == current && !isHeard {
      guard let next else { return actions + over() }
      // Nothing of it was heard, so it gets no bookmark and no place in the history.
      current = next.id
      actions += arrive(at: next, .onward) + [.savePlace]
      startAt = start(of: next.id)
      if beginsInside(next) { return actions + begin() }
    }
    return actions + (next.map { give($0) } ?? [])
  }

  private mutating func drained() -> [Action] {
    // Another entry may have been given while this news was on its way.
    guard cue?.lastTaken == true else {
      cue?.drained = true
      return []
    }
    return cue?.exhausted == true ? finish() + rest() : over()
  }

  /// Everything that was given has been heard. The next entry had to wait for that, or there is none.
  mutating func over() -> [Action] {
    let finished = isHeard ? finish() : []
    guard let current else { return finished + endOfQueue() }
    if sleepsAfterThis && isHeard {
      wakeUp()
      wish = .paused
      let next = queue.successor(of: queue.turn(of: current))
      guard let next else { return finished + endOfQueue() }
      return finished + [.pause] + go(to: next, .onward) + [.savePlace]
    }
    guard let last = cue?.chain.last, let next = follower(of: last) else { return finished + endOfQueue() }
    return finished + go(to: next, .onward) + [.savePlace]
  }

  /// Gives up finding a playable entry. The one that is heard is not cut short by it.
  private mutating func giveUp(_ notice: Notice) -> [Action] {
    forgetFailures()
    if isHeard {
      cue?.exhausted = true
      return [.notice(notice)]
    }
    return rest(telling: [.notice(notice)])
  }

  /// Stops, and keeps the current entry.
  private mutating func rest(telling notices: [Action] = []) -> [Action] {
    wish = .stopped
    startAt = current.map { start(of: $0) } ?? .beginning
    return halt() + notices + [.savePlace]
  }

  /// The output has failed for good: stops instead of pretending to play, and keeps the place.
  private mutating func outputFailed(_ fault: Fault, _ heard: Spot) -> [Action] {
    outputFault = fault
    if isHeard { startAt = .spot(heard) }
    let left = leave(heard)
    wish = .stopped
    return left + halt() + [.notice(.outputFailed(fault)), .savePlace]
  }

  mutating func forgetFailures() {
    unplayable = 0
    absent = 0
    silent = 0
  }

  /// The queue has ended; the next play begins with its first entry.
  mutating func endOfQueue() -> [Action] {
    wish = .stopped
    if sleep.until?.isOfMusic == true { wakeUp() }
    if let current { history.leave(current) }
    let again = queue.beginAgain().map { Action.save(.queue($0)) }
    current = queue.first?.id
    playedSince = current
    startAt = current.map { start(of: $0) } ?? .beginning
    return halt() + again + [.notice(.queueEnded), .savePlace]
  }
}
