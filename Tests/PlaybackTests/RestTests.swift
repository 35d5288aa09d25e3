import Runtime
import TestSupport
import Testing

@testable import Audio
@testable import Playback

@Suite("The board rests")
struct RestTests {
  private func playing() -> Listener {
    var listener = Listener(2)
    listener.perform(.play)
    listener.begin()
    listener.tick(.seconds(10))
    return listener
  }

  private func rest(_ listener: inout Listener) {
    listener.perform(.giveWay(to: GiveWay.board, .rest))
    while listener.player.fadesUntil != nil { listener.tick(.milliseconds(20)) }
  }

  @Test("the music fades out evenly before it pauses, and is as loud as before when it goes on")
  func fades() {
    var listener = playing()
    let loud = listener.player.volume.gain
    #expect(listener.perform(.giveWay(to: GiveWay.board, .rest)) == [])
    var gains = [loud]
    var actions: [Player.Action] = []
    for _ in 0..<200 where listener.player.fadesUntil != nil {
      #expect(listener.player.nextPass(heard: listener.heard) == .milliseconds(20))
      actions = listener.tick(.milliseconds(20))
      if listener.player.fadesUntil != nil { gains.append(listener.player.volume.gain) }
    }
    #expect(gains.count > 50 && zip(gains, gains.dropFirst()).allSatisfy { $0 > $1 })
    #expect(gains.last.map { $0 < loud / 1_000 } == true)
    #expect(actions.contains(.pause) && listener.player.wish == .paused)
    #expect(listener.perform(.giveWay(to: GiveWay.board, nil)).contains(.resume))
    #expect(listener.player.volume.gain == loud && listener.player.wish == .playing)
  }

  @Test("back while it fades it never pauses, and rises to where it was")
  func back() {
    var listener = playing()
    let loud = listener.player.volume.gain
    listener.perform(.giveWay(to: GiveWay.board, .rest))
    for _ in 0..<30 { listener.tick(.milliseconds(20)) }
    let soft = listener.player.volume.gain
    let actions = listener.perform(.giveWay(to: GiveWay.board, nil))
    #expect(!actions.contains(.pause) && listener.player.wish == .playing && listener.player.fadesUntil == nil)
    #expect(listener.player.volume.gain <= soft * 1.1 && soft < loud)
    for _ in 0..<100 { listener.tick(.milliseconds(20)) }
    #expect(listener.player.volume.gain == loud && listener.player.nextPass(heard: listener.heard) == nil)
  }

  enum Meanwhile: CaseIterable, Sendable {
    case nothing, pausesBefore, pausesInTheFade, pausesAtRest, playsAtRest, stops
  }

  @Test("what a person decided stays so, whenever; only the board's own pause is undone", arguments: Meanwhile.allCases)
  func person(what: Meanwhile) {
    var listener = playing()
    if what == .pausesBefore { listener.perform(.pause) }
    listener.perform(.giveWay(to: GiveWay.board, .rest))
    if what == .pausesInTheFade {
      listener.tick(.milliseconds(300))
      listener.perform(.toggle)
      #expect(listener.player.wish == .paused)
    }
    while listener.player.fadesUntil != nil { listener.tick(.milliseconds(20)) }
    if what == .pausesAtRest { listener.perform(.pause) }
    if what == .playsAtRest { listener.perform(.play) }
    if what == .stops { listener.perform(.stop) }
    let goesOn = what == .nothing
    #expect(listener.player.way.goesOnAfterRest == goesOn)
    let actions = listener.perform(.giveWay(to: GiveWay.board, nil))
    #expect(actions.contains(.resume) == goesOn)
    #expect((listener.player.wish == .playing) == [.nothing, .playsAtRest].contains(what))
    #expect(!listener.player.way.goesOnAfterRest)
  }

  @Test("there is room for the board's rest, however many speak")
  func crowd() {
    var listener = playing()
    for number in 0..<40 { listener.perform(.giveWay(to: "voice \(number)", .duck)) }
    rest(&listener)
    #expect(listener.player.wish == .paused)
  }

  @Test("a call that comes in the fade pauses at once, and the music goes on when both are over")
  func call() {
    var listener = playing()
    listener.perform(.giveWay(to: GiveWay.board, .rest))
    listener.tick(.milliseconds(300))
    listener.perform(.giveWay(to: "call", .pause))
    while listener.player.fadesUntil != nil { listener.tick(.milliseconds(20)) }
    #expect(listener.player.wish == .paused)
    #expect(!listener.perform(.giveWay(to: GiveWay.board, nil)).contains(.resume))
    #expect(listener.perform(.giveWay(to: "call", nil)).contains(.resume))
  }

  @Test("whatever happens in whatever order, the fade ends and a person's pause is never undone")
  func walk() {
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      var listener = playing()
      var isPersons = false
      for _ in 0..<60 {
        let before = listener.player.wish
        switch Int.random(in: 0..<6, using: &random) {
        case 0: listener.perform(.giveWay(to: GiveWay.board, .rest))
        case 1:
          listener.perform(.giveWay(to: GiveWay.board, nil))
          if isPersons { #expect(listener.player.wish == before, "seed \(seed)") }
        case 2:
          listener.perform(.pause)
          isPersons = true
        case 3:
          listener.perform(.play)
          isPersons = false
        case 4: listener.perform(.turn(by: Int.random(in: -9...9, using: &random)))
        default: listener.tick(.milliseconds(Int64.random(in: 0...3_000, using: &random)))
        }
        if isPersons { #expect(listener.player.wish != .playing, "seed \(seed)") }
        #expect(listener.player.fadesUntil == nil || listener.player.wish == .playing, "seed \(seed)")
      }
      listener.perform(.giveWay(to: GiveWay.board, nil))
      listener.tick(.seconds(5))
      #expect(listener.player.fadesUntil == nil && listener.player.volume.leave == .full, "seed \(seed)")
    }
  }

  @Test("resting, the session says that it plays, so that the next start goes on; after a person's pause it does not")
  func saved() async throws {
    for isPersons in [false, true] {
      let work = try StoreAtWork()
      let saved = try await work.open()
      try await TestMainLoop.alone {
        let stage = try #require(await onMainLoop { try? Stage(saved, store: work.store) })
        await onMainLoop {
          await stage.start()
          await stage.perform(.add([FilePath("/a"), FilePath("/b")]))
          await stage.perform(.play)
          stage.sound.hear(1)
        }
        await until("it is heard") { stage.transport.status.track?.duration != nil }
        await onMainLoop {
          if isPersons { await stage.perform(.pause) }
          await stage.perform(.giveWay(to: GiveWay.board, .rest))
        }
        for _ in 0..<80 { await MainLoop.loop.advance(by: .milliseconds(20)) }
        await until("it rests") { stage.transport.status.wish == .paused }
        await onMainLoop { do throws(Fault) { try await stage.transport.save() } catch { Issue.record("\(error)") } }
        await onMainLoop { stage.stop() }
        await until("the end") { stage.isOver }
      }
      #expect(work.newestSlot?.place.wish == (isPersons ? .paused : .playing))
    }
  }
}
