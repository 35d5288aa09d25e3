/// What a sound device can do, as it said when it was last asked.
package struct DeviceAbility: Equatable, Sendable {
  /// Frames a second, in order; empty for one that takes what comes.
  package var rates: [Int32]
  /// The most bits a sample that it takes.
  package var bits: Int32

  package init(rates: [Int32], bits: Int32) {
    self.rates = rates.sorted()
    self.bits = bits
  }

  /// The rate at which music of `rate` is played: its own if the device has it, else a multiple of it, which is
  /// converted best, else the next higher one, so that nothing is lost, else the highest there is.
  package func rate(for rate: Int32) -> Int32 {
    if rates.isEmpty || rates.contains(rate) { return rate }
    if let multiple = rates.first(where: { $0 > rate && $0 % rate == 0 }) { return multiple }
    return rates.first { $0 > rate } ?? rates.last ?? rate
  }
}
