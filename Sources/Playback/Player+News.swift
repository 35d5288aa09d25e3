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
      // Something may have been given while this news was on its way.
      guard isOurs(generation), cue?.lastTaken == true else { return [] }
      return endOfQueue()
    case .deviceLost(let fault): return [.notice(.fault(fault)), .savePlace]
    case .deviceBack: return [.notice(.deviceBack)]
    case .outputFailed(let fault): return outputFailed(fault, heard)
    }
  }

  private func isOurs(_ generation: UInt32) -> Bool { cue != nil && generation == self.generation }

  private mutating func opened(_ id: EntryID, _ heard: Spot) -> [Action] {
    // Taken up in the moment in which we gave another: the chain is no longer what we think it is.
    guard cue?.chain.last == id else { return recue(heard) }
    cue?.lastTaken = true
    return queue.successor(of: id).map { give($0) } ?? []
  }

  private mutating func began(_ id: EntryID) -> [Action] {
    guard let place = cue?.chain.firstIndex(of: id) else { return [] }
    cue?.chain.removeFirst(place)
    cue?.heard = true
    unplayable = 0
    absent = 0
    current = id
    startAt = .beginning
    return [.savePlace]
  }

  private mutating func failed(_ id: EntryID, _ fault: Fault) -> [Action] {
    var actions: [Action] = [.notice(.fault(fault))]
    if fault.kind == .missing { absent += 1 } else { unplayable += 1 }
    if unplayable >= rules.unplayableLimit { return actions + giveUp(.tooManyUnplayable(unplayable)) }
    // Files that are not there are passed over, a whole folder of them too, but not round and round for ever.
    if absent > 0, absent >= queue.entries.count { return actions + giveUp(.nothingThere) }

    // It broke in its middle, and what follows is known already.
    guard cue?.chain.last == id else { return actions }
    cue?.lastTaken = true
    // A file that cannot be played is not played again and again, whatever repeats.
    let next = queue.skip(from: id, by: 1)
    if id == current && !isHeard {
      guard let next else { return actions + endOfQueue() }
      current = next.id
      startAt = .beginning
      actions.append(.savePlace)
    }
    return actions + (next.map { give($0) } ?? [])
  }

  /// It does not pretend to play what nobody will hear; the place stays.
  private mutating func outputFailed(_ fault: Fault, _ heard: Spot) -> [Action] {
    outputFault = fault
    if isHeard { startAt = .frame(heard.frame) }
    wish = .stopped
    return halt() + [.notice(.outputFailed(fault)), .savePlace]
  }

  private mutating func giveUp(_ notice: Notice) -> [Action] {
    wish = .stopped
    startAt = .beginning
    unplayable = 0
    absent = 0
    return halt() + [.notice(notice), .savePlace]
  }

  /// The queue is over: what comes next time is its beginning.
  mutating func endOfQueue() -> [Action] {
    wish = .stopped
    current = queue.entries.first?.id
    startAt = .beginning
    return halt() + [.notice(.queueEnded), .savePlace]
  }
}
