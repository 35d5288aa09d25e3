import Glibc
import Runtime

/// Notices sticks, without any privilege. The kernel wakes it when something is mounted or unmounted. A file in the folder
/// of mount points tells of a stick that could not be mounted. Followers get one event when a stick comes and one when it
/// goes, even if this part was restarted in between.
@MainLoop
package final class SticksPart: Part {
  nonisolated package let name = "sticks"
  private let surroundings: StickSurroundings
  private let tell: @MainLoop (StickEvent) -> Void
  private var ledger = StickLedger()
  private var followers: [Mailbox<StickEvent>] = []
  private var oddOnes: Set<Mount> = []
  private let log = Log("sticks")

  package init(_ surroundings: StickSurroundings = StickSurroundings(), tell: @escaping @MainLoop (StickEvent) -> Void)
  {
    self.surroundings = surroundings
    self.tell = tell
  }

  package var sticks: [Stick] { ledger.sticks }
  package var refused: [RefusedStick] { ledger.refused }

  /// Sends what happens to sticks from now on, and first an event for each stick that is there already. Refused sticks
  /// count: one that was in when the board was switched on may wait for a yes.
  package func follow(_ box: Mailbox<StickEvent>) {
    for stick in ledger.sticks { box.send(.came(stick)) }
    for stick in ledger.refused { box.send(.refused(stick)) }
    followers.append(box)
  }

  package func run() async throws(Fault) {
    let group = try DescriptorGroup(code: "H-701")
    let changes = try Descriptor.open(surroundings.changes, O_RDONLY, code: "H-702")
    try group.add(changes.number, urgently: true, code: "H-703")
    let watch = try FolderWatch(surroundings.places, andContents: true, code: "H-704")
    try group.add(watch.number, code: "H-704")
    defer { MainLoop.loop.forget(group.number) }
    while !Task.isCancelled {
      // This scan is started before the wait and runs after the wait has begun. The kernel reports a change only once,
      // and asking for it takes it away. So the scan sees what happened before the wait, and what happens later ends
      // the wait.
      MainLoop.start { self.scan() }
      _ = await MainLoop.loop.readable(group.number)
      // Every name matters, so the result is not used; the call only takes the events.
      _ = watch.changed("")
    }
  }

  /// Compares with what was there before. In the kernel's memory only: no stick is touched.
  func scan() {
    let mounts: [Mount]
    do throws(Fault) { mounts = try surroundings.mounts() } catch {
      log.warning("cannot read what is mounted", ["reason": error.message])
      return
    }
    let events = ledger.update(mounts.filter { isTaken($0) }, refused: surroundings.refused()) {
      surroundings.stick($0)
    }
    for event in events {
      log.notice("a stick", ["event": event.json])
      tell(event)
      followers.removeAll(where: \.isClosed)
      for box in followers { box.send(event) }
    }
  }

  /// One that could be written or run from is not ours, whoever mounted it there.
  private func isTaken(_ mount: Mount) -> Bool {
    if mount.isHarmless { return true }
    if oddOnes.count < StickLedger.most, oddOnes.insert(mount).inserted {
      log.warning("a mount is not read-only, nosuid, nodev and noexec, so it is no stick", ["place": mount.place])
    }
    return false
  }
}
