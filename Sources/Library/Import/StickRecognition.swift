import Glibc
import Runtime

/// Whether a medium is the one that the library knows. Its identity alone proves nothing, since anybody can give a stick
/// that of another; so a few of the files that are known of it must lie where they lay, as long as they were.
package struct StickRecognition: Sendable {
  package struct KnownFile: Equatable, Sendable {
    /// The path below the medium's root. Bytes as the kernel gave them; a name need not be UTF-8.
    package let path: [UInt8]
    package let size: Int64

    package init(path: [UInt8], size: Int64) { (self.path, self.size) = (path, size) }
  }

  private let files: [KnownFile]

  /// Enough that nobody guesses them, few enough that a slow stick is asked in a moment.
  static let most = 16

  package init(_ files: [KnownFile]) { self.files = files }

  /// Whether at least half of the known files lie below `root`. The owner may have deleted the others. This reads the
  /// disk, so it may take long.
  package func recognises(_ root: FilePath) -> Bool {
    let there = files.count { file in
      var status = stat()
      let found = Importer.path(root, file.path).withCString { lstat($0, &status) } == 0
      return found && status.st_mode & S_IFMT == S_IFREG && Int64(status.st_size) == file.size
    }
    return there > 0 && 2 * there >= files.count
  }
}
