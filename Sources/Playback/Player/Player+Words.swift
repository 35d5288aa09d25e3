import Audio
import Formats
import Runtime

/// What the player is told, and what it answers with.
extension Player {
  package enum Command: Equatable, Sendable {
    case play, pause, toggle, stop
    case next, previous
    /// So many on, or back when it is negative; as far as there are any.
    case skip(by: Int)
    case jump(to: EntryID)
    case seek(to: Duration)
    case setVolume(Int)
    /// Of the knob.
    case turn(by: Int)
    /// As if at the knob, by somebody who is not.
    case turnFromAfar(by: Int)
    case mute(Bool)
    case toggleMute
    /// The owner's word on how loud it gets at most.
    case limitVolume(Int)
    /// Another sound begins, which the music gives way to; nil: it is over.
    case giveWay(to: String, GiveWay.Manner?)
    /// How it is to sound has changed, or the device: the same place anew.
    case refresh
    /// `from`: where they were chosen; saved in one transaction with them.
    case add([FilePath], from: Origin? = nil)
    case playNext([FilePath], from: Origin? = nil)
    case remove(EntryID)
    /// To an index of the order that is played.
    case move(EntryID, to: Int)
    case clear
    /// In place of the whole queue.
    case replace(Replacement)
    /// Into the queue, next or behind all others, and on from the first of them at once. A full queue takes nothing,
    /// tells so, and plays on.
    case playAtOnce([FilePath], behindAll: Bool, from: Origin? = nil)
    case repeats(PlayQueue.Repeat)
    case shuffle(Bool)
    /// Nil ends it.
    case sleep(SleepTimer.Until?)
    /// The place that is kept of a file.
    case forget(FilePath)

    /// The same from a program, which has no hand on the knob.
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
    case save(Change)
    case savePlace
    case notice(Notice)
  }

  /// What is to be saved, beside the place.
  package enum Change: Equatable, Sendable {
    case queue(PlayQueue.Change)
    case heard(History.PlayedEntry)
    case bookmark(FilePath, Duration)
    case noBookmark(FilePath)
    /// So many entries from one on were chosen there.
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

  /// What matters of an opened file.
  package struct Item: Equatable, Sendable {
    package var length: Duration?
    /// A podcast or a book: something with a thread, which nobody wants to look for.
    package var isSpoken = false
    /// It comes from its source while it is played.
    package var isStreamed = false

    package init(length: Duration? = nil, isSpoken: Bool = false, isStreamed: Bool = false) {
      self.length = length
      self.isSpoken = isSpoken
      self.isStreamed = isStreamed
    }
  }
}

extension Player.Notice {
  /// In words for the panel.
  package var forPeople: Notice {
    switch self {
    case .fault(let fault, let path): Notice(fault.code, fault.message).about(path).asProblem
    case .deviceLost(let fault): Notice(fault.code, fault.message, isUrgent: true).asProblem
    case .nothingToPlay: Notice("P-101", "There is nothing to play. Add music first.")
    case .queueEnded: Notice("P-102", "The queue has ended.")
    case .queueFull(let leftOut):
      Notice("P-103", "The queue is full (\(PlayQueue.limit)); \(leftOut) were left out.")
    case .tooManyUnplayable(let count):
      Notice("P-104", "\(count) files in a row cannot be played. Stopped.", isUrgent: true)
    case .nothingThere:
      Notice("P-105", "None of the files in the queue is there. Is the stick plugged in?", isUrgent: true)
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
