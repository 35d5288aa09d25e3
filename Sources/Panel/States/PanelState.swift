import Application
import Playback
import Runtime

/// Something about the device that is not as usual and that a person should know for as long as it lasts: one sentence
/// that says what happened, at most two that say what happens now, and one thing that can be done about it, where there
/// is one. `all(of:by:_:)` is the whole rule; `NowPlayingScreen+State.swift` draws all of them.
package struct PanelState: Equatable, Sendable {
  package enum Kind: CaseIterable, Sendable {
    case closed, noDevice, fullDisk, safeMode, locked, importing, serverAway, nothingHere
  }

  /// What a press does while the state has the screen.
  enum Action: Equatable, Sendable {
    case playLibrary
    case open(MenuPlace)
  }

  var kind: Kind
  var title: String
  /// In place of the title, where that has no room.
  var inShort: String?
  var now: [String] = []
  var action: Action?
  /// The words for `action`.
  var offer = ""
  /// How far it is, from 0 to 1.
  var part: Double?
  var percent: Int? { part.map { Int($0 * 100) } }
  /// What may help, for the details page alone.
  var help: String?
  /// What went wrong, with its code, for the details page alone.
  var raw: String?
  /// By which a notice of the same is known.
  var code: String?

  init(_ kind: Kind, _ title: String, _ set: (inout PanelState) -> Void = { _ in }) {
    (self.kind, self.title) = (kind, title)
    set(&self)
  }

  /// It stands over the music as a warning.
  var isWarning: Bool {
    switch kind {
    case .noDevice, .fullDisk, .safeMode: true
    case .closed, .locked, .importing, .serverAway, .nothingHere: false
    }
  }

  /// Over music that plays it passes when it is read, and then is told in a few words; what has stopped the music does not.
  var passes: Bool { isWarning && kind != .noDevice }

  var readingTime: Duration { Notice.readingTime(of: sentences.joined(separator: " ")) }

  /// It is told in a few words beside the music.
  var isQuiet: Bool { kind == .importing || kind == .serverAway }

  /// All of it, as it is read aloud and shown in one line.
  var sentences: [String] { [title] + now }
}

extension PanelState {
  /// All states that hold, in the order in which they matter. `rights`: what cannot be done is not offered.
  package static func all(of facts: PanelFacts, by rights: AccessRights, _ words: PanelWords) -> [PanelState] {
    let states = [
      closed(facts, words), noDevice(facts, words), fullDisk(facts, words), safeMode(facts, words),
      locked(facts, rights, words), importing(facts, words), serverAway(facts, words),
      nothingHere(facts, rights, words),
    ]
    return states.compactMap(\.self).map { $0.offering(by: rights) }
  }

  private func offering(by rights: AccessRights) -> PanelState {
    var state = self
    let isAllowed =
      switch action {
      case nil: false
      case .playLibrary: rights.allows(Player.Command.toggle) && rights.allows(Capability.playNow)
      case .open(let place): rights.allows(place)
      }
    if !isAllowed { (state.action, state.offer) = (nil, "") }
    return state
  }

  private static func closed(_ facts: PanelFacts, _ words: PanelWords) -> PanelState? {
    guard case .closed(let opening) = facts.hours else { return nil }
    return PanelState(.closed, words[.closed]) { $0.now = opening.map { [words.said($0)] } ?? [] }
  }

  private static func noDevice(_ facts: PanelFacts, _ words: PanelWords) -> PanelState? {
    guard let device = facts.missingDevice else { return nil }
    return PanelState(.noDevice, words[.deviceGone]) {
      $0.inShort = words[.noSoundDevice]
      if !facts.isEmpty { $0.now = [words.filled(.deviceNow, device)] }
    }
  }

  private static func fullDisk(_ facts: PanelFacts, _ words: PanelWords) -> PanelState? {
    guard let unsaved = facts.unsaved else { return nil }
    return PanelState(.fullDisk, words[unsaved.isFull ? .diskFull : .diskLocked]) {
      $0.inShort = words[unsaved.isFull ? .noRoomOnDisk : .diskReadOnly]
      $0.now = [words[unsaved.isFull ? .diskFullNow : .diskLockedNow]]
      ($0.raw, $0.code) = (words.said(unsaved.fault), unsaved.fault.code)
      if unsaved.isFull, !facts.sources.isEmpty {
        ($0.action, $0.offer) = (.open(.storage), words[.seeStored])
      }
    }
  }

  private static func safeMode(_ facts: PanelFacts, _ words: PanelWords) -> PanelState? {
    guard facts.isSafe else { return nil }
    return PanelState(.safeMode, words[.safeMode]) {
      $0.inShort = words[.justSafeMode]
      $0.now = [words[facts.isSilent ? .safeWaits : .safeNow], words[.safeRests]]
      let question = Question(words[.startAnew], .startAnew, yes: .startAnew)
      ($0.action, $0.offer) = (.open(.sure(question)), words[.startAnew])
    }
  }

  /// At a kiosk with nothing to play: whether it is a visitor's turn, or staff's.
  private static func locked(_ facts: PanelFacts, _ rights: AccessRights, _ words: PanelWords) -> PanelState? {
    guard facts.isEmpty, facts.hours == .open, case .locked(let opensByPIN) = facts.lock else { return nil }
    if rights.allows(MenuPlace.library) || rights.allows(MenuPlace.search) {
      return PanelState(.locked, words[.welcome]) { ($0.action, $0.offer) = (.open(.menu), words[.menu]) }
    }
    return PanelState(.locked, words[.locked]) {
      $0.now = [words[opensByPIN ? .staffOpens : .ownerOpens]]
      if opensByPIN { ($0.action, $0.offer) = (.open(.write(.pin)), words[.enterPIN]) }
    }
  }

  private static func importing(_ facts: PanelFacts, _ words: PanelWords) -> PanelState? {
    guard let work = facts.importing else { return nil }
    return PanelState(.importing, words.filled(.importing, work.name)) {
      if work.total > 0 {
        $0.now = [words.filled(.importPart, "\(work.seen)", "\(work.total)")]
        $0.part = Double(min(work.seen, work.total)) / Double(work.total)
      } else {
        $0.now = [words.filled(.importCount, "\(work.seen)")]
      }
      if let left = work.left { $0.now.append(words.filled(.importLeft, words.wait(left))) }
      if facts.offersLibrary { ($0.action, $0.offer) = (.playLibrary, words[.playLibrary]) }
    }
  }

  private static func serverAway(_ facts: PanelFacts, _ words: PanelWords) -> PanelState? {
    // It is news for a while, and then for whoever listens to that source; others find it beside what waits for it.
    let isAway = facts.away.map { facts.isEmpty || $0.isPlayed || $0.isNews(at: facts.now) } ?? false
    guard facts.isOffline || isAway, !facts.sources.isEmpty else { return nil }
    // With nothing to play, music that is here is better news than music that is not.
    if facts.isEmpty, facts.offersLibrary || facts.stick != nil { return nil }
    let title = facts.isOffline ? words[.noNetwork] : words.filled(.serverAway, facts.away?.source ?? "")
    return PanelState(.serverAway, title) {
      if !facts.isEmpty { $0.now.append(words[.storedPlays]) }
      if facts.isOffline, facts.isEmpty, facts.joinsWireless {
        ($0.action, $0.offer) = (.open(.wireless), words[.chooseNetwork])
        return
      }
      if !facts.isOffline, let again = facts.away?.again, again - facts.now > .seconds(60) {
        $0.now.append(words.filled(.triedIn, words.wait(again - facts.now)))
      } else {
        $0.now.append(words[facts.isOffline && facts.isEmpty ? .setUpNetwork : .triedAgain])
      }
      if let away = facts.away, !facts.isOffline {
        ($0.help, $0.raw) = (words[.isItOn], words.said(away.code, away.message))
      }
      ($0.action, $0.offer) = (.open(.keep), words[.seeWhy])
    }
  }

  private static func nothingHere(_ facts: PanelFacts, _ rights: AccessRights, _ words: PanelWords) -> PanelState? {
    guard facts.isEmpty else { return nil }
    return PanelState(.nothingHere, words[facts.offersLibrary ? .musicIsReady : .nothingToPlay]) {
      if facts.offersLibrary {
        ($0.action, $0.offer) = (.playLibrary, words[.playLibrary])
      } else if let stick = facts.stick {
        $0.now = [words.filled(.stickIsIn, stick.isEmpty ? words.begun(words[.thisStick]) : stick)]
        ($0.action, $0.offer) = (.open(.sticks), words[.openStick])
      } else if let source = facts.sources.first {
        $0.now = [words.filled(.sourceHas, source)]
        ($0.action, $0.offer) = (.open(facts.sources.count == 1 ? .source(source) : .sources), words[.lookThrough])
      } else if let folder = facts.musicFolder {
        $0.now = [words.filled(.putInto, PanelWords.shorteningPaths(in: folder))]
      } else {
        $0.now = [words[.addMusic]]
      }
      if facts.menuIsHeld, rights.allows(MenuPlace.menu) { $0.now.append(words[.menuByHolding]) }
    }
  }
}

extension PanelState.Action {
  var meaning: Controls.Meaning {
    switch self {
    case .playLibrary: .command(.play)
    case .open(let place): .menu(Self.move(to: place))
    }
  }

  static func move(to place: MenuPlace) -> Controls.MenuMove { place == .menu ? .open : .at(place) }
}

extension NowPlaying {
  /// Tells what a person should know beside the music, or in place of it. Notices of other things go first. `isRead`: the
  /// first warning has been there for long enough.
  package mutating func take(_ states: [PanelState], isRead: Bool = false) {
    let first = states.first(where: \.isWarning)
    let isOver = isRead && count > 0 && first?.passes == true
    if notice == nil, !isOver { warning = first }
    let beside = states.first { count == 0 ? !$0.isWarning && $0.kind != .closed : $0.isQuiet }
    told = isOver ? first : beside
  }
}
