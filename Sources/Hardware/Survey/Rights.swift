import Glibc
import Runtime

/// What a user may do with a file. The kernel answers that, because it also knows capabilities and access lists.
package struct Rights: Sendable {
  package let user: UInt32
  package let mayRead: @Sendable (FilePath) -> Bool
  package let mayWrite: @Sendable (FilePath) -> Bool

  package static var ofThisProcess: Rights {
    Rights(
      user: getuid(), mayRead: { path in path.withCString { access($0, R_OK) } == 0 },
      mayWrite: { path in path.withCString { access($0, W_OK) } == 0 })
  }

  package init(
    user: UInt32, mayRead: @escaping @Sendable (FilePath) -> Bool, mayWrite: @escaping @Sendable (FilePath) -> Bool
  ) {
    (self.user, self.mayRead, self.mayWrite) = (user, mayRead, mayWrite)
  }
}

/// Owner, group and mode of a file.
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
