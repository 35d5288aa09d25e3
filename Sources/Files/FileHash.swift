/// Tells whether two files have the same bytes, by a key that nobody knows beforehand: chance passes once in 2^128, and
/// no stick can be prepared to. SipHash, not SHA-256: it needs no library that each start would load, and is several times as fast on
/// boards without instructions for it. For a value that is to be compared with others' it would not do.
package struct FileHash {
  package struct Value: Equatable, Sendable {
    package let upper: UInt64
    package let lower: UInt64

    package init(upper: UInt64, lower: UInt64) {
      self.upper = upper
      self.lower = lower
    }
  }

  private var hash: SipHash

  package init(_ key: Value) { hash = SipHash((key.upper, key.lower)) }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) { hash.add(bytes) }

  /// Of what was added so far.
  package var value: Value {
    let (upper, lower) = hash.finish()
    return Value(upper: upper, lower: lower)
  }
}
