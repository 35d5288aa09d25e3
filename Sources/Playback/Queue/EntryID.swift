/// Names one entry of the queue for good.
package struct EntryID: Hashable, Sendable, CustomStringConvertible {
  package let number: UInt64

  package init(number: UInt64) { self.number = number }

  package var description: String { String(number) }
}
