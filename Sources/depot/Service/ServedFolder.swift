import Glibc
import Runtime
import Services

/// The folder `public`, from which nothing leads out: each name of a path is opened below the one before it, and none may be
/// a link.
final class ServedFolder: Sendable {
  private let top: Descriptor
  private let path: FilePath

  init(_ path: FilePath) throws(Fault) {
    top = try Descriptor.open(path, O_RDONLY | O_DIRECTORY, code: "D-190")
    self.path = path
  }

  var isThere: Bool {
    var found = stat()
    var room = statvfs()
    guard fstat(top.number, &found) == 0, found.st_nlink > 0, fstatvfs(top.number, &room) == 0 else { return false }
    return true
  }

  /// Nil when there is no such file.
  func open(_ file: FolderPath) throws(Fault) -> OpenFile? {
    var names = file.text.split(separator: "/").map { String($0) }
    guard let last = names.popLast() else { return nil }
    var folder = Descriptor(taking: openat(top.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    for name in names {
      guard folder.number >= 0 else { return nil }
      folder = Descriptor(taking: openat(folder.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }
    guard folder.number >= 0 else { return nil }
    let descriptor = Descriptor(
      taking: openat(folder.number, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    guard descriptor.number >= 0 else {
      if [ENOENT, ELOOP, ENOTDIR, EACCES, ENAMETOOLONG].contains(errno) { return nil }
      throw Fault.system("D-191", doing: "open \(path / file.text)")
    }
    var found = stat()
    guard fstat(descriptor.number, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return nil }
    let facts = [
      Int64(found.st_ino), Int64(found.st_size), Int64(found.st_mtim.tv_sec), Int64(found.st_mtim.tv_nsec),
    ]
    let tag = "\"" + facts.map { String($0, radix: 36) }.joined(separator: "-") + "\""
    return OpenFile(descriptor: descriptor.release(), size: Int64(found.st_size), tag: tag)
  }
}

/// Whoever has it gives it on to the web server, or closes it.
struct OpenFile {
  let descriptor: Int32
  let size: Int64
  let tag: String

  func close() { Glibc.close(descriptor) }
}
