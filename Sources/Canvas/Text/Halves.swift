/// Keeps what was used lately, within a budget of bytes: when the young half is full it becomes the old half, and what
/// is not asked for again before the next change is gone.
struct Halves<Key: Hashable, Value> {
  /// Of each half.
  let limit: Int
  private var young: [Key: (value: Value, bytes: Int)] = [:]
  private var old: [Key: (value: Value, bytes: Int)] = [:]
  private var youngBytes = 0
  private var oldBytes = 0

  init(limit: Int) { self.limit = limit }

  /// Never more than two halves.
  var bytes: Int { youngBytes + oldBytes }

  subscript(key: Key) -> Value? {
    mutating get {
      if let found = young[key] { return found.value }
      guard let found = old[key] else { return nil }
      add(found.value, for: key, bytes: found.bytes)
      return found.value
    }
  }

  /// What alone is more than a half is not kept.
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
