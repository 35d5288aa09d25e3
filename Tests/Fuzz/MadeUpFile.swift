import Glibc
import Runtime

/// A file in memory, without a name, and written anew each time.
struct MadeUpFile {
  let number: Int32

  init() {
    var template = Array("/dev/shm/layby-fuzz-XXXXXX".utf8CString)
    number = mkstemp(&template)
    precondition(number >= 0, "no memory for a file")
    unlink(template)
  }

  func write(_ bytes: [UInt8]) {
    precondition(ftruncate(number, 0) == 0, "no memory for a file")
    bytes.withUnsafeBytes {
      precondition(pwrite(number, $0.baseAddress, $0.count, 0) == bytes.count, "no memory for a file")
    }
  }
}

/// A folder in memory that goes with the program, and is emptied for each try.
struct MadeUpFolder {
  let path: FilePath

  init() {
    var template = Array("/dev/shm/layby-fuzz-XXXXXX".utf8CString)
    precondition(mkdtemp(&template) != nil, "no memory for a folder")
    path = FilePath(String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    MadeUpFolder.last = path
    atexit { MadeUpFolder.last.map { MadeUpFolder(at: $0).remove() } }
  }

  private init(at path: FilePath) { self.path = path }

  /// A program has one.
  private nonisolated(unsafe) static var last: FilePath?

  func write(_ name: String, _ bytes: [UInt8]) {
    let file = (path / name).withCString { open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o600) }
    precondition(file >= 0, "no memory for a file")
    bytes.withUnsafeBytes { _ = Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  func empty() {
    for name in names { _ = Self.joined(path, name).withCString { unlink($0) } }
  }

  var names: [FilePath] { (try? Folder.names(in: path)) ?? [] }

  private func remove() {
    empty()
    _ = path.withCString { rmdir($0) }
  }

  static func joined(_ folder: FilePath, _ name: FilePath) -> FilePath {
    FilePath(bytes: folder.bytes + [0x2F] + name.bytes) ?? folder
  }
}
