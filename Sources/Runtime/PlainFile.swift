internal import CLinux
import Glibc

/// A file where strangers may have put anything: links, pipes, devices, folders.
package enum PlainFile {
  /// All of it; nil when there is nothing by that name, or nothing that is a plain file. Never follows a link at the end
  /// of the path, and never waits for another program.
  package static func read(_ path: FilePath, limit: Int, code: String) throws(Fault) -> [UInt8]? {
    let number = path.withCString { layby_open($0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0) }
    if number < 0, [ENOENT, ELOOP, ENOTDIR, ENXIO].contains(errno) { return nil }
    let file = Descriptor(taking: number)
    guard file.number >= 0 else { throw Fault.system(code, doing: "open \(path)") }
    var facts = stat()
    guard fstat(file.number, &facts) == 0 else { throw Fault.system(code, doing: "look at \(path)") }
    guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
    return try file.readAll(limit: limit, code: code, doing: "read \(path)")
  }
}
