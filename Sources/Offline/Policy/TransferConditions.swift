import Runtime

/// What the board's surroundings are, as far as transfers are concerned. The wiring fills it from what the kernel and the
/// probe tell; see `TransferPolicy` for what follows.
package struct TransferConditions: Equatable, Sendable {
  package enum Network: String, Sendable, CaseIterable {
    case none, wired, wifi, mobile
  }

  package enum Internet: String, Sendable, CaseIterable {
    /// The probe has not run yet. Transfers go on as if the internet were there, since a board may have no probe at all.
    case unknown
    case reached
    case portal
    case none
  }

  package var network = Network.none
  /// Whether traffic costs money: by the kind of network, its name, or the owner's word.
  package var isMetered = false
  package var internet = Internet.unknown
  /// The measured speed of this network; nil until enough has come over it.
  package var bitsASecond: Int64?
  /// Per cent; nil without a battery.
  package var battery: Int?
  package var hasCharger = false
  /// The battery is so low that nothing is to be written but what somebody listens to.
  package var holdsWrites = false
  /// Bytes that are free on the disk the music belongs on; nil while that is not there.
  package var free: Int64? = .max
  /// Bytes of music that are kept.
  package var kept: Int64 = 0
  /// Degrees Celsius; nil where there is no sensor.
  package var heat: Int?
  /// Since midnight, where the board is; nil while the clock is not set.
  package var minute: Int?

  package init() {}

  /// What the board runs on: its battery, in per cent; nil on a charger and without a battery.
  package var drained: Int? { hasCharger ? nil : battery }
  /// Neither the line nor the power costs anything.
  package var isFree: Bool { !isMetered && (hasCharger || battery == nil) }
  package var isOnLowBattery: Bool { drained.map { $0 < QualityChoice.lowBattery } ?? false }
}

/// What the owner wants transfers to cost.
package struct TransferRules: Equatable, Sendable {
  package var downloadsOnMetered = false
  package var streamsOnMetered = true
  /// Nil: at any time.
  package var hours: Hours?
  /// Bytes of music that are kept at most.
  package var limit: Int64 = 10_000_000_000
  /// Bytes a second for all downloads together.
  package var cap: Int64?
  package var atOnce = 3
  /// What may be wanted is fetched unasked.
  package var isPredicting = false
  /// Also over a wired network, which may be a telephone on a cable, and not only over Wi-Fi.
  package var predictsOnWired = false
  package var quality = QualityChoice()
  /// Whole files are read again when there is time.
  package var looksAfter = true
  /// Bytes of the disk that stay free.
  package var reserve = TransferPolicy.reserve
  /// When a network is there again, downloads begin at some time within so much: every other board in the street has it
  /// back too.
  package var settling = TransferPolicy.settling

  /// Minutes since midnight; may go past it (22:00 to 6:00).
  package struct Hours: Equatable, Sendable {
    package var from: Int
    package var to: Int

    package init(from: Int, to: Int) { (self.from, self.to) = (from, to) }

    package func contains(_ minute: Int) -> Bool {
      if from == to { return true }
      return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }
  }

  package init() {}
}
