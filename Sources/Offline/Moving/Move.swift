import Files
import Runtime

/// All music goes to another disk: what is carried over, and what is still to be. A value without a disk; whoever has
/// one tells it what is kept and what came of each file.
///
/// Both disks have everything before the new one counts: one row says which does, and until that is stored a power cut
/// leaves all as it was. What is on the new one for certain is stored file by file, so that the next start goes on.
package struct Move: Equatable, Sendable {
  /// A file that is whole.
  package struct File: Equatable, Sendable {
    package var key: MediaKey
    package var path: FilePath
    package var size: Int64
    /// Of what it has to be; nil where nobody knows any more.
    package var hash: String?

    package init(_ key: MediaKey, at path: FilePath, size: Int64, hash: String?) {
      (self.key, self.path, self.size, self.hash) = (key, path, size, hash)
    }

    package var name: String { String(decoding: path.name.bytes, as: UTF8.self) }
  }

  /// Its like on the other disk: written, durable, and read again from there.
  package struct Copy: Equatable, Sendable {
    package var size: Int64
    package var hash: String

    package init(size: Int64, hash: String) { (self.size, self.hash) = (size, hash) }
  }

  package let target: String
  private var copied: [String: Copy]
  private var ahead: ArraySlice<File> = []
  /// Of what is kept now.
  package private(set) var files = 0
  package private(set) var bytes: Int64 = 0
  package private(set) var filesThere = 0
  package private(set) var bytesThere: Int64 = 0

  package init(to target: String, having copied: [String: Copy] = [:]) {
    (self.target, self.copied) = (target, copied)
  }

  /// What is kept now: something may have come, gone or changed since it was asked last. What was carried over and is not
  /// as it was counts for nothing.
  package mutating func recount(_ kept: [File]) {
    var missing: [File] = []
    (files, bytes, filesThere, bytesThere) = (0, 0, 0, 0)
    for file in kept {
      files += 1
      bytes = bytes.plus(file.size)
      if isThere(file) {
        filesThere += 1
        bytesThere = bytesThere.plus(file.size)
      } else {
        missing.append(file)
      }
    }
    ahead = missing[...]
  }

  private func isThere(_ file: File) -> Bool {
    guard let copy = copied[file.name] else { return false }
    return copy.size == file.size && file.hash.map { $0 == copy.hash } ?? true
  }

  /// The next to be carried over; nil when it is to be told again what is kept. When that leads to none, all is there.
  package mutating func next() -> File? { ahead.popFirst() }

  package mutating func carried(_ file: File, as copy: Copy) {
    copied[file.name] = copy
    filesThere += 1
    bytesThere = bytesThere.plus(file.size)
  }

  /// Bytes that the other disk still has to have room for.
  package var missing: Int64 { ahead.reduce(0) { $0.plus(DiskSpace.taken(by: $1.size)) } }
}
