import Glibc
import Runtime

/// A folder of a test's own, gone with everything in it when the test lets go of it.
package final class TempFolder: Sendable {
  package let path: FilePath

  package init(in parent: String = "/tmp") {
    var template = Array("\(parent)/layby-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("no temporary folder: \(Fault.describe(errno))") }
    path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }

  deinit { Self.remove(path) }

  private static func remove(_ path: FilePath) {
    if path.withCString({ unlink($0) }) == 0 { return }
    let names = (try? Folder.names(in: path)) ?? []
    for name in names { if let inner = FilePath(bytes: path.bytes + [0x2F] + name.bytes) { remove(inner) } }
    _ = path.withCString { rmdir($0) }
  }
}
