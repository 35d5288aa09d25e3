import Runtime

/// Compares the sticks that are there with those of the last reading. A value: the kernel's state goes in, events come out.
/// Each stick gives one event when it comes and one when it goes, however often the state is read. One that was pulled and
/// put in again between two readings gives both.
package struct StickLedger: Sendable {
  /// More are not taken.
  package static let most = 64

  private var entries: [(mount: Mount, stick: Stick)] = []
  private var refusals: [RefusedStick] = []

  package init() {}

  package var sticks: [Stick] { entries.map(\.stick) }
  package var refused: [RefusedStick] { refusals }

  /// `describe` is asked for those that are new; nil stands for one that is not to be taken, and it is asked again.
  package mutating func update(
    _ mounts: [Mount], refused: [RefusedStick], describe: (Mount) -> Stick?
  ) -> [StickEvent] {
    let mounts = mounts.prefix(Self.most)
    let stay = entries.filter { mounts.contains($0.mount) }
    // First those that went: another may have its place.
    var events = entries.filter { !mounts.contains($0.mount) }.map { StickEvent.went($0.stick) }
    entries = stay
    for mount in mounts where !stay.contains(where: { $0.mount == mount }) {
      guard let stick = describe(mount) else { continue }
      entries.append((mount, stick))
      events.append(.came(stick))
    }
    let refused = Array(refused.prefix(Self.most))
    events += refusals.filter { !refused.contains($0) }.map { .refusalEnded($0) }
    events += refused.filter { !refusals.contains($0) }.map { .refused($0) }
    refusals = refused
    return events
  }
}
