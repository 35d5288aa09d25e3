import Runtime

/// One item's way from wanted to whole. A value that takes an event and returns actions; whoever performs them owns the
/// sockets, the disk and the clock. `DownloadRecord.State` says which state can follow which.
///
/// Every step is stored before it is taken, and the bytes that count are those that were durable when it was stored. So
/// after a power cut the record and the file on the disk are enough, and what was not durable is fetched again:
/// `syncEvery` bytes at most.
package struct Download: Equatable, Sendable {
  /// So often what has come is made durable.
  package static let syncEvery: Int64 = 1 << 20

  /// What is under way, and is gone with the power.
  enum Work: Equatable {
    case none
    case resolving
    case fetching(Body)
    /// Nothing more comes; what has come is made durable, and then it goes on as it must.
    case settling(Body, then: Outcome)
    case verifying
    case publishing
    /// It was cancelled while its file got its name.
    case publishingForNothing
  }

  /// A body that comes in.
  struct Body: Equatable {
    var asked: Asked
    /// Where the next byte belongs; nil before the head has come.
    var written: Int64?
    /// Bytes still to come that are here already.
    var skips: Int64 = 0
    /// How far this answer goes, when it says so.
    var end: Int64?
    var isSyncing = false
    var hasEnded = false
    /// Where it began, to see whether it brought anything.
    var began: Int64 = 0
  }

  enum Outcome: Equatable {
    case failed(Trouble)
    case queued
    case paused
  }

  package internal(set) var record: DownloadRecord
  var work = Work.none
  package internal(set) var ticket = Ticket(number: 0)
  /// No page is in the way, as somebody has seen since one came from this source: another page is the source's own. See
  /// `CaptivePortalDetector`.
  package var isLineProven = false
  /// Why it was given up before its last chance; the same failure is not reported twice.
  var knownTrouble: Trouble?

  package init(_ key: MediaKey, queuedAt: Int64 = 0) { record = DownloadRecord(key, queuedAt: queuedAt) }

  init(_ record: DownloadRecord) { self.record = record }

  package var key: MediaKey { record.key }
  package var state: DownloadRecord.State { record.state }

  /// All that has come, durable or not: what a player can read as it grows.
  package var arrived: Int64 {
    switch work {
    case .fetching(let body), .settling(let body, _): max(body.written ?? 0, record.durable)
    default: record.durable
    }
  }

  /// `date`: seconds since 1970.
  package mutating func hear(
    _ event: Event, date: Int64 = 0, using generator: inout some RandomNumberGenerator
  ) -> [Action] {
    switch event {
    case .start: return record.isReady ? begin(date) : []
    case .hold: return hold(date, using: &generator)
    case .pause: return pause(date, using: &generator)
    case .cancel: return cancel(date)
    case .resume: return state == .paused ? queue() : []
    case .again: return again(date)
    case .chance: return state == .failed ? takeChance(date) : []
    case .lifted(let reason): return lift(reason)
    case .lost: return state == .completed ? lose(date) : []
    case .outdated: return state == .completed ? renew(date) : []
    case .resolved(let ticket, let place): return ticket == self.ticket ? resolved(place) : []
    case .answered(let ticket, let answer):
      return ticket == self.ticket ? answered(answer, date, using: &generator) : []
    case .took(let ticket, let count): return ticket == self.ticket ? took(count, date, using: &generator) : []
    case .synced(let ticket, let end, let piece):
      return ticket == self.ticket ? synced(end, piece, date, using: &generator) : []
    case .ended(let ticket): return ticket == self.ticket ? ended(date, using: &generator) : []
    case .failed(let ticket, let trouble): return ticket == self.ticket ? failed(trouble, date, using: &generator) : []
    case .verified(let ticket, let finding):
      return ticket == self.ticket ? verified(finding, date, using: &generator) : []
    case .published(let ticket, let path): return ticket == self.ticket ? published(path, date) : []
    case .due(let ticket): return ticket == self.ticket && state == .retrying ? queue() : []
    }
  }

  mutating func newTicket() -> Ticket {
    ticket = Ticket(number: ticket.number + 1)
    return ticket
  }

  /// Whatever runs is not listened to any more.
  mutating func stop() -> [Action] {
    let old = ticket
    let ran = work != .none
    work = .none
    _ = newTicket()
    return ran ? [.stop(old)] : []
  }

  mutating func enter(_ state: DownloadRecord.State) -> [Action] {
    record.state = state
    return [.store(record), .tell(.stateChanged(key, state))]
  }

  // MARK: Orders

  private mutating func begin(_ date: Int64) -> [Action] {
    record.begunAt = record.begunAt ?? date
    // What the source said was not so, or is not what somebody wants to believe: it may say something else by now.
    let isDoubted = [.wrongHash, .wrongLength, .changed, .notThere].contains(record.trouble)
    (record.trouble, record.pause) = (nil, nil)
    if let size = record.size, size > 0, record.durable == size { return verify() }
    return resolve(isAnew: isDoubted) + [.tell(.started(key))]
  }

  mutating func resolve(isAnew: Bool) -> [Action] {
    let stops = stop()
    work = .resolving
    return enter(.downloading(.resolving)) + stops + [.resolve(ticket, isAnew: isAnew)]
  }

  mutating func queue() -> [Action] {
    let stops = stop()
    record.pause = nil
    return enter(.queued) + stops
  }

  private mutating func hold(_ date: Int64, using generator: inout some RandomNumberGenerator) -> [Action] {
    switch work {
    case .resolving: return queue()
    case .fetching(let body): return settle(body, then: .queued, date, using: &generator)
    default: return []
    }
  }

  private mutating func pause(_ date: Int64, using generator: inout some RandomNumberGenerator) -> [Action] {
    switch (state, work) {
    case (.downloading, .fetching(let body)): return settle(body, then: .paused, date, using: &generator)
    case (.downloading, .settling(let body, _)):
      work = .settling(body, then: .paused)
      return []
    // Its file gets its name just now.
    case (.downloading(.publishing), _): return []
    case (.queued, _), (.retrying, _), (.downloading, _): return paused()
    default: return []
    }
  }

  mutating func paused() -> [Action] {
    let stops = stop()
    record.pause = nil
    return enter(.paused) + stops
  }

  private mutating func cancel(_ date: Int64) -> [Action] {
    switch (state, work) {
    case (.cancelled, _): return []
    case (_, .publishing):
      work = .publishingForNothing
      return []
    case (_, .publishingForNothing): return []
    default: return cancelled(date)
    }
  }

  mutating func cancelled(_ date: Int64) -> [Action] {
    let stops = stop()
    let wasHere = state == .completed || record.path != nil
    record.forgetBytes()
    (record.waits, record.pause, record.path, record.endedAt) = (nil, nil, nil, date)
    return enter(.cancelled) + stops + [.discard] + (wasHere ? [.tell(.deleted(key))] : [])
  }

  private mutating func again(_ date: Int64) -> [Action] {
    switch state {
    case .failed, .cancelled:
      (record.retry, record.waits, record.endedAt, record.queuedAt) = (Retry(), nil, nil, date)
      knownTrouble = nil
      return queue()
    case .retrying: return queue()
    case .queued where record.waits != nil:
      (record.retry, record.waits) = (Retry(), nil)
      return queue()
    default: return []
    }
  }

  /// Nobody has asked for it, so nobody is told once more of what they know, and it failed when it first did.
  private mutating func takeChance(_ date: Int64) -> [Action] {
    (knownTrouble, record.waits, record.queuedAt) = (record.trouble, nil, date)
    record.retry.takeChance()
    return queue()
  }

  private mutating func lift(_ reason: WaitReason) -> [Action] {
    guard record.waits == reason else { return [] }
    record.waits = nil
    return [.store(record), .tell(.stateChanged(key, state))]
  }

  /// There is another version of it; the file of this one is played until that is whole.
  private mutating func renew(_ date: Int64) -> [Action] {
    record.forgetBytes()
    (record.retry, record.endedAt, record.trouble, record.queuedAt) = (Retry(), nil, .changed, date)
    return enter(.queued)
  }

  /// Its file is gone; a rest of one proves nothing.
  private mutating func lose(_ date: Int64) -> [Action] {
    record.forgetBytes()
    (record.retry, record.path, record.endedAt, record.trouble, record.queuedAt) = (Retry(), nil, nil, .lost, date)
    return enter(.queued) + [.discard]
  }
}

/// After a power cut: what was stored, and what lies on the disk, give the download back.
extension Download {
  /// The machine as it goes on, and what is to be done first. The record says how much of the file is certain; what is
  /// beyond was never durable for certain, and what is missing of it the disk has lost.
  package static func restored(
    _ record: DownloadRecord, _ remains: Remains, date: Int64 = 0
  ) -> (download: Download, actions: [Action]) {
    var download = Download(record)
    let actions = download.takeUp(remains, date)
    return (download, actions)
  }

  private mutating func takeUp(_ remains: Remains, _ date: Int64) -> [Action] {
    let before = record
    if remains.isUnchecked, let length = remains.length, state != .cancelled { return takeIn(length, remains) }
    switch state {
    case .cancelled:
      return remains.length != nil || remains.isWhole ? [.discard] : []
    case .completed:
      if remains.isWhole { return [] }
      record.forgetBytes()
      (record.retry, record.path, record.endedAt, record.trouble) = (Retry(), nil, nil, .lost)
      return enter(.queued)
    // It gets its name in one step, and only when all is right.
    case .downloading(.publishing) where remains.isWhole:
      return complete(nil, date) + [.tell(.recovered(key, bytes: record.durable))]
    default: break
    }
    if !remains.hasOlder { record.path = nil }
    if let there = remains.length, there > 0 {
      record.durable = min(record.durable, there)
    } else {
      record.forgetBytes()
    }
    switch state {
    case .downloading:
      return enter(.queued) + [.tell(.recovered(key, bytes: record.durable))]
    case .retrying:
      // Nobody knows how long the power was away.
      let pause = record.pause ?? Retry.firstPause
      return (record == before ? [] : [.store(record)]) + [.schedule(newTicket(), after: pause)]
    // Given up by an older program, for what was not its own trouble.
    case .failed where record.trouble?.waitsAfterAll != nil:
      (record.waits, record.endedAt) = (record.trouble?.waitsAfterAll, nil)
      return enter(.queued)
    default: return record == before ? [] : [.store(record)]
    }
  }

  /// All that there is to be is here; what it waits for is a look at it, whatever went wrong before.
  private mutating func takeIn(_ length: Int64, _ remains: Remains) -> [Action] {
    if !remains.hasOlder { record.path = nil }
    (record.durable, record.retry, record.waits) = (length, Retry(), nil)
    (record.pause, record.trouble, record.endedAt, record.tag) = (nil, nil, nil, nil)
    // Whose bytes these are is not known yet.
    record.pieces = Pieces()
    return state == .paused ? [.store(record)] : enter(.queued) + [.tell(.recovered(key, bytes: length))]
  }
}
