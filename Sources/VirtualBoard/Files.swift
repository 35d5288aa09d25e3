import Glibc
import Runtime

extension FilePath {
  /// Does nothing when the file does not exist.
  package func remove() { _ = withCString { unlink($0) } }

  /// Removes a folder and everything in it.
  package func removeAll() {
    if withCString({ unlink($0) }) == 0 { return }
    let names: [FilePath]
    do throws(Fault) { names = try Folder.names(in: self) } catch { return }
    for name in names { if let inner = FilePath(bytes: bytes + [0x2F] + name.bytes) { inner.removeAll() } }
    _ = withCString { rmdir($0) }
  }

  /// The end of a log, for a message; control characters shown as replacements.
  package var lastWords: String {
    do throws(Fault) {
      let text = String(decoding: try AtomicFile.read(self, limit: 1 << 26).suffix(400), as: UTF8.self)
      let lines = text.split(whereSeparator: \.isNewline)
      return lines.isEmpty ? "(nothing)" : lines.suffix(4).map { shownPlain(String($0)) }.joined(separator: " | ")
    } catch {
      return "(nothing)"
    }
  }
}

/// A temporary folder for one board's sockets, logs and disk. Its path is short, because that of a socket may have 107
/// bytes at most.
package final class WorkFolder: Sendable {
  package let path: FilePath

  package init() throws(Fault) {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(place)/layby-board-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Fault.system("V-141", doing: "make a folder in \(place)") }
    path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  deinit { if getenv("LAYBY_KEEP_BOARDS") == nil { path.removeAll() } }
}
