import Audio
import Runtime

/// The rules of playing: what a command, a decoder's news or the device's news leads to. A value that takes an event
/// and returns actions; whoever performs them owns the threads, the disk and the clock.
///
/// The decoder works ahead of what is heard: `cue` holds the chain of entries it was given, of which the first is the
/// one heard (or about to be). Each fresh start gets a new generation, and news of an older one is not listened to.
package struct Player: Equatable, Sendable {
  package enum Wish: String, Sendable {
    case playing, paused, stopped
  }

  package var rules: Rules
  package internal(set) var queue: PlayQueue
  package internal(set) var volume: Volume
  package internal(set) var wish = Wish.stopped
  package internal(set) var current: EntryID?
  package internal(set) var generation: UInt32 = 0
  /// What the decoder works on; nil when it must be started before anything is heard.
  var cue: Cue?
  /// Where to begin when the decoder is started: the place that was saved, or sought while nothing ran.
  package internal(set) var startAt: TrackPlace = .beginning
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
      /// Not to be heard; what came next was the next entry, whatever repeats.
      var failed = false
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

    package init() {}
  }

  package init(rules: Rules = Rules(), queue: PlayQueue = PlayQueue(), volume: Volume = Volume(percent: 50)) {
    self.rules = rules
    self.queue = queue
    self.volume = volume
  }

  /// As it was left. A start in the middle of a track continues there.
  package mutating func resume(_ entry: EntryID?, at point: TrackPlace, wish: Wish) -> [Action] {
    current = queue.entry(entry)?.id ?? queue.entries.first?.id
    startAt = current == entry ? point : .beginning
    self.wish = current == nil ? .stopped : wish
    return [.gain(volume.gain)] + (self.wish == .playing ? begin() + [.resume] : [])
  }

  /// Whether the entry is heard, or given to the decoder.
  package func isAbout(_ id: EntryID) -> Bool { id == current || cue?.chain.contains { $0.id == id } == true }

  /// Whether something has been heard since the last start, so that the sound path knows the place better than
  /// `startAt` does.
  package var isHeard: Bool { cue?.heard == true }
}

/// How far the current entry has been heard.
package struct Spot: Equatable, Sendable {
  package var frame: Int64
  package var rate: Int32

  package init(frame: Int64, rate: Int32) {
    self.frame = frame
    self.rate = rate
  }

  package static let nothing = Spot(frame: 0, rate: 44_100)

  package var elapsed: Duration {
    let rate = Int64(max(rate, 1))
    return .seconds(frame / rate) + .nanoseconds(frame % rate * 1_000_000_000 / rate)
  }
}

extension Player {
  package enum Command: Equatable, Sendable {
    case play, pause, toggle, stop
    case next, previous
    case jump(to: EntryID)
    case seek(to: Duration)
    case setVolume(Int)
    case turn(by: Int)
    case add([FilePath])
    case remove(EntryID)
    case clear
    case repeats(PlayQueue.Repeat)
  }

  package enum News: Equatable, Sendable {
    /// The decoder has opened an entry and works on it.
    case opened(EntryID, generation: UInt32)
    case failed(EntryID, Fault, generation: UInt32)
    /// Its first sample, or the first after a seek, has left the device.
    case heard(EntryID, generation: UInt32)
    /// Everything decoded has been heard, and the decoder has nothing more.
    case drained(generation: UInt32)
    case deviceLost(Fault)
    case deviceBack
    /// The output cannot go on, ever: a recording whose disk is full.
    case outputFailed(Fault)
  }

  package enum Action: Equatable, Sendable {
    case start(PlayQueue.Entry, at: TrackPlace, generation: UInt32)
    /// What comes after the last entry given; nil takes back what was given and not yet taken up.
    case follow(PlayQueue.Entry?)
    case halt(generation: UInt32)
    case pause, resume
    case gain(Double)
    case saveQueue(QueueChange)
    case savePlace
    case notice(Notice)
  }

  package enum QueueChange: Equatable, Sendable {
    case appended([PlayQueue.Entry])
    case removed(EntryID)
    case cleared
  }

  package enum Notice: Equatable, Sendable {
    case fault(Fault)
    case nothingToPlay
    case queueEnded
    case queueFull(leftOut: Int)
    case tooManyUnplayable(Int)
    case nothingThere
    case deviceBack
    case outputFailed(Fault)
    case damaged(FilePath, places: Int)
  }
}
