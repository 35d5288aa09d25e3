import Library
import Runtime

/// At start rows and files are brought to say the same, whatever a power cut or somebody's hands have done to either. A
/// value that goes from folder to folder, each a bounded piece of work; a file is taken away only when no row is about it
/// and its name is one that is made here.
package struct Reconciler {
  /// What lies there of one download.
  package struct Found: Equatable, Sendable {
    package var key: MediaKey
    package var remains: Download.Remains
    /// The whole file's; the row may not have it yet.
    package var whole: FilePath?
  }

  package struct Counts: Equatable, Sendable {
    package var checked = 0
    /// Files of no row.
    package var removed = 0
    /// Files that nobody here has made; they stay.
    package var strange = 0
  }

  package static let mostInFolder = 10_000

  private struct Row {
    var record: DownloadRecord
    var whole: FilePath?
    var length: Int64?
  }

  private let folder: MediaFolder
  private let disk: any MediaDisk
  /// By folder: each of them is looked at once, however many there are.
  private var rows: [String: [MediaFolder.Name: Row]] = [:]
  private var ahead: ArraySlice<String> = MediaFolder.folders[...]
  package private(set) var counts = Counts()

  package init(_ records: [DownloadRecord], in folder: MediaFolder, on disk: any MediaDisk) throws(Fault) {
    (self.folder, self.disk) = (folder, disk)
    for record in records {
      let name = try MediaFolder.Name(of: record.key)
      rows[name.folder, default: [:]][name] = Row(record: record)
    }
  }

  /// What lies in the next folder, for every row whose files belong there; nil when all were looked at.
  package mutating func next() throws(Fault) -> [Found]? {
    guard let name = ahead.popFirst() else { return nil }
    var here = rows[name] ?? [:]
    for file in try disk.names(in: folder.path / name, most: Self.mostInFolder) {
      look(at: file, in: name, &here)
    }
    let sorted = here.sorted { $0.key < $1.key }
    counts.checked += sorted.count
    var found: [Found] = []
    for (_, row) in sorted {
      let remains = Download.Remains(length: row.length, isWhole: row.whole != nil)
      found.append(Found(key: row.record.key, remains: remains, whole: row.whole))
    }
    Steps.reach("reconcile.folder")
    return found
  }

  private mutating func look(at file: FilePath, in name: String, _ here: inout [MediaFolder.Name: Row]) {
    guard let read = MediaFolder.reading(file, in: name) else {
      counts.strange += 1
      return
    }
    guard let path = FilePath(bytes: (folder.path / name / "").bytes + file.bytes) else { return }
    // What was cancelled has no business with a file, whole or not; its row stays until its own time is over.
    guard var row = here[read.name], row.record.state != .cancelled else { return remove(path) }
    if read.isGrowing {
      // Both are there when the power went while a whole one got its name on a disk that knows no such step.
      row.length = known(path) ?? nil
    } else if Self.isPublished(row.record, as: path), known(path).map({ $0 == row.record.size }) ?? true {
      row.whole = path
    } else {
      remove(path)
    }
    here[read.name] = row
  }

  /// A final name counts only where a row says that all was checked.
  private static func isPublished(_ record: DownloadRecord, as path: FilePath) -> Bool {
    switch record.state {
    // By its name: the disk may be mounted elsewhere by now.
    case .completed: record.path.map { FilePath($0).name == path.name } ?? true
    case .downloading(.publishing): true
    default: false
    }
  }

  private mutating func remove(_ path: FilePath) {
    disk.remove(path)
    counts.removed += 1
  }

  /// Nil where the disk errs: one file that cannot be looked at is no reason to fetch nothing at all. A growing one is
  /// begun anew then, and a whole one is left as it is.
  private func known(_ path: FilePath) -> Int64?? {
    do throws(Fault) { return .some(try length(of: path)) } catch {
      Log("offline").info("a file cannot be looked at", ["reason": error.message])
      return nil
    }
  }

  private func length(of path: FilePath) throws(Fault) -> Int64? {
    guard let file = try disk.open(path, making: false) else { return nil }
    defer { disk.close(file) }
    return try disk.length(of: file, path)
  }
}
