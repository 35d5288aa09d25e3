/// How much of the space set aside for music is spoken for: by what is here, and by what runs and will be here. Whoever
/// runs has claimed all it needs before its first byte comes, so that several together are not too much either.
package struct Budget: Equatable, Sendable {
  package var limit: Int64
  private var claims: [MediaKey: Int64] = [:]
  package private(set) var claimed: Int64 = 0

  /// What says that it is longer says nonsense; so many of those still make a sum.
  private static let most: Int64 = 1 << 48

  package init(limit: Int64 = .max) { self.limit = limit }

  /// Whatever the limit says: it is here.
  package mutating func set(_ key: MediaKey, to bytes: Int64) {
    let bytes = min(max(bytes, 0), Self.most)
    claimed += bytes - (claims[key] ?? 0)
    claims[key] = bytes > 0 ? bytes : nil
  }

  /// All that there will be of it. False: that is too much, and nothing has changed.
  package mutating func claim(_ bytes: Int64, for key: MediaKey) -> Bool {
    guard bytes > claims[key] ?? 0 else { return true }
    guard missing(bytes, for: key) == 0 else { return false }
    set(key, to: bytes)
    return true
  }

  package func claimed(by key: MediaKey) -> Int64 { claims[key] ?? 0 }

  /// So much would have to go first.
  package func missing(_ bytes: Int64, for key: MediaKey) -> Int64 {
    max(claimed - (claims[key] ?? 0) + min(max(bytes, 0), Self.most) - limit, 0)
  }

  package var room: Int64 { max(limit - claimed, 0) }
}
