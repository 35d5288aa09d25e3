import Application
import Hardware
import Runtime

extension MenuPages {
  /// How it stands comes first, then what can be joined, the strongest first.
  func wireless(_ shown: WirelessSetup.Shown?, _ settings: Settings) -> [MenuRow] {
    guard let shown else { return [row(.noWireless, .none)] }
    var rows = [state(of: shown.state)]
    guard shown.state != .noRadio else { return rows }
    // An access point cannot look around, and nothing is joined meanwhile.
    if case .hotspot = shown.state { return rows + [row(.setUpByPhone, .open(.hotspot))] }
    let byPhone = row(.setUpByPhone, .open(.hotspot)) { $0.isBeside = true }
    // Nothing is quicker where nothing was ever joined.
    if !shown.isSet { rows.append(byPhone) }
    let joined = shown.state.joinedName
    rows += shown.networks.map { network in
      let name = String(decoding: network.ssid, as: UTF8.self)
      return MenuRow(shownPlain(name), joining(network, isJoined: name == joined)) {
        $0.value = words.percent("\(network.bars * 25)")
        if !network.isLocked { $0.detail = words[.openToAll] }
        if name == joined { $0.sign = .current }
      }
    }
    rows.append(
      row(shown.isLooking ? .lookingForNetworks : .lookAgain, shown.isLooking ? .none : .perform(.lookForNetworks)) {
        $0.isBeside = true
      })
    if shown.isSet {
      rows.append(byPhone)
      let text = words.labelled(.forgetNetwork, joined ?? words[.wireless])
      let gone = Question(text, .forgetNetwork, yes: .forgetNetwork)
      rows.append(row(.forgetNetwork, .open(.sure(gone))) { $0.isBeside = true })
    }
    if let entry = table.choosable(Setting<String>.radioCountry.name) {
      var country = setting(entry, settings, waiting: [])
      country.isBeside = true
      rows.append(country)
    }
    return rows
  }

  /// A name that is no text, or has signs that steer a screen, cannot be written down anywhere.
  private func joining(_ network: SeenNetwork, isJoined: Bool) -> MenuRow.Action {
    guard !isJoined, let name = String(validating: network.ssid, as: UTF8.self),
      StickSetup.Network.mistake(name, password: nil, country: nil) == nil
    else { return .none }
    guard !network.isLocked else { return .open(.write(.wirelessPassword(name))) }
    return .open(
      .sure(Question(words.labelled(.openToAll, shownPlain(name)), .joinNetwork(name, password: nil), yes: .joinIt)))
  }

  // MARK: The hotspot

  func hotspot(_ shown: WirelessSetup.Shown?) -> [MenuRow] {
    guard let shown, shown.state != .noRadio else { return [row(.noWireless, .none), row(.back, .back)] }
    let hotspot = shown.hotspot
    switch hotspot.phase {
    case .off, .failed:
      let trouble = if case .failed = hotspot.phase { told(hotspot) } else { "" }
      return [row(.start, .perform(.startHotspot))] + (trouble.isEmpty ? [] : text(trouble))
        + text(words[.hotspotExplained]) + [row(.back, .back)]
    case .starting:
      return [row(.starting, .none), row(.cancel, .perform(.stopHotspot)), row(.back, .back)]
    case .on:
      let left = hotspot.minutesLeft.map { "\($0) \(words[.minutes])" } ?? ""
      let said = hotspot.wish.map { [$0.name, words.labelled(.hotspotPassword, $0.password)] } ?? []
      return [row(.asSquare, .open(.hotspotCode))] + said.map { MenuRow($0) }
        + [row(.end, .perform(.stopHotspot)) { $0.value = left }, row(.back, .back)]
    case .leaving, .joining: return [MenuRow(told(hotspot)), row(.back, .back)]
    }
  }

  /// What somebody types who has no camera, in lines short enough for large letters.
  func lines(of wish: HotspotWish) -> [String] { [wish.name, words[.hotspotPassword], wish.password] }

  func told(_ hotspot: WirelessSetup.Hotspot) -> String {
    switch hotspot.phase {
    case .off: words[.hotspotIsOver]
    case .starting: words[.starting]
    case .on: words.filled(.waitsAs, hotspot.wish?.name ?? "")
    case .leaving, .joining: words[.waiting]
    case .failed(.radio): words[.noWireless]
    case .failed: words[.hotspotFailed]
    }
  }

  private func state(of state: WirelessState) -> MenuRow {
    func told(_ word: Word, _ name: String, _ address: String = "", _ further: Word? = nil) -> MenuRow {
      MenuRow(words.filled(word, words.filled(.quoted, name))) {
        $0.detail = further.map { words[$0] } ?? address
        $0.isBeside = true
      }
    }
    switch state {
    case .noRadio: return row(.noWireless, .none) { $0.isBeside = true }
    case .unset: return row(.inNoNetwork, .none) { $0.isBeside = true }
    case .hotspot(let name): return told(.waitsAs, name)
    case .joining(let name): return told(.joins, name)
    case .refused(let name, .password): return told(.refusesPassword, name)
    case .refused(let name, .unseen): return told(.isNotInReach, name)
    case .refused(let name, _): return told(.letsNobodyIn, name)
    case .noAddress(let name): return told(.givesNoAddress, name)
    case .joined(let name, let address): return told(.hasJoined, name, address)
    case .online(let name, let address): return told(.hasJoined, name, address)
    case .noInternet(let name, _): return told(.hasJoined, name, "", .noInternetBehind)
    case .portal(let name, _): return told(.hasJoined, name, "", .wantsItsPage)
    }
  }
}

extension WirelessState {
  fileprivate var joinedName: String? {
    switch self {
    case .noRadio, .unset, .hotspot, .joining, .refused: nil
    case .noAddress(let name): name
    case .joined(let name, _), .noInternet(let name, _), .portal(let name, _), .online(let name, _): name
    }
  }
}
