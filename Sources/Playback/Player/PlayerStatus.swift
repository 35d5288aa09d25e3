import Formats
import Library
import Runtime

/// The player's state at one moment, for the panel, the status verb and events.
package struct PlayerStatus: Equatable, Sendable {
  package var wish = Player.PlaybackState.stopped
  package var entry: PlayQueue.Entry?
  /// The entry's place in the queue, from 0.
  package var index: Int?
  package var count = 0
  package var track: Track?
  package var next: Track?
  package var place = Spot.nothing
  package var volume = 0
  /// The greatest volume that can be set.
  package var loudest = 100
  package var isMuted = false
  package var repeats = PlayQueue.Repeat.off
  package var isShuffled = false
  package var sleep: SleepTimer.Until?
  /// The time until the sleep timer ends; nil when it is off or that is not known.
  package var sleepsIn: Duration?
  /// The sound device is missing at the moment.
  package var waitsForDevice = false
  /// Why nothing is heard although music plays: a stream is late, for example.
  package var waitsFor: Notice?
  /// The program has crashed so often that it was started in safe mode.
  package var isSafe = false

  package var sounding = EffectsPlan()
  /// The names of the speakers for which the music is soft or paused; see `GiveWay`.
  package var givesWayTo: [String] = []

  package init() {}

  /// Which chapter is heard, from 0; nil where there is none.
  package var chapter: Int? { track?.chapters.index(at: place.elapsed) }

  /// Nil where there is no chapter, or it has no name.
  package var chapterTitle: String? {
    guard let track, let chapter else { return nil }
    let title = track.chapters[chapter].title
    return title.isEmpty ? nil : title
  }

  private var chapterJSON: JSON {
    guard let track, let chapter else { return .null }
    return [
      "number": JSON(chapter + 1), "of": JSON(track.chapters.count), "title": JSON(track.chapters[chapter].title),
    ]
  }

  package var json: JSON {
    let duration = track?.duration
    let waits =
      waitsFor.map { notice -> JSON in ["code": JSON(notice.code), "message": JSON(notice.message)] } ?? .null
    return [
      "state": JSON(wish.rawValue),
      "entry": entry.map { JSON($0.id.number) } ?? .null,
      "index": index.map { JSON($0) } ?? .null,
      "count": JSON(count),
      "path": entry.map { JSON(path: $0.path) } ?? .null,
      "title": track.map { JSON($0.title) } ?? .null,
      "artist": track.map { JSON($0.artist) } ?? .null,
      "album": track.map { JSON($0.album) } ?? .null,
      "chapter": chapterJSON,
      "position_s": JSON(place.elapsed.inSeconds),
      "duration_s": duration.map { JSON($0.inSeconds) } ?? .null,
      "frame": JSON(place.frame),
      "rate": JSON(place.rate),
      "volume": JSON(volume),
      "muted": JSON(isMuted),
      "repeat": JSON(repeats.rawValue),
      "shuffle": JSON(isShuffled),
      "sleep": sleep.map { JSON($0.word) } ?? .null,
      "sleep_s": sleepsIn.map { JSON($0.inSeconds) } ?? .null,
      "waits_for_device": JSON(waitsForDevice),
      "waits_for": waits,
      "safe_mode": JSON(isSafe),
      "equaliser": JSON(sounding.equaliser.description),
      "normaliser": JSON(sounding.normaliser.rawValue),
      "normaliser_preamp_db": JSON(sounding.preamp),
      "crossfade_s": JSON(sounding.crossfade.inSeconds),
      "power": JSON(sounding.plan.stage.rawValue),
      "gives_way_to": .list(givesWayTo.map { JSON($0) }),
      "next": next.map { JSON($0.title) } ?? .null,
    ]
  }
}

extension Duration {
  /// In seconds, rounded to milliseconds.
  package var inSeconds: Double { Double(milliseconds) / 1_000 }
}

/// An event of the player, for `layby events` and the panel.
package struct PlayerEvent: Sendable {
  package enum Kind: String, Sendable {
    case playing, paused, stopped, track, seek, volume, queue, notice
  }

  package var kind: Kind
  package var at: Moment
  package var status: PlayerStatus
  package var notice: Notice?

  /// One line of `layby events`: the time by the boot clock in nanoseconds, the event, and the status after it.
  package var json: JSON {
    var members: [(String, JSON)] = [("event", JSON(kind.rawValue)), ("at_ns", JSON(at.nanoseconds))]
    if let notice { members += [("code", JSON(notice.code)), ("message", JSON(notice.message))] }
    return .object(JSON.Object(members + (status.json.members ?? []).map { ($0.key, $0.value) }))
  }
}

extension SleepTimer.Until {
  package var word: String {
    switch self {
    case .time: "time"
    case .chapter: "chapter"
    case .track: "track"
    case .queue: "queue"
    }
  }
}
