import Application
import Playback

/// What hands and rows ask for. What is not allowed is not shown, and not done either, whatever asks for it.
extension AccessRights {
  package func allows(_ meaning: Controls.Meaning) -> Bool { allows(meaning.capabilities) }
  package func allows(_ command: Player.Command) -> Bool { allows(command.capabilities) }
  package func allows(_ action: MenuRow.Action) -> Bool { allows(action.capabilities) }
  func allows(_ place: MenuPlace) -> Bool { allows(place.capabilities) }
  func allows(_ action: MenuAction) -> Bool { allows([action.capability]) }

  private func allows(_ all: [Capability]) -> Bool { all.allSatisfy { allows($0) } }
}

/// The capabilities that a gesture's meaning needs, all of them. What everybody may do needs none.
extension Controls.Meaning {
  var capabilities: [Capability] {
    switch self {
    case .command(let command): command.capabilities
    case .playNext: [.skip, .playAndPause]
    case .choose, .confirm: [.answerQuestion]
    case .quit: [.quit]
    case .menu, .help: []
    }
  }
}

extension Player.Command {
  var capabilities: [Capability] {
    switch self {
    case .play, .pause, .toggle, .stop: [.playAndPause]
    case .next, .previous, .skip: [.skip]
    case .jump: [.jump]
    case .seek: [.seek]
    case .setVolume, .turn, .turnFromAfar, .mute, .toggleMute: [.volume]
    case .add: [.addOneToQueue]
    case .playNext, .replace, .playAtOnce: [.playNow]
    case .remove, .putBack, .move, .clear: [.changeQueue]
    case .repeats, .shuffle: [.shuffleAndRepeat]
    case .sleep: [.sleep]
    case .forget: [.forgetBookmark]
    case .giveWay: [.giveWay]
    // The player's own doing.
    case .refresh, .limitVolume, .readdress: []
    }
  }
}

extension MenuRow.Action {
  var capabilities: [Capability] {
    switch self {
    case .open(let place): place.capabilities
    case .perform(let action): [action.capability]
    case .back, .music, .none: []
    }
  }
}

extension MenuPlace {
  var capabilities: [Capability] {
    switch self {
    case .menu, .more: []
    case .queue: [.seeQueue]
    case .library, .list: [.browse]
    case .search, .found: [.search]
    case .thing(let thing):
      switch thing.kind {
      case .entry: [.jump]
      case .offer: [.seeSources]
      case .track, .all: [.addOneToQueue]
      }
    case .playlists, .playlist: [.seePlaylists]
    case .playlistEntry: [.seePlaylists, .playPlaylist]
    case .playlistFor, .write(.playlistName), .write(.newPlaylist): [.changePlaylists]
    case .goTo, .chapters: [.seek]
    case .sleep: [.sleep]
    case .sound, .equaliser, .normaliser, .bands: [.sound]
    case .downloads, .smart, .download, .storage, .storageDetails: [.seeDownloads]
    case .keep: [.seeDownloads, .seeSources]
    case .licences: [.seeLicences]
    case .account, .signInCode: [.signIn]
    case .sources, .source, .offers, .searchOffers, .offer: [.seeSources]
    case .qualities: [.want]
    case .sticks, .stick: [.seeSticks]
    case .notices, .notice, .state: [.seeNotices]
    case .about, .signs: [.seeAbout]
    case .code: [.seeReport]
    case .erasing: [.eraseDevice]
    case .settings, .settingsOf, .setting, .settingIn, .write(.setting): [.changeSettings]
    case .keys, .keysOf, .key, .learning, .knob: [.teachKeys]
    case .wireless: [.seeWireless]
    case .write(.wirelessPassword), .hotspot, .hotspotCode: [.changeWireless]
    case .write(.pin): [.unlock]
    case .dial(let dial): [dial.subject.capability]
    case .sure(let question): [question.action.capability]
    }
  }
}

extension Dial.Subject {
  var capability: Capability {
    switch self {
    case .volume: .volume
    case .crossfade, .band: .sound
    case .setting, .hours: .changeSettings
    }
  }
}

extension MenuAction {
  var capability: Capability {
    switch self {
    case .play, .playNext, .shuffleAll: .playNow
    case .playPlaylist, .playEntry: .playPlaylist
    case .addToQueue(let thing): thing.isOne ? .addOneToQueue : .addManyToQueue
    case .addPlaylistToQueue: .addManyToQueue
    case .jump: .jump
    case .removeEntry, .putBack, .moveEntry, .clearQueue, .playFormer: .changeQueue
    case .setShuffle, .setRepeat: .shuffleAndRepeat
    case .sleep: .sleep
    case .goTo: .seek
    case .setDial(let dial): dial.subject.capability
    case .equaliser, .night, .normaliser: .sound
    case .add, .makePlaylist, .renamePlaylist, .removeFromPlaylist, .moveInPlaylist, .deletePlaylist: .changePlaylists
    case .choose: .changeSettings
    case .startAnew: .restart
    case .erase: .eraseDevice
    case .keep: .want
    case .keepPlaylist: .keepPlaylist
    case .pauseDownload, .resumeDownload, .retryDownload, .dropDownload, .pauseAllDownloads, .resumeAllDownloads,
      .stopKeeping:
      .changeDownloads
    case .dismissSmartDownload: .dismissSmartDownload
    case .check: .checkDownloads
    case .move: .moveDownloads
    case .renewLicences: .renewLicences
    case .signIn, .callOffSignIn, .signOut: .signIn
    case .copyStick: .copyMusic
    case .ejectStick: .ejectStick
    case .unbind, .forgetKey, .forgetKnob: .teachKeys
    case .clearNotices: .seeNotices
    case .lookForNetworks: .seeWireless
    case .joinNetwork, .forgetNetwork, .startHotspot, .stopHotspot: .changeWireless
    case .lock: .lock
    }
  }
}
