import Glibc
import Runtime

/// A file on a medium that may be anybody's: only a plain file is opened, and never by way of a link, since a link can
/// lead out of a stick. It owns the descriptor.
struct ArtFile: ~Copyable {
  let path: FilePath
  let stamp: Stamp
  private let descriptor: Descriptor

  /// Tells one state of a file from another.
  struct Stamp: Hashable {
    let device: UInt64
    let node: UInt64
    let size: Int64
    let modified: Int64

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      node = UInt64(status.st_ino)
      size = Int64(status.st_size)
      modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
    }
  }

  /// Music may be a link, as its owner likes; `isPlain` is for what was found by its name.
  init(_ path: FilePath, isPlain: Bool) throws(Fault) {
    let flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | (isPlain ? O_NOFOLLOW : 0)
    let descriptor = try Descriptor.open(path, flags, code: "L-501")
    var status = stat()
    guard fstat(descriptor.number, &status) == 0 else { throw Fault.system("L-501", doing: "look at \(path)") }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Fault(.unsupported, "L-502", "\(path) is no file; expected a picture or music")
    }
    self.path = path
    stamp = Stamp(status)
    self.descriptor = descriptor
  }

  var number: Int32 { descriptor.number }

  func readAll(limit: Int) throws(Fault) -> [UInt8] {
    try descriptor.readAll(limit: limit, code: "L-503", doing: "read the picture \(path)")
  }

  /// Nil when there is none any more. Follows no link.
  static func stamp(of path: FilePath) -> Stamp? {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { return nil }
    return Stamp(status)
  }

  static func isFile(_ path: FilePath) -> Int64? {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int64(status.st_size)
  }
}
