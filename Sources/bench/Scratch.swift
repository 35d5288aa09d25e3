import Glibc
import Runtime

/// The bench's own folder: made anew, gone with everything in it when the bench ends.
final class Scratch {
  let path: FilePath

  init() throws(Fault) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/layby-bench-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Fault.system("B-130", doing: "make a folder in \(parent)") }
    path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  deinit { Self.remove(path) }

  func folder(_ name: String) throws(Fault) -> FilePath {
    try Folder.make(path / name)
    return path / name
  }

  /// Nobody depends on what could not be removed.
  static func remove(_ path: FilePath) {
    if path.withCString({ unlink($0) }) == 0 { return }
    var names: [FilePath] = []
    do throws(Fault) { names = try Folder.names(in: path) } catch { return }
    for name in names { remove(path / name.description) }
    _ = path.withCString { rmdir($0) }
  }
}
