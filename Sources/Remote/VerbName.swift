import Application

/// Every verb of a running player. Switches over it have no `default`, so the compiler names each one that lacks a verb.
enum VerbName: String, CaseIterable {
  case play, pause, toggle, stop, next, previous, seek, chapters, status, sleep
  case volume, mute, equaliser, normaliser, crossfade, giveway
  case queue, playnext, move, remove, shuffle, `repeat`
  case `import`, search, browse, letters, library, playlist, history, bookmarks, copy
  case offline, rights, signin = "sign-in", signout = "sign-out"
  case turn, press, screen, sticks, wifi, questions, answer, health, events, log, erase

  /// Everything that the verb can ask for; what one request asks for depends on its arguments. Whoever may open the
  /// socket may ask for all of it. Only `turn` and `press` are judged by the rights of the panel.
  var capabilities: Set<Capability> {
    switch self {
    case .play, .pause, .toggle, .stop: [.playAndPause]
    case .next, .previous: [.skip]
    case .seek: [.seek]
    case .status, .chapters: [.seeStatus]
    case .sleep: [.sleep]
    case .volume, .mute: [.volume]
    case .equaliser, .normaliser, .crossfade: [.sound]
    case .giveway: [.giveWay]
    case .queue: [.seeQueue, .addOneToQueue, .addManyToQueue, .playNow, .jump, .changeQueue]
    case .playnext: [.playNow]
    case .move, .remove: [.changeQueue]
    case .shuffle, .repeat: [.shuffleAndRepeat]
    case .import: [.importMusic]
    case .search, .letters: [.search]
    case .browse: [.browse]
    case .library: [.seeLibrary, .mendLibrary]
    case .playlist: [.seePlaylists, .changePlaylists, .keepPlaylist, .playPlaylist, .addManyToQueue]
    case .history: [.seeHistory]
    case .bookmarks: [.seeBookmarks, .forgetBookmark]
    case .copy: [.copyMusic]
    case .offline:
      [
        .seeDownloads, .seeSources, .want, .changeDownloads, .refineDownloads, .dismissSmartDownload, .checkDownloads,
        .moveDownloads, .acceptDisk, .playNow, .addManyToQueue,
      ]
    case .rights: [.seeLicences, .renewLicences]
    case .signin, .signout: [.signIn]
    case .turn, .press: [.gesture]
    case .screen, .events, .log: [.observe]
    case .sticks: [.seeSticks]
    case .wifi: [.seeWireless, .changeWireless]
    case .questions, .answer: [.answerQuestion]
    case .health: [.seeAbout]
    case .erase: [.eraseDevice]
    }
  }
}
