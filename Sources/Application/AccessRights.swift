import Runtime

/// What may be asked by whoever stands in front of the panel. Everywhere but at a locked kiosk that is everything. Pure.
package struct AccessRights: Equatable, Sendable {
  /// Nil: all there is.
  private let allowed: Set<KioskRight>?
  /// There is a PIN that opens the rest.
  private let opensByPIN: Bool

  package static let all = AccessRights(allowed: nil, opensByPIN: false)

  private init(allowed: Set<KioskRight>?, opensByPIN: Bool) {
    self.allowed = allowed
    self.opensByPIN = opensByPIN
  }

  package init(only allowed: Set<KioskRight>, opensByPIN: Bool) {
    self.init(allowed: allowed, opensByPIN: opensByPIN)
  }

  package var areAll: Bool { allowed == nil }

  /// The one place that judges. What a kiosk's owner cannot allow to visitors is for its keeper alone.
  package func allows(_ capability: Capability) -> Bool {
    switch capability {
    case .playAndPause: has(.pause)
    // A visitor who may choose what plays may also skip to it.
    case .skip, .jump: has(.skip) || has(.play)
    case .seek: has(.seek)
    case .sleep: has(.sleep)
    case .shuffleAndRepeat: has(.order)
    case .seeQueue: has(.queue)
    // One song is a wish; all of an artist's are everybody's evening.
    case .enqueueOne: has(.enqueue) || has(.play)
    case .enqueueMany, .playNow, .changeQueue, .playPlaylist: has(.play)
    case .volume: has(.volume)
    case .sound: has(.sound)
    case .browse: has(.library)
    case .search: has(.search)
    case .seePlaylists: has(.playlists)
    case .seeDownloads: has(.downloads)
    case .seeSticks: has(.sticks)
    case .seeAbout: has(.about)
    case .unlock: opensByPIN
    // A call is no hand's doing; what plays is for all to see, and who locks takes rights away.
    case .giveWay, .seeStatus, .lock, .gesture: true
    case .seeHistory, .seeBookmarks, .forgetBookmark, .seeLibrary, .importMusic, .mendLibrary, .copyMusic,
      .changePlaylists, .keepPlaylist, .seeSources, .want, .changeDownloads, .refineDownloads, .dismissGuess,
      .checkDownloads, .moveDownloads, .acceptDisk, .ejectStick, .seeNotices, .seeReport, .observe, .answerQuestion,
      .changeSettings, .restart, .teachKeys, .quit:
      areAll
    }
  }

  private func has(_ right: KioskRight) -> Bool { allowed?.contains(right) ?? true }
}
