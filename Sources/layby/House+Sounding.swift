import Audio
import Formats
import Library
import Playback
import Runtime

/// How it sounds, wired: the owner's settings, and what the library knows of loudness.
extension House {
  /// What the owner's file says. A curve that cannot be read leaves the sound as it is, and is told.
  var sounding: EffectsPlan { sounding(of: settings) }

  func sounding(of settings: Settings) -> EffectsPlan {
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

  static func tell(_ part: LoudnessPart, _ sounding: EffectsPlan) {
    part.isWanted = sounding.normaliser != .off
    part.isAllowed = sounding.wantsLoudness
  }

  /// Tracks of which the gains are looked up as soon as the queue changes.
  private static let soon = 8

  /// Measures what is queued, from the one that plays on, and then what was heard before.
  func loudnessPart(_ storage: Storage, _ transport: Transport) -> LoudnessPart {
    let part = LoudnessPart(
      .init(
        known: { await storage.loudness(of: $0) }, tagged: { await storage.taggedLoudness(of: $0) },
        keep: { await storage.keep($1, of: $0) }), suspects: outset.suspects)
    part.wanted = {
      // What is still coming is measured when it is a file of the library's.
      (transport.nowAndNext(PlayQueue.limit) + transport.history.oftenest).map(\.ofFile).filter(\.isAbsolute)
    }
    part.soon = { transport.nowAndNext(Self.soon).map(\.ofFile).filter(\.isAbsolute) }
    transport.loudness = { part.hint(for: $0.ofFile) }
    transport.findLoudness = { await part.findGains(of: $0.map(\.ofFile).filter(\.isAbsolute)) }
    part.learned = { transport.loudnessChanged() }
    libraryChanged = {
      part.libraryChanged()
      transport.libraryChanged()
    }
    transport.soundingChanged = { Self.tell(part, transport.sounding) }
    let events = Mailbox<PlayerEvent>(limit: 1)
    transport.follow(events)
    MainLoop.start { while let event = await events.receive() { if event.kind == .queue { part.lookAgain() } } }
    return part
  }
}
