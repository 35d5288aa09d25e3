/// Tells whether two files have the same bytes, by a key that nobody knows beforehand: chance passes once in 2^128, and
/// no stick can be prepared to. SipHash, not SHA-256: it needs no library that each start would load, and is several times as fast on
/// boards without instructions for it. For a value that is to be compared with others' it would not do.
struct FileHash {
  struct Value: Equatable, Sendable {
    let upper: UInt64
    let lower: UInt64
  }

  private var hash: SipHash

  init(_ key: Value) { hash = SipHash((key.upper, key.lower)) }

  mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.add(bytes) }

  /// Of what was added so far.
  var value: Value {
    let (upper, lower) = hash.finish()
    return Value(upper: upper, lower: lower)
  }
}
