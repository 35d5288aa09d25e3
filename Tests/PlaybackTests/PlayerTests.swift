import Audio
import Formats
import Runtime
import TestSupport
import Testing

@testable import Playback

private let gone = Fault(.missing, "T-1", "not there")
private let bad = Fault(.malformed, "T-2", "no music")
private let spot = Spot(frame: 44_100, rate: 44_100)

private func id(_ number: UInt64) -> EntryID { EntryID(number: number) }

/// Entries 1 to `count`, of which the first is current.
private func player(_ count: Int, repeats: PlayQueue.Repeat = .off, playing: Bool = false) -> Player {
  var player = Player()
  _ = player.perform(.add((0..<count).map { FilePath("/\($0)") }), heard: .nothing)
  _ = player.perform(.repeats(repeats), heard: .nothing)
  if playing { _ = player.perform(.play, heard: .nothing) }
  return player
}

extension Player {
  fileprivate mutating func hear(opened: UInt64...) {
    for number in opened { _ = hear(.opened(id(number), generation: generation), heard: spot) }
  }

  fileprivate mutating func hear(heard: UInt64...) {
    for number in heard { _ = hear(.heard(id(number), generation: generation), heard: spot) }
  }

  @discardableResult
  fileprivate mutating func hear(failed number: UInt64, _ fault: Fault) -> [Action] {
    hear(.failed(id(number), fault, generation: generation), heard: spot)
  }
}

@Suite("Player's commands")
struct PlayerCommandTests {
  @Test(
    "what a command does to the wish and the current entry, of three with the second heard",
    arguments: [
      (Player.Command.play, Player.PlaybackState.playing, 2 as UInt64?), (.pause, .paused, 2), (.toggle, .paused, 2),
      (.stop, .stopped, 2), (.next, .playing, 3), (.jump(to: id(1)), .playing, 1), (.jump(to: id(9)), .playing, 2),
      (.seek(to: .seconds(5)), .playing, 2), (.remove(id(2)), .playing, 3), (.remove(id(1)), .playing, 2),
      (.remove(id(9)), .playing, 2), (.clear, .stopped, nil), (.repeats(.one), .playing, 2),
      (.turn(by: 2), .playing, 2),
    ])
  func table(command: Player.Command, wish: Player.PlaybackState, current: UInt64?) {
    var player = player(3, playing: true)
    player.hear(opened: 1)
    player.hear(heard: 1)
    player.hear(opened: 2)
    player.hear(heard: 2)
    _ = player.perform(command, heard: spot)
    #expect(player.wish == wish)
    #expect(player.current == current.map { id($0) })
  }

  @Test("previous goes to the beginning after three seconds, and to the entry before until then")
  func previous() {
    for (seconds, expected) in [(Int64(3), UInt64(1)), (4, 2)] {
      var player = player(3, playing: true)
      _ = player.perform(.next, heard: spot)
      let actions = player.perform(.previous, heard: Spot(frame: seconds * 44_100, rate: 44_100))
      #expect(player.current == id(expected))
      #expect(player.startAt.frame(atRate: 44_100) == 0)
      #expect(actions.contains { if case .start = $0 { true } else { false } })
    }
  }

  @Test("an empty queue says that there is nothing to play")
  func empty() {
    for command in [Player.Command.play, .next, .seek(to: .zero), .toggle] {
      var player = Player()
      #expect(player.perform(command, heard: .nothing) == [.notice(.nothingToPlay)])
      #expect(player.wish == .stopped)
    }
  }

  @Test("next beyond the end stops at the beginning; when all repeat it goes round")
  func beyond() {
    var ending = player(1, playing: true)
    #expect(ending.perform(.next, heard: spot).contains(.notice(.queueEnded)))
    #expect(ending.wish == .stopped && ending.current == id(1))
    var turning = player(2, repeats: .all, playing: true)
    _ = turning.perform(.next, heard: spot)
    _ = turning.perform(.next, heard: spot)
    #expect(turning.wish == .playing && turning.current == id(1))
  }

  @Test("a seek while it pauses is where it goes on, and a pause while it stops is nothing")
  func seekWhilePaused() {
    var player = player(2, playing: true)
    _ = player.perform(.pause, heard: spot)
    _ = player.perform(.seek(to: .seconds(90)), heard: spot)
    #expect(player.wish == .paused)
    let actions = player.perform(.play, heard: spot)
    #expect(
      actions.first == .start(player.queue.entries[0], at: .time(.seconds(90)), generation: player.generation))
    _ = player.perform(.stop, heard: spot)
    #expect(player.perform(.pause, heard: spot).isEmpty)
  }

  @Test("who is removed while it plays is followed by the next; the last of a round by the first, else the one before")
  func removal() {
    for (repeats, expected) in [(PlayQueue.Repeat.off, UInt64(2)), (.all, 1), (.one, 2)] {
      var player = player(3, repeats: repeats, playing: true)
      _ = player.perform(.jump(to: id(3)), heard: spot)
      _ = player.perform(.remove(id(3)), heard: spot)
      #expect(player.current == id(expected) && player.wish == .playing)
    }
  }

  @Test("without its last entry the player is as new")
  func lastRemoved() {
    var player = player(1, playing: true)
    _ = player.perform(.seek(to: .seconds(60)), heard: spot)
    let actions = player.perform(.remove(id(1)), heard: spot)
    #expect(player.current == nil && player.wish == .stopped && player.startAt == .beginning)
    #expect(actions.contains { if case .halt = $0 { true } else { false } })
  }

  @Test("what does not fit is told")
  func full() {
    var player = player(PlayQueue.limit)
    #expect(player.perform(.add([FilePath("/a")]), heard: .nothing) == [.notice(.queueFull(leftOut: 1))])
  }

  @Test("it resumes the saved entry at its place, and another from its beginning")
  func resuming() {
    for (saved, expected) in [(UInt64(2), TrackPlace.frame(77)), (9, .beginning)] {
      var player = player(3)
      let actions = player.resume(id(saved), at: .frame(77), wish: .playing)
      #expect(actions.contains { if case .start(_, expected, _) = $0 { true } else { false } })
      #expect(actions.last == .resume)
    }
    var nothing = Player()
    _ = nothing.resume(id(1), at: .frame(77), wish: .playing)
    #expect(nothing.wish == .stopped)
  }
}

@Suite("Player's news")
struct PlayerNewsTests {
  @Test("the decoder is one entry ahead: what is opened is followed by the next in the queue")
  func ahead() {
    var player = player(2, playing: true)
    let actions = player.hear(.opened(id(1), generation: player.generation), heard: spot)
    #expect(actions == [.follow(player.queue.entries[1])])
    #expect(player.hear(.opened(id(2), generation: player.generation), heard: spot).isEmpty)
  }

  @Test("five in a row that cannot be played stop it, and four do not")
  func unplayable() {
    var player = player(9, playing: true)
    for number in UInt64(1)...4 { player.hear(failed: number, bad) }
    #expect(player.wish == .playing)
    #expect(player.hear(failed: 5, bad).contains(.notice(.tooManyUnplayable(5))))
    #expect(player.wish == .stopped)
  }

  @Test("any number that are not there are passed over")
  func missing() {
    var player = player(1_000, playing: true)
    for number in UInt64(1)...999 { player.hear(failed: number, gone) }
    #expect(player.wish == .playing && player.current == id(1_000))
  }

  @Test("but when a whole round of them is not there it stops")
  func nothingThere() {
    var player = player(3, repeats: .all, playing: true)
    player.hear(failed: 1, gone)
    player.hear(failed: 2, gone)
    #expect(player.hear(failed: 3, gone).contains(.notice(.nothingThere)))
    #expect(player.wish == .stopped)
  }

  @Test("what is heard plays to its end, however many behind it are bad; then it rests there")
  func playsOut() {
    var player = player(9, playing: true)
    player.hear(opened: 1)
    player.hear(heard: 1)
    var last: [Player.Action] = []
    for number in UInt64(2)...6 { last = player.hear(failed: number, bad) }
    #expect(last == [.notice(.fault(bad, of: FilePath("/5"))), .notice(.tooManyUnplayable(5))])
    #expect(player.wish == .playing && player.current == id(1))
    _ = player.hear(.drained(generation: player.generation), heard: spot)
    #expect(player.wish == .stopped && player.current == id(1))
  }

  @Test("given up, it asks for no more when the last that was given opens, and for the next one when that is heard")
  func playableAfterAll() {
    var player = player(9, playing: true)
    player.rules.unplayableLimit = 1
    player.hear(opened: 1)
    player.hear(heard: 1)
    player.hear(opened: 2)
    #expect(
      player.hear(failed: 2, bad) == [.notice(.fault(bad, of: FilePath("/1"))), .notice(.tooManyUnplayable(1))])
    #expect(player.hear(.opened(id(3), generation: player.generation), heard: spot).isEmpty)
    let actions = player.hear(.heard(id(3), generation: player.generation), heard: spot)
    #expect(actions.contains(.follow(player.queue.entries[3])) && player.current == id(3))
  }

  @Test("a file without sound that repeats is not opened for ever")
  func silence() {
    var player = player(1, repeats: .one, playing: true)
    for _ in 0..<1_000 where player.wish == .playing { player.hear(opened: 1) }
    #expect(player.wish == .stopped)
  }

  @Test("an entry that repeats for hours takes no more memory than one that does not")
  func repeatsOne() {
    var player = player(2, repeats: .one, playing: true)
    for _ in 0..<1_000 {
      player.hear(opened: 1)
      player.hear(heard: 1)
    }
    #expect(player.cue?.chain.count == 2)
    // And the end of repeating is no new start of what is heard.
    #expect(player.perform(.repeats(.off), heard: spot) == [.follow(player.queue.entries[1]), .savePlace])
  }

  @Test("a queue that changes under the decoder: what it has not taken up is given anew, what it has is begun anew")
  func changes() {
    var untaken = player(3, playing: true)
    untaken.hear(opened: 1)
    untaken.hear(heard: 1)
    #expect(
      untaken.perform(.remove(id(2)), heard: spot) == [
        .save(.queue(.removed(id(2)))), .follow(untaken.queue.entries[1]),
      ])
    var taken = player(3, playing: true)
    taken.hear(opened: 1)
    taken.hear(heard: 1)
    taken.hear(opened: 2)
    let generation = taken.generation
    #expect(
      taken.perform(.remove(id(2)), heard: spot) == [
        .save(.queue(.removed(id(2)))),
        .start(taken.queue.entries[0], at: .spot(spot), generation: generation + 1),
      ])
  }

  @Test("one taken up while another was given in its place is not heard")
  func crossing() {
    var player = player(3, playing: true)
    player.hear(opened: 1)
    player.hear(heard: 1)
    _ = player.perform(.remove(id(2)), heard: spot)
    let generation = player.generation
    player.hear(opened: 2)
    #expect(player.generation == generation + 1 && player.current == id(1))
  }

  @Test("one taken up again while repeating was ended is not heard again")
  func repeatCrossing() {
    var player = player(1, repeats: .one, playing: true)
    player.hear(opened: 1)
    player.hear(heard: 1)
    #expect(player.perform(.repeats(.off), heard: spot) == [.follow(nil), .savePlace])
    let generation = player.generation
    player.hear(opened: 1)
    #expect(player.generation == generation + 1)
  }

  @Test("an end told while something was given and taken back is an end")
  func takenBack() {
    var player = player(1, playing: true)
    player.hear(opened: 1)
    player.hear(heard: 1)
    _ = player.perform(.add([FilePath("/b")]), heard: spot)
    #expect(player.hear(.drained(generation: player.generation), heard: spot).isEmpty)
    _ = player.perform(.remove(id(2)), heard: spot)
    #expect(player.wish == .stopped)
  }

  @Test("a bad entry that is removed while the next is given does not end the queue")
  func badRemoved() {
    var player = player(3, playing: true)
    player.hear(failed: 1, bad)
    #expect(player.perform(.remove(id(1)), heard: spot) == [.save(.queue(.removed(id(1))))])
    #expect(player.wish == .playing && player.current == id(2))
  }

  @Test("news of an older start change nothing")
  func stale() {
    var player = player(3, playing: true)
    let old = player.generation
    _ = player.perform(.next, heard: spot)
    let before = player
    for news: Player.News in [
      .opened(id(2), generation: old), .heard(id(1), generation: old), .failed(id(2), bad, generation: old),
      .drained(generation: old),
    ] {
      #expect(player.hear(news, heard: spot).isEmpty)
      #expect(player == before)
    }
  }

  @Test("a device that is lost keeps the wish; an output that cannot go on ends it and keeps the place")
  func device() {
    var player = player(1, playing: true)
    player.hear(opened: 1)
    player.hear(heard: 1)
    #expect(player.hear(.deviceLost(gone), heard: spot) == [.notice(.deviceLost(gone)), .savePlace])
    #expect(player.hear(.deviceBack, heard: spot) == [.notice(.deviceBack)])
    #expect(player.wish == .playing)
    _ = player.hear(.outputFailed(gone), heard: spot)
    #expect(player.wish == .stopped && player.startAt == .spot(spot))
    #expect(player.perform(.play, heard: spot) == [.notice(.outputFailed(gone))])
  }
}

@Suite("After a pause")
struct AfterAPauseTests {
  @Test(
    "after an hour the file is opened anew, where it was left: its licence may have ended since",
    arguments: [(3_599, false), (3_600, true), (400_000, true)])
  func opened(seconds: Int, isOpened: Bool) {
    var listener = Listener(2)
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(10))
    let left = listener.heard
    listener.perform(.pause)
    listener.tick(.seconds(seconds))
    let actions = listener.perform(.play)
    #expect(actions.contains(.resume) && listener.player.wish == .playing)
    let starts = actions.filter { if case .start = $0 { true } else { false } }
    let entry = listener.player.queue.entry(listener.player.current)
    let generation = listener.player.generation
    #expect(starts == (isOpened ? entry.map { [.start($0, at: .spot(left), generation: generation)] } : []))
  }
}
