internal import CLinux
import Glibc

/// Whole files that a power cut leaves either as they were or as they shall be.
package enum AtomicFile {
  /// Writes `bytes` beside `path`, makes them durable, and only then gives them the name; then makes the name
  /// durable. A rename that comes before the fsync can leave an empty file under the final name.
  package static func replace(_ path: FilePath, with bytes: [UInt8], mode: UInt32 = 0o600) throws(Fault) {
    try replace(path, mode: mode) { file, doing throws(Fault) in
      try file.writeAll(bytes, code: "R-111", doing: doing)
    }
  }

  /// `write` is given the new file, and what is being done in words.
  package static func replace(
    _ path: FilePath, mode: UInt32 = 0o600, by write: (borrowing Descriptor, String) throws(Fault) -> Void
  ) throws(Fault) {
    let growing = path.hiddenSibling(ending: ".new")
    let doing = "write \(path)"
    do throws(Fault) {
      // Left from a crash, or put there by somebody else: a new file is neither that one nor where a link leads.
      _ = growing.withCString { unlink($0) }
      let file = try Descriptor.open(growing, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode, code: "R-110")
      try write(file, doing)
      Steps.reach("replace.written")
      guard fsync(file.number) == 0 else { throw Fault.system("R-112", doing: doing) }
      Steps.reach("replace.synced")
    } catch {
      // The old file still has the name; what is half-written is of no use to anyone.
      _ = growing.withCString { unlink($0) }
      throw error
    }
    let renamed = growing.withCString { from in path.withCString { to in rename(from, to) } }
    guard renamed == 0 else {
      let fault = Fault.system("R-113", doing: doing)
      _ = growing.withCString { unlink($0) }
      throw fault
    }
    Steps.reach("replace.renamed")
    try syncFolder(path.folder)
  }

  /// Gives a whole and durable file its name, durably and in one step, and never in the place of another: false when
  /// there is one by that name.
  package static func name(_ growing: FilePath, as path: FilePath, code: String) throws(Fault) -> Bool {
    let named = growing.withCString { from in path.withCString { layby_rename_new(from, $0) } }
    if named != 0 {
      if errno == EEXIST { return false }
      // A file system that does not know this call: it is looked first, which is all that can be done there.
      guard errno == EINVAL || errno == ENOSYS else { throw Fault.system(code, doing: "name \(path)") }
      var status = stat()
      if path.withCString({ lstat($0, &status) }) == 0 { return false }
      guard growing.withCString({ from in path.withCString { rename(from, $0) } }) == 0 else {
        throw Fault.system(code, doing: "name \(path)")
      }
    }
    try syncFolder(path.folder)
    return true
  }

  /// Room for the first `length` bytes of a file that grows; it is not made longer by that. A file system that cannot do
  /// it does without.
  package static func allocate(_ file: Int32, _ length: Int64, code: String, _ path: FilePath) throws(Fault) {
    guard length > 0, layby_allocate(file, length) != 0 else { return }
    guard errno == ENOSPC || errno == EDQUOT || errno == EFBIG else { return }
    throw Fault.system(code, doing: "make room for \(path)")
  }

  /// A link that leads there from now on, durably and in one step; what it led to before stays.
  package static func lead(_ link: FilePath, to folder: FilePath, code: String) throws(Fault) {
    if leads(link, to: folder) { return }
    let growing = link.hiddenSibling(ending: ".new")
    _ = growing.withCString { unlink($0) }
    guard growing.withCString({ new in folder.withCString { symlink($0, new) } }) == 0 else {
      throw Fault.system(code, doing: "make \(link) lead to \(folder)")
    }
    guard growing.withCString({ from in link.withCString { rename(from, $0) } }) == 0 else {
      let fault = Fault.system(code, doing: "make \(link) lead to \(folder)")
      _ = growing.withCString { unlink($0) }
      throw fault
    }
    try syncFolder(link.folder)
  }

  private static func leads(_ link: FilePath, to folder: FilePath) -> Bool {
    var bytes = [CChar](repeating: 0, count: FilePath.limit + 1)
    let room = bytes.count
    let count = link.withCString { readlink($0, &bytes, room) }
    return count > 0 && bytes.prefix(count).map { UInt8(bitPattern: $0) } == folder.bytes
  }

  /// A name in a folder is data of the folder, and durable only when the folder is.
  package static func syncFolder(_ folder: FilePath) throws(Fault) {
    let directory = try Descriptor.open(folder, O_RDONLY | O_DIRECTORY, code: "R-114")
    guard fsync(directory.number) == 0 else { throw Fault.system("R-114", doing: "make \(folder) durable") }
  }

  /// The whole of a file, refused beyond `limit`.
  package static func read(_ path: FilePath, limit: Int) throws(Fault) -> [UInt8] {
    try Descriptor.open(path, O_RDONLY | O_NONBLOCK, code: "R-115")
      .readAll(limit: limit, code: "R-115", doing: "read \(path)")
  }
}
