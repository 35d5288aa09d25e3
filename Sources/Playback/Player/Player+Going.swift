import Audio
import Formats
import Runtime

/// From one entry to another: what is left behind is remembered, and what comes begins where it should.
extension Player {
  enum Way {
    /// The next in turn.
    case onward
    /// Where somebody pointed.
    case elsewhere
    case back
  }

  /// Goes there; whether it plays is as it was. Whoever calls has left the entry before.
  mutating func go(to turn: PlayQueue.Turn, _ way: Way) -> [Action] {
    let entered = arrive(at: turn, way)
    startAt = start(of: turn.id)
    return entered + (wish == .playing ? begin() : halt())
  }

  /// It is the current one from now on.
  mutating func arrive(at turn: PlayQueue.Turn, _ way: Way) -> [Action] {
    if way != .back, let current, current != turn.id { history.leave(current) }
    switch way {
    case .elsewhere, .back: playedSince = turn.id
    case .onward:
      // Round to the first, nothing of this round has been played.
      if let old = queue.index(of: current), let new = queue.index(of: turn.id), new < old { playedSince = turn.id }
    }
    current = turn.id
    return queue.enter(turn).map { .save(.queue($0)) }
  }

  /// Where it begins when nobody says where.
  func start(of id: EntryID) -> TrackPlace {
    queue.entry(id).flatMap { bookmarks.start(of: $0.path) }.map { .time($0) } ?? .beginning
  }

  /// The current entry is left in its middle: becomes history, and keeps its place if it is long.
  mutating func leave(_ heard: Spot) -> [Action] {
    guard let id = current else { return [] }
    return close(asFinished: false) + keepPlace(of: id, heard.elapsed)
  }

  /// It was heard to its end.
  mutating func finish() -> [Action] {
    guard let id = current, let path = queue.entry(id)?.path else { return close(asFinished: true) }
    return close(asFinished: true) + (bookmarks.remove(path) ? [.save(.noBookmark(path))] : [])
  }

  private mutating func close(asFinished isFinished: Bool) -> [Action] {
    guard let over = hearing else { return [] }
    hearing = nil
    guard over.lasted > .zero else { return [] }
    let heard = History.PlayedEntry(
      entry: over.entry, path: over.path, begun: over.begun, lasted: over.lasted, isFinished: isFinished,
      isStreamed: over.isStreamed)
    history.note(heard)
    return [.save(.heard(heard))]
  }

  private mutating func keepPlace(of id: EntryID, _ place: Duration) -> [Action] {
    guard let path = queue.entry(id)?.path, isLong(id, path) else { return [] }
    // Passed over on the way to another: it stays where it was left.
    guard isHeard || startAt != start(of: id) else { return [] }
    let left = items[id]?.length.map { $0 - place } ?? .seconds(3_600)
    guard place >= Bookmarks.margin, left >= Bookmarks.margin else {
      return bookmarks.remove(path) ? [.save(.noBookmark(path))] : []
    }
    return mark(path, place)
  }

  private mutating func mark(_ path: FilePath, _ place: Duration) -> [Action] {
    guard bookmarks.place(of: path) != place else { return [] }
    bookmarks.put(path, at: place)
    return [.save(.bookmark(path, place))]
  }

  /// Not opened in this run, it is long if it was so before.
  func isLong(_ id: EntryID, _ path: FilePath) -> Bool {
    guard let item = items[id] else { return bookmarks.place(of: path) != nil }
    return item.isSpoken || item.length.map { $0 >= rules.bookmarksAfter } == true
  }

  /// The first sound of an entry, or the first after a seek.
  mutating func listen(to id: EntryID) -> [Action] {
    let isStreamed = items[id]?.isStreamed == true
    // Begun anew after a seek, it may come from its source now, or from its file.
    if hearing?.entry == id, isStreamed { hearing?.isStreamed = true }
    guard hearing?.entry != id, let path = queue.entry(id)?.path else { return [] }
    hearing = Hearing(entry: id, path: path, begun: date, isStreamed: isStreamed)
    // Known as long from now on, also to a start that has not opened it.
    guard isLong(id, path), bookmarks.place(of: path) == nil else { return [] }
    return mark(path, .zero)
  }
}
