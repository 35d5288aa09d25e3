import Application
import Audio
import Canvas
import Glibc
import HTTP
import Hardware
import Library
import Offline
import Panel
import Playback
import Remote
import Runtime
import Supervisor

/// The wiring: the one place that knows every room. It opens what is on the disk, starts the parts in order, waits for
/// the wish to stop, and closes in the opposite order.
@MainLoop
final class House {
  let context: ProgramContext
  var options: RunOptions { context.options }
  var chosen: ChosenSettings { context.chosen }
  var settings: Settings { chosen.settings }
  private let owner: SettingsReading.Owner
  private let early: [Notice]
  var outset: StartupDiagnosis { context.outset }
  var notices: NoticeBoard { context.notices }
  var questions: QuestionBoard { context.questions }
  var supervisor: Supervisor { context.supervisor }
  var library: LibraryAssembly?
  var sound: SoundAssembly?
  var network: NetworkAssembly?
  var power: PowerAssembly?
  var lights: LightAssembly?
  /// Knows what keys mean, and learns.
  var inputDevices: EventDevices?
  /// Reads the board's own knob and buttons, and finds out how the knob is built.
  var lines: LinesPart?
  var kiosk: Kiosk?
  /// Outside its opening hours.
  var isClosed = false
  /// Was to be played, and is when it opens.
  var playsAtOpening = false
  /// By a finger.
  var wokenAt: Moment?
  var wishTold = Player.PlaybackState.stopped
  /// By a hand, and not from afar.
  var touchedAt: Moment?
  var speech: SpeechDesk?
  let offline = Keeping()
  private(set) lazy var streaming = StreamAssembly(offline, kept: context.keptPath, notices)
  let log = Log("layby")

  init(
    _ options: RunOptions, _ reading: SettingsReading, _ choices: Choices, _ outset: StartupDiagnosis, owned: Settings
  ) {
    let chosen = ChosenSettings(reading.settings, choices, owned: owned, isSafe: outset.isSafe)
    context = ProgramContext(options, chosen, outset)
    owner = reading.owner
    early = reading.notices
  }

  /// Gives the exit code.
  func live() async -> Int32 {
    chosen.follow { [chosen] _ in LogBook.shared.show(upTo: chosen.settings[.logLevel]) }
    do throws(Fault) {
      supervisor.tell = { name, fault, triesAgain in
        self.notices.post(Notice(fault, instead: triesAgain ? "\(name) is tried again" : "it goes on without \(name)"))
      }
      let signals = try Signals()
      watch(consume signals)
      await context.watchdogs.begin()
      let storage = try await Storage(context.statePath, notices)
      try await play(storage)
      await supervisor.untilStopWanted()
      context.watchdogs.systemd.stopping()
      await supervisor.stop()
      // It was wanted, and what matters is saved: whatever the disk does now is neither a crash nor a hang.
      leaveIfTheDiskHangs()
      standDown()
      try await storage.close()
      log.notice("stopped")
      // What was recorded is the result, so whoever started this must see that it is not whole.
      return options.once && transport?.outputHasFailed == true ? EX_CANTCREAT : EX_OK
    } catch {
      complain(error)
      context.watchdogs.standDown()
      outset.ledger.gaveUp()
      return exitCode(for: error)
    }
  }

  private func standDown() {
    context.watchdogs.standDown()
    outset.ledger.endCleanly()
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

  private func play(_ storage: Storage) async throws(Fault) {
    let output = options.output ?? settings[.audioOutput]
    let sound = try SoundAssembly(output, chosen, storage, outset, finder: streaming.streams, notices)
    self.sound = sound
    let transport = sound.transport
    streaming.connect(sound, storage, hasSources: !settings.sources.isEmpty)
    let sticks = StickAssembly(context, storage)
    let readings = HealthReadings(context, sticks)
    let library = try LibraryAssembly(
      context, storage, sound, sticks, offline, device: .init(context, storage, sound, readings, self))
    self.library = library
    let application = library.application
    // First of all, so that whoever waits in front of it sees that something happens.
    let panel = makePanel(application.playing)
    keepSpeech(sound.path, panel, transport)
    if let panel { await supervisor.keep(panel, when: .restart) }
    let lights = LightAssembly(context, panel)
    let network = NetworkAssembly(context, storage)
    let power = PowerAssembly(context, transport, lights, library, panel)
    (self.lights, self.network, self.power) = (lights, network, power)
    readings.watch(network, power, lights)
    if let panel { showConnection(network, application.keeping, on: panel) }
    await keepKiosk(storage, transport)
    panel?.kiosk = kiosk
    // Who is being started again after a crash needs no fanfare.
    if settings[.readyCue], outset.isFirstOfBoot, !isClosed {
      await ReadyCue.sound(sound.path, SoundAssembly.startVolume(storage.saved, settings))
    }
    await supervisor.keep(transport, when: .restart)
    await supervisor.keep(sound.loudness, when: .restart)
    for notice in early { notices.post(notice) }
    try await playWhatWasAsked(transport)
    if options.play.isEmpty { await playTheFirstMusic(storage, transport) }
    if options.once { endWithTheMusic(transport) }

    await sticks.remember()
    await library.keep()
    let gestures = GesturePerformer(panel, application, questions, kiosk: kiosk, speech: speech, supervisor)
    let service = PlayerService(application, panel: gestures, questions: questions)
    let offline = OfflineAssembly(context, storage, library, network, power)
    await supervisor.keep(ControlSocket(at: options.runFolder(settings) / "control", for: service), when: .restart)
    if let panel { keepMenu(transport, panel, library) }
    let hands = makeHands(gestures)
    await lights.keep()
    await power.keepSwitchOff()
    await keepInputs(storage) { self.take($0, at: $1, hands) }
    await sticks.keep()
    await power.keep()
    await network.keep()
    context.watchdogs.expect(sound, storage)
    sound.logDrift()
    outset.tell(notices)
    outset.ledger.becameReady()
    forgiveLater(storage.loop)
    if let limit = options.endsAfter {
      MainLoop.start { if await MainLoop.loop.sleep(for: limit) { self.supervisor.wantStop(because: "--for is over") } }
    }
    panel?.becomeReady()
    await hintAtMenu(storage)
    context.watchdogs.systemd.ready("playing to \(output)")
    log.notice("ready", ["output": output, "entries": transport.queue.count])
    library.follow { self.offerLibrary() }
    storage.openLibrary {
      sound.tellLoudness()
      library.open()
      MainLoop.start { await offline.open() }
      self.letGoOfTheStart(storage.loop)
    }
    keepOwnersFile(on: storage.loop)
  }

  /// `--play` begins anew, unless it is what was playing when it last stopped.
  private func playWhatWasAsked(_ transport: Transport) async throws(Fault) {
    guard !options.play.isEmpty else { return }
    let isTheSame = transport.queue.entries.map(\.path) == options.play
    let new = Replacement(options.play, from: Origin(named: options.play))
    let command = isTheSame ? Player.Command.play : .replace(new)
    try await saving { () throws(Fault) in try await transport.perform(command) }
  }

  /// What cannot be saved has been told on the panel; the music does not wait for it.
  func saving(_ action: () async throws(Fault) -> Void) async throws(Fault) {
    do throws(Fault) { try await action() } catch { log.warning("not saved", ["reason": error.message]) }
  }

  /// A run that lasts has shown that it can live.
  private func forgiveLater(_ loop: EventLoop) {
    let ledger = outset.ledger
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

  /// `--once`: when nothing plays any more, for whatever reason.
  private func endWithTheMusic(_ transport: Transport) {
    let events = Mailbox<PlayerEvent>()
    transport.follow(events)
    MainLoop.start {
      while transport.status.wish != .stopped, await events.receive() != nil {}
      self.supervisor.wantStop(because: "nothing plays any more")
    }
  }

  // MARK: Signals and sleep

  private func watch(_ signals: consuming Signals) {
    let box = SignalBox(signals)
    MainLoop.start {
      while let request = await box.next() {
        switch request {
        case .stop where self.supervisor.isStopping:
          RawTerminal.giveBack()
          self.standDown()
          _exit(128 + SIGTERM)
        case .stop: self.supervisor.wantStop(because: "a signal asked for it")
        case .resized: self.panel?.resized()
        }
      }
    }
  }

  var panel: PanelPart?
  var transport: Transport? { sound?.transport }
}
