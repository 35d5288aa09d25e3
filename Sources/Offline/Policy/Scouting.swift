import Runtime

/// Who is sent to look whether a source serves again. All that wait for it are not tried: the one that has waited longest
/// is, after a minute and then less and less often, and when anything comes from there, all of them go on.
///
/// One that has failed again where another had just succeeded is odd: it goes on only when it is its turn to look. In
/// memory alone; after a power cut everything that waits is tried once.
package struct Scouting: Equatable, Sendable {
  package static let firstPause: Duration = .seconds(60)
  package static let longestPause: Duration = .seconds(3_600)

  private struct Post: Hashable {
    var source: String
    var reason: WaitReason
  }

  private struct Line: Equatable {
    /// Since when.
    var waiting: [MediaKey: Moment] = [:]
    var scout: MediaKey?
    var pause = Scouting.firstPause
    var due: Moment
  }

  private var lines: [Post: Line] = [:]
  /// They went on because something had come from their source, and nothing of their own has come since: each for what
  /// it had waited for. An address that a source gives says nothing of the server that it leads to.
  private var trusting: [MediaKey: WaitReason] = [:]
  private var odd: [MediaKey: WaitReason] = [:]

  package init() {}

  package var isEmpty: Bool { lines.isEmpty }

  /// It waits for its source from now on. Other reasons are others' concern.
  package mutating func waits(_ key: MediaKey, for reason: WaitReason, at now: Moment) {
    guard reason.isOutage else { return left(key) }
    left(key)
    if trusting.removeValue(forKey: key) == reason { odd[key] = reason }
    let post = Post(source: key.source, reason: reason)
    var line = lines[post] ?? Line(due: now + Self.firstPause)
    // It has looked, and found nothing.
    if line.scout == key { (line.scout, line.due) = (nil, now + line.pause) }
    line.waiting[key] = now
    lines[post] = line
  }

  /// It does not wait any more, whoever said so.
  package mutating func left(_ key: MediaKey) {
    for post in lines.keys where post.source == key.source {
      lines[post]?.waiting[key] = nil
      if lines[post]?.waiting.isEmpty == true, lines[post]?.scout == nil { lines[post] = nil }
    }
  }

  /// Something came of it that others of its source wait for too: those that go on.
  package mutating func came(_ key: MediaKey, for reason: WaitReason) -> [MediaKey] {
    if trusting[key] == reason { trusting[key] = nil }
    // What was odd is served: its source was away once more, and the others are no odder than this one.
    if odd[key] == reason { odd = odd.filter { $0.key.source != key.source || $0.value != reason } }
    let post = Post(source: key.source, reason: reason)
    guard var line = lines[post] else { return [] }
    let going = line.waiting.keys.filter { odd[$0] != reason }.sorted()
    for key in going {
      line.waiting[key] = nil
      trusting[key] = reason
    }
    line.scout = nil
    if !going.isEmpty { line.pause = Self.firstPause }
    lines[post] = line.waiting.isEmpty ? nil : line
    return going
  }

  /// Those whose turn it is to look, one of each source. `isWanted`: it would be fetched if it were let.
  package mutating func scouts(at now: Moment, where isWanted: (MediaKey) -> Bool = { _ in true }) -> [MediaKey] {
    var scouts: [MediaKey] = []
    for (post, var line) in lines where line.due <= now {
      let able = line.waiting.filter { isWanted($0.key) }
      let next = able.min { left, right in
        left.value != right.value ? left.value < right.value : left.key < right.key
      }
      guard let next else { continue }
      line.waiting[next.key] = nil
      line.scout = next.key
      line.pause = min(line.pause * 2, Self.longestPause)
      // Should it never come back to tell.
      line.due = now + line.pause
      lines[post] = line
      scouts.append(next.key)
    }
    return scouts.sorted()
  }

  /// Another way leads to the sources: what was found out over the old one says nothing.
  package mutating func newLine() -> [MediaKey] {
    let all = lines.values.flatMap { $0.waiting.keys }.sorted()
    self = Scouting()
    return all
  }
}
