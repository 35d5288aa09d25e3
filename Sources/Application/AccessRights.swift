import Runtime

/// What somebody may ask for, and what the program may begin by itself. A locked kiosk, its opening hours and safe mode
/// take rights away; all three are judged here. A pure value.
package struct AccessRights: Equatable, Sendable {
  /// The rights that a kiosk's owner has allowed; nil for all rights.
  private let allowed: Set<KioskRight>?
  /// A PIN gives all other rights.
  private let opensByPIN: Bool
  /// The program acts by itself, and was started in safe mode.
  private let isUnaskedInSafeMode: Bool

  package static let all = AccessRights(allowed: nil, opensByPIN: false)

  private init(allowed: Set<KioskRight>?, opensByPIN: Bool, isUnaskedInSafeMode: Bool = false) {
    (self.allowed, self.opensByPIN, self.isUnaskedInSafeMode) = (allowed, opensByPIN, isUnaskedInSafeMode)
  }

  /// A visitor at a locked kiosk. Outside the opening hours (`isClosed`) a visitor has no rights.
  package init(only allowed: Set<KioskRight>, opensByPIN: Bool, isClosed: Bool = false) {
    self.init(allowed: isClosed ? [] : allowed, opensByPIN: opensByPIN)
  }

  /// The program acting by itself. In safe mode it does not start what may have crashed it: imports, copies, downloads.
  package static func program(inSafeMode: Bool) -> AccessRights {
    AccessRights(allowed: nil, opensByPIN: false, isUnaskedInSafeMode: inSafeMode)
  }

  package var isOwnerOrProgram: Bool { allowed == nil }

  /// The one place that decides. What a kiosk's owner cannot allow to visitors needs the PIN.
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
    case .addOneToQueue: has(.enqueue) || has(.play)
    case .addManyToQueue, .playNow, .changeQueue, .playPlaylist: has(.play)
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
    case .importMusic, .copyMusic, .want: isOwnerOrProgram && !isUnaskedInSafeMode
    case .seeLicences, .renewLicences, .signIn, .seeHistory, .seeBookmarks, .forgetBookmark, .seeLibrary, .mendLibrary,
      .changePlaylists, .keepPlaylist,
      .seeSources, .changeDownloads, .refineDownloads, .dismissSmartDownload,
      .checkDownloads, .moveDownloads, .acceptDisk, .ejectStick, .seeNotices, .seeReport, .observe, .answerQuestion,
      .changeSettings, .seeWireless, .changeWireless, .restart, .eraseDevice, .teachKeys, .quit:
      isOwnerOrProgram
    }
  }

  private func has(_ right: KioskRight) -> Bool { allowed?.contains(right) ?? true }
}
