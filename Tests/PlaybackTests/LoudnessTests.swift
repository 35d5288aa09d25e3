import Formats
import Glibc
import Runtime
import TestSupport
import Testing

@testable import Playback

private func id(_ number: UInt64) -> EntryID { EntryID(number: number) }

extension [Player.Action] {
  fileprivate var gains: [Double] { compactMap { if case .gain(let gain) = $0 { gain } else { nil } } }
}

@Suite("Loudness")
struct LoudnessTests {
  @Test("a program's wish rises no faster than the whole way in a second; down goes at once")
  func rises() {
    var listener = Listener(1, volume: 0)
    #expect(listener.perform(.setVolume(100)).gains.isEmpty)
    var last = 0.0
    for step in 1...50 {
      #expect(listener.player.nextPass(heard: .nothing) == .milliseconds(20))
      let gains = listener.tick(.milliseconds(20)).gains
      let most = Double(step) * 0.02
      #expect(gains.count == 1 && gains[0] > last && gains[0] <= most * most * most + 1e-9)
      last = gains.first ?? 0
    }
    #expect(last == 1 && listener.player.nextPass(heard: .nothing) == nil)
    #expect(listener.perform(.setVolume(10)).gains == [Volume(percent: 10).gain])
  }

  @Test("a detent is as it is; a program that turns the knob round gets no more at once than a hand")
  func turns() {
    var listener = Listener(1, volume: 20)
    #expect(listener.perform(.turn(by: 2)).gains == [Volume(percent: 22).gain])
    let gains = listener.perform(.turn(by: 78)).gains
    // Of which two are used.
    #expect(gains == [Volume(percent: 20 + Volume.handful).gain] && listener.player.volume.percent == 100)
    #expect(listener.perform(.turn(by: -1_000)).gains == [0])
  }

  @Test("ten turns in one moment are one turn, and time gives the hand back what it has used")
  func handful() {
    var listener = Listener(1, volume: 20)
    for _ in 0..<10 { listener.perform(.turn(by: 1_000)) }
    let handful = Volume.handful
    #expect(listener.player.toldGain == Volume(percent: 20 + handful).gain)
    // All the time goes into what was asked for already.
    listener.tick(.milliseconds(100))
    listener.perform(.turn(by: 1_000))
    #expect(abs((listener.player.toldGain ?? 1) - Volume(percent: 30 + handful).gain) < 1e-9)
    listener.tick(.seconds(1))
    listener.perform(.turn(by: -60))
    #expect(listener.player.toldGain == Volume(percent: 40).gain)
    listener.perform(.turn(by: 30))
    #expect(listener.player.toldGain == Volume(percent: 40 + handful).gain)
  }

  @Test("what a program turns is a wish like its others: nothing of it is heard at once")
  func fromAfar() {
    var listener = Listener(1, volume: 20)
    for _ in 0..<10 { #expect(listener.perform(Player.Command.turn(by: 3).fromAfar).gains.isEmpty) }
    #expect(listener.player.volume.percent == 50 && listener.player.toldGain == Volume(percent: 20).gain)
    listener.tick(.milliseconds(300))
    #expect(listener.player.toldGain == Volume(percent: 50).gain)
    #expect(listener.perform(.turnFromAfar(by: -10)).gains == [Volume(percent: 40).gain])
    #expect(Player.Command.next.fromAfar == .next)
  }

  @Test("in any while it becomes louder by no more than a handful and what rises in that while, whoever asks")
  func inAnyWhile() {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      var volume = Volume(percent: .random(in: 0...100, using: &random))
      // All that it ever rose, less what may rise in the time that has gone; and the least that this was.
      var risen = 0.0
      var least = 0.0
      var heard = cbrt(volume.gain) * 100
      for step in 0..<2_000 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: volume.set(.random(in: -50...200, using: &random))
        case 1...4: volume.turn(by: .random(in: -20...1_000, using: &random), byHand: .random(using: &random))
        case 5: volume.mute(.random(using: &random))
        case 6: volume.sleep = Factor(.random(in: 0...1.2, using: &random))
        case 7: volume.duck = Factor([0.1, 1, 1, 1].randomElement(using: &random) ?? 1)
        case 8: volume.turn(by: -10)
        default:
          let time = Int64.random(in: 0...60, using: &random)
          volume.rise(for: .milliseconds(time))
          risen -= Double(time) / 1_000 * Volume.risesInASecond
        }
        let now = cbrt(volume.gain) * 100
        risen += max(now - heard, 0)
        heard = now
        #expect(risen - least <= Double(Volume.handful) + 1e-6, "seed \(seed), step \(step)")
        least = min(least, risen)
      }
    }
  }

  @Test("whatever is done, it is never above what is asked for, nor above the maximum")
  func clamp() {
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      var volume = Volume(percent: 30, maximum: 80)
      let most = Volume(percent: 80).gain
      for step in 0..<500 {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: volume.set(.random(in: -50...200, using: &random))
        case 1: volume.turn(by: .random(in: -60...60, using: &random))
        case 2: volume.mute(.random(using: &random))
        case 3: volume.sleep = Factor(.random(in: -1...2, using: &random))
        case 4: volume.duck = Factor([0.1, 1, .nan, .infinity, 7].randomElement(using: &random) ?? 1)
        default: volume.rise(for: .milliseconds(.random(in: -5...40, using: &random)))
        }
        #expect(
          volume.gain <= volume.ceiling && volume.ceiling <= most && volume.gain >= 0, "seed \(seed), step \(step)")
        #expect(volume.isMuted ? volume.gain == 0 : true, "seed \(seed), step \(step)")
      }
    }
  }

  @Test("mute is silence and keeps the volume; it ends by itself when somebody turns up or says how loud")
  func mute() {
    for (command, percent) in [
      (Player.Command.mute(false), 50), (.toggleMute, 50), (.turn(by: 2), 52), (.setVolume(30), 30),
    ] {
      var listener = Listener(1)
      #expect(listener.perform(.mute(true)).gains == [0])
      #expect(listener.player.volume.percent == 50)
      // Not from silence to loud at once.
      #expect(listener.perform(command).gains.isEmpty)
      #expect(!listener.player.volume.isMuted && listener.player.volume.percent == percent)
      listener.tick(.seconds(1))
      #expect(listener.player.volume.gain == Volume(percent: percent).gain)
    }
    var listener = Listener(1)
    listener.perform(.mute(true))
    listener.perform(.turn(by: -2))
    #expect(listener.player.volume.isMuted && listener.player.volume.gain == 0)
  }

  @Test("a start in the mute is silent, and ducking takes away only")
  func starts() {
    #expect(Volume(percent: 70, isMuted: true).gain == 0)
    var listener = Listener(1)
    listener.player.volume.duck = Factor(0.1)
    #expect(listener.tick().gains == [Volume(percent: 50).gain * 0.1])
    listener.player.volume.duck = Factor(99)
    #expect(listener.tick(.milliseconds(100)).gains.allSatisfy { $0 < Volume(percent: 50).gain / 2 })
    #expect(listener.tick(.seconds(1)).gains == [Volume(percent: 50).gain])
  }
}

@Suite("Sleep timer")
struct SleepTimerTests {
  @Test("after its time it fades for half a minute, pauses, and wakes as loud as ever")
  func fades() {
    var listener = Listener(1)
    listener.lengths[id(1)] = .init(length: .seconds(7_200))
    listener.perform(.play)
    listener.begin()
    let full = Volume(percent: 50).gain
    listener.perform(.sleep(.time(.seconds(1_800))))
    #expect(listener.player.nextPass(heard: listener.heard) == .seconds(1_770))
    #expect(listener.tick(.seconds(1_770)).gains.isEmpty)
    var last = full
    for _ in 1..<300 {
      #expect(listener.player.nextPass(heard: listener.heard) == .milliseconds(100))
      let gains = listener.tick(.milliseconds(100)).gains
      // As a hand would turn the knob: no step is more than a hundredth of all.
      #expect(gains.count == 1 && gains[0] < last && last - gains[0] < full * 0.0101)
      last = gains.first ?? 0
    }
    let end = listener.tick(.milliseconds(100))
    #expect(end.contains(.pause) && listener.player.wish == .paused && !listener.player.sleep.isOn)
    #expect(last < full * 0.0001 && listener.player.volume.percent == 50)
    let wake = listener.perform(.play)
    #expect(listener.player.volume.gain == full)
    // Told before anything sounds, at the latest.
    let resumed = wake.firstIndex(of: .resume) ?? 0
    #expect(wake.gains.isEmpty || wake.firstIndex(of: .gain(full)) ?? 99 < resumed)
    #expect(listener.player.toldGain == full)
  }

  @Test("at the end of the track it pauses at the beginning of the next, and nothing of that is decoded")
  func track() {
    var listener = Listener(3)
    listener.perform(.play)
    listener.begin()
    let actions = listener.perform(.sleep(.track))
    #expect(actions.contains(.follow(nil)))
    #expect(listener.player.sleepsIn(heard: listener.heard) == .seconds(200))
    listener.tick(.seconds(185))
    #expect(listener.player.volume.gain < Volume(percent: 50).gain * 0.2)
    listener.tick(.seconds(15))
    listener.drain()
    #expect(listener.player.wish == .paused && listener.player.current == id(2))
    #expect(listener.player.startAt == .beginning && !listener.player.sleep.isOn)
    #expect(listener.player.history.heard.map(\.isFinished) == [true])
    listener.perform(.play)
    #expect(listener.player.toldGain == Volume(percent: 50).gain)
  }

  private static let book = Player.Item(
    length: .seconds(900), chapters: [0, 300, 600].map { Chapter(at: .seconds($0), title: "") })

  @Test("at the end of the chapter it pauses where the next one begins, having faded out, and wakes as loud as it was")
  func chapter() {
    var listener = Listener(2)
    listener.lengths = [id(1): Self.book]
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(100))
    listener.perform(.sleep(.chapter))
    #expect(listener.player.sleepsIn(heard: listener.heard) == .seconds(200))
    #expect(listener.player.nextPass(heard: listener.heard) == .seconds(170))
    listener.tick(.seconds(185))
    #expect(listener.player.volume.gain < Volume(percent: 50).gain * 0.2 && listener.player.wish == .playing)
    let end = listener.tick(.seconds(15))
    #expect(end.contains(.pause) && listener.player.wish == .paused && listener.elapsed == .seconds(300))
    #expect(!listener.player.sleep.isOn && listener.player.current == id(1))
    listener.perform(.play)
    #expect(listener.player.toldGain == Volume(percent: 50).gain)
    listener.tick(.seconds(400))
    #expect(listener.player.wish == .playing, "once")
  }

  @Test("whoever goes to another chapter falls asleep at the end of that one; in the last one at the end of the track")
  func otherChapter() {
    var listener = Listener(2)
    listener.lengths = [id(1): Self.book]
    listener.perform(.play)
    listener.begin()
    listener.perform(.sleep(.chapter))
    listener.perform(.seek(to: .seconds(350)))
    // Nobody knows yet where that is.
    #expect(listener.player.sleepsIn(heard: listener.heard) == nil)
    listener.begin()
    listener.tick(.milliseconds(100))
    #expect(listener.player.sleepsIn(heard: listener.heard) == .milliseconds(249_900))
    listener.perform(.seek(to: .seconds(700)))
    listener.begin()
    listener.tick(.milliseconds(100))
    #expect(listener.player.sleepsIn(heard: listener.heard) == .milliseconds(199_900))
    listener.tick(.milliseconds(199_900))
    listener.drain()
    #expect(listener.player.wish == .paused && listener.player.current == id(2) && !listener.player.sleep.isOn)
  }

  @Test("without chapters it is the end of the track, and nothing behind that is decoded")
  func noChapter() {
    var listener = Listener(3)
    listener.perform(.play)
    listener.begin()
    #expect(listener.perform(.sleep(.chapter)).contains(.follow(nil)))
    #expect(listener.player.sleepsIn(heard: listener.heard) == .seconds(200))
    listener.tick(.seconds(200))
    listener.drain()
    #expect(listener.player.wish == .paused && listener.player.current == id(2))
  }

  @Test("at the end of the queue it ends though all of it repeats")
  func queue() {
    var listener = Listener(2, repeats: .all)
    listener.perform(.play)
    listener.begin()
    listener.perform(.sleep(.queue))
    #expect(listener.player.sleepsIn(heard: listener.heard) == nil)
    listener.goOn(to: id(2))
    #expect(listener.player.sleepsIn(heard: listener.heard) == .seconds(200))
    listener.tick(.seconds(200))
    listener.drain()
    #expect(listener.player.wish == .stopped && !listener.player.sleep.isOn)
    #expect(listener.player.volume.sleep == .full)
  }

  @Test("off is off: as loud as before, and what comes next comes")
  func off() {
    var listener = Listener(2)
    listener.perform(.play)
    listener.begin()
    listener.perform(.sleep(.time(.seconds(31))))
    listener.tick(.seconds(20))
    #expect(listener.player.volume.gain < Volume(percent: 50).gain)
    listener.perform(.sleep(nil))
    #expect(listener.player.volume.gain < Volume(percent: 50).gain)
    listener.tick(.seconds(1))
    #expect(listener.player.volume.gain == Volume(percent: 50).gain)
    listener.tick(.seconds(100))
    #expect(listener.player.wish == .playing)
    listener.perform(.sleep(.track))
    #expect(listener.perform(.sleep(nil)).contains(.follow(listener.player.queue.entries[1])))
  }

  @Test("when less time is left than a fade takes it still begins loud")
  func short() {
    for until in [SleepTimer.Until.time(.seconds(10)), .track] {
      var listener = Listener(1)
      listener.perform(.play)
      listener.begin()
      listener.tick(.seconds(190))
      listener.perform(.sleep(until))
      listener.tick()
      #expect(listener.player.volume.gain == Volume(percent: 50).gain)
      listener.tick(.seconds(5))
      #expect(listener.player.volume.gain == Volume(percent: 50).gain * 0.125)
    }
  }

  @Test("while it pauses time goes on, and nothing begins to play")
  func paused() {
    var listener = Listener(1)
    listener.perform(.play)
    listener.begin()
    listener.perform(.sleep(.time(.seconds(60))))
    listener.perform(.pause)
    #expect(listener.tick(.seconds(60)).allSatisfy { $0 != .pause })
    #expect(!listener.player.sleep.isOn && listener.player.wish == .paused)
  }
}

/// Loudness leaves by one way; whoever finds another is told here.
@Suite("Ways of loudness")
struct LoudnessWaysTests {
  @Test("the gain is told to the sound in one place, and made in one place")
  func oneWay() throws {
    let top = FilePath(#filePath).folder.folder.folder / "Sources"
    var tellers: [String: Int] = [:]
    func countWays(in folder: FilePath, named path: String) throws {
      for name in try Folder.names(in: folder) {
        let inner = folder / "\(name)"
        if name.ending != "swift" {
          if name.ending.isEmpty, path != "CLibraries" { try? countWays(in: inner, named: "\(path)/\(name)") }
          continue
        }
        let text = String(decoding: try AtomicFile.read(inner, limit: 1 << 20), as: UTF8.self)
        for way in ["setGain(", ".gain(volume", "volume.gain"] {
          let count = text.split(separator: way, omittingEmptySubsequences: false).count - 1
          if count > 0 { tellers["\(path)/\(name) \(way)"] = count }
        }
      }
    }
    for room in ["Playback", "layby", "Remote", "Panel"] { try countWays(in: top / room, named: room) }
    #expect(
      tellers == [
        // The protocol, its one caller, and the cue that sounds before the player runs.
        "Playback/Sound.swift setGain(": 1, "Playback/Transport.swift setGain(": 1, "layby/ReadyCue.swift setGain(": 1,
        // Where it is made: at the start and whenever it changes.
        "Playback/Player/Player.swift .gain(volume": 1, "Playback/Player/Player.swift volume.gain": 2,
        "Playback/Player/Player+Time.swift .gain(volume": 1, "Playback/Player/Player+Time.swift volume.gain": 3,
        "layby/ReadyCue.swift volume.gain": 1,
      ], "\(tellers)")
  }
}
