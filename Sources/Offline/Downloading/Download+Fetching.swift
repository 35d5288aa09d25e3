import Runtime

/// From an address to bytes that are all here.
extension Download {
  mutating func resolved(_ place: SourceFacts) -> [Action] {
    guard work == .resolving else { return [] }
    work = .none
    take(place)
    if let size = record.size, size > 0, record.durable == size { return verify() }
    return fetch()
  }

  /// What the source says counts for more than what an answer said before.
  private mutating func take(_ place: SourceFacts) {
    let isOther = record.hash != nil && place.hash != nil && record.hash != place.hash
    let isOtherLength = record.size != nil && place.size != nil && record.size != place.size
    if isOther || isOtherLength || place.size.map({ $0 < record.durable }) == true { record.forgetBytes() }
    record.hash = place.hash
    record.ending = place.ending ?? record.ending
    if let size = place.size { (record.size, record.isSizeSure) = (size, true) }
  }

  private mutating func fetch() -> [Action] {
    let stops = stop()
    let asked = record.held.asking
    if asked.from == 0 { record.forgetBytes() }
    work = .fetching(Body(asked: asked, began: record.durable))
    return enter(.downloading(.fetching)) + stops + [.cutBack(to: record.durable), .fetch(ticket, asked)]
  }

  mutating func answered(
    _ answer: MediaResponse, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .fetching(var body) = work, body.written == nil else { return [] }
    switch AnswerRule.meaning(of: answer, to: body.asked, with: record.held) {
    case .whole:
      let hadBytes = record.durable > 0
      record.forgetBytes()
      body.written = 0
      body.began = 0
      record.tag = answer.tag.flatMap { $0.isWeak ? nil : $0.text }
      let stores = take(body, answer)
      // With nothing here there is nothing to put together wrongly. What the answer says is stored with the first bytes that
      // are durable, and whoever listens hears them without waiting for another commit.
      return hadBytes ? stores + [.cutBack(to: 0)] : []
    case .append(let at, let skips):
      (body.written, body.skips) = (at, skips)
      record.refusedFrom = nil
      // Of two versions by their names; from here on only the hash can tell.
      if answer.tag?.text != record.tag { record.tag = nil }
      return take(body, answer)
    case .verify: return verify()
    case .startOver(let trouble): return fail(trouble, date, startingOver: true, using: &generator)
    case .ask:
      record.refusedFrom = record.durable
      return fetch()
    case .address(let trouble): return address(trouble, date)
    case .portal: return fail(.portal, date, using: &generator)
    case .again(let trouble, let pause): return fail(trouble, date, serverAsks: pause, using: &generator)
    case .fail(let trouble): return give(up: trouble, date)
    }
  }

  private mutating func take(_ body: Body, _ answer: MediaResponse) -> [Action] {
    var body = body
    if record.size == nil { record.size = answer.total }
    if case .part(_, let last, _)? = answer.range, answer.status == 206 { body.end = last + 1 }
    body.end = body.end ?? record.size
    work = .fetching(body)
    return [.store(record)]
  }

  mutating func took(
    _ count: Int, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .fetching(var body) = work, !body.hasEnded, let at = body.written, count > 0 else { return [] }
    let skipping = min(Int64(count), body.skips)
    body.skips -= skipping
    let more = Int64(count) - skipping
    guard more > 0 else {
      work = .fetching(body)
      return []
    }
    // More than there can be: whose bytes these are nobody knows.
    if let size = record.size, at + more > size {
      return fail(.wrongLength, date, startingOver: true, using: &generator)
    }
    body.written = at + more
    var actions: [Action] = [.write(ticket, at: at, skipping: Int(skipping), count: count)]
    if !body.isSyncing, at + more - record.durable >= Self.syncEvery {
      body.isSyncing = true
      actions.append(.sync(ticket, upTo: at + more))
    }
    work = .fetching(body)
    return actions
  }

  mutating func synced(
    _ end: Int64, _ piece: Pieces.Piece?, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch work {
    case .fetching(var body):
      guard let written = body.written, end <= written else { return [] }
      body.isSyncing = false
      let actions = keep(end, piece)
      if body.hasEnded || written - end >= Self.syncEvery {
        if written > end {
          body.isSyncing = true
          work = .fetching(body)
          return actions + [.sync(ticket, upTo: written)]
        }
        work = .fetching(body)
        return actions + (body.hasEnded ? allHere(body, date, using: &generator) : [])
      }
      work = .fetching(body)
      return actions
    case .settling(let body, let outcome):
      guard let written = body.written, end <= written else { return [] }
      let actions = keep(end, piece)
      return end == written ? actions + go(outcome, date, using: &generator) : actions
    default: return []
    }
  }

  private mutating func keep(_ end: Int64, _ piece: Pieces.Piece?) -> [Action] {
    guard end > record.durable else { return [] }
    record.durable = end
    if let piece, piece.range.upperBound <= end { record.pieces.add(piece) }
    record.refusedFrom = nil
    record.retry.reached(end)
    return [.store(record), .tell(.progressed(key, bytes: end, of: record.size))]
  }

  mutating func ended(_ date: Int64, using generator: inout some RandomNumberGenerator) -> [Action] {
    guard case .fetching(var body) = work, !body.hasEnded else { return [] }
    // Nothing but a head that was answered already, or none at all.
    guard let written = body.written else { return fail(.nonsense, date, using: &generator) }
    body.hasEnded = true
    work = .fetching(body)
    if body.isSyncing { return [] }
    guard written > record.durable else { return allHere(body, date, using: &generator) }
    body.isSyncing = true
    work = .fetching(body)
    return [.sync(ticket, upTo: written)]
  }

  /// All that this body brought is durable.
  private mutating func allHere(
    _ body: Body, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let length = record.durable
    work = .none
    // Where nobody has promised anything, nothing is not music; a promise that was broken is the line's.
    if length == 0, record.size == nil { return fail(.notMusic, date, using: &generator) }
    // The end in due form of a body of unknown length is the end of the file.
    let size = record.size ?? length
    record.size = size
    if length == size { return verify() }
    // A server that gives the rest in parts is asked for the next, as long as that leads anywhere.
    if length == body.end, length - body.began >= Retry.step { return fetch() }
    return fail(.network(.reset), date, using: &generator)
  }

  mutating func failed(
    _ trouble: Trouble, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch work {
    case .none: return []
    case .fetching(let body):
      // What was to be written was not: nothing beyond the last sync is certain.
      switch trouble {
      case .disk, .noSpace, .overLimit: return fail(trouble, date, using: &generator)
      default: break
      }
      return settle(body, then: .failed(trouble), date, using: &generator)
    // It could not be made durable; what was before is.
    case .settling(_, let outcome):
      if case .failed = outcome { return fail(trouble, date, using: &generator) }
      return go(outcome, date, using: &generator)
    case .publishingForNothing:
      work = .none
      return cancelled(date)
    case .resolving, .verifying, .publishing:
      work = .none
      return fail(trouble, date, using: &generator)
    }
  }

  // MARK: Ends of a body before its time

  /// What came counts, however it ended: a line that breaks before each sync would otherwise never bring anything.
  mutating func settle(
    _ body: Body, then outcome: Outcome, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    let old = ticket
    guard let written = body.written, written > record.durable else { return go(outcome, date, using: &generator) }
    work = .settling(body, then: outcome)
    return [.stop(old), .sync(newTicket(), upTo: written)]
  }

  private mutating func go(
    _ outcome: Outcome, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch outcome {
    case .queued: queue()
    case .paused: paused()
    case .failed(let trouble): fail(trouble, date, using: &generator)
    }
  }
}
