import Playback
import Runtime

/// What may be done at the panel, by whoever stands in front of it. Everywhere but at a locked kiosk that is everything.
/// What is not allowed is not shown, and not done either, whatever asks for it. Pure.
package struct PanelRights: Equatable, Sendable {
  /// Nil: all there is.
  private let allowed: Set<KioskRight>?
  /// There is a PIN that opens the rest.
  private let opensByPIN: Bool

  package static let all = PanelRights(allowed: nil, opensByPIN: false)

  private init(allowed: Set<KioskRight>?, opensByPIN: Bool) {
    (self.allowed, self.opensByPIN) = (allowed, opensByPIN)
  }

  package init(only allowed: Set<KioskRight>, opensByPIN: Bool) {
    self.init(allowed: allowed, opensByPIN: opensByPIN)
  }

  package var areAll: Bool { allowed == nil }

  package func has(_ right: KioskRight) -> Bool { allowed?.contains(right) ?? true }

  private func hasAny(_ rights: KioskRight...) -> Bool { rights.contains { has($0) } }

  package func allows(_ meaning: Controls.Meaning) -> Bool {
    switch meaning {
    case .command(let command): allows(command)
    case .choose, .confirm, .quit: areAll
    case .menu, .help: true
    }
  }

  package func allows(_ command: Player.Command) -> Bool {
    switch command {
    case .play, .pause, .toggle, .stop: has(.pause)
    case .next, .previous, .skip, .jump: hasAny(.skip, .play)
    case .seek: has(.seek)
    case .setVolume, .turn, .turnFromAfar, .mute, .toggleMute: has(.volume)
    case .add: hasAny(.enqueue, .play)
    case .playNext, .remove, .move, .clear, .replace, .playAtOnce: has(.play)
    case .repeats, .shuffle: has(.order)
    case .sleep: has(.sleep)
    case .forget: areAll
    // No hand's doing.
    case .giveWay, .refresh, .limitVolume: true
    }
  }

  package func allows(_ action: MenuRow.Action) -> Bool {
    switch action {
    case .open(let place): allows(place)
    case .wish(let wish): allows(wish)
    case .back, .none: true
    }
  }

  func allows(_ place: MenuPlace) -> Bool {
    switch place {
    case .menu, .more: true
    case .queue: has(.queue)
    case .library, .list: has(.library)
    case .search, .found: has(.search)
    case .thing(let thing): allows(thing)
    case .playlists, .playlist: has(.playlists)
    case .sleep: has(.sleep)
    case .sound, .equaliser, .bands: has(.sound)
    case .downloads, .smart, .download, .storage: has(.downloads)
    case .sticks, .stick: has(.sticks)
    case .about: has(.about)
    case .dial(let dial): allows(dial.subject)
    case .write(.pin): opensByPIN
    case .playlistEntry: has(.playlists) && has(.play)
    case .sure(let question): allows(question.wish)
    case .write(.playlistName), .write(.newPlaylist), .write(.setting), .playlistFor, .settings,
      .settingsOf, .setting, .keys,
      .keysOf, .key, .learning, .knob, .code, .notices, .sources:
      areAll
    }
  }

  private func allows(_ thing: Thing) -> Bool {
    if case .entry = thing.kind { return hasAny(.skip, .play) }
    return hasAny(.enqueue, .play)
  }

  private func allows(_ subject: Dial.Subject) -> Bool {
    switch subject {
    case .volume: has(.volume)
    case .crossfade, .band: has(.sound)
    case .setting: areAll
    }
  }

  func allows(_ wish: Wish) -> Bool {
    switch wish {
    case .play, .shuffleAll, .playPlaylist, .playEntry, .playNext: has(.play)
    case .jump: hasAny(.skip, .play)
    // One song is a wish; all of an artist's are everybody's evening.
    case .enqueue(let thing): thing.isOne ? hasAny(.enqueue, .play) : has(.play)
    case .enqueuePlaylist: has(.play)
    case .removeEntry, .moveEntry, .clearQueue, .playFormer: has(.play)
    case .setShuffle, .setRepeat: has(.order)
    case .sleep: has(.sleep)
    case .setDial(let dial): allows(dial.subject)
    case .equaliser, .normaliser: has(.sound)
    case .lock: true
    case .add, .makePlaylist, .renamePlaylist, .removeFromPlaylist, .moveInPlaylist, .deletePlaylist,
      .choose, .startAnew, .pauseDownload, .resumeDownload, .retryDownload, .dropDownload, .pauseAllDownloads,
      .resumeAllDownloads, .sendAway, .check, .move, .copyStick, .ejectStick, .unbind, .forgetKey, .forgetKnob:
      areAll
    }
  }
}
