/// How good something is fetched: as the owner says, else as good as the network is worth; and never better than a
/// battery that is running out allows. Streams and downloads have a setting each. A download keeps the quality at
/// which it was wanted, so that only a stream minds how the line is just now.
package struct QualityChoice: Equatable, Sendable {
  package enum Setting: Equatable, Sendable {
    case auto
    case fixed(Quality)
  }

  package enum Connection: String, Sendable, CaseIterable {
    case wired, wifi, fourthGeneration, thirdGeneration, slow

    package var quality: Quality {
      switch self {
      case .wired, .wifi: .veryHigh
      case .fourthGeneration: .high
      case .thirdGeneration: .normal
      case .slow: .low
      }
    }
  }

  /// Per cent; below it nothing is better than low.
  package static let lowBattery = 20
  /// Per cent; below it nothing is better than normal. Above it what follows the line is high at most, and what the owner
  /// chose is as it was chosen.
  package static let halfBattery = 50
  /// A line has to carry so much more than the music needs.
  fileprivate static let headroom: Int64 = 2

  package var streams = Setting.auto
  package var downloads = Setting.fixed(.lossless)

  package init() {}

  /// `measured`: bits a second of real transfers, when there were any. `battery`: per cent, when the board runs on one.
  package func quality(
    for purpose: TransferPolicy.Purpose, on line: Connection, measured: Int64? = nil, battery: Int? = nil
  ) -> Quality {
    var quality: Quality
    let setting = purpose == .stream ? streams : downloads
    switch setting {
    case .fixed(let chosen): quality = chosen
    case .auto:
      quality = line.quality
      // A download may take its time; a stream must come in time.
      if purpose == .stream, let measured {
        let bearable = Quality.allCases.last { $0.bitsASecond * Self.headroom <= measured }
        quality = min(quality, bearable ?? .low)
      }
    }
    guard let battery else { return quality }
    if battery < Self.lowBattery { return min(quality, .low) }
    if battery < Self.halfBattery { return min(quality, .normal) }
    return setting == .auto ? min(quality, .high) : quality
  }

  package func quality(
    for purpose: TransferPolicy.Purpose, in situation: TransferConditions, _ rules: TransferRules
  ) -> Quality {
    // What the owner holds back does not come either.
    let measured = [situation.bitsASecond, rules.cap.map { $0 * 8 }].compactMap { $0 }.min()
    let line = Connection(situation.network, measured: situation.bitsASecond)
    switch purpose {
    case .stream:
      return quality(for: .stream, on: line, measured: measured, battery: situation.drained)
    case .download where rules.downloadsOnMetered && situation.isMetered:
      return quality(for: .download, on: line, battery: situation.drained)
    // They wait for a line that costs nothing.
    case .download, .prediction: return quality(for: purpose, on: .wifi, battery: situation.drained)
    }
  }
}

extension QualityChoice.Connection {
  /// Which generation a modem speaks the kernel does not know; what came over it tells as much.
  private static let fast: Int64 = 2_000_000

  init(_ network: TransferConditions.Network, measured: Int64?) {
    if let measured, measured < QualityChoice.headroom * Quality.normal.bitsASecond {
      self = .slow
      return
    }
    switch network {
    case .none, .wired: self = .wired
    case .wifi: self = .wifi
    case .mobile: self = (measured ?? 0) >= Self.fast ? .fourthGeneration : .thirdGeneration
    }
  }
}
