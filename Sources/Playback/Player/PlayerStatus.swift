import Formats
import Library
import Runtime

/// What the player does at one moment, for whoever shows or tells it.
package struct PlayerStatus: Equatable, Sendable {
  package var wish = Player.PlaybackState.stopped
  package var entry: PlayQueue.Entry?
  /// Place in the queue, from 0.
  package var index: Int?
  package var count = 0
  package var track: Track?
  package var next: Track?
  package var place = Spot.nothing
  package var volume = 0
  /// It gets no louder.
  package var loudest = 100
  package var isMuted = false
  package var repeats = PlayQueue.Repeat.off
  package var isShuffled = false
  package var sleep: SleepTimer.Until?
  /// Until it falls asleep; nil when that is off or not known.
  package var sleepsIn: Duration?
  /// There is no device to play to just now.
  package var waitsForDevice = false
  /// Nothing is heard, because what plays does not come in time; why.
  package var waitsFor: Notice?
  /// The program ended badly so often that it was started with less.
  package var isSafe = false

  package var sounding = EffectsPlan()
  /// Who speaks over the music just now.
  package var givesWayTo: [String] = []

  package init() {}

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
  /// To the millisecond, which is what people and programs want to see.
  package var inSeconds: Double { Double(milliseconds) / 1_000 }
}

/// Something that happened to the player, for `events` and the panel.
package struct PlayerEvent: Sendable {
  package enum Kind: String, Sendable {
    case playing, paused, stopped, track, seek, volume, queue, notice
  }

  package var kind: Kind
  package var at: Moment
  package var status: PlayerStatus
  package var notice: Notice?

  /// One line of `layby events`: the boot clock in nanoseconds, what happened, and how things stand.
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
    case .track: "track"
    case .queue: "queue"
    }
  }
}
