import Application
import Audio
import Formats
import Library
import Playback
import Runtime
import Seals

/// What plays: the path to the sound device, the player in front of it, what measures how loud music is, and what writes
/// down what was heard. Lives on the main loop. After a power cut the player begins where `Storage` last knew it.
@MainLoop
final class SoundAssembly {
  let path: SoundPath
  let transport: Transport
  let loudness: LoudnessPart
  /// Nil where nothing can be remembered.
  let recorder: ListeningRecorder?
  private let chosen: ChosenSettings
  private let notices: NoticeBoard
  private let log = Log("layby")

  /// `finder` opens streams for the decoder; `library` knows what tracks are called. Nothing sounds before `transport`
  /// and `loudness` are kept by a supervisor.
  init(
    _ output: SoundOutput, _ chosen: ChosenSettings, _ storage: Storage, _ outset: StartupDiagnosis, _ keeping: Keeping,
    finder: any MusicFinder, keys: (any TrackKeys)?, library: any TrackLibrary, _ notices: NoticeBoard
  ) throws(Fault) {
    let settings = chosen.settings
    var help = ForeignHelp()
    help.keys = keys
    path = try SoundPath(
      output: output.make(buffer: settings[.audioBuffer]), buffer: settings[.audioBuffer],
      mixer: output.mixer(settings[.audioMixer]), help: help, finder: finder, suspects: outset.suspects)
    var saved = storage.saved
    // A visitor of a kiosk has no key for what is paused; what is stopped begins with what they choose.
    let silent: Player.PlaybackState = settings.isKiosk ? .stopped : .paused
    if !settings[.resume] || outset.isSilent, saved.place.wish == .playing { saved.place.wish = silent }
    loudness = LoudnessPart(storedIn: storage, suspects: outset.suspects, help: help)
    recorder = storage.catalogue.map { ListeningRecorder(storage, $0, keeping) }
    transport = Transport(
      saved, rules: Self.rules(settings), volume: Self.startVolume(storage.saved, settings),
      sounding: Self.sounding(of: settings, notices), sound: path, store: storage.session, library: library,
      loudness: loudness, listeningLog: recorder, isSafe: outset.isSafe, notices: notices)
    (self.chosen, self.notices) = (chosen, notices)
    followQueue()
    chosen.follow { self.follow($0) }
  }

  private static func rules(_ settings: Settings) -> Player.Rules {
    var rules = Player.Rules()
    rules.previousRestartsAfter = settings[.previousRestartsAfter]
    rules.unplayableLimit = settings[.unplayableLimit]
    rules.bookmarksAfter = settings[.bookmarksAfter]
    return rules
  }

  static func startVolume(_ saved: SavedSession, _ settings: Settings) -> Volume {
    let percent =
      switch settings[.startVolume] {
      case .percent(let percent): percent
      case .last: saved.isFresh ? 50 : saved.place.volume
      }
    return Volume(percent: percent, maximum: settings.loudest, isMuted: saved.place.isMuted)
  }

  // MARK: Effects

  /// What the owner chose. A curve that cannot be read leaves the sound as it is, and a notice says so.
  var sounding: EffectsPlan { Self.sounding(of: chosen.settings, notices) }

  private static func sounding(of settings: Settings, _ notices: NoticeBoard) -> EffectsPlan {
    var sounding = EffectsPlan()
    do throws(Fault) { sounding.equaliser = try EqualiserCurve(parsing: settings[.equaliser]) } catch {
      notices.post(Notice(error, instead: "the equaliser is off"))
    }
    sounding.normaliser = settings[.normaliser]
    sounding.preamp = settings[.normaliserPreamp]
    sounding.crossfade = settings[.crossfade]
    sounding.crossfadesInAlbums = settings[.crossfadeInAlbums]
    return sounding
  }

  /// Applies a value of the sound until the next start, without storing it.
  func sound(as name: SettingName, _ text: String) {
    guard name.section == Setting<String>.equaliser.section, let settings = chosen.trying(name, text) else { return }
    transport.sounding = Self.sounding(of: settings, notices)
  }

  private func follow(_ name: SettingName) {
    if name.section == Setting<String>.equaliser.section { transport.sounding = sounding }
    let loudest = chosen.settings.loudest
    guard transport.status.loudest != loudest else { return }
    MainLoop.start {
      do throws(Fault) { try await self.transport.perform(.limitVolume(loudest)) } catch {
        self.log.warning("not saved", ["reason": error.message])
      }
    }
  }

  // MARK: Loudness

  /// Measures what is queued, from the one that plays on, and then what was heard before.
  private func followQueue() {
    let (part, events) = (loudness, Mailbox<PlayerEvent>(limit: 1))
    transport.follow(events)
    MainLoop.start { while let event = await events.receive() { if event.kind == .queue { part.lookAgain() } } }
  }

  /// The library is open, so that it can be asked how loud music is, as far as the effects need that.
  func libraryOpened() { loudness.follow(transport.sounding) }

  /// The library is open, or an import has ended: what is known of what plays is asked for anew.
  func libraryChanged() {
    loudness.libraryChanged()
    transport.libraryChanged()
  }

  /// Logs the drift of the device's clock, if it is new. Every ten minutes, for each time costs a wake-up.
  func logDrift() {
    MainLoop.start {
      var told: Double?
      while await MainLoop.loop.sleep(for: .seconds(600)) {
        guard let drift = self.path.driftPartsPerMillion else { continue }
        if let told, abs(drift - told) < 10 { continue }
        told = drift
        self.log.info(
          "the sound device's clock", ["drift_ppm": (drift * 10).rounded() / 10, "underruns": self.path.underruns])
      }
    }
  }
}
