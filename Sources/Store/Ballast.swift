import Glibc
import Runtime

/// Room that is set aside beside a database. On a full disk not even that something is dropped could be stored, and so
/// nothing could ever be freed: whoever frees room gets this much first.
package struct Ballast: Sendable {
  /// Enough for the log of dropping 10,000 tracks at once.
  package static let size = 4 << 20
  /// So much stays free besides; on a smaller disk nothing is set aside.
  private static let leavesFree = 4 * UInt64(size)

  private let file: FilePath

  package init(in folder: FilePath) { file = folder / "ballast" }

  /// Whether it is there now. No fault when it cannot be: everything else works without it.
  package func lay() -> Bool {
    if isLaid { return true }
    guard let free, free > Self.leavesFree + UInt64(Self.size) else { return false }
    do throws(Fault) {
      let laid = try Descriptor.open(file, O_WRONLY | O_CREAT | O_NOFOLLOW, code: "S-134")
      let failed = posix_fallocate(laid.number, 0, off_t(Self.size))
      guard failed == 0 else { throw Fault.system("S-134", doing: "set room aside in \(file)", errno: failed) }
      return true
    } catch {
      Log("storage").info("no room is set aside", ["reason": error.message])
      _ = give()
      return false
    }
  }

  /// The room is free from now on. False: there was none.
  package func give() -> Bool { file.withCString { unlink($0) } == 0 }

  private var isLaid: Bool {
    var found = stat()
    guard file.withCString({ lstat($0, &found) }) == 0 else { return false }
    return found.st_mode & S_IFMT == S_IFREG && found.st_blocks * 512 >= Self.size
  }

  private var free: UInt64? {
    var facts = statvfs()
    guard file.folder.withCString({ statvfs($0, &facts) }) == 0 else { return nil }
    return UInt64(facts.f_bavail) * UInt64(facts.f_frsize)
  }
}
