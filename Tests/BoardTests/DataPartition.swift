import Runtime
import TestSupport
import VirtualBoard

/// The data partition inside a raw disk, looked at from outside with the file system's own tools.
struct DataPartition {
  private let work: TempFolder
  /// A copy of it: mending opens it twice, and the second time without knowing where in the disk it lies.
  private var device: String { "\(work.path / "data")" }

  init(on disk: FilePath, work: TempFolder) throws {
    self.work = work
    let table = work.path / "table"
    try Spawned.run(["sfdisk", "--json", "\(disk)"], output: table)
    let parts = try JSON(parsing: try AtomicFile.read(table, limit: 1 << 20))["partitiontable"]?["partitions"]?.items
    guard let start = parts?.first(where: { $0["name"]?.string == "layby-data" })?["start"]?.whole
    else {
      throw Fault(.missing, "T-91", "there is no layby-data on \(disk)")
    }
    try Spawned.run(
      [
        "dd", "if=\(disk)", "of=\(device)", "bs=1M", "iflag=skip_bytes", "skip=\(start * 512)", "conv=sparse",
        "status=none",
      ],
      output: work.path / "dd")
  }

  /// Replays the journal, as the board's next boot does. Real damage is a fault: the file system kept its promises.
  func mend() throws {
    let output = work.path / "e2fsck"
    output.remove()
    let code = try Spawned(["e2fsck", "-f", "-p", device], output: output).exitCode(within: .seconds(120))
    guard code <= 1 else {
      throw Fault(.damaged, "T-92", "e2fsck ended with \(code): \(output.lastWords)")
    }
  }

  func file(_ name: String) throws -> [UInt8] {
    let copy = work.path / "copy"
    copy.remove()
    try Spawned.run(["debugfs", "-R", "dump /\(name) \(copy)", device], output: work.path / "debugfs")
    return try AtomicFile.read(copy, limit: 1 << 28)
  }

  /// A folder of the partition with all that is in it, as a folder here.
  func folder(_ name: String) throws -> FilePath {
    let place = work.path / "folder"
    place.removeAll()
    try Folder.make(place)
    try Spawned.run(["debugfs", "-R", "rdump /\(name) \(place)", device], output: work.path / "debugfs")
    return place / name
  }
}
