import Audio
import Formats
import Runtime

/// How the music shall sound: what the owner wants, as far as there is power for it. A value; who holds it tells the
/// sound path whenever `shape` has changed.
package struct EffectsPlan: Equatable, Sendable {
  package var equaliser = EqualiserCurve.flat
  package var normaliser = NormaliserMode.off
  /// Louder or softer than the normaliser makes it, in whole decibels; without it nothing.
  package var preamp = 0 {
    didSet { preamp = min(max(preamp, NormaliserMode.preamps.lowerBound), NormaliserMode.preamps.upperBound) }
  }
  package var crossfade = Duration.zero
  package var crossfadesInAlbums = false
  package var plan = PowerPolicy().plan

  package init() {}

  package var shape: SoundShape {
    var shape = SoundShape()
    guard plan.effects else { return shape }
    // With the normaliser off it is no volume knob, and the bits stay as they are.
    shape.effects = EffectSettings(
      equaliser: equaliser, normaliser: normaliser, preamp: normaliser == .off ? 0 : Double(preamp))
    shape.crossfade = crossfade
    shape.crossfadesInAlbums = crossfade > .zero && crossfadesInAlbums
    return shape
  }

  /// Somebody wants to know how loud recordings are, and there is power to find out.
  package var wantsLoudness: Bool { normaliser != .off && plan.chores }
}

extension PlayQueue {
  /// Whether it is played between others of its folder, in the queue's own order: then it is part of its album.
  package func isInAlbum(_ id: EntryID) -> Bool {
    guard !isShuffled, let index = index(of: id) else { return false }
    let around = page(from: max(index - 1, 0), count: index == 0 ? 2 : 3)
    guard let folder = entry(id)?.path.ofFile.folder else { return false }
    return around.contains { $0.id != id && $0.path.ofFile.folder == folder }
  }
}
