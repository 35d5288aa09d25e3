import Glibc
import Runtime

/// Owns the state folder: as long as it lives no other process writes there, and the file `running` stands in it.
///
/// `running` is durable before anything else is written and goes only at a clean stop, so that the next start knows
/// whether the power went. The lock is the kernel's (`flock`): it ends with the process, however that ends.
package struct StateFolder: ~Copyable, Sendable {
  package let path: FilePath
  /// The last one who had the folder did not stop cleanly.
  package let afterUncleanStop: Bool
  private let lock: Descriptor

  package init(taking path: FilePath) throws(Fault) {
    try Folder.make(path, mode: 0o700)
    let lock = try Self.locked(path)
    let wasRunning = try Self.markRunning(path / "running")
    self.path = path
    self.lock = lock
    afterUncleanStop = wasRunning
  }

  /// A program that is being started holds a copy of the descriptor until its own begins. Letting go of the lock itself
  /// ends it there too, so that the folder can be taken again at once.
  deinit { flock(lock.number, LOCK_UN) }

  /// Whether it was marked already.
  private static func markRunning(_ marker: FilePath) throws(Fault) -> Bool {
    let wasThere = marker.withCString { access($0, F_OK) } == 0
    putAway(marker)
    let file = try Descriptor.open(marker, O_WRONLY | O_CREAT | O_NOFOLLOW, code: "S-132")
    guard fsync(file.number) == 0 else { throw Fault.system("S-132", doing: "make \(marker) durable") }
    try AtomicFile.syncFolder(marker.folder)
    return wasThere
  }

  /// Call it when the databases are closed. Without it, letting go of the folder is an unclean stop.
  package consuming func stopCleanly() throws(Fault) {
    let marker = path / "running"
    guard marker.withCString({ unlink($0) }) == 0 || errno == ENOENT else {
      throw Fault.system("S-133", doing: "remove \(marker)")
    }
    try AtomicFile.syncFolder(path)
  }

  /// A link or a pipe by one of our names is not ours: through the one a file elsewhere would be written, and at the
  /// other the start would wait for ever. A folder stays, and is told by the one who opens it.
  private static func putAway(_ name: FilePath) {
    var found = stat()
    guard name.withCString({ lstat($0, &found) }) == 0, found.st_mode & S_IFMT != S_IFREG else { return }
    _ = name.withCString { unlink($0) }
  }

  private static func locked(_ path: FilePath) throws(Fault) -> Descriptor {
    let name = path / "lock"
    putAway(name)
    let file = try Descriptor.open(name, O_RDWR | O_CREAT | O_NOFOLLOW, code: "S-130")
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      guard errno == EWOULDBLOCK else { throw Fault.system("S-130", doing: "lock \(name)") }
      throw Fault(.busy, "S-131", "\(path) is in use by \(holder(file))")
    }
    // Only for the message above; the lock itself holds without it, on a full disk too.
    if ftruncate(file.number, 0) == 0 {
      let text = Array("\(getpid())\n".utf8)
      _ = text.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, 0) }
    }
    return file
  }

  private static func holder(_ file: borrowing Descriptor) -> String {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(file.number, &text, text.count, 0)
    guard count > 0, let pid = Int32(String(decoding: text[..<count].prefix { $0 != 0x0A }, as: UTF8.self)) else {
      return "another process"
    }
    return "process \(pid)"
  }
}
