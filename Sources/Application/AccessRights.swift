import Runtime

/// What may be asked, and what the program may begin by itself. Three things take rights away, and all are judged here: a
/// locked kiosk, its opening hours, and safe mode. Pure.
package struct AccessRights: Equatable, Sendable {
  /// Nil: all there is.
  private let allowed: Set<KioskRight>?
  /// There is a PIN that opens the rest.
  private let opensByPIN: Bool
  /// The program has started in safe mode, and nobody has asked.
  private let isUnaskedInSafeMode: Bool

  package static let all = AccessRights(allowed: nil, opensByPIN: false)

  private init(allowed: Set<KioskRight>?, opensByPIN: Bool, isUnaskedInSafeMode: Bool = false) {
    (self.allowed, self.opensByPIN, self.isUnaskedInSafeMode) = (allowed, opensByPIN, isUnaskedInSafeMode)
  }

  /// A visitor in front of a locked kiosk, who has no rights outside the opening hours.
  package init(only allowed: Set<KioskRight>, opensByPIN: Bool, isClosed: Bool = false) {
    self.init(allowed: isClosed ? [] : allowed, opensByPIN: opensByPIN)
  }

  /// The program itself, when nobody has asked. In safe mode it does not begin what may have ended it: taking in music,
  /// going on with copies, downloads.
  package static func program(inSafeMode: Bool) -> AccessRights {
    AccessRights(allowed: nil, opensByPIN: false, isUnaskedInSafeMode: inSafeMode)
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
    case .importMusic, .copyMusic, .want: areAll && !isUnaskedInSafeMode
    case .seeHistory, .seeBookmarks, .forgetBookmark, .seeLibrary, .mendLibrary, .changePlaylists, .keepPlaylist,
      .seeSources, .changeDownloads, .refineDownloads, .dismissGuess,
      .checkDownloads, .moveDownloads, .acceptDisk, .ejectStick, .seeNotices, .seeReport, .observe, .answerQuestion,
      .changeSettings, .restart, .teachKeys, .quit:
      areAll
    }
  }

  private func has(_ right: KioskRight) -> Bool { allowed?.contains(right) ?? true }
}
