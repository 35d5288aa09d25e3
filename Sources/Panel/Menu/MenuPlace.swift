import Hardware
import Library
import Runtime

/// Where on the panel somebody is. Each has a screen, and is gone to from another; the way back is the way there.
package enum MenuPlace: Equatable, Sendable {
  case menu
  /// Where few choices are wanted at once: the others.
  case more
  case queue
  case library
  case list(List, named: String)
  case search
  case found(String)
  /// What can be done with it.
  case thing(Thing)
  /// A playlist to put it into.
  case playlistFor(Thing)
  case playlists
  case playlist(OwnPlaylist)
  case playlistEntry(PlaylistRow, of: OwnPlaylist)
  /// A place in what plays.
  case goTo
  /// The chapters of what plays.
  case chapters
  case sleep
  case sound
  case equaliser
  /// How all music is made equally loud.
  case normaliser
  /// The equaliser's own bands.
  case bands
  case settings
  /// The keys of one section.
  case settingsOf(String)
  case setting(SettingName)
  /// The places of one region, for the time zone.
  case settingIn(SettingName, region: String)
  case write(Writing)
  /// Networks to join, and how that stands.
  case wireless
  /// The board's own access point, for a telephone; and how to join it.
  case hotspot
  case hotspotCode
  /// What keys and buttons mean, one of the meanings, and one of its keys.
  case keys
  case keysOf(KeyMeaning)
  case key(KeyName, KeyMeaning)
  /// The next key that is pressed shall mean that.
  case learning(KeyMeaning)
  /// What kind of knob it is, found out by turning it.
  case knob
  /// All about music that is fetched and kept: what sources have, what is on its way, where it is kept.
  case keep
  /// By its name.
  case source(String)
  case offers(OfferQuery)
  case searchOffers(String)
  /// An album, artist or playlist of a source, with its songs.
  case offer(OfferID)
  case qualities(OfferID)
  case downloads
  case download(DownloadID)
  /// What is fetched unasked.
  case smart
  /// How much is kept, and where; and of that what only whoever helps wants to know.
  case storage
  case storageDetails
  /// What may be played of sealed music, and until when.
  case licences
  /// Whether this device is signed in to the source of this name, and the code to sign in with.
  case account(String)
  /// The same code for a telephone to read.
  case signInCode(String)
  /// Where music comes from.
  case sources
  case sticks
  case stick(ShownStick)
  case notices
  /// All that one of them says.
  case notice(Notice)
  /// What is not as usual, all of it.
  case state(PanelState.Kind)
  case about
  /// What the small signs in lists mean.
  case signs
  /// For a telephone to read.
  case code
  /// How much goes when the device is to be as it was on its first day.
  case erasing
  case sure(Question)
  case dial(Dial)

  /// What it waits for from the hands.
  var listening: Attention? {
    switch self {
    case .learning(let meaning): .key(meaning)
    case .knob: .knob
    default: nil
    }
  }

  /// It changes by time alone.
  var isMoving: Bool {
    switch self {
    case .keep, .offer, .qualities, .downloads, .download, .storage, .storageDetails, .goTo, .chapters, .thing,
      .account, .licences, .hotspot:
      true
    default: false
    }
  }

  /// It tells how far something is.
  var isWatched: Bool {
    switch self {
    case .downloads, .download, .storageDetails: true
    default: false
    }
  }

  /// Its rows stay where they are while somebody looks at them, though what they tell changes.
  var keepsOrder: Bool { self == .downloads }

  /// The sleep timer has a row in it.
  var hasTimer: Bool {
    switch self {
    case .menu, .more, .sound, .sleep: true
    default: false
    }
  }

  /// What it shows changes while somebody looks at it.
  var isLive: Bool {
    switch self {
    case .menu, .more, .queue, .sleep, .sound, .equaliser, .playlists, .playlist, .playlistFor, .downloads, .download,
      .keep, .offer, .qualities, .smart, .storage, .storageDetails, .sources, .sticks, .stick, .notices, .state, .about,
      .normaliser, .bands, .settings, .settingsOf, .setting, .settingIn, .wireless, .hotspot, .hotspotCode, .keys,
      .keysOf, .goTo, .chapters,
      .thing, .licences,
      .account:
      true
    default: false
    }
  }

  /// Music stands in it, which comes and goes, or signs that say how it stands. It is looked up again when some of that has
  /// changed, and not for anything else that happens.
  var followsMusic: Bool {
    switch self {
    case .library, .list, .found, .queue, .playlists, .playlist, .source, .offers: true
    default: false
    }
  }
}

extension MenuPlace {
  /// Its rows are music: a press plays it, and there is more that can be done with it.
  var isOfMusic: Bool {
    switch self {
    case .queue, .playlist, .found, .offer: true
    case .offers(let query): query.kind == .track || query.kind == nil
    case .list(let list, _):
      switch list {
      case .tracks, .tracksOf, .tracksBy, .playlist, .recentlyAdded, .recentlyPlayed, .oftenPlayed: true
      case .folder(let folder): folder != nil
      case .artists, .albums, .albumsOf, .albumsIn, .genres, .playlists: false
      }
    default: false
    }
  }

  /// Its rows are albums and the like: a press opens one, and there is more that can be done with it.
  var isOfAlbums: Bool {
    switch self {
    case .list(.albums, _), .list(.albumsOf, _), .list(.albumsIn, _): true
    case .offers(let query): query.kind != nil && query.kind != .track
    default: false
    }
  }

  /// For what a search has found: what was written, and the page on which that is done.
  var search: (typed: String, on: MenuPlace)? {
    switch self {
    case .found(let typed): (typed, .search)
    case .offers(let query) where query.kind == nil && !query.typed.isEmpty: (query.typed, .searchOffers(query.source))
    default: nil
    }
  }

  /// It is so long that one goes through it by letters.
  var hasLetters: Bool {
    switch self {
    case .list(.artists, _), .list(.albums, _), .list(.tracks, _): true
    case .offers(let query): query.kind != nil
    default: false
    }
  }
}

/// A piece of music, or what leads to some.
package struct Thing: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// All that the list leads to.
    case all(List)
    /// A file of the library. `within`: the list that goes on behind it; nil for one that was searched for.
    case track(Int64, within: List?)
    case entry(UInt64)
    /// What a source has. `within`: what goes on behind it.
    case offer(OfferID, within: OfferID? = nil)
  }

  package var kind: Kind
  package var title: String
  package var detail = ""
  /// What was searched for when it was found; nil for what stood in a list.
  package var searched: String?
  /// Where it stands in a list that is too long to be played from its beginning; nil in any other.
  package var place: PageKey?
  /// The list of a source that goes on behind a song that stands on no page of its own.
  package var among: OfferQuery?
  /// It can be played in one order only, as one track or a book: shuffling it is not offered.
  package var isInOneOrder = false

  /// The number of the queue entry that this is; nil for anything else.
  var entry: UInt64? { if case .entry(let id) = kind { id } else { nil } }

  /// A song on an album's page.
  var isOfAlbum: Bool {
    switch kind {
    case .track(_, within: .tracksOf?): true
    case .offer(_, within: let list?): list.kind == .album
    case .all, .track, .entry, .offer: false
    }
  }

  /// Not a list of them.
  var isOne: Bool {
    switch kind {
    case .all: false
    case .track, .entry: true
    case .offer(let id, _): id.kind == .track
    }
  }

  package init(_ kind: Kind, _ title: String, _ detail: String = "") {
    (self.kind, self.title, self.detail) = (kind, title, detail)
  }
}

/// What hands do is not meant while it is listened for.
package enum Attention: Equatable, Sendable {
  case key(KeyMeaning)
  case knob
}

/// One line of a playlist made on the device.
package struct PlaylistRow: Hashable, Sendable {
  package var id: Int64
  package var title: String
  package var detail: String
  /// Where it is needed to tell the track from another one.
  package var album = ""
  /// The one before it, behind which the next one can be put, and the one before that.
  package var before: Int64?
  package var beforeThat: Int64?
  package var after: Int64?
  /// It is what plays.
  package var isCurrent = false

  package init(_ id: Int64, _ title: String, _ detail: String) {
    (self.id, self.title, self.detail) = (id, title, detail)
  }
}

/// A playlist made on the device.
package struct OwnPlaylist: Hashable, Sendable {
  package var id: Int64
  package var name: String
  package var count: Int
  /// Its music shall be on the device.
  package var isKept: Bool
  /// How far that is.
  package var mark: MenuMark?

  package init(id: Int64, name: String, count: Int, isKept: Bool = false) {
    (self.id, self.name, self.count, self.isKept) = (id, name, count, isKept)
  }
}

/// As whoever fetches knows it; for the panel only a name.
package struct DownloadID: Hashable, Sendable {
  package var text: String
  package var title: String

  package init(_ text: String, _ title: String) { (self.text, self.title) = (text, title) }
}

/// Asked once more before something is gone.
package struct Question: Equatable, Sendable {
  package var text: String
  package var action: MenuAction
  /// What is pressed to do it.
  package var yes: Word

  package init(_ text: String, _ action: MenuAction, yes: Word) {
    (self.text, self.action, self.yes) = (text, action, yes)
  }
}

/// A number that is turned, from one of its stops to the next.
package struct Dial: Hashable, Sendable {
  package enum Subject: Hashable, Sendable {
    case crossfade
    /// Heard while it is turned.
    case volume
    /// Of the equaliser, by its frequency.
    case band(Int)
    case setting(SettingName, unit: String)
    /// One end of some hours of the day, in minutes since midnight, and where the other one is.
    case hours(SettingName, HoursEnd, other: Int)
  }

  package enum HoursEnd: Hashable, Sendable { case from, until }

  package var subject: Subject
  package private(set) var value: Int
  /// In order, `value` among them.
  private let stops: [Int]

  package init(_ subject: Subject, _ value: Int, in range: ClosedRange<Int>, by step: Int = 1) {
    let steps = stride(from: range.lowerBound, to: range.upperBound, by: max(step, 1)) + [range.upperBound]
    self.init(subject, min(max(value, range.lowerBound), range.upperBound), at: Array(steps))
  }

  package init(_ subject: Subject, _ value: Int, at stops: [Int]) {
    (self.subject, self.value) = (subject, value)
    self.stops = Set(stops + [value]).sorted()
  }

  /// 1, 2, 5, 10 and so on: as people think of how much something is.
  package static func roundNumbers(in range: ClosedRange<Int>) -> [Int] {
    var (all, unit) = ([range.lowerBound, range.upperBound], 1)
    while unit <= range.upperBound {
      all += [unit, 2 * unit, 5 * unit].filter { range.contains($0) }
      let (next, isOver) = unit.multipliedReportingOverflow(by: 10)
      if isOver { break }
      unit = next
    }
    return all
  }

  /// Each step is done at once, not when it is left.
  var isLive: Bool { subject == .volume }

  /// A clock goes round.
  private var isRound: Bool { if case .hours = subject { true } else { false } }

  /// How far along its way it is.
  var progress: (at: Int, of: Int) { (stops.firstIndex(of: value) ?? 0, stops.count - 1) }

  /// It stops at its ends.
  mutating func turn(by steps: Int) {
    // More turns than there are stops are as good as that many.
    let goal = progress.at + min(max(steps, -stops.count), stops.count)
    let index = isRound ? (goal + 2 * stops.count) % stops.count : min(max(goal, 0), stops.count - 1)
    value = stops[index]
  }
}
