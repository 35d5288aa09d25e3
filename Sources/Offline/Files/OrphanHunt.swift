import Files
import Runtime

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
