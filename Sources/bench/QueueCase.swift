import Runtime

/// A queue with which a player is started again and again, and how it ends before each start.
struct QueueCase {
  let name: String
  let entries: Int
  let isCut: Bool

  init(_ name: String, _ entries: Int, isCut: Bool = false) {
    (self.name, self.entries, self.isCut) = (name, entries, isCut)
  }

  /// Ends the player as the next start is to find it: by a power cut, or by a clean stop.
  func end(_ child: Child, of player: Layby) throws(Fault) {
    if isCut { try player.cut(child) } else { try child.stop() }
  }
}
