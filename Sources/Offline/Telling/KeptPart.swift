/// How much of something is on the device because somebody wants it there, or on its way.
package struct KeptPart: Equatable, Sendable {
  /// How many items it holds.
  package var items = 0
  package var wanted = 0
  /// Of those that are wanted.
  package var whole = 0
  package var failed = 0

  package init(items: Int = 0, wanted: Int = 0, whole: Int = 0, failed: Int = 0) {
    (self.items, self.wanted, self.whole, self.failed) = (items, wanted, whole, failed)
  }
}
