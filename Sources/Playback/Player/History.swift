import Runtime

/// What was heard, and the way back through it. Both are bounded; of the first what is oldest is forgotten, of the
/// second too.
package struct History: Equatable, Sendable {
  /// An entry of the queue that was heard; `Listening` is what is kept of it for good.
  package struct PlayedEntry: Equatable, Sendable {
    package let entry: EntryID
    package let path: FilePath
    /// By the date as it was then, in seconds since 1970; a board may not have known better.
    package let begun: Int64
    /// Sound, without pauses.
    package let lasted: Duration
    /// To its end; otherwise somebody went on.
    package let isFinished: Bool
    /// Some of it came from its source while it was heard.
    package let isStreamed: Bool

    package init(
      entry: EntryID, path: FilePath, begun: Int64, lasted: Duration, isFinished: Bool, isStreamed: Bool = false
    ) {
      self.entry = entry
      self.path = path
      self.begun = begun
      self.lasted = lasted
      self.isFinished = isFinished
      self.isStreamed = isStreamed
    }
  }

  package static let limit = 500

  /// Oldest first.
  package private(set) var heard: [PlayedEntry]
  /// Where somebody was before, oldest first. Beside what was heard, because the way back shortens as it is gone.
  private var trail: [EntryID]

  /// As it was saved. The way back begins with all that was heard.
  package init(_ heard: [PlayedEntry] = []) {
    self.heard = Array(heard.suffix(Self.limit))
    trail = self.heard.map(\.entry)
  }

  /// Each file once, those first that were heard most often.
  var oftenest: [FilePath] {
    var times: [FilePath: Int] = [:]
    for one in heard { times[one.path, default: 0] += 1 }
    return times.sorted { ($1.value, $0.key.bytes.count) < ($0.value, $1.key.bytes.count) }.map(\.key)
  }

  mutating func note(_ new: PlayedEntry) {
    if heard.count == Self.limit { heard.removeFirst() }
    heard.append(new)
  }

  /// Somebody goes on from here.
  mutating func leave(_ id: EntryID) {
    guard trail.last != id else { return }
    if trail.count == Self.limit { trail.removeFirst() }
    trail.append(id)
  }

  /// Where it was before, passing over what `isThere` no longer holds for.
  mutating func stepBack(_ isThere: (EntryID) -> Bool) -> EntryID? {
    while let last = trail.popLast() { if isThere(last) { return last } }
    return nil
  }
}

/// What is being heard just now, until it becomes history.
struct Hearing: Equatable {
  let entry: EntryID
  let path: FilePath
  let begun: Int64
  var isStreamed = false
  var lasted = Duration.zero
}
