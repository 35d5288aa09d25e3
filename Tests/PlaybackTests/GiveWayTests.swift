import Runtime
import TestSupport
import Testing

@testable import Playback

@Suite("Giving way to another sound")
struct GiveWayTests {
  @Test("a navigation's word makes the music soft, and the end of it loud again")
  func duck() {
    var way = GiveWay()
    #expect(way.begin("navigation", .duck, isPlaying: true) == [.loudness(GiveWay.softly)])
    #expect(way.end("navigation", isPlaying: true) == [.loudness(1)])
    #expect(way == GiveWay())
  }

  @Test("a call pauses what plays, and it goes on afterwards")
  func pause() {
    var way = GiveWay()
    #expect(way.begin("call", .pause, isPlaying: true) == [.pause])
    way.hasPaused()
    #expect(way.end("call", isPlaying: false) == [.resume])
    #expect(way == GiveWay())
  }

  @Test("what did not play before a call does not play after it")
  func wasSilent() {
    var way = GiveWay()
    #expect(way.begin("call", .pause, isPlaying: false) == [])
    #expect(way.end("call", isPlaying: false) == [])
  }

  @Test("who pauses during a call has silence after it")
  func decided() {
    var way = GiveWay()
    _ = way.begin("call", .pause, isPlaying: true)
    way.hasPaused()
    way.decided()
    #expect(way.end("call", isPlaying: false) == [])
  }

  @Test("a voice during a call changes nothing, and what remains of the two counts")
  func both() {
    var way = GiveWay()
    #expect(way.begin("navigation", .duck, isPlaying: true) == [.loudness(GiveWay.softly)])
    #expect(way.begin("call", .pause, isPlaying: true) == [.loudness(1), .pause])
    way.hasPaused()
    #expect(way.end("call", isPlaying: false) == [.loudness(GiveWay.softly), .resume])
    #expect(way.end("navigation", isPlaying: true) == [.loudness(1)])
  }

  @Test("whatever order they come in: when all have ended, it is as loud as before and plays if it played")
  func walk() {
    let seed = UInt64.random(in: 0...999)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      var way = GiveWay()
      var loudness = 1.0
      let playedBefore = Bool.random(using: &random)
      var plays = playedBefore
      func follow(_ changes: [GiveWay.Change]) {
        for change in changes {
          switch change {
          case .loudness(let factor): loudness = factor
          case .pause, .fadeOut:
            plays = false
            way.hasPaused()
          case .resume: plays = true
          }
        }
      }
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let name = "voice \(Int.random(in: 0..<20, using: &random))"
        if Bool.random(using: &random) {
          follow(way.begin(name, [.duck, .pause, .rest].randomElement(using: &random) ?? .duck, isPlaying: plays))
        } else {
          follow(way.end(name, isPlaying: plays))
        }
        #expect(way.names.count <= GiveWay.most && !(way.isSilenced && plays), "seed \(seed)")
        #expect(loudness == way.loudness, "seed \(seed)")
      }
      for name in way.names { follow(way.end(name, isPlaying: plays)) }
      #expect(loudness == 1 && plays == playedBefore, "seed \(seed)")
    }
  }
}

/// What happens to the player during a call, told in a few words each.
@Suite("After a call")
struct AfterACallTests {
  enum Meanwhile: CaseIterable, Sendable {
    case nothing, asksForMore, nextTrack, seek, louder, staysAwake
    case sleepIsOver, sleepIsOverAfterAnother, queueEnds, beyondTheEnd, stop, cleared, pausedByHand, nothingCanBePlayed
    case trackEndsAsleep
  }

  private func id(_ number: UInt64) -> EntryID { EntryID(number: number) }

  /// Two tracks, of which the first is heard for ten seconds; half an hour until it sleeps.
  private func inACall() -> Listener {
    var listener = Listener(2)
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(10))
    listener.perform(.sleep(.time(.seconds(1_800))))
    listener.perform(.giveWay(to: "call", .pause))
    return listener
  }

  private func happens(_ what: Meanwhile, to listener: inout Listener) {
    switch what {
    case .nothing: break
    case .asksForMore: listener.perform(.giveWay(to: "call", .pause))
    case .nextTrack: listener.perform(.next)
    case .seek: listener.perform(.seek(to: .seconds(3)))
    case .louder: listener.perform(.turn(by: 3))
    case .staysAwake: listener.tick(.seconds(1_799))
    case .sleepIsOver: listener.tick(.seconds(1_800))
    case .sleepIsOverAfterAnother:
      listener.perform(.giveWay(to: "navigation", .duck))
      listener.tick(.seconds(1_800))
      listener.perform(.giveWay(to: "navigation", nil))
    case .queueEnds:
      listener.perform(.jump(to: id(2)))
      listener.begin()
      listener.tick(.seconds(200))
      listener.drain()
    case .beyondTheEnd: listener.perform(.skip(by: 2))
    case .stop: listener.perform(.stop)
    case .cleared:
      listener.perform(.clear)
      listener.perform(.add([FilePath("/new")]))
    case .pausedByHand: listener.perform(.pause)
    case .nothingCanBePlayed:
      listener.perform(.jump(to: id(2)))
      listener.player.rules.unplayableLimit = 1
      listener.hear(.failed(id(2), Fault(.malformed, "T-1", "no music"), generation: listener.player.generation))
    case .trackEndsAsleep:
      listener.perform(.jump(to: id(1)))
      listener.begin()
      listener.perform(.sleep(.track))
      listener.tick(.seconds(200))
      listener.drain()
    }
  }

  @Test(
    "the music goes on, unless it fell asleep, came to its end or was stopped meanwhile",
    arguments: Meanwhile.allCases)
  func goesOn(what: Meanwhile) {
    let goesOn: Set<Meanwhile> = [.nothing, .asksForMore, .nextTrack, .seek, .louder, .staysAwake]
    var listener = inACall()
    #expect(listener.player.wish == .paused)
    happens(what, to: &listener)
    let actions = listener.perform(.giveWay(to: "call", nil))
    #expect(actions.contains(.resume) == goesOn.contains(what))
    #expect((listener.player.wish == .playing) == goesOn.contains(what))
    // Nor after the next one, in which nobody touches anything.
    guard !goesOn.contains(what) else { return }
    for name in ["call", "another"] { listener.perform(.giveWay(to: name, .pause)) }
    for name in ["another", "call"] { listener.perform(.giveWay(to: name, nil)) }
    #expect(listener.player.wish != .playing)
  }
}
