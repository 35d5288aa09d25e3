import Runtime

/// From bytes that are all here to a file under its name; and what is done when something fails.
extension Download {
  mutating func verify() -> [Action] {
    let stops = stop()
    work = .verifying
    let size = record.size ?? record.durable
    return enter(.downloading(.verifying)) + stops + [.verify(ticket, size: size, hash: record.hash)]
  }

  mutating func verified(
    _ finding: Finding, _ date: Int64, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    guard work == .verifying else { return [] }
    work = .none
    switch finding {
    case .right(let hash):
      guard record.hash == nil || record.hash == hash else {
        return fail(.wrongHash, date, startingOver: true, using: &generator)
      }
      record.hash = hash
      record.size = record.size ?? record.durable
      work = .publishing
      return enter(.downloading(.publishing)) + [.publish(newTicket())]
    case .damaged(let from):
      record.durable = min(record.durable, from)
      return fail(.disk(.read), date, startingOver: from <= 0, using: &generator)
    case .wrong: return fail(.wrongHash, date, startingOver: true, using: &generator)
    case .unreadable: return fail(.disk(.read), date, startingOver: true, using: &generator)
    }
  }

  mutating func published(_ path: String, _ date: Int64) -> [Action] {
    switch work {
    case .publishing:
      work = .none
      return complete(path, date)
    case .publishingForNothing:
      work = .none
      return cancelled(date)
    default: return []
    }
  }

  mutating func complete(_ path: String?, _ date: Int64) -> [Action] {
    (record.path, record.endedAt, record.trouble) = (path ?? record.path, date, nil)
    (record.retry, record.waits, record.pause, record.isEntered) = (Retry(), nil, nil, false)
    return enter(.completed) + [.tell(.completed(key, bytes: record.durable))]
  }

  // MARK: Trouble

  mutating func fail(
    _ trouble: Trouble, _ date: Int64, startingOver: Bool = false, serverAsks: Duration? = nil,
    using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    if startingOver { record.forgetBytes() }
    let trouble = own(trouble)
    switch record.retry.failed(trouble, serverAsks: serverAsks, using: &generator) {
    case .again(let pause):
      let stops = stop()
      (record.pause, record.trouble) = (pause, trouble)
      let actions = enter(.retrying) + stops
      return actions + [.schedule(ticket, after: pause), .tell(.retryScheduled(key, trouble, after: pause))]
    case .address:
      record.trouble = trouble
      return resolve(isAnew: true)
    case .wait(let reason):
      let stops = stop()
      (record.waits, record.trouble) = (reason, trouble)
      return enter(.queued) + stops + [.tell(.waits(key, reason))]
    case .give(let trouble): return give(up: trouble, date)
    }
  }

  /// If the network is known to lead out, a web page is the source's own and no login page.
  private func own(_ trouble: Trouble) -> Trouble {
    guard trouble.remedy == .wait(.portal), isLineProven else { return trouble }
    return state == .downloading(.resolving) ? .source : .page
  }

  /// What it waits for is that its source shows something else.
  package var showsOwnPage: Bool {
    isLineProven && (record.trouble == .page || record.trouble == .source) && record.waits?.isOutage == true
  }

  mutating func address(_ trouble: Trouble, _ date: Int64) -> [Action] {
    guard case .address = record.retry.newAddress(because: trouble) else { return give(up: trouble, date) }
    record.trouble = trouble
    return resolve(isAnew: true)
  }

  mutating func give(up trouble: Trouble, _ date: Int64) -> [Action] {
    let stops = stop()
    let isKnown = trouble == knownTrouble
    if !isKnown { record.endedAt = nil }
    (record.trouble, record.endedAt, record.pause) = (trouble, record.endedAt ?? date, nil)
    return enter(.failed) + stops + (isKnown ? [] : [.tell(.failed(key, trouble))])
  }
}
