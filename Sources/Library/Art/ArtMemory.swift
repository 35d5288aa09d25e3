import Pictures

/// What one picture at one size is called in both tiers.
package struct ArtKey: Hashable, Sendable {
  package let identity: ArtIdentity
  package let frame: PictureFrame
}

/// The first tier: pictures as they are drawn, within a budget of bytes; what was not asked for longest goes first. A
/// value, so that its order is tested without threads.
struct ArtMemory {
  private struct Entry {
    var picture: Picture
    var used: UInt64
  }

  let budget: Int
  private(set) var bytes = 0
  private var entries: [ArtKey: Entry] = [:]
  private var clock: UInt64 = 0

  init(budget: Int) { self.budget = budget }

  var count: Int { entries.count }

  /// Asked for, and so the last to go.
  mutating func picture(_ key: ArtKey) -> Picture? {
    clock += 1
    entries[key]?.used = clock
    return entries[key]?.picture
  }

  /// What is larger than the whole budget is not kept.
  mutating func keep(_ picture: Picture, as key: ArtKey) {
    drop(key)
    guard picture.byteCount <= budget else { return }
    // A few dozen at most: a search for the oldest is little.
    while bytes + picture.byteCount > budget, let oldest = entries.min(by: { $0.value.used < $1.value.used }) {
      drop(oldest.key)
    }
    clock += 1
    entries[key] = Entry(picture: picture, used: clock)
    bytes += picture.byteCount
  }

  private mutating func drop(_ key: ArtKey) {
    if let gone = entries.removeValue(forKey: key) { bytes -= gone.picture.byteCount }
  }
}
