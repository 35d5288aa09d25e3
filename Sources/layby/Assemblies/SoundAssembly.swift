import Audio
import Formats
import Library
import Playback
import Runtime

/// What plays: the path to the sound device, the player in front of it, and what measures how loud music is. Lives on the
/// main loop. After a power cut the player begins where `Storage` last knew it.
@MainLoop
final class SoundAssembly {
  let path: SoundPath
  let transport: Transport
  let loudness: LoudnessPart
  private let chosen: ChosenSettings
  private let notices: NoticeBoard
  private let log = Log("layby")

  /// `finder` opens streams for the decoder; `library` knows what tracks are called. Nothing sounds before `transport`
  /// and `loudness` are kept by a supervisor.
  init(
    _ output: SoundOutput, _ chosen: ChosenSettings, _ storage: Storage, _ outset: StartupDiagnosis,
    finder: any MusicFinder, library: any TrackLibrary, _ notices: NoticeBoard
  ) throws(Fault) {
    let settings = chosen.settings
    path = try SoundPath(
      output: output.make(buffer: settings[.audioBuffer]), buffer: settings[.audioBuffer],
      mixer: output.mixer(settings[.audioMixer]), finder: finder, suspects: outset.suspects)
    var saved = storage.saved
    // A visitor of a kiosk has no key for what is paused; what is stopped begins with what they choose.
    let silent: Player.PlaybackState = settings.isKiosk ? .stopped : .paused
    if !settings[.resume] || outset.isSilent, saved.place.wish == .playing { saved.place.wish = silent }
    transport = Transport(
      saved, rules: Self.rules(settings), volume: Self.startVolume(storage.saved, settings), sound: path,
      store: storage.session, library: library, notices: notices)
    transport.isSafe = outset.isSafe
    loudness = LoudnessPart(
      .init(
        known: { await storage.loudness(of: $0) }, tagged: { await storage.taggedLoudness(of: $0) },
        keep: { await storage.keep($1, of: $0) }), suspects: outset.suspects)
    (self.chosen, self.notices) = (chosen, notices)
    transport.sounding = sounding
    connectLoudness()
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
  var sounding: EffectsPlan { sounding(of: chosen.settings) }

  private func sounding(of settings: Settings) -> EffectsPlan {
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
    transport.sounding = sounding(of: settings)
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

  /// Tracks of which the gains are looked up as soon as the queue changes.
  private static let soon = 8

  /// Measures what is queued, from the one that plays on, and then what was heard before.
  private func connectLoudness() {
    let (part, transport) = (loudness, transport)
    part.wanted = {
      // What is still coming is measured when it is a file of the library's.
      (transport.nowAndNext(PlayQueue.limit) + transport.history.oftenest).map(\.ofFile).filter(\.isAbsolute)
    }
    part.soon = { transport.nowAndNext(Self.soon).map(\.ofFile).filter(\.isAbsolute) }
    transport.loudness = { part.hint(for: $0.ofFile) }
    transport.findLoudness = { await part.findGains(of: $0.map(\.ofFile).filter(\.isAbsolute)) }
    part.learned = { transport.loudnessChanged() }
    transport.soundingChanged = { self.tellLoudness() }
    let events = Mailbox<PlayerEvent>(limit: 1)
    transport.follow(events)
    MainLoop.start { while let event = await events.receive() { if event.kind == .queue { part.lookAgain() } } }
  }

  /// Whether it shall measure: as the effects need it. To be called when the library is open.
  func tellLoudness() {
    loudness.isWanted = transport.sounding.normaliser != .off
    loudness.isAllowed = transport.sounding.wantsLoudness
  }

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
