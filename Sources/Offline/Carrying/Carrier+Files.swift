import Library
import Runtime

/// What lies on the disk of a download, whatever its source calls the whole one.
extension Carrier {
  private func files(of key: MediaKey) throws(Fault) -> [(path: FilePath, isGrowing: Bool)] {
    let name = try MediaFolder.Name(of: key)
    let inside = folder.part(name).folder
    var files: [(path: FilePath, isGrowing: Bool)] = []
    for file in try disk.names(in: inside, most: Reconciler.mostInFolder) {
      guard let read = MediaFolder.reading(file, in: name.folder), read.name == name else { continue }
      if let path = FilePath(bytes: (inside / "").bytes + file.bytes) { files.append((path, read.isGrowing)) }
    }
    return files
  }

  func discard(_ carriage: Carriage) {
    carriage.part = nil
    do throws(Fault) {
      for file in try files(of: carriage.key) { disk.remove(file.path) }
    } catch { _ = refused(error, at: .open) }
  }

  /// Of one whose row could not be stored: it may have got its name already, and need not be fetched again.
  func found(of record: DownloadRecord) -> Reconciler.Found {
    let remains = Download.Remains(length: record.durable, isWhole: record.state == .completed)
    var found = Reconciler.Found(key: record.key, remains: remains)
    guard record.state == .downloading(.publishing) else { return found }
    do throws(Fault) {
      let there = try files(of: record.key)
      if !there.contains(where: { $0.isGrowing }) { found.whole = there.first?.path }
    } catch { _ = refused(error, at: .open) }
    if found.whole != nil { found.remains.isWhole = true }
    return found
  }
}
