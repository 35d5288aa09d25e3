import Runtime

/// Disks on which something may have been left that is kept elsewhere by now, and the work that clears them. Lives on the
/// loop `offline`, inside `OfflinePart`. In memory: after a start, any disk that ever had music may have leftovers.
final class Leftovers {
  private let tools: OfflineTools
  private let disks: Disks
  private var uncleared: Set<String> = []
  private var isClearing = false

  init(_ tools: OfflineTools, _ disks: Disks) { (self.tools, self.disks) = (tools, disks) }

  /// Wherever something was ever kept it may have been left.
  func mayBe(on known: StoredVolumes) {
    uncleared = Set(known.marks.keys).union([MediaVolume.board]).subtracting([known.home, known.target ?? known.home])
  }

  func add(_ name: String) { uncleared.insert(name) }
  func remove(_ name: String) { uncleared.remove(name) }

  /// Nothing is left on any disk that is there.
  var areGone: Bool {
    !isClearing && disks.volumes.allSatisfy { !uncleared.contains($0.name) || !disks.isThere($0) }
  }

  func clear() {
    guard !isClearing, !uncleared.isEmpty else { return }
    isClearing = true
    tools.tasks.start { part in await part.mover.leftovers.clearAll() }
  }

  private func clearAll(isolation: isolated (any Actor)? = #isolation) async {
    for name in uncleared.sorted() {
      guard let volume = disks.volumes.first(where: { $0.name == name }), disks.isThere(volume) else { continue }
      var hunt = OrphanHunt(in: volume.folder, on: tools.disk)
      // It may have become the one that everything goes to.
      while uncleared.contains(name), hunt.goOn(keeping: { _ in false }) { await tools.loop.nextRound() }
      if hunt.unknown == 0, disks.isThere(volume) { uncleared.remove(name) }
    }
    isClearing = false
  }
}
