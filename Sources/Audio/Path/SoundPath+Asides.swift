import Runtime
import Synchronization

extension SoundPath {
  /// What an aside is to be made at: the device's rate now, or the one that it would be opened at.
  package var asideRate: Int32 {
    let open = controls.openRate.load(ordering: .acquiring)
    return open > 0 ? open : controls.rate(for: 44_100)
  }

  /// Heard at once over whatever plays, in the place of what sounds of its lane. Made for another rate than the device's
  /// it is not heard.
  package func say(_ aside: SoundOverlay) {
    output.feeder.door.offer(aside)
    output.bell.ring()
  }

  package func hush(_ lane: SoundOverlay.Lane) {
    output.feeder.door.hush(lane)
    output.bell.ring()
  }
}
