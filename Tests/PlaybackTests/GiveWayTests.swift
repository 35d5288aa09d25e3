import Kit
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
    #expect(way.end("call", isPlaying: false) == [.resume])
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
    way.decided()
    #expect(way.end("call", isPlaying: false) == [])
  }

  @Test("a voice during a call changes nothing, and what remains of the two counts")
  func both() {
    var way = GiveWay()
    #expect(way.begin("navigation", .duck, isPlaying: true) == [.loudness(GiveWay.softly)])
    #expect(way.begin("call", .pause, isPlaying: true) == [.loudness(1), .pause])
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
          case .pause: plays = false
          case .resume: plays = true
          }
        }
      }
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let name = "voice \(Int.random(in: 0..<20, using: &random))"
        if Bool.random(using: &random) {
          follow(way.begin(name, Bool.random(using: &random) ? .duck : .pause, isPlaying: plays))
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
