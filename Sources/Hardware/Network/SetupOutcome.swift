import Runtime

/// The result of setting up the board: one word in a file that the system writes and the player reads.
package enum SetupOutcome: String, CaseIterable, Sendable {
  /// Written down; the network is being looked for.
  case joining
  /// Written down that no network is to be joined; the radios are being told.
  case leaving
  /// The name alone, which needs nothing more.
  case done
  case joined
  /// The network refuses the password; it is not in reach; it is in reach and does not answer.
  case password, unseen, silent
  /// The board has no radio, or nothing that joins a network with it.
  case radio, service
  /// The wish was not one.
  case refused
  case failed

  package static let fileName = "result"

  package init?(_ bytes: [UInt8]) {
    self.init(rawValue: String(decoding: bytes.prefix { $0 != 0x0A }.prefix(40), as: UTF8.self))
  }

  package var bytes: [UInt8] { Array("\(rawValue)\n".utf8) }

  package var isFinal: Bool { self != .joining && self != .leaving }

  /// It is written down, whether the network is there or not: the same file need not be asked about again.
  package var isInForce: Bool {
    switch self {
    case .done, .joined, .unseen, .radio: true
    case .joining, .leaving, .password, .silent, .service, .refused, .failed: false
    }
  }
}

extension SetupOutcome {
  /// What a person is told.
  package func notice(of setup: StickSetup) -> Notice {
    let ssid = setup.network.map { "\"\(shownPlain($0.ssid))\"" } ?? "the network"
    let name = [setup.network.map { shownPlain($0.ssid) } ?? "Wi-Fi"]
    let named = setup.boardName.map { "The board is called \"\(shownPlain($0))\"" }
    return switch self {
    case .joined:
      Notice(
        "H-722", "\(named.map { "\($0), and" } ?? "The board") has joined \(ssid)", as: "setup joined", names: name)
    case .done, .joining, .leaving: Notice("H-722", named ?? "The board is set up")
    case .password:
      Notice("H-723", "\(ssid) refuses the board: the password may be wrong", as: "setup password", names: name)
    case .unseen:
      Notice("H-723", "\(ssid) is not in reach; the board joins it when it is", as: "setup unseen", names: name)
    case .silent:
      Notice("H-723", "\(ssid) is in reach and does not let the board in", as: "setup silent", names: name)
    case .radio:
      Notice("H-723", "The board has no Wi-Fi; it joins \(ssid) when it gets one", as: "setup radio", names: name)
    case .service:
      Notice(
        "H-723", "This board cannot join \(ssid): wpa_supplicant is not installed on it", as: "setup service",
        names: name)
    case .refused, .failed: Notice("H-724", "The board could not be set up; the system's log says why")
    }
  }
}
