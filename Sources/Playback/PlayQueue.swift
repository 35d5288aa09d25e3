import Runtime

/// What is to be played, in order, and the rules of what comes after what. A value: no file is touched, no clock read.
///
/// The same file may stand in it twice, so an entry is known by its id; ids grow and are never used again, which is
/// how a saved position can tell that its entry has gone.
package struct PlayQueue: Equatable, Sendable {
  package struct Entry: Equatable, Sendable {
    package let id: EntryID
    package let path: FilePath

    package init(id: EntryID, path: FilePath) {
      self.id = id
      self.path = path
    }
  }

  package enum Repeat: String, Sendable, CaseIterable {
    case off, all, one
  }

  package static let limit = 10_000

  package private(set) var entries: [Entry] = []
  /// Where each stands: ten thousand are asked for many times in a turn of the deck.
  private var places: [EntryID: Int] = [:]
  package private(set) var nextID: UInt64 = 1
  package var repeats = Repeat.off

  package init() {}

  /// Ids grow by one for each entry added; beyond this they were never ours.
  package static let lastID = UInt64(1) << 62

  /// As it was saved. Entries beyond the limit, ids seen twice, and ids that we never gave, are left out.
  package init(entries: [Entry], nextID: UInt64, repeats: Repeat) {
    var seen: Set<EntryID> = []
    // Not lazily: that would ask about each entry twice, and the second time every id has been seen.
    let sound = entries.filter { (1...Self.lastID).contains($0.id.number) && seen.insert($0.id).inserted }
    self.entries = Array(sound.prefix(Self.limit))
    self.nextID = max(nextID <= Self.lastID ? nextID : 1, (self.entries.map(\.id.number).max() ?? 0) + 1)
    self.repeats = repeats
    findPlaces(from: 0)
  }

  private mutating func findPlaces(from first: Int) {
    for index in first..<entries.count { places[entries[index].id] = index }
  }

  package var isEmpty: Bool { entries.isEmpty }

  /// Adds what fits at the end; gives back the entries that were made.
  package mutating func append(_ paths: [FilePath]) -> [Entry] {
    let fitting = paths.prefix(max(Self.limit - entries.count, 0))
    let made = fitting.enumerated().map { Entry(id: EntryID(number: nextID + UInt64($0)), path: $1) }
    nextID += UInt64(made.count)
    entries += made
    findPlaces(from: entries.count - made.count)
    return made
  }

  package mutating func removeAll() {
    entries = []
    places = [:]
  }

  @discardableResult
  package mutating func remove(_ id: EntryID) -> Bool {
    guard let index = index(of: id) else { return false }
    entries.remove(at: index)
    places[id] = nil
    findPlaces(from: index)
    return true
  }

  package func index(of id: EntryID?) -> Int? {
    id.flatMap { places[$0] }
  }

  package func entry(_ id: EntryID?) -> Entry? { index(of: id).map { entries[$0] } }

  /// What plays by itself when `id` ends; nil at the end of the queue.
  package func successor(of id: EntryID) -> Entry? {
    guard let index = index(of: id) else { return nil }
    if repeats == .one { return entries[index] }
    return neighbour(of: index, by: 1)
  }

  /// What a person gets who skips `count` entries on, or back when it is negative. Going back stops at the first;
  /// nil beyond the end. "Repeat one" holds what plays by itself, not a person who wants to go on.
  package func skip(from id: EntryID, by count: Int) -> Entry? {
    guard let index = index(of: id) else { return nil }
    return neighbour(of: index, by: count)
  }

  private func neighbour(of index: Int, by count: Int) -> Entry? {
    let (wanted, overflow) = index.addingReportingOverflow(count)
    if repeats == .all {
      let turn = ((index + count % entries.count) % entries.count + entries.count) % entries.count
      return entries[turn]
    }
    if overflow { return count > 0 ? nil : entries.first }
    return wanted < entries.count ? entries[max(wanted, 0)] : nil
  }
}

/// Names one entry of the queue for good.
package struct EntryID: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }

  package var description: String { String(number) }
}
