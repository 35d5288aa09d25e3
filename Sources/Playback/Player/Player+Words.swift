import Audio
import Formats
import Library
import Runtime

/// The events that `Player` takes (commands and news) and the actions that it returns. `Transport` gives it the ones
/// and performs the others, on the main loop.
extension Player {
  package enum Command: Equatable, Sendable {
    case play, pause, toggle, stop
    case next, previous
    /// That many entries forward, or back when it is negative; at most to the end of the queue.
    case skip(by: Int)
    case jump(to: EntryID)
    case seek(to: Duration)
    case setVolume(Int)
    /// Detents of the knob, which change the volume at once.
    case turn(by: Int)
    /// The same from a program: the volume rises gradually.
    case turnFromAfar(by: Int)
    case mute(Bool)
    case toggleMute
    /// The setting `[sound] max_volume` has changed.
    case limitVolume(Int)
    /// Another sound of this name begins, and the music gives way to it. Nil: it has ended.
    case giveWay(to: String, GiveWay.Manner?)
    /// The effects or the device have changed: starts the current track again at the same place.
    case refresh
    /// `from`: where they were chosen (an album, a search ...). It is saved in one transaction with them.
    case add([FilePath], from: Origin? = nil)
    case playNext([FilePath], from: Origin? = nil)
    case remove(EntryID)
    /// Puts an entry back that was taken out of this queue. What plays goes on.
    case putBack(EntryID)
    /// `to` is an index in the order that is played, from 0.
    case move(EntryID, to: Int)
    /// These files lie elsewhere now: the queue, what was taken out of it and the former queue play them from there.
    case readdress([FilePath: FilePath])
    /// The queue can be had back as the one before.
    case clear
    /// Replaces the whole queue, in one transaction.
    case replace(Replacement)
    /// Adds files at the end of the queue, and plays the first of them at once. A full queue takes none, says so, and
    /// plays on.
    case playAtOnce([FilePath], from: Origin? = nil)
    case repeats(PlayQueue.Repeat)
    case shuffle(Bool)
    /// Sets the sleep timer. Nil ends it.
    case sleep(SleepTimer.Until?)
    /// Deletes the bookmark of a file.
    case forget(FilePath)

    /// The same command when a program gives it: the volume may not jump.
    package var fromAfar: Command {
      if case .turn(let steps) = self { .turnFromAfar(by: steps) } else { self }
    }
  }

  package enum News: Equatable, Sendable {
    /// The decoder has opened an entry and works on it.
    case opened(EntryID, generation: UInt32, Item = Item())
    case failed(EntryID, Fault, generation: UInt32)
    /// Its first sample, or the first after a seek, has left the device.
    case heard(EntryID, generation: UInt32)
    /// Everything decoded has been heard, and the decoder has nothing more.
    case drained(generation: UInt32)
    case deviceLost(Fault)
    case deviceBack
    /// The output failed for good: a recording whose disk is full.
    case outputFailed(Fault)
  }

  package enum Action: Equatable, Sendable {
    case start(PlayQueue.Entry, at: TrackPlace, generation: UInt32)
    /// The entry that follows the last one given. Nil takes back a follower that the decoder has not opened yet.
    case follow(PlayQueue.Entry?)
    case halt(generation: UInt32)
    case pause, resume
    case gain(Double)
    case save(Change)
    case savePlace
    case notice(Notice)
  }

  /// What must be saved beside the position.
  package enum Change: Equatable, Sendable {
    case queue(PlayQueue.Change)
    case heard(History.PlayedEntry)
    case bookmark(FilePath, Duration)
    case noBookmark(FilePath)
    /// The `of` entries that begin with `from` were chosen there.
    case origin(Origin, of: Int, from: EntryID)
    case former(FormerQueue?)
  }

  package enum Notice: Equatable, Sendable {
    case fault(Fault, of: FilePath?)
    case deviceLost(Fault)
    case nothingToPlay
    case queueEnded
    case queueFull(leftOut: Int)
    case tooManyUnplayable(Int)
    case nothingThere
    case deviceBack
    case outputFailed(Fault)
    case damaged(FilePath, places: Int)
  }

  /// What the rules need to know of an opened file.
  package struct Item: Equatable, Sendable {
    package var length: Duration?
    /// A podcast or an audiobook, which continues where it was stopped.
    package var isSpoken = false
    /// It is fetched while it is played.
    package var isStreamed = false
    package var chapters: [Chapter] = []

    package init(
      length: Duration? = nil, isSpoken: Bool = false, isStreamed: Bool = false, chapters: [Chapter] = []
    ) {
      self.length = length
      self.isSpoken = isSpoken
      self.isStreamed = isStreamed
      self.chapters = chapters
    }
  }
}

extension Player.Notice {
  /// In words for the panel.
  package var forPeople: Notice {
    switch self {
    // It has a name that tells a person nothing, and the library knows it no longer.
    case .fault(let fault, let path?) where fault.kind == .missing && Track.isStored(path):
      Notice("P-109", "A song that was kept offline is no longer on this device.")
    case .fault(let fault, let path): Notice(fault).about(path)
    case .deviceLost(let fault): Notice(fault, isUrgent: true)
    case .nothingToPlay: Notice("P-101", "There is nothing to play. Add music first.")
    case .queueEnded: Notice("P-102", "The queue has ended.")
    case .queueFull(let leftOut):
      Notice("P-103", "The queue is full (\(PlayQueue.limit)); \(leftOut) were left out.")
    case .tooManyUnplayable(let count):
      Notice("P-104", "\(count) files in a row cannot be played. Stopped.", isUrgent: true)
    case .nothingThere:
      Notice("P-105", "None of the songs in the queue is here. If they are on a stick, plug it in.", isUrgent: true)
    case .deviceBack: Notice("P-106", "The sound device is back.")
    case .outputFailed(let fault):
      Notice("P-108", "\(fault). It cannot go on, so playing has stopped.", isUrgent: true).asProblem
    case .damaged(let path, let places):
      Notice(
        "P-107", "\(path) is damaged in \(places) \(places == 1 ? "place" : "places"); what could be played was.",
        names: ["\(path.name)"]
      ).about(path.ofFile)
    }
  }
}
