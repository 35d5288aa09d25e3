/// Chance as a number: whatever is decided by it follows from the seed, the round and the entry, so that an order can be
/// told again from the seed alone, and a test that fails can be repeated.
package struct Chance: Equatable, Sendable {
  package let seed: UInt64

  package init(seed: UInt64) { self.seed = seed }

  /// A number that an entry draws in a round.
  func lot(of id: EntryID, round: UInt64) -> UInt64 {
    Self.mixed(Self.mixed(seed &+ round &* 0x9E37_79B9_7F4A_7C15) ^ id.number &* 0xD1B5_4A32_D192_ED03)
  }

  /// The same, brought into `range`; each place as likely as any other.
  func place(of id: EntryID, round: UInt64, in range: ClosedRange<Int>) -> Int {
    let lot = lot(of: id, round: round)
    return range.lowerBound + Int(UInt64(range.count).multipliedFullWidth(by: lot).high)
  }

  /// By the lots that they draw.
  func shuffled(_ ids: some Sequence<EntryID>, round: UInt64) -> [EntryID] {
    // Drawn once each; the id decides between equals, or the order would be the sort's.
    let lots = ids.map { (lot: lot(of: $0, round: round), id: $0) }
    return lots.sorted { ($0.lot, $0.id.number) < ($1.lot, $1.id.number) }.map(\.id)
  }

  /// The last step of SplitMix64.
  private static func mixed(_ value: UInt64) -> UInt64 {
    var mixed = value &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
