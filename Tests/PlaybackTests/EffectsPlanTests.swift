import Audio
import Formats
import Library
import Runtime
import TestSupport
import Testing

@testable import Playback

@Suite("How it sounds")
struct EffectsPlanTests {
  @Test("with nothing wanted the bits pass untouched, and with little power too")
  func shape() {
    var sounding = EffectsPlan()
    #expect(sounding.shape == SoundShape() && sounding.shape.effects.isNothing)
    sounding.equaliser = EqualiserCurve.preset("bass") ?? .flat
    sounding.crossfade = .seconds(4)
    sounding.normaliser = .track
    #expect(!sounding.shape.effects.isNothing && sounding.shape.crossfade == .seconds(4))
    var policy = PowerPolicy()
    sounding.plan = policy.hear(.battery(12)) ?? sounding.plan
    #expect(sounding.shape == SoundShape() && !sounding.wantsLoudness)
    sounding.plan = policy.hear(.charger(true)) ?? sounding.plan
    #expect(sounding.shape.crossfade == .seconds(4) && sounding.wantsLoudness)
  }

  @Test("decibels beside the normaliser are bounded, and without it they are nothing")
  func preamp() {
    let table: [(NormaliserMode, wanted: Int, heard: Double)] = [
      (.track, -3, -3), (.album, 12, 12), (.automatic, 99, 12), (.track, -99, -12), (.off, -3, 0), (.track, 0, 0),
    ]
    for (mode, wanted, heard) in table {
      var sounding = EffectsPlan()
      sounding.normaliser = mode
      sounding.preamp = wanted
      #expect(sounding.shape.effects.preamp == heard)
      #expect(sounding.shape.effects.isNothing == (mode == .off))
    }
  }

  @Test("an entry between others of its folder is part of its album, shuffled it is not")
  func album() {
    var queue = PlayQueue()
    let made = queue.append(["/a/1.flac", "/a/2.flac", "/b/1.flac", "/a/3.flac"].map { FilePath($0) })
    #expect(made.map { queue.isInAlbum($0.id) } == [true, true, false, false])
    _ = queue.shuffle(at: made[0].id)
    #expect(made.allSatisfy { !queue.isInAlbum($0.id) })
  }

  private func playing() -> Player {
    var player = Player()
    _ = player.perform(.add([FilePath("/a.flac")]), heard: .nothing)
    _ = player.perform(.play, heard: .nothing)
    return player
  }

  @Test("a call pauses the player and lets it go on; whoever pressed pause meanwhile has silence")
  func call() {
    var player = playing()
    #expect(player.perform(.giveWay(to: "call", .pause), heard: .nothing).contains(.pause))
    #expect(player.wish == .paused)
    var other = player
    #expect(player.perform(.giveWay(to: "call", nil), heard: .nothing).contains(.resume))
    #expect(player.wish == .playing)
    _ = other.perform(.play, heard: .nothing)
    _ = other.perform(.pause, heard: .nothing)
    #expect(other.perform(.giveWay(to: "call", nil), heard: .nothing) == [])
    #expect(other.wish == .paused)
  }

  @Test("a voice takes loudness away and gives it back; it never adds any")
  func voice() {
    var player = playing()
    _ = player.resume(player.current, at: .beginning, wish: .playing)
    let before = player.volume.gain
    let soft = player.perform(.giveWay(to: "voice", .duck), heard: .nothing)
    #expect(soft == [.gain(before * GiveWay.softly)])
    // It comes back as every loudness comes: rising, never at once.
    _ = player.perform(.giveWay(to: "voice", nil), heard: .nothing)
    _ = player.pass(to: Moment(nanoseconds: 1), date: 0, heard: .nothing)
    #expect(player.volume.gain < before * (GiveWay.softly + 0.01))
    _ = player.pass(to: Moment(nanoseconds: 1_000_000_001), date: 0, heard: .nothing)
    #expect(player.volume.gain == before)
  }

  @Test("a new shape begins at the very place that is heard, at the rate at which it was counted")
  func refresh() {
    var player = playing()
    guard let id = player.current else { return #expect(Bool(false), "there is a current one") }
    _ = player.hear(.opened(id, generation: player.generation), heard: .nothing)
    _ = player.hear(.heard(id, generation: player.generation), heard: .nothing)
    let actions = player.perform(.refresh, heard: Spot(frame: 1_234, rate: 48_000))
    let entry = PlayQueue.Entry(id: id, path: FilePath("/a.flac"))
    #expect(actions == [.start(entry, at: .spot(Spot(frame: 1_234, rate: 48_000)), generation: player.generation)])
    var silent = Player()
    #expect(silent.perform(.refresh, heard: .nothing) == [])
  }
}
