import Application
import Hardware
import Library
import Playback
import Runtime

/// What the menus show. Whatever takes its time is waited for; the panel goes on meanwhile.
/// `layby/ProgramMenuActions.swift` answers it by asking use cases, and tests by making it up.
@MainLoop
package protocol MenuData: AnyObject {
  func page(of list: List, after key: PageKey?, count: Int) async throws(Fault) -> Page
  func page(of list: List, before key: PageKey, count: Int) async throws(Fault) -> [Row]
  func letters(of list: List) async throws(Fault) -> [Letter]
  /// One for each row of a page: whether what was fetched is kept, or shall be; nil for what is simply here.
  func marks(of rows: [Row]) async -> [MenuMark?]
  func album(_ id: Int64) async throws(Fault) -> Row?
  /// Which of them plays.
  func current(among rows: [Row]) async throws(Fault) -> Int?
  /// Where each was left that goes on from there; nil for rows of other things, and for what begins at its beginning.
  func placesLeft(in rows: [Row]) async throws(Fault) -> [Duration?]
  /// The part of a book or a podcast that was heard last, and where it was left. Nil when no part was left in its middle.
  func partLeft(of album: Int64) async throws(Fault) -> PartLeft?
  /// How many tracks it holds and how long they play; nil for a very long list, and for one of other lists.
  func total(of list: List) async throws(Fault) -> ListTotal?
  /// Beside which, or in which, its cover is to be looked for; nil when it has none.
  func cover(of art: MenuArt) async -> FilePath?
  /// Whether it is the piece that plays, wherever it was chosen.
  func isCurrent(_ thing: Thing) async -> Bool
  /// Whose a piece of music is, and what it is on.
  func links(of thing: Thing) async throws(Fault) -> TrackLinks
  func search(_ words: String, for wanted: Browsing.Wanted, count: Int) async throws(Fault) -> [Row]
  /// How many there are of them, but no more than `most`.
  func count(_ words: String, for wanted: Browsing.Wanted, most: Int) async throws(Fault) -> Int
  /// What each source has of it, as far as its list is known; those that have nothing are not told. No source is waited
  /// for: where one has to be asked, the music has changed when it has answered.
  func sourceHits(_ typed: String) async -> [SourceHits]
  /// What can follow what was typed, so that the library or a source whose list is known still has something.
  func wheel(after typed: String) async throws(Fault) -> [String]

  /// What is to be played, from a place on, with what is known of it.
  func queue(from: Int, count: Int) async -> [QueuedTrack]
  /// What was taken out of it last and can be put back.
  func takenOut() async -> QueuedTrack?
  /// In what plays: where that was before somebody went elsewhere in it.
  var placeBefore: Duration? { get }
  /// Where an entry stands in the queue.
  func index(ofEntry id: UInt64) -> Int?
  /// The one that something else was played in place of, and that can be had back.
  func formerQueue() async -> ShownFormerQueue?
  func playlists() async throws(Fault) -> [OwnPlaylist]
  func tracks(ofPlaylist id: Int64, count: Int) async throws(Fault) -> [PlaylistRow]

  /// Whether a network can be chosen here.
  var hasWireless: Bool { get }
  func wireless() async throws(Fault) -> WirelessSetup.Shown?

  /// False where nothing is ever fetched.
  var fetches: Bool { get }
  /// Where it is fetched from cannot be reached now.
  var isOffline: Bool { get }
  func downloads() async throws(Fault) -> [ShownDownload]
  func storage() async throws(Fault) -> ShownStorage
  /// Whether music is fetched unasked: one answer for every page.
  var smart: ShownSmart { get }
  /// What is fetched unasked, and why.
  func smartDownloads() async throws(Fault) -> [ShownSmartDownload]
  /// Why none of it comes just now.
  func whyNoSmartDownloads() async throws(Fault) -> [ShownReason]
  func sources() async -> [ShownSource]
  /// How much of each kind a source has.
  func counts(of source: String) async throws(Fault) -> [(kind: OfferKind, count: Int)]
  /// Part of what a source has, and how much that is as a whole.
  func offers(_ query: OfferQuery, from: Int, count: Int) async throws(Fault) -> (offers: [ShownOffer], total: Int)
  /// Where each letter begins in it.
  func letters(of query: OfferQuery) async throws(Fault) -> [(letter: String, index: Int)]
  /// What can follow what was typed, so that the source still has something.
  func wheel(of source: String, after typed: String) async throws(Fault) -> [String]
  func details(of offer: OfferID) async throws(Fault) -> OfferDetails
  /// Part of what it holds, and how much that is as a whole: its songs; of an artist the albums, and songs that are on
  /// none.
  func contents(of offer: OfferID, from: Int, count: Int) async throws(Fault) -> (offers: [ShownOffer], total: Int)
  /// What it would be to keep it, or how that stands; nil where keeping means nothing, as for the owner's own files.
  func keeping(of thing: Thing) async -> OfferDetails?
  /// From the least quality on.
  func sizes(of offer: OfferID) async throws(Fault) -> [OfferSize]
  /// What this device may play of sealed music; nil where no source seals any.
  func licences() async -> ShownLicences?
  func sticks() async -> [ShownStick]
  /// How many are in.
  var stickCount: Int { get }
  var equalisers: [String] { get }
  /// As they are now, with what was chosen here.
  var settings: Settings { get }
  /// As the owner's file has them.
  var ownersFile: Settings { get }
  /// Chosen, and not done before the next start.
  var waiting: Set<SettingName> { get }
  /// What somebody who helps from afar has to know, in few words.
  func report() async -> String
  /// Whether the device can be made as it was on its first day.
  var canErase: Bool { get }
  /// What a person who helps asks for: a name and how it stands.
  func facts() async -> [(name: String, value: String)]

  // What hands mean.
  var keys: [KeyMap.Row] { get }
  var knob: InputLearning.Knob { get }

  // A panel that anybody may touch.
  var kiosk: KioskLock { get }
}

package struct QueuedTrack: Equatable, Sendable {
  package var entry: PlayQueue.Entry
  package var title: String
  package var artist: String
  package var mark: MenuMark?

  package init(_ entry: PlayQueue.Entry, title: String, artist: String, mark: MenuMark? = nil) {
    (self.entry, self.title, self.artist, self.mark) = (entry, title, artist, mark)
  }
}

/// A part of a book that goes on where somebody left it.
package struct PartLeft: Equatable, Sendable {
  package var track: Int64
  package var title: String
  package var place: Duration

  package init(_ track: Int64, _ title: String, at place: Duration) {
    (self.track, self.title, self.place) = (track, title, place)
  }
}

package struct ShownFormerQueue: Equatable, Sendable {
  /// Of the song that it goes on with.
  package var title: String
  package var count: Int

  package init(_ title: String, count: Int) { (self.title, self.count) = (title, count) }
}

/// In plain words with their code; and what the owner could change about it, if anything.
package struct ShownReason: Equatable, Sendable, ExpressibleByStringLiteral {
  package var words: String
  package var setting: SettingName?
  /// It failed, and is tried again after a while: whoever is there need not wait for that.
  package var isRetried: Bool
  /// Others are fetched first.
  package var isTurn: Bool
  /// Its server does not answer: somebody may have to see to that.
  package var isAway = false

  package init(_ words: String, _ setting: SettingName? = nil, isRetried: Bool = false, isTurn: Bool = false) {
    (self.words, self.setting, self.isRetried, self.isTurn) = (words, setting, isRetried, isTurn)
  }

  package init(stringLiteral words: String) { self.init(words) }
}

package struct ShownDownload: Equatable, Sendable {
  package enum State: CaseIterable, Sendable {
    case whole, running, waiting, paused, failed

    /// As a row of music tells it.
    package var mark: MenuMark? {
      switch self {
      case .whole: .stored
      case .running: .coming
      case .waiting, .paused: .waits
      case .failed: nil
      }
    }
  }

  package var id: DownloadID
  package var state: State
  /// Whose it is, where something else of that name is wanted too.
  package var artist = ""
  /// What a source has, of which this is; nil for what was put together on the device.
  package var offer: OfferID?
  package var bytes: Int64 = 0
  package var size: Int64 = 0
  /// Bytes a second, lately.
  package var speed: Int64 = 0
  package var left: Duration?
  /// It has failed before, is tried again, and nothing has come yet.
  package var isTriedAgain = false
  /// Why it does not go on.
  package var why: [ShownReason] = []
  /// Why it is wanted, where nobody has asked for it.
  package var because: [String] = []

  package init(_ id: DownloadID, _ state: State) { (self.id, self.state) = (id, state) }

  var isComing: Bool {
    switch state {
    case .running, .waiting: true
    case .whole, .paused, .failed: false
    }
  }
}

extension [ShownDownload] {
  /// In the order in which they were wanted. Whoever waits for others is told how many these are, and which is the first.
  func namingOthers(_ words: PanelWords) -> [ShownDownload] {
    let waiting = indices.filter { self[$0].state == .waiting && self[$0].why.contains(where: \.isTurn) }
    let order = indices.filter { self[$0].state == .running } + waiting
    var named = self
    for (place, index) in order.enumerated() where place > 0 {
      let others = words.filled(.othersFirst, "\(place)", self[order[0]].id.title)
      for reason in named[index].why.indices where named[index].why[reason].isTurn {
        named[index].why[reason].words = others
      }
    }
    return named
  }
}

/// How much is kept, where, and what is done with it just now.
package struct ShownStorage: Equatable, Sendable {
  package struct Disk: Equatable, Sendable {
    /// As whoever keeps music knows it.
    package var id: String
    /// As it is shown.
    package var name: String
    package var isHome: Bool
    package var isThere: Bool
    /// Nothing was ever kept on it; whether it can be is seen when it is tried.
    package var isNew: Bool
    package var free: Int64?

    package init(_ id: String, _ name: String, isHome: Bool, isThere: Bool, isNew: Bool = false, free: Int64?) {
      (self.id, self.name) = (id, name)
      (self.isHome, self.isThere, self.isNew, self.free) = (isHome, isThere, isNew, free)
    }
  }

  package struct Work: Equatable, Sendable {
    package var title: String
    package var part: Int64
    package var whole: Int64
    package var left: Duration?
    package var why: String?

    package init(_ title: String, part: Int64, whole: Int64, left: Duration?, why: String? = nil) {
      (self.title, self.part, self.whole, self.left, self.why) = (title, part, whole, left, why)
    }
  }

  package var kept: Int64
  package var limit: Int64
  package var free: Int64?
  /// How much more can be kept: within the limit, and with what is to stay free on the disk.
  package var room: Int64
  /// What is wrong with it, if anything.
  package var trouble: ShownReason?
  /// Of the disk it is kept on.
  package var total: Int64?
  /// None where there is only the device's own.
  package var disks: [Disk] = []
  package var move: Work?
  package var check: Work?
  package var health: Health?

  /// How downloads went since counting began.
  package struct Health: Equatable, Sendable {
    /// Tenths of a per cent of those that ended; nil before the first.
    package var success: Int?
    package var retried: Int64
    package var recovered: Int64
    package var cleaned: Int64

    package init(success: Int?, retried: Int64, recovered: Int64, cleaned: Int64) {
      (self.success, self.retried, self.recovered, self.cleaned) = (success, retried, recovered, cleaned)
    }
  }

  /// `reserve` bytes of the disk stay free.
  package init(kept: Int64, limit: Int64, free: Int64?, reserve: Int64 = 0) {
    (self.kept, self.limit, self.free) = (kept, limit, free)
    room = max(min(limit - kept, (free ?? 0) - reserve), 0)
  }
}

/// Whether music is fetched unasked.
package struct ShownSmart: Equatable, Sendable {
  /// What the owner wants.
  package var isWanted: Bool
  /// `[flags] smart-downloads` is off, and then nothing comes whatever the owner chose here.
  package var isBarred: Bool
  var isOn: Bool { isWanted && !isBarred }

  package init(isWanted: Bool, isBarred: Bool = false) { (self.isWanted, self.isBarred) = (isWanted, isBarred) }
}

package struct ShownSmartDownload: Equatable, Sendable {
  package var id: String
  package var title: String
  package var because: String
  package var bytes: Int64
  package var isWhole: Bool

  package init(_ id: String, _ title: String, because: String, bytes: Int64, isWhole: Bool) {
    (self.id, self.title, self.because, self.bytes, self.isWhole) = (id, title, because, bytes, isWhole)
  }
}

package struct ShownSource: Equatable, Sendable {
  package var name: String
  /// Why nothing comes from it, where that is known.
  package var trouble: String?
  /// It does not answer: somebody may have to see to it.
  package var isAway: Bool

  package init(_ name: String, trouble: String? = nil, isAway: Bool = false) {
    (self.name, self.trouble, self.isAway) = (name, trouble, isAway)
  }
}

/// What a search of the library has besides, in a source.
package struct SourceHits: Equatable, Sendable {
  package enum Outcome: Equatable, Sendable {
    case found(Int)
    /// Its list is on its way.
    case looking
    case notSearched(why: String)
  }

  package var source: String
  package var outcome: Outcome

  package init(_ source: String, _ outcome: Outcome) { (self.source, self.outcome) = (source, outcome) }
}

package struct ShownStick: Equatable, Sendable {
  /// Where it is in the tree of files.
  package var id: String
  package var label: String
  package var folder: Int64?
  /// It may be pulled, and is still in.
  package var isEjected = false

  package init(_ id: String, _ label: String, folder: Int64?) {
    (self.id, self.label, self.folder) = (id, label, folder)
  }
}
