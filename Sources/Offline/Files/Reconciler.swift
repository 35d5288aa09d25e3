import Files
import Runtime

/// At start rows and files are brought to say the same, whatever a power cut or somebody's hands have done to either. A
/// value that goes from folder to folder, each a bounded piece of work; a file is taken away only when no row is about it
/// and its name is one that is made here, or when it cannot be what its row is about. Of a folder that cannot be listed
/// nothing is known, and so nothing is lost.
package struct Reconciler {
  /// What lies there of one download.
  package struct Found: Equatable, Sendable {
    package var key: MediaKey
    package var remains: Download.Remains
    /// The whole file's, or an older version's; the row may not have it yet.
    package var whole: FilePath?
  }

  package struct Counts: Equatable, Sendable {
    package var checked = 0
    /// Files of no row.
    package var removed = 0
    /// Files that nobody here has made; they stay.
    package var strange = 0
    /// Whole by their length, and to be checked.
    package var unchecked = 0
    /// Folders that could not be listed.
    package var unknown = 0
  }

  package static let mostInFolder = 10_000

  private struct Row {
    var record: DownloadRecord
    /// Those with a final name.
    var wholes: [FilePath] = []
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
  package mutating func next() -> [Found]? {
    guard let name = ahead.popFirst() else { return nil }
    var here = rows[name] ?? [:]
    guard let files = listed(name) else { return Self.unknown(here.values.map(\.record)) }
    for file in files { sort(file, in: name, &here) }
    let sorted = here.sorted { $0.key < $1.key }
    counts.checked += sorted.count
    var found: [Found] = []
    for (name, row) in sorted {
      let (kind, whole, spare) = chooseWhole(row)
      var remains = Download.Remains(length: row.length, isWhole: whole != nil && kind != .olderVersion)
      remains.hasOlder = whole != nil && kind == .olderVersion
      if let spare, !remains.isWhole { takeBack(spare, as: folder.part(name), &remains) }
      found.append(Found(key: row.record.key, remains: remains, whole: whole))
    }
    Steps.reach("reconcile.folder")
    return found
  }

  private mutating func listed(_ name: String) -> [FilePath]? {
    do throws(Fault) { return try disk.names(in: folder.path / name, most: Self.mostInFolder) } catch {
      Log("offline").warning("a folder of music cannot be listed", ["reason": error.message])
      counts.unknown += 1
      return nil
    }
  }

  /// What is whole is taken to be there still; what grows is begun anew.
  private static func unknown(_ records: [DownloadRecord]) -> [Found] {
    var found: [Found] = []
    for record in records.sorted(by: { $0.key < $1.key }) {
      var remains = Download.Remains(isWhole: record.state == .completed)
      remains.hasOlder = record.state != .completed && record.path != nil
      found.append(Found(key: record.key, remains: remains))
    }
    return found
  }

  private mutating func sort(_ file: FilePath, in name: String, _ here: inout [MediaFolder.Name: Row]) {
    guard let read = MediaFolder.reading(file, in: name) else {
      counts.strange += 1
      return
    }
    guard let path = FilePath(bytes: (folder.path / name / "").bytes + file.bytes) else { return }
    // What was cancelled has no business with a file, whole or not; its row stays until its own time is over.
    guard var row = here[read.name], row.record.state != .cancelled else { return remove(path) }
    if read.isGrowing {
      // Both are there when the power went while a whole one got its name on a disk that knows no such step.
      row.length = known(path, givingBack: true) ?? nil
    } else {
      row.wholes.append(path)
    }
    here[read.name] = row
  }

  /// What a file with a final name can be to its row.
  private enum WholeKind {
    /// All of it was checked, and the row says so.
    case completed
    /// It had just been checked and got its name when the power went; the row does not know the name yet.
    case published
    /// The row is not completed any more: the older version is played until the new one is whole.
    case olderVersion

    init(_ row: Row) {
      switch row.record.state {
      case .completed: self = .completed
      // As long as a growing file is there, the name in the row is the older version's.
      case .downloading(.publishing) where row.length == nil || row.record.path == nil: self = .published
      default: self = .olderVersion
      }
    }
  }

  /// Chooses the one file with a final name that the row is about, removes the others, and says what it is to the row.
  /// `spare` has all the bytes that the row wants, but the row does not say that it was checked.
  private mutating func chooseWhole(_ row: Row) -> (kind: WholeKind, whole: FilePath?, spare: FilePath?) {
    let kind = WholeKind(row)
    var (whole, spare): (FilePath?, FilePath?) = (nil, nil)
    for path in row.wholes {
      if whole == nil, isOf(row, path, as: kind) {
        whole = path
      } else if spare == nil, mayBeTakenBack(path, row.record) {
        spare = path
      } else {
        remove(path)
      }
    }
    // One that was checked makes the spare one needless.
    if let left = spare, whole != nil, kind != .olderVersion {
      remove(left)
      spare = nil
    }
    return (kind, whole, spare)
  }

  /// Names are compared without their folder, because the disk may be mounted elsewhere by now.
  private func isOf(_ row: Row, _ path: FilePath, as kind: WholeKind) -> Bool {
    let named = row.record.path.map { FilePath($0).name }
    switch kind {
    case .completed: return (named == nil || named == path.name) && isRight(path, row.record)
    case .published:
      let hasEnding = row.record.ending.map { MediaFolder.safe($0) == path.ending } ?? true
      return (hasEnding || row.wholes.count == 1) && isRight(path, row.record)
    case .olderVersion: return named == path.name
    }
  }

  private func mayBeTakenBack(_ path: FilePath, _ record: DownloadRecord) -> Bool {
    record.hash != nil && (record.size.map { known(path) == .some($0) } ?? false)
  }

  /// It grows again, and lacks nothing but the check.
  private mutating func takeBack(_ path: FilePath, as part: FilePath, _ remains: inout Download.Remains) {
    do throws(Fault) {
      if remains.length != nil { disk.remove(part) }
      guard try disk.place(path, as: part) else { return }
      (remains.length, remains.isUnchecked) = (known(part) ?? nil, true)
      counts.unchecked += 1
    } catch { Log("offline").info("a file cannot be taken back", ["reason": error.message]) }
  }

  private func isRight(_ path: FilePath, _ record: DownloadRecord) -> Bool {
    known(path).map { $0 == record.size } ?? true
  }

  private mutating func remove(_ path: FilePath) {
    disk.remove(path)
    counts.removed += 1
  }

  /// Nil where the disk errs: one file that cannot be looked at is no reason to fetch nothing at all. A growing one is
  /// begun anew then, and a whole one is left as it is.
  private func known(_ path: FilePath, givingBack isGrowing: Bool = false) -> Int64?? {
    do throws(Fault) { return .some(try length(of: path, givingBack: isGrowing)) } catch {
      Log("offline").info("a file cannot be looked at", ["reason": error.message])
      return nil
    }
  }

  private func length(of path: FilePath, givingBack isGrowing: Bool) throws(Fault) -> Int64? {
    guard let file = try disk.open(path, making: false) else { return nil }
    defer { disk.close(file) }
    let length = try disk.length(of: file, path)
    // What was set aside for it when the power went is nobody's.
    if isGrowing { disk.giveBack(file, behind: length, path) }
    return length
  }
}
