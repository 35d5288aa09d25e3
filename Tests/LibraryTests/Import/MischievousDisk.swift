import Files
import Glibc
import Runtime
import Synchronization

@testable import Library

/// The kernel's disk as long as nothing else is wanted of it: folders that do not answer, files that give nothing, a
/// disk that is full or says nonsense of itself.
final class MischievousDisk: ImportDisk {
  struct Ways: Sendable {
    /// The call that fails, of all; none for nil.
    var failing: Int?
    var calls = 0
    /// Folders that do not answer.
    var silent: Set<FilePath> = []
    /// What is opened in the place of a file.
    var standIns: [FilePath: FilePath] = [:]
    /// What is said of every file's size.
    var size: Int64?
    /// One after the other; the last one stays.
    var spaces: [DiskSpace] = []
    var listed: [FilePath] = []
    var opened: [FilePath] = []
    /// Before the next folder is listed, once.
    var whenListed: (@Sendable () -> Void)?
  }

  private let real = SourceDisk()
  private let state = Mutex(Ways())

  var ways: Ways { state.withLock { $0 } }

  func change(_ body: (inout Ways) -> Void) { state.withLock { body(&$0) } }

  /// Whether it is this call's turn to fail.
  private func fails() -> Bool {
    state.withLock { ways in
      ways.calls += 1
      return ways.calls == ways.failing
    }
  }

  func list(_ folder: FilePath, followingLink: Bool, most: Int) throws(Fault) -> Listing {
    let happens = state.withLock { ways in
      ways.listed.append(folder)
      return ways.whenListed.take()
    }
    happens?()
    if fails() || ways.silent.contains(folder) { throw Fault.system("L-401", doing: "list \(folder)", errno: EIO) }
    var listing = try real.list(folder, followingLink: followingLink, most: most)
    if let size = ways.size { for index in listing.files.indices { listing.files[index].size = size } }
    return listing
  }

  /// A failing one can be opened, but not read.
  func open(_ path: FilePath) throws(Fault) -> Descriptor {
    change { $0.opened.append(path) }
    if fails() { return try Descriptor.open(path, O_WRONLY, code: "T-3") }
    return try real.open(ways.standIns[path] ?? path)
  }

  func read(_ path: FilePath, limit: Int) throws(Fault) -> [UInt8] {
    if fails() { throw Fault.system("R-115", doing: "read \(path)", errno: EIO) }
    return try real.read(path, limit: limit)
  }

  func space(at folder: FilePath) throws(Fault) -> DiskSpace {
    let said = state.withLock { ways in
      ways.spaces.count > 1 ? ways.spaces.removeFirst() : ways.spaces.first
    }
    if let said { return said }
    return try real.space(at: folder)
  }
}

/// A disk on which every folder holds the same folders, without an end.
struct EndlessDisk: ImportDisk {
  let names: [String]

  func list(_ folder: FilePath, followingLink: Bool, most: Int) throws(Fault) -> Listing {
    var listing = try SourceDisk().list(FilePath("/"), followingLink: true, most: 0)
    listing.folders = names.map { Array($0.utf8) }
    return listing
  }

  func open(_ path: FilePath) throws(Fault) -> Descriptor { throw Fault(.missing, "T-4", "there are no files") }
  func read(_ path: FilePath, limit: Int) throws(Fault) -> [UInt8] { throw Fault(.missing, "T-4", "no files") }
  func space(at folder: FilePath) throws(Fault) -> DiskSpace { DiskSpace(free: .max, total: .max) }
}
