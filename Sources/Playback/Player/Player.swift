import Formats
import Runtime

/// The rules of playing, as a value: it takes a command, or news of the decoder or the device, and returns the actions
/// to perform. `Transport` performs them; it owns the threads, the disk and the clock.
///
/// The decoder works ahead of what is heard: `cue` holds the chain of entries that it was given; the first of them is
/// the one that is heard, or about to be. Each start gets a new generation number, and news of an older one is ignored.
package struct Player: Equatable, Sendable {
  package enum PlaybackState: String, Sendable {
    case playing, paused, stopped
  }

  package var rules: Rules
  package internal(set) var queue: PlayQueue
  package internal(set) var volume: Volume
  package internal(set) var wish = PlaybackState.stopped {
    // After any decision to play, pause or stop (also by the sleep timer or the end of the queue) `GiveWay` no longer
    // resumes by itself.
    didSet {
      way.decided()
      if wish != .playing, oldValue == .playing { pausedAt = now }
    }
  }
  package internal(set) var current: EntryID?
  package internal(set) var generation: UInt32 = 0
  /// When playing last ended, by the boot clock.
  private(set) var pausedAt: Moment?
  /// What the decoder was given; nil when it must be started before anything can be heard.
  var cue: Cue?
  package internal(set) var history = History()
  package internal(set) var bookmarks = Bookmarks()
  /// The queue that was replaced last, for undo.
  package internal(set) var former: FormerQueue?
  /// What was taken out of this queue, the last one last, for undo. It is not saved: after a start nothing can be put
  /// back.
  var removed: [RemovedEntry] = []
  package internal(set) var sleep = SleepTimer()
  var sleepGoal: SleepGoal?
  package internal(set) var way = GiveWay()
  /// When the present fade-out ends and the music pauses; nil when there is none.
  var fadesUntil: Moment?
  /// Where the decoder begins at its next start: the saved place, or the target of a seek while it was not running.
  package internal(set) var startAt: TrackPlace = .beginning
  /// The first entry of the unbroken row that was played up to the current one.
  package internal(set) var playedSince: EntryID?
  /// What the decoder said of opened entries, for the current one and the next few.
  var items: [EntryID: Item] = [:]
  var hearing: Hearing?
  /// The time of the last event: by the boot clock, and as a date in seconds since 1970.
  var now: Moment?
  var date: Int64 = 0
  var deviceIsLost = false
  /// The gain that the sound path was given last.
  var toldGain: Double?
  /// How many files in a row existed and could not be played.
  var unplayable = 0
  /// How many files in a row did not exist.
  var absent = 0
  /// How many files in a row were opened without anything being heard.
  var silent = 0
  /// Why the output has failed for the rest of this run.
  var outputFault: Fault?

  /// After a pause of this length a file is opened anew before it is heard: its licence may have ended since.
  static let forgottenAfter: Duration = .seconds(3_600)

  /// So many entries that were taken out can be put back.
  static let removedLimit = 100

  /// After this many opened files without any sound, playing stops. It is more than fit into the ring.
  static let silentLimit = 300

  /// The chapter after which the music falls asleep. It is found anew when another track or place is played.
  struct SleepGoal: Equatable {
    let entry: EntryID
    let generation: UInt32
    /// Nil: the end of the track.
    let end: Duration?
  }

  struct Cue: Equatable {
    struct Link: Equatable {
      let id: EntryID
      var round: UInt64
      /// It could not be played. The entry after it was given next, also when one track repeats.
      var failed = false

      init(_ turn: PlayQueue.Turn) { (id, round) = (turn.id, turn.round) }

      var turn: PlayQueue.Turn { PlayQueue.Turn(id: id, round: round) }
    }

    /// The entries given to the decoder, in order. Failed ones stay until a later one is heard.
    var chain: [Link]
    /// The decoder has opened the last one of the chain. Until then it can be replaced.
    var lastTaken = false
    /// The first sample of the start was heard.
    var heard = false
    /// Everything was heard before one more entry was given; if that one is taken back, this is the end.
    var drained = false
    /// Too many entries after the current one cannot be played: it plays to its end, and nothing more is given.
    var exhausted = false
  }

  package struct Rules: Equatable, Sendable {
    /// After this much of a track, "previous" goes to its beginning.
    package var previousRestartsAfter: Duration = .seconds(3)
    /// After this many unplayable files in a row, playing stops.
    package var unplayableLimit = 5
    /// A track of at least this length keeps a bookmark when it is left.
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

  /// Resumes the state of the last run, in the middle of a track if need be.
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

  /// Whether the entry is the current one or was given to the decoder.
  package func isAbout(_ id: EntryID) -> Bool { id == current || cue?.chain.contains { $0.id == id } == true }

  /// All that the queue, what was taken out of it and the former queue play.
  package var files: Set<FilePath> {
    Set(queue.entries.map(\.path)).union(removed.map(\.entry.path)).union(former?.files ?? [])
  }

  /// What was taken out last and can be put back. Nil also when the queue is full.
  package var takenOut: PlayQueue.Entry? { queue.count < PlayQueue.limit ? removed.last?.entry : nil }

  /// Whether something has been heard since the last start, so that the sound path knows the place better than
  /// `startAt` does.
  package var isHeard: Bool { cue?.heard == true }
}
