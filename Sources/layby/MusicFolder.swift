import Glibc
import Runtime

/// What is meant by a path on the command line: the file, or all music below the folder, in the order of its names.
enum MusicFolder {
  private static let endings: Set<String> = ["flac", "mp3"]
  private static let depthLimit = 16

  static func files(at path: FilePath, depth: Int = 0) throws(Fault) -> [FilePath] {
    var status = stat()
    guard path.withCString({ stat($0, &status) }) == 0 else {
      throw Fault.system("X-153", doing: "find \(path)")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { return [path] }
    guard depth < depthLimit else { return [] }
    var found: [FilePath] = []
    for name in try Folder.names(in: path) where name.bytes.first != UInt8(ascii: ".") {
      guard let inner = FilePath(bytes: path.bytes + [UInt8(ascii: "/")] + name.bytes) else { continue }
      // A link to a folder is not followed: it may lead back up, and two such make millions of ways.
      let isFolder = inner.withCString({ lstat($0, &status) }) == 0 && status.st_mode & S_IFMT == S_IFDIR
      if isFolder {
        found += try files(at: inner, depth: depth + 1)
      } else if endings.contains(inner.ending) {
        found.append(inner)
      }
    }
    return found
  }
}
