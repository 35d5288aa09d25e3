import Application
import Glibc
import Hardware
import Library
import Offline
import Panel
import Playback
import Remote
import Runtime
import Supervisor

/// The program: it opens what is on the disk, makes the assemblies, starts their parts in order, waits until it is to
/// stop, and closes everything in the opposite order. It is the one place that knows all assemblies. It lives on the main
/// loop.
@MainLoop
final class Program {
  private let context: ProgramContext
  private let owner: SettingsReading.Owner
  private let early: [Notice]
  private var sound: SoundAssembly?
  private var panel: PanelAssembly?
  private let log = Log("layby")

  init(
    _ options: RunOptions, _ reading: SettingsReading, _ choices: Choices, _ outset: StartupDiagnosis, owned: Settings
  ) {
    let depots = reading.settings.sources.filter { reading.settings[.sourceKind($0)] == .depot }
    let words = ServiceFlags.words(of: outset.isSafe ? [] : depots, in: options.stateFolder(reading.settings))
    let chosen = ChosenSettings(reading.settings, choices, owned: owned, isSafe: outset.isSafe, words)
    context = ProgramContext(options, chosen, outset)
    owner = reading.owner
    early = reading.notices
  }

  /// Gives the exit code.
  func live() async -> Int32 {
    let (supervisor, notices) = (context.supervisor, context.notices)
    do throws(Fault) {
      supervisor.tell = { name, fault, triesAgain in
        notices.post(Notice(fault, instead: triesAgain ? "\(name) is tried again" : "it goes on without \(name)"))
      }
      let signals = try Signals()
      watch(consume signals)
      await context.watchdogs.begin()
      let storage = try await Storage(context.statePath, notices)
      try await start(storage)
      await supervisor.untilStopWanted()
      context.watchdogs.systemd.stopping()
      await supervisor.stop()
      // It was wanted, and what matters is saved: whatever the disk does now is neither a crash nor a hang.
      leaveIfTheDiskHangs()
      standDown()
      try await storage.close()
      log.notice("stopped")
      // A recording is the result, so whoever started the program must see that it is incomplete.
      return context.options.once && sound?.transport.outputHasFailed == true ? EX_CANTCREAT : EX_OK
    } catch {
      complain(error)
      context.watchdogs.standDown()
      context.outset.ledger.gaveUp()
      return exitCode(for: error)
    }
  }

  private func standDown() {
    context.watchdogs.standDown()
    context.outset.ledger.endCleanly()
  }

  /// What matters was saved when the player ended; the next start checks what was not closed. Three seconds in which
  /// this process did nothing at all are the disk's; on a busy computer it waits for its turn on the processor, and the
  /// little that it gets in that time is not nothing.
  private func leaveIfTheDiskHangs() {
    MainLoop.start {
      var used = ProcessorTime.ofProcess
      while await MainLoop.loop.sleep(for: .seconds(3)) {
        guard ProcessorTime.ofProcess - used < .milliseconds(5) else {
          used = ProcessorTime.ofProcess
          continue
        }
        self.log.error("the disk does not answer, leaving without closing")
        _exit(EX_TEMPFAIL)
      }
    }
  }

  private func start(_ storage: Storage) async throws(Fault) {
    let (settings, outset, supervisor) = (context.settings, context.outset, context.supervisor)
    context.chosen.follow { [chosen = context.chosen] name in
      if name == Setting<String>.timeZone.name { ProcessTimeZone.use(chosen.settings[.timeZone]) }
    }
    let output = context.options.output ?? settings[.audioOutput]
    let keeping = Keeping()
    let streaming = StreamAssembly(keeping, storage, kept: context.keptPath, context.notices)
    let licensing = LicenceAssembly(context, playingTo: output)
    let sound = try SoundAssembly(
      output, context.chosen, storage, outset, keeping, finder: streaming.streams, keys: licensing.keys,
      library: streaming, context.notices)
    self.sound = sound
    let transport = sound.transport
    streaming.connect(sound, hasSources: !settings.sources.isEmpty)
    let (sticks, hands) = (StickAssembly(context, storage), HandsAssembly(context, storage))
    let readings = HealthReadings(context, sticks)
    let library = try LibraryAssembly(
      context, storage, sound, sticks, keeping,
      device: .init(context, storage, sound, readings, hands, licensing.licences))
    let application = library.application
    // The panel comes first of all parts, so that whoever waits in front of it sees that something happens.
    let panel = PanelAssembly(context, application.playing, keeping, streaming)
    self.panel = panel
    let speech = SpeechAssembly(context, sound, panel.part)
    panel.follow(output, library)
    await panel.keep()
    let lights = LightAssembly(context, panel.part)
    let network = NetworkAssembly(context, storage, panel)
    let power = PowerAssembly(context, transport, lights, library, panel.part)
    readings.watch(panel.part, network, power, lights)
    let kiosk = await KioskAssembly(context, storage, sound, lights, panel.part)
    // A start after a crash needs no fanfare.
    if settings[.readyCue], outset.isFirstOfBoot, !kiosk.kiosk.isClosed {
      await ReadyCue.sound(sound.path, SoundAssembly.startVolume(storage.saved, settings))
    }
    await supervisor.keep(transport, when: .restart)
    await supervisor.keep(sound.loudness, when: .restart)
    for notice in early { context.notices.post(notice) }
    try await StartingMusic(context: context, storage: storage, transport: transport, kiosk: kiosk).begin()

    await sticks.remember()
    await library.keep()
    let performer = GesturePerformer(
      panel.part, application, context.questions, kiosk: kiosk.kiosk, speech: speech.desk, supervisor)
    library.application.wireless = network.wireless(sticks)
    let service = PlayerService(library.application, panel: performer, questions: context.questions)
    let offline = OfflineAssembly(context, storage, library, network, power)
    let control = context.options.runFolder(settings) / "control"
    await supervisor.keep(ControlSocket(at: control, for: service), when: .restart)
    panel.openMenu(library, transport, kiosk.kiosk)
    await lights.keep()
    await power.keepSwitchOff()
    await hands.keep(
      for: .init(
        performer: performer, panel: panel.part, kiosk: kiosk.kiosk, lights: lights, power: power, speech: speech))
    await sticks.keep()
    await power.keep()
    await network.keep()
    context.watchdogs.expect(sound, storage)
    sound.logDrift()
    outset.tell(context.notices)
    outset.ledger.becameReady()
    forgiveLater(storage.loop)
    if let limit = context.options.endsAfter {
      MainLoop.start { if await MainLoop.loop.sleep(for: limit) { supervisor.wantStop(because: "--for is over") } }
    }
    panel.part?.becomeReady()
    await panel.hintAtMenu(storage)
    context.watchdogs.systemd.ready("playing to \(output)")
    log.notice("ready", ["output": output, "entries": transport.queue.count])
    panel.offerMusic(of: library)
    storage.openLibrary(readable: library.changed) {
      sound.libraryOpened()
      library.open()
      MainLoop.start { await offline.open() }
      self.letGoOfTheStart(storage.loop)
    }
    keepOwnersFile(on: storage.loop)
  }

  /// A run that lasts has shown that it can live.
  private func forgiveLater(_ loop: EventLoop) {
    let ledger = context.outset.ledger
    MainLoop.start {
      guard await MainLoop.loop.sleep(for: StartHistory.probation) else { return }
      loop.post { ledger.survived() }
    }
  }

  /// The library is open; what is done with it at a start is soon over.
  private func letGoOfTheStart(_ loop: EventLoop) {
    MainLoop.start {
      guard await MainLoop.loop.sleep(for: .seconds(3)) else { return }
      loop.post { ResidentCode.letGo() }
    }
  }

  private func keepOwnersFile(on loop: EventLoop) {
    guard case .file(let bytes) = owner else { return }
    let (state, log) = (context.statePath, log)
    loop.post {
      do throws(Fault) { try OwnersFile.keep(bytes, in: state) } catch {
        log.warning("the owner's settings were not kept", ["reason": error.message])
      }
    }
  }

  // MARK: Signals

  private func watch(_ signals: consuming Signals) {
    let box = SignalBox(signals)
    MainLoop.start {
      while let request = await box.next() {
        switch request {
        case .stop where self.context.supervisor.isStopping:
          RawTerminal.giveBack()
          self.standDown()
          _exit(128 + SIGTERM)
        case .stop: self.context.supervisor.wantStop(because: "a signal asked for it")
        case .resized: self.panel?.part?.resized()
        }
      }
    }
  }
}
