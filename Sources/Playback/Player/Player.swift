import Formats
import Runtime

/// The rules of playing: what a command, a decoder's news or the device's news leads to. A value that takes an event
/// and returns actions; whoever performs them owns the threads, the disk and the clock.
///
/// The decoder works ahead of what is heard: `cue` holds the chain of entries it was given, of which the first is the
/// one heard (or about to be). Each fresh start gets a new generation, and news of an older one is not listened to.
package struct Player: Equatable, Sendable {
  package enum PlaybackState: String, Sendable {
    case playing, paused, stopped
  }

  package var rules: Rules
  package internal(set) var queue: PlayQueue
  package internal(set) var volume: Volume
  package internal(set) var wish = PlaybackState.stopped {
    // Whatever makes it play, pause or stop, the end of the queue and sleep too, has the last word about what goes on.
    didSet { way.decided() }
  }
  package internal(set) var current: EntryID?
  package internal(set) var generation: UInt32 = 0
  /// What the decoder works on; nil when it must be started before anything is heard.
  var cue: Cue?
  package internal(set) var history = History()
  package internal(set) var bookmarks = Bookmarks()
  /// What `Replacement.OldQueue` has kept.
  package internal(set) var former: FormerQueue?
  package internal(set) var sleep = SleepTimer()
  package internal(set) var way = GiveWay()
  /// When what fades out now is gone, and the music pauses; nil when nothing does.
  var fadesUntil: Moment?
  /// Where to begin when the decoder is started: the place that was saved, or sought while nothing ran.
  package internal(set) var startAt: TrackPlace = .beginning
  /// The first of those that were played in a row up to the current one.
  package internal(set) var playedSince: EntryID?
  /// What is known of those that were opened; of the few that matter.
  var items: [EntryID: Item] = [:]
  var hearing: Hearing?
  /// As it was last told; the boot clock, and the date in seconds since 1970.
  var now: Moment?
  var date: Int64 = 0
  var deviceIsLost = false
  /// What the sound was told last.
  var toldGain: Double?
  /// Files in a row that were there and could not be played.
  var unplayable = 0
  /// Files in a row that were not there.
  var absent = 0
  /// Files in a row that were opened, and nothing of them was heard yet.
  var silent = 0
  /// Why nothing can be played to the end of this run.
  var outputFault: Fault?

  /// So many in a row opened, and nothing heard: files without sound in them. More than have place in the ring.
  static let silentLimit = 300

  struct Cue: Equatable {
    struct Link: Equatable {
      let id: EntryID
      var round: UInt64
      /// Not to be heard; what came next was the next entry, whatever repeats.
      var failed = false

      init(_ turn: PlayQueue.Turn) { (id, round) = (turn.id, turn.round) }

      var turn: PlayQueue.Turn { PlayQueue.Turn(id: id, round: round) }
    }

    /// Given to the decoder, in order; failed ones stay until something behind them is heard.
    var chain: [Link]
    /// The decoder has taken up the last of the chain; until then it can still be another.
    var lastTaken = false
    /// The first sample was heard.
    var heard = false
    /// All was heard, and then the decoder was given one more; should that be taken back, this is the end.
    var drained = false
    /// Too much behind what is heard cannot be played: it plays to its end, and nothing more is given.
    var exhausted = false
  }

  package struct Rules: Equatable, Sendable {
    /// Later than this, "previous" means the beginning of what plays.
    package var previousRestartsAfter: Duration = .seconds(3)
    /// So many files in a row that cannot be played, and playing stops.
    package var unplayableLimit = 5
    /// What is at least as long keeps its place when it is left.
    package var bookmarksAfter: Duration = .seconds(15 * 60)

    package init() {}
  }

  package init(
    rules: Rules = Rules(), queue: PlayQueue = PlayQueue(), volume: Volume = Volume(percent: 50),
    history: History = History(), bookmarks: Bookmarks = Bookmarks(), former: FormerQueue? = nil
  ) {
    self.rules = rules
    self.queue = queue
    self.volume = volume
    self.history = history
    self.bookmarks = bookmarks
    self.former = former
  }

  /// As it was left. A start in the middle of a track continues there.
  package mutating func resume(
    _ entry: EntryID?, at point: TrackPlace, wish: PlaybackState, playedSince: EntryID? = nil
  ) -> [Action] {
    current = queue.entry(entry)?.id ?? queue.first?.id
    startAt = current == entry ? point : current.map { start(of: $0) } ?? .beginning
    self.playedSince = playedSince ?? current
    self.wish = current == nil ? .stopped : wish
    toldGain = volume.gain
    if self.wish == .playing, way.isSilenced {
      self.wish = .paused
      way.hasPaused()
    }
    return [.gain(volume.gain)] + (self.wish == .playing ? begin() + [.resume] : [])
  }

  /// Whether the entry is heard, or given to the decoder.
  package func isAbout(_ id: EntryID) -> Bool { id == current || cue?.chain.contains { $0.id == id } == true }

  /// Whether something has been heard since the last start, so that the sound path knows the place better than
  /// `startAt` does.
  package var isHeard: Bool { cue?.heard == true }
}
