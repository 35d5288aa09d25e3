import Files
import Runtime

/// Looks for files that no row is about, while the program runs: a start would find them too, but a board may run for a
/// year. Owns whether there may be any, and who waits for the end of a hunt. Lives on the loop `offline`, inside
/// `DownloadEngine`. In memory: each start looks at all files anyway.
final class OrphanHunter {
  private let tools: EngineTools
  private let downloads: ActiveDownloads
  private let files: DownloadFiles
  /// There may be files of nobody; somebody looks for them.
  var mustHunt = false
  private(set) var isHunting = false
  private var waiters: [CheckedContinuation<Int, Never>] = []

  init(_ tools: EngineTools, _ downloads: ActiveDownloads, _ files: DownloadFiles) {
    (self.tools, self.downloads, self.files) = (tools, downloads, files)
  }

  /// When there is a disk to look at.
  func huntIfNeeded() {
    guard mustHunt, !isHunting else { return }
    (mustHunt, isHunting) = (false, true)
    tools.tasks.start { engine in await engine.orphans.huntAndTell() }
  }

  private func huntAndTell(isolation: isolated (any Actor)? = #isolation) async {
    let removed = await huntAll()
    if tellWaiting(removed) || removed == 0 { return }
    tools.told(.maintenanceDone(checked: 0, repaired: 0, removed: removed))
  }

  /// On demand: how many went, with those of a hunt that was under way.
  func hunt(isolation: isolated (any Actor)? = #isolation) async -> Int {
    var removed = 0
    while isHunting {
      removed += await withCheckedContinuation { waiter in
        // It may be over since.
        if isHunting { waiters.append(waiter) } else { waiter.resume(returning: 0) }
      }
    }
    guard files.isDiskThere else { return removed }
    (mustHunt, isHunting) = (false, true)
    removed += await huntAll()
    tellWaiting(0)
    return removed
  }

  /// The first of those that wait tells of them; false when nobody does.
  @discardableResult
  private func tellWaiting(_ removed: Int) -> Bool {
    let waiting = waiters
    waiters = []
    for (place, waiter) in waiting.enumerated() { waiter.resume(returning: place == 0 ? removed : 0) }
    return !waiting.isEmpty
  }

  private func huntAll(isolation: isolated (any Actor)? = #isolation) async -> Int {
    let folder = files.folder
    var known: Set<MediaFolder.Name> = []
    for active in downloads.values {
      if let name = active.name { known.insert(name) }
    }
    var hunt = OrphanHunt(in: folder, on: tools.disk)
    // Some come after the hunt began.
    while hunt.goOn(keeping: { known.contains($0) || downloads.owns($0) }) {
      await tools.loop.nextRound()
      // Everything has moved meanwhile: what lies there now is looked at later.
      if folder.path != files.folder.path { break }
    }
    isHunting = false
    // It went away again, and nothing was seen of what it holds.
    if !files.isDiskThere { mustHunt = true }
    return hunt.removed
  }
}

/// Looks for files of nobody, in a folder of music: what was dropped while its disk was away, and what a move has left
/// behind. A value that goes from folder to folder, each a bounded piece of work; files that nobody here has made stay,
/// and so does what is in a folder that cannot be listed.
package struct OrphanHunt {
  private let folder: MediaFolder
  private let disk: any MediaDisk
  private var ahead: ArraySlice<String> = MediaFolder.folders[...]
  package private(set) var removed = 0
  /// Folders that could not be listed.
  package private(set) var unknown = 0

  package init(in folder: MediaFolder, on disk: any MediaDisk) { (self.folder, self.disk) = (folder, disk) }

  /// Through the next folder; false when all were looked at. What is known is asked of each file right before it goes.
  package mutating func goOn(keeping isKnown: (MediaFolder.Name) -> Bool) -> Bool {
    guard let name = ahead.popFirst() else { return false }
    for file in listed(name) {
      guard let read = MediaFolder.reading(file, in: name), !isKnown(read.name) else { continue }
      guard let path = FilePath(bytes: (folder.path / name / "").bytes + file.bytes) else { continue }
      disk.remove(path)
      removed += 1
    }
    Steps.reach("hunt.folder")
    return true
  }

  private mutating func listed(_ name: String) -> [FilePath] {
    do throws(Fault) { return try disk.names(in: folder.path / name, most: Reconciler.mostInFolder) } catch {
      Log("offline").info("a folder of music cannot be listed", ["reason": error.message])
      unknown += 1
      return []
    }
  }
}
