/// A cache that keeps what was used lately, within a budget of bytes. New values go into the young generation. When that
/// is full, it becomes the old generation, and what was the old one is dropped. A value of the old generation that is
/// asked for moves to the young one, so only what nobody asked for since is dropped. No list of last uses is needed.
struct TwoGenerationCache<Key: Hashable, Value> {
  /// How many bytes each generation may have.
  let limit: Int
  private var young: [Key: (value: Value, bytes: Int)] = [:]
  private var old: [Key: (value: Value, bytes: Int)] = [:]
  private var youngBytes = 0
  private var oldBytes = 0

  init(limit: Int) { self.limit = limit }

  /// At most twice `limit`.
  var bytes: Int { youngBytes + oldBytes }

  subscript(key: Key) -> Value? {
    mutating get {
      if let found = young[key] { return found.value }
      guard let found = old[key] else { return nil }
      add(found.value, for: key, bytes: found.bytes)
      return found.value
    }
  }

  /// A value that is larger than `limit` is not kept.
  mutating func add(_ value: Value, for key: Key, bytes: Int) {
    guard bytes <= limit else { return }
    if let before = young[key] { youngBytes -= before.bytes }
    if youngBytes + bytes > limit {
      (old, oldBytes) = (young, youngBytes)
      (young, youngBytes) = ([:], 0)
      old[key] = nil
    }
    young[key] = (value, bytes)
    youngBytes += bytes
  }
}
