import Runtime

/// Everything is looked at at once: each whole file against what is known of it, then files of nobody, then what failed
/// long ago. A value without a disk; whoever has one asks what is next, and tells it what came of that.
package struct Checkup: Equatable, Sendable {
  package enum Step: Equatable, Sendable {
    case file(MediaKey)
    case orphans
    case failures
  }

  package enum Finding: Equatable, Sendable {
    case right, damaged
    case gone
    /// It could not be read to its end, and that says nothing of it.
    case interrupted
    /// It was given up, moved or fetched anew in the meantime.
    case other
  }

  package enum State: String, Sendable {
    case running, over
    /// What was found before counts.
    case calledOff = "called off"
  }

  private struct File: Equatable {
    var key: MediaKey
    var bytes: Int64
    /// As far as it counts.
    var read: Int64 = 0
  }

  package private(set) var state = State.running
  /// Of all of them.
  package private(set) var files = 0
  package private(set) var bytes: Int64 = 0
  package private(set) var checked = 0
  package private(set) var bytesRead: Int64 = 0
  /// Not as they were: they are fetched anew.
  package private(set) var repaired = 0
  package private(set) var unread = 0
  /// Files of nobody, and downloads that failed long ago and that nobody wants.
  package private(set) var removed = 0
  /// That failed long ago, and are tried once more.
  package private(set) var again = 0
  private var ahead: ArraySlice<File>
  private var rest: ArraySlice<Step> = [.orphans, .failures]
  private var now: File?

  package init(of whole: [DownloadRecord]) {
    ahead = whole.map { File(key: $0.key, bytes: max($0.durable, 0)) }[...]
    files = ahead.count
    for file in ahead { bytes = bytes.plus(file.bytes) }
  }

  /// Nil when it is over.
  package mutating func next() -> Step? {
    guard state == .running else { return nil }
    if let file = ahead.popFirst() {
      now = file
      return .file(file.key)
    }
    if let step = rest.popFirst() { return step }
    state = .over
    return nil
  }

  /// More of the one that is being looked at; never more than there was to be of it.
  package mutating func read(_ count: Int64) {
    guard let now else { return }
    let more = min(max(count, 0), now.bytes - now.read)
    self.now?.read += more
    bytesRead += more
  }

  package mutating func found(_ finding: Finding) {
    guard let file = now else { return }
    now = nil
    // Of what was called off in its middle nothing is known.
    if finding == .interrupted, state == .calledOff { return }
    checked += 1
    bytesRead += file.bytes - file.read
    switch finding {
    case .right, .other: break
    case .damaged, .gone: repaired += 1
    case .interrupted: unread += 1
    }
  }

  package mutating func took(removed: Int, again: Int = 0) {
    self.removed += removed
    self.again += again
  }

  package mutating func callOff() { if state == .running { state = .calledOff } }

  /// Everything was looked at.
  package var isThorough: Bool { state == .over && unread == 0 }
}

/// What becomes of downloads that have failed.
package enum OldFailure: Equatable, Sendable {
  case stays
  /// Whatever was in the way may be gone by now.
  case again
  case goes

  package static let afterDays: Int64 = 7

  /// `date`: seconds since 1970; nil while nobody knows the time.
  package init(of record: DownloadRecord, isWanted: Bool, at date: Int64?) {
    let age = date.map { $0 - (record.endedAt ?? $0) } ?? 0
    guard record.state == .failed, age >= Self.afterDays * 86_400 else {
      self = .stays
      return
    }
    self = isWanted ? .again : .goes
  }
}

/// How far a check is, or what came of the last one.
package struct CheckLine: Equatable, Sendable {
  package var check: Checkup
  /// Bytes a second, lately.
  package var speed: Int64 = 0

  package init(_ check: Checkup) { self.check = check }

  package var isRunning: Bool { check.state == .running }
  package var left: Duration? {
    speed > 0 && isRunning ? .seconds((check.bytes - check.bytesRead) / speed) : nil
  }
}
