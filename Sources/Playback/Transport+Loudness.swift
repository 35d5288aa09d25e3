import Audio
import Formats
import Runtime

/// The loudness that each track is started with, for the normaliser.
extension Transport {
  /// What is known of an entry's loudness; nothing while the normaliser is off.
  func hint(for entry: PlayQueue.Entry) -> LoudnessHint {
    guard sounding.normaliser != .off else { return .none }
    var hint = loudness?.hint(for: entry.path) ?? .none
    hint.isInAlbum = queue.isInAlbum(entry.id)
    return hint
  }

  /// A track keeps the gain with which it began, also after a seek.
  func hint(for entry: PlayQueue.Entry, startedAt place: TrackPlace) -> LoudnessHint {
    let normaliser = sounding.normaliser
    if place.frame(atRate: 768_000) > 0, let begun = begun[entry.id], begun.normaliser == normaliser {
      return begun.hint
    }
    let hint = hint(for: entry)
    if begun.count > 16 { begun = begun.filter { opened[$0.key] != nil } }
    begun[entry.id] = StartedLoudness(hint: hint, normaliser: normaliser)
    return hint
  }

  /// Call it when more gains are known: the follower can still get its own, unless it is open already.
  func loudnessChanged() {
    guard let current = status.entry, let next = queue.successor(of: current.id), next.id != current.id else { return }
    sound.hint(hint(for: next, startedAt: .beginning), for: next)
  }

  /// Looks up the gains of the files that this command, or the next one, may start.
  func findLoudness(before command: Player.Command) async {
    guard sounding.normaliser != .off, let loudness else { return }
    let paths: [FilePath] =
      switch command {
      case .add(let paths, _), .playNext(let paths, _), .playAtOnce(let paths, _): paths
      case .replace(let new): Array(new.files.dropFirst(new.first ?? 0))
      case .jump(let id): [queue.entry(id)?.path].compactMap(\.self)
      case .play, .pause, .toggle, .stop, .next, .previous, .skip, .seek, .setVolume, .limitVolume, .turn,
        .turnFromAfar, .mute, .toggleMute, .giveWay, .sleep, .refresh, .remove, .putBack, .move, .readdress, .clear,
        .repeats, .shuffle, .forget:
        []
      }
    if !paths.isEmpty { await loudness.findGains(of: Array(paths.prefix(Self.foundBefore))) }
  }

  /// How many files are looked up before a command: an album. Each takes the library 0.1 ms.
  private static let foundBefore = 32
}
