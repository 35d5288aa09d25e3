import Glibc
import Runtime

extension FilePath {
  /// Harmless when it is not there.
  package func remove() { _ = withCString { unlink($0) } }

  /// With all that is in it.
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

/// A folder of a board's own for sockets, logs and its disk; short, because a socket's path may have 107 bytes.
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
