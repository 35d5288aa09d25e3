import Runtime
import Store

/// Which recording a file holds: a hash over parts of its sound and its length, without the tags and wherever it lies.
/// Copies and moved files have the same, and share counts, history and places in playlists.
package struct ContentKey: Hashable, Sendable {
  package let upper: UInt64
  package let lower: UInt64

  package init(upper: UInt64, lower: UInt64) {
    self.upper = upper
    self.lower = lower
  }

  /// Nil unless there are 16 bytes.
  package init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    func whole(_ part: ArraySlice<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(upper: whole(bytes[..<8]), lower: whole(bytes[8...]))
  }

  package var bytes: [UInt8] {
    [upper, lower].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
  }
}

extension SQLValue {
  package init(_ key: ContentKey?) { self = key.map { .blob($0.bytes) } ?? .null }
}
