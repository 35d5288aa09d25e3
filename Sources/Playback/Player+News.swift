import Runtime

extension Player {
  package mutating func hear(_ news: News, heard: Spot) -> [Action] {
    switch news {
    case .opened(let id, let generation):
      guard isOurs(generation) else { return [] }
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
    case .deviceLost(let fault): return [.notice(.fault(fault)), .savePlace]
    case .deviceBack: return [.notice(.deviceBack)]
    case .outputFailed(let fault): return outputFailed(fault, heard)
    }
  }

  private func isOurs(_ generation: UInt32) -> Bool { cue != nil && generation == self.generation }

  private mutating func opened(_ id: EntryID, _ heard: Spot) -> [Action] {
    // Taken up in the moment in which we gave another: the chain is no longer what we think it is.
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
    // What broke and was removed may still have a moment of sound; what is current follows it.
    guard let cue, !cue.chain.isEmpty, queue.index(of: id) != nil else { return [] }
    // An entry that repeats stands in the chain twice; the first one is heard already.
    guard let place = cue.chain[(cue.heard ? 1 : 0)...].firstIndex(where: { $0.id == id }) else { return [] }
    self.cue?.chain.removeFirst(place)
    self.cue?.heard = true
    forgetFailures()
    current = id
    startAt = .beginning
    guard cue.exhausted, cue.lastTaken, let last = cue.chain.last else { return [.savePlace] }
    // One of those that were given before we gave up can be played after all.
    self.cue?.exhausted = false
    return [.savePlace] + (follower(of: last).map { give($0) } ?? [])
  }

  private mutating func failed(_ id: EntryID, _ fault: Fault) -> [Action] {
    var actions: [Action] = [.notice(.fault(fault))]
    // Broken in its middle, it was there at least.
    let wasOpened = cue?.chain.last?.id != id || cue?.lastTaken == true
    if fault.kind == .missing && !wasOpened { absent += 1 } else { unplayable += 1 }

    let isLast = cue?.chain.last?.id == id
    if isLast, let chain = cue?.chain {
      // Where it repeats it stands there more than once, and is as bad each time.
      for index in chain.indices where chain[index].id == id { cue?.chain[index].failed = true }
      cue?.lastTaken = true
      cue?.drained = false
    }
    if cue?.exhausted == true { return actions }
    if unplayable >= rules.unplayableLimit { return actions + giveUp(.tooManyUnplayable(unplayable)) }
    // Files that are not there are passed over, a whole folder of them too, but not round and round for ever.
    if absent > 0, absent >= queue.entries.count { return actions + giveUp(.nothingThere) }

    // It broke in its middle, and what follows is known already.
    guard isLast, let last = cue?.chain.last else { return actions }
    let next = follower(of: last)
    if id == current && !isHeard {
      guard let next else { return actions + endOfQueue() }
      current = next.id
      startAt = .beginning
      actions.append(.savePlace)
    }
    return actions + (next.map { give($0) } ?? [])
  }

  private mutating func drained() -> [Action] {
    // Something may have been given while this news was on its way.
    guard cue?.lastTaken == true else {
      cue?.drained = true
      return []
    }
    return cue?.exhausted == true ? rest() : endOfQueue()
  }

  /// What is heard is never cut short because of what would follow.
  private mutating func giveUp(_ notice: Notice) -> [Action] {
    forgetFailures()
    if isHeard {
      cue?.exhausted = true
      return [.notice(notice)]
    }
    return rest(telling: [.notice(notice)])
  }

  /// Stops, and keeps the entry.
  private mutating func rest(telling notices: [Action] = []) -> [Action] {
    wish = .stopped
    startAt = .beginning
    return halt() + notices + [.savePlace]
  }

  /// It does not pretend to play what nobody will hear; the place stays.
  private mutating func outputFailed(_ fault: Fault, _ heard: Spot) -> [Action] {
    outputFault = fault
    if isHeard { startAt = .frame(heard.frame) }
    wish = .stopped
    return halt() + [.notice(.outputFailed(fault)), .savePlace]
  }

  mutating func forgetFailures() {
    unplayable = 0
    absent = 0
    silent = 0
  }

  /// The queue is over: what comes next time is its beginning.
  mutating func endOfQueue() -> [Action] {
    wish = .stopped
    current = queue.entries.first?.id
    startAt = .beginning
    return halt() + [.notice(.queueEnded), .savePlace]
  }
}
