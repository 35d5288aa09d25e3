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
  let options: RunOptions
  let chosen: ChosenSettings
  var settings: Settings { chosen.settings }
  var daylight: Daylight
  private let owner: SettingsReading.Owner
  private let early: [Notice]
  let outset: StartupDiagnosis
  let notices = NoticeBoard()
  let questions = QuestionBoard()
  let supervisor = Supervisor()
  let systemd = Systemd()
  var stickMemory = StickMemory()
  private(set) lazy var sticks = SticksPart { [notices] event in
    // Of one that waits there is a question.
    if case .refused(let stick) = event, stick.reason == .waits { return }
    if let notice = event.notice { notices.post(notice) }
  }
  var hardwareWatchdog: HardwareWatchdog?
  var watchdog: Watchdog?
  var sound: SoundAssembly?
  var network: NetworkPart?
  var power: PowerPart?
  /// Knows what keys mean, and learns.
  var inputDevices: EventDevices?
  /// Reads the board's own knob and buttons, and finds out how the knob is built.
  var lines: LinesPart?
  var powerPolicy = PowerPolicy()
  var switchOff: SwitchOffPart?
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
  var lights: LightsPart?
  var speech: SpeechDesk?
  var ambient: AmbientPart?
  var clockwork: Task<Void, Never>?
  var carriers: LibraryJobs?
  /// The library is open, or an import has ended: what is known of what plays is asked for anew.
  var libraryChanged: @MainLoop () -> Void = {}
  var application: Application?
  /// The battery is too low for anything but the session.
  var holdsWrites = false { didSet { holdsWritesChanged() } }
  var holdsWritesChanged: @MainLoop () -> Void = {}
  var wire: Transfers?
  let offline = Keeping()
  private(set) lazy var streaming = StreamAssembly(offline, kept: keptPath, notices)
  let log = Log("layby")

  init(
    _ options: RunOptions, _ reading: SettingsReading, _ choices: Choices, _ outset: StartupDiagnosis, owned: Settings
  ) {
    self.options = options
    chosen = ChosenSettings(reading.settings, choices, owned: owned, isSafe: outset.isSafe)
    let settings = chosen.settings
    daylight = Daylight(settings[.colours], hours: settings[.daylight])
    daylight.minute = Self.minute(at: Int64(time(nil)))
    owner = reading.owner
    early = reading.notices
    self.outset = outset
  }

  var statePath: FilePath { options.stateFolder(settings) }

  /// Gives the exit code.
  func live() async -> Int32 {
    chosen.follow { [chosen] _ in LogBook.shared.show(upTo: chosen.settings[.logLevel]) }
    do throws(Fault) {
      supervisor.tell = { name, fault, triesAgain in
        self.notices.post(Notice(fault, instead: triesAgain ? "\(name) is tried again" : "it goes on without \(name)"))
      }
      let signals = try Signals()
      watch(consume signals)
      await watchTheMainLoop()
      let storage = try await Storage(statePath, notices)
      try await play(storage)
      await supervisor.untilStopWanted()
      systemd.stopping()
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
      hardwareWatchdog?.standDown()
      outset.ledger.gaveUp()
      return exitCode(for: error)
    }
  }

  private func standDown() {
    hardwareWatchdog?.standDown()
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
    libraryChanged = { sound.libraryChanged() }
    var application = makeApplication(storage, sound)
    // First of all, so that whoever waits in front of it sees that something happens.
    let panel = makePanel(application.playing)
    keepSpeech(sound.path, panel, transport)
    if let panel { await supervisor.keep(panel, when: .restart) }
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

    await rememberSticks(storage)
    let carriers = try await keepLibrary(storage, transport)
    self.carriers = carriers
    hold(carriers)
    application.importing = carriers.flatMap { carriers in
      storage.catalogue.map { Importing($0, carriers.imports, carriers.copies) }
    }
    application.sticks = Sticks(sticks, application.browsing, application.importing)
    self.application = application
    let gestures = GesturePerformer(panel, application, questions, kiosk: kiosk, speech: speech, supervisor)
    let service = PlayerService(application, panel: gestures, questions: questions)
    announceOffline(storage)
    await supervisor.keep(ControlSocket(at: options.runFolder(settings) / "control", for: service), when: .restart)
    if let panel { keepMenu(transport, panel, application) }
    let hands = makeHands(gestures)
    await keepLights()
    await keepDaylight()
    await keepSwitchOff(transport)
    await keepInputs(storage) { self.take($0, at: $1, hands) }
    await supervisor.keep(sticks, when: .restart)
    await keepNetworkAndPower(transport, storage)
    watchTheRest(sound.path, storage)
    sound.logDrift()
    outset.tell(notices)
    outset.ledger.becameReady()
    forgiveLater(storage.loop)
    if let limit = options.endsAfter {
      MainLoop.start { if await MainLoop.loop.sleep(for: limit) { self.supervisor.wantStop(because: "--for is over") } }
    }
    panel?.becomeReady()
    await hintAtMenu(storage)
    systemd.ready("playing to \(output)")
    log.notice("ready", ["output": output, "entries": transport.queue.count])
    storage.openLibrary {
      sound.tellLoudness()
      self.libraryChanged()
      self.offerLibrary()
      if let carriers, let catalogue = storage.catalogue {
        self.welcomeSources(storage, catalogue, carriers)
        MainLoop.start { await self.keepOffline(storage, carriers.imports) }
      }
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
    let (state, log) = (statePath, log)
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
