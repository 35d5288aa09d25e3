internal import CLinux

/// What a card can show pictures with, as it says, and which of it is taken. Foreign figures.
struct CardOutputs {
  struct Connector {
    var id: UInt32
    var connection: UInt32
    var modes: [layby_kms_mode]
    /// The one in use first.
    var encoders: [UInt32]

    /// Panels on wires that cannot tell are taken to be there.
    var mayBeThere: Bool { connection != layby_kms_disconnected }
  }

  struct Encoder {
    /// What it is fed by now; 0 for nothing.
    var crtc: UInt32
    /// One bit for each of the card's.
    var possible: UInt32
  }

  /// What makes the picture of a mode, and where it goes.
  struct Choice {
    var connector: UInt32
    var crtc: UInt32
    var mode: layby_kms_mode
  }

  var crtcs: [UInt32]
  var connectors: [Connector]
  var encoders: [UInt32: Encoder]

  static let longestSide = 8_192

  /// The first that is surely there, else the first that may be; nil when nothing is.
  func choice(wanted: Size?) -> Choice? {
    let there = connectors.filter(\.mayBeThere)
    let inOrder = there.filter { $0.connection == layby_kms_connected } + there
    for connector in inOrder {
      guard let mode = mode(of: connector, wanted: wanted), let crtc = crtc(for: connector) else { continue }
      return Choice(connector: connector.id, crtc: crtc, mode: mode)
    }
    return nil
  }

  /// Of the wanted size if there is one, else the preferred, else the first, which the kernel thinks is best.
  private func mode(of connector: Connector, wanted: Size?) -> layby_kms_mode? {
    let usable = connector.modes.filter {
      (1...Self.longestSide).contains(Int($0.width)) && (1...Self.longestSide).contains(Int($0.height))
    }
    let fitting = usable.filter { Size(width: Int($0.width), height: Int($0.height)) == wanted }
    func best(_ modes: [layby_kms_mode]) -> layby_kms_mode? {
      modes.first { $0.type & layby_kms_preferred != 0 } ?? modes.first
    }
    return best(fitting) ?? best(usable)
  }

  /// The one that feeds it already, because nothing flickers then; else any that can.
  private func crtc(for connector: Connector) -> UInt32? {
    for id in connector.encoders {
      guard let encoder = encoders[id] else { continue }
      let possible = crtcs.enumerated().filter { $0.offset < 32 && encoder.possible >> UInt32($0.offset) & 1 == 1 }
        .map(\.element)
      if let crtc = possible.first(where: { $0 == encoder.crtc }) ?? possible.first { return crtc }
    }
    return nil
  }
}
