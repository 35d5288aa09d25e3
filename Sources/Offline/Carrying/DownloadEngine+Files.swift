import Runtime

/// What lies on the disk of a download, whatever its source calls the whole one.
extension DownloadEngine {
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

  func discard(_ carriage: ActiveDownload) {
    carriage.part = nil
    // What is to be played until another version is whole.
    let older = carriage.download.record.path.map { FilePath($0).name }
    do throws(Fault) {
      let there = try files(of: carriage.key)
      // Perhaps its disk is away.
      if there.isEmpty { mustHunt = true }
      for file in there where file.isGrowing || file.path.name != older { disk.remove(file.path) }
    } catch {
      mustHunt = true
      _ = refused(error, at: .open)
    }
  }

  /// Of one whose row could not be stored: it may have got its name already, and need not be fetched again; and an older
  /// version may be there, which stays.
  func found(of record: DownloadRecord) -> Reconciler.Found {
    let remains = Download.Remains(length: record.durable, isWhole: record.state == .completed)
    var found = Reconciler.Found(key: record.key, remains: remains)
    let isPublishing = record.state == .downloading(.publishing)
    guard isPublishing || record.path != nil, record.state != .completed else { return found }
    let older = record.path.map { FilePath($0).name }
    do throws(Fault) {
      let there = try files(of: record.key)
      let wholes = there.filter { !$0.isGrowing }.map(\.path)
      if isPublishing, wholes.count == there.count { found.whole = wholes.first { $0.name != older } ?? wholes.first }
      found.remains.isWhole = found.whole != nil
      found.remains.hasOlder = found.whole == nil && wholes.contains { $0.name == older }
    } catch {
      _ = refused(error, at: .open)
      // Nobody can say; a start looks again.
      found.remains.hasOlder = older != nil
    }
    return found
  }
}

extension DownloadEngine {
  /// In one look at all of them.
  func items(inFiles names: Set<String>) -> [String: ItemKey] {
    var found: [String: ItemKey] = [:]
    for carriage in carriages.values where carriage.download.state == .completed {
      guard let name = carriage.name?.description, names.contains(name) else { continue }
      found[name] = carriage.key.item
    }
    return found
  }
}
