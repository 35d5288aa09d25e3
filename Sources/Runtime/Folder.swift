internal import CLinux
import Glibc

/// What stands in a folder.
package enum Folder {
  /// Names as bytes, sorted; never "." and "..". Reads no more than `limit` of them.
  package static func names(in folder: FilePath, limit: Int = 100_000) throws(Fault) -> [FilePath] {
    guard let stream = folder.withCString({ opendir($0) }) else {
      throw Fault.system("R-120", doing: "list \(folder)")
    }
    defer { closedir(stream) }
    var names: [FilePath] = []
    while names.count < limit {
      // Nothing more, and nothing that can be read, look the same but for this.
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw Fault.system("R-120", doing: "list \(folder)") }
        break
      }
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map { $0 } }
      if name == [0x2E] || name == [0x2E, 0x2E] { continue }
      if let name = FilePath(bytes: name) { names.append(name) }
    }
    return names.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// The folder with those above it that are missing; `mode` for each that is made.
  package static func make(_ folder: FilePath, mode: UInt32 = 0o700) throws(Fault) {
    if folder.withCString({ mkdir($0, mode) }) == 0 || errno == EEXIST { return }
    if errno == ENOENT, folder.folder != folder, folder.bytes != folder.folder.bytes {
      try make(folder.folder, mode: mode)
      if folder.withCString({ mkdir($0, mode) }) == 0 || errno == EEXIST { return }
    }
    throw Fault.system("R-121", doing: "make the folder \(folder)")
  }

  /// The kernel's number of the kind of file system that it lies on; 0 when that cannot be found out.
  package static func fileSystem(of folder: FilePath) -> UInt64 { folder.withCString { layby_file_system($0) } }
}
