import Application
import Glibc
import Hardware
import Panel
import Playback
import Runtime
import TestSupport
import Testing

@testable import layby

@Suite("Panel, speech, kiosk and hands, made of real parts")
struct PanelAssemblyTests {
  @Test("a language that is chosen is the panel's, and speech that is switched off hears no scenes")
  func choices() async throws {
    let folder = TempFolder()
    let seen = try await AssemblyWorld.live(in: folder.path, owner: "[panel]\nspeech = on\n") {
      world throws(Fault) in
      let panel = PanelAssembly(world.context, world.library.application.playing, world.keeping, world.streaming)
      let speech = SpeechAssembly(world.context, world.sound, panel.part)
      guard let part = panel.part else { throw Fault(.missing, "T-70", "there is no panel") }
      var seen = [part.look.words[.search], part.told == nil ? "silent" : "told"]
      let preferences = world.library.application.preferences
      try await preferences.choose(Setting<PanelLanguage>.language.name, "de", by: .all)
      try await preferences.choose(Setting<Bool>.speech.name, "off", by: .all)
      seen += [part.look.words[.search], part.told == nil ? "silent" : "told"]
      speech.touched()
      return seen
    }
    #expect(seen == ["Search", "told", "Suche", "silent"])
  }

  @Test("outside the opening hours nothing plays, and the reason stands in the status; within them it does")
  func hours() async throws {
    var now = time(nil)
    var parts = tm()
    localtime_r(&now, &parts)
    let hour = Int(parts.tm_hour)
    for (from, isClosed) in [(hour + 6, true), (hour - 1, false)] {
      let folder = TempFolder()
      let hours = "\((from + 24) % 24):00-\((from + 26) % 24):00"
      let owner = "[panel]\nprofile = kiosk\n[kiosk]\nhours = \(hours)\npin = 4711\n"
      let seen = try await AssemblyWorld.live(in: folder.path, owner: owner) { world throws(Fault) in
        let lights = LightAssembly(world.context, nil)
        let kiosk = await KioskAssembly(world.context, world.storage, world.sound, lights, nil)
        let file = world.storage.path / "pin-tries"
        return (
          isClosed: kiosk.kiosk.isClosed, names: world.sound.transport.status.givesWayTo,
          tries: try AtomicFile.read(file, limit: 64), lock: kiosk.kiosk.lock
        )
      }
      #expect(seen.isClosed == isClosed && seen.names == (isClosed ? ["opening hours"] : []), "\(hours)")
      #expect(seen.tries == Array("0000\n".utf8) && seen.lock == .locked(opensByPIN: true))
    }
  }

  @Test("a PIN that somebody writes at the panel is seen by nobody else, and what is written from elsewhere is")
  func secret() async throws {
    let folder = TempFolder()
    let owner = "[panel]\nprofile = kiosk\n[kiosk]\npin = 4711\n"
    let seen = try await AssemblyWorld.live(in: folder.path, owner: owner) { world throws(Fault) in
      let lights = LightAssembly(world.context, nil)
      let kiosk = await KioskAssembly(world.context, world.storage, world.sound, lights, nil).kiosk
      let application = world.library.application
      let panel = PanelAssembly(world.context, application.playing, world.keeping, world.streaming)
      await world.openLibrary()
      panel.openMenu(world.library, world.sound.transport, kiosk)
      let performer = GesturePerformer(
        panel.part, application, world.context.questions, kiosk: kiosk, speech: nil, world.context.supervisor)
      @MainLoop func words() async -> String {
        await panel.part?.menu?.settled()
        do throws(Fault) { return try performer.picture().words } catch { return error.code }
      }
      let toPIN: [Gesture] = [.long(.knob), .turn(50), .press(.knob)]
      var seen: [String] = []
      for isRemote in [true, false] {
        for gesture in toPIN {
          try await performer.perform(gesture, isRemote: isRemote)
          seen.append(await words())
        }
        // Somebody from elsewhere turns along.
        try await performer.perform(.turn(1), isRemote: true)
        seen.append(await words())
        try await performer.perform(.press(.home), isRemote: isRemote)
        seen.append(await words())
      }
      return seen
    }
    let pages = seen.map { $0.prefix { $0 != " " && $0 != "·" } }
    #expect(
      pages == ["Menu", "Menu", "PIN", "PIN", "Starting…", "Menu", "Menu", "N-128", "N-128", "Starting…"], "\(seen)")
  }

  @Test("while more music is imported and nothing is in the queue, what is there is offered and played by one press")
  func importing() async throws {
    let folder = TempFolder()
    for (name, count) in [("first", 10), ("second", 600)] {
      try Folder.make(folder.path / name, mode: 0o755)
      try TinyAlbums(count).write(below: folder.path / name)
    }
    let goOn = try Bell()
    let seen = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      let application = world.library.application
      let panel = PanelAssembly(world.context, application.playing, world.keeping, world.streaming)
      panel.follow(.null, world.library)
      panel.offerMusic(of: world.library)
      await world.openLibrary()
      panel.part?.becomeReady()
      let performer = GesturePerformer(
        panel.part, application, world.context.questions, kiosk: nil, speech: nil, world.context.supervisor)
      try await application.importing?.start([folder.path / "first"])
      try await world.untilTracks(10)
      while panel.part?.offersLibrary != true { await MainLoop.loop.nextRound() }
      world.context.notices.clear()
      let news = Mailbox<Void>(limit: 1)
      world.library.followImports {
        // It has begun, and waits for the library until the test has seen what it wants.
        if news.isClosed { return }
        news.send(())
        news.close()
        world.storage.catalogue?.loop.post { goOn.wait() }
      }
      try await application.importing?.start([folder.path / "second"])
      _ = await news.receive()
      let words = try performer.picture().words
      let press = MainLoop.start {
        do throws(Fault) { try await performer.perform(.press(.play)) } catch { Issue.record("\(error)") }
      }
      await MainLoop.loop.nextRound()
      goOn.ring()
      await press.value
      return (words: words, count: world.sound.transport.queue.count, wish: world.sound.transport.status.wish)
    }
    #expect(seen.words.contains("Importing second") && seen.words.contains("Play all your music"), "\(seen.words)")
    #expect(seen.count >= 10 && seen.wish == .playing, "\(seen)")
  }

  @Test("in a playlist, songs of one name and artist say on which album they are; all others need not")
  func sameNames() async throws {
    let folder = TempFolder()
    let music = folder.path / "music"
    try Folder.make(music, mode: 0o755)
    for (index, (title, album)) in [("Air", "Suites"), ("Air", "Live"), ("Gavotte", "Suites")].enumerated() {
      let file = TinyMP3(title: title, album: album, track: index + 1, sound: UInt64(index + 1))
      try AtomicFile.replace(music / "\(index).mp3", with: file.bytes, mode: 0o644)
    }
    let seen = try await AssemblyWorld.live(in: folder.path) { world throws(Fault) in
      await world.openLibrary()
      let application = world.library.application
      try await application.importing?.start([music])
      try await world.untilTracks(3)
      guard let playlists = application.playlists else { throw Fault(.missing, "T-71", "there are no playlists") }
      let road = try await playlists.make(named: "Road").id
      _ = try await playlists.add((0...2).map { music / "\($0).mp3" }, to: road)
      let menu = MenuMusic(application, world.context.notices) { _, _ throws(Fault) in
        throw Fault(.missing, "T-72", "there is no source")
      }
      return try await menu.tracks(ofPlaylist: road, count: 10)
    }
    #expect(seen.map(\.title) == ["Air", "Air", "Gavotte"] && seen.map(\.album) == ["Suites", "Live", ""])
  }

  @Test("the board's knob is read and can be learned, and a board without one has none")
  func knob() async throws {
    for (board, expected) in [("[encoder]\nlines = A, B\n", InputLearning.Knob.ofTheBoard), ("", .none)] {
      let folder = TempFolder()
      let seen = try await AssemblyWorld.live(in: folder.path, board: board) { world throws(Fault) in
        let lights = LightAssembly(world.context, nil)
        let power = PowerAssembly(world.context, world.sound.transport, lights, world.library, nil)
        let kiosk = await KioskAssembly(world.context, world.storage, world.sound, lights, nil)
        let hands = HandsAssembly(world.context, world.storage)
        let application = world.library.application
        let performer = GesturePerformer(
          nil, application, world.context.questions, kiosk: kiosk.kiosk, speech: nil, world.context.supervisor)
        await hands.keep(
          for: .init(
            performer: performer, panel: nil, kiosk: kiosk.kiosk, lights: lights, power: power,
            speech: SpeechAssembly(world.context, world.sound, nil)))
        return InputLearning(hands, application.preferences).knob
      }
      #expect(seen == expected, "\(board)")
    }
  }
}
