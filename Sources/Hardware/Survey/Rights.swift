import Glibc
import Runtime

/// What a user may do with a file. The product asks the kernel, which knows capabilities and access lists; a test
/// answers for somebody made up, by the file's mode alone.
package struct Rights: Sendable {
  package let user: UInt32
  package let mayRead: @Sendable (FilePath) -> Bool
  package let mayWrite: @Sendable (FilePath) -> Bool

  package static var ofThisProcess: Rights {
    Rights(
      user: getuid(), mayRead: { path in path.withCString { access($0, R_OK) } == 0 },
      mayWrite: { path in path.withCString { access($0, W_OK) } == 0 })
  }

  package static func byMode(user: UInt32, groups: Set<UInt32>) -> Rights {
    @Sendable func allows(_ path: FilePath, _ bit: UInt32) -> Bool {
      guard let file = FileStatus(path) else { return false }
      let shift: UInt32 = file.user == user ? 6 : groups.contains(file.group) ? 3 : 0
      return file.mode >> shift & bit != 0
    }
    return Rights(user: user, mayRead: { allows($0, 4) }, mayWrite: { allows($0, 2) })
  }
}

/// What stands in the inode.
struct FileStatus {
  let mode: UInt32
  let user: UInt32
  let group: UInt32

  /// Nil when there is no such file.
  init?(_ path: FilePath) {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
    (mode, user, group) = (status.st_mode, status.st_uid, status.st_gid)
  }

  var isFolder: Bool { mode & S_IFMT == S_IFDIR }
}
