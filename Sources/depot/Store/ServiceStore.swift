import Glibc
import Runtime
import Store
import Synchronization

/// The database of a depot that answers, `secret/service.db`.
///
/// The server and the verbs of the command line may have it open at once. A lock on a file beside it lets one of them write
/// at a time, since SQLite before 3.51.3 can damage its log when two do. That also gives the numbers of changes in the order
/// in which they are committed. What was committed survives a power cut.
final class ServiceStore: Sendable {
  static let fileName = "service.db"

  // Used inside `one` alone.
  nonisolated(unsafe) private let connection: Connection
  private let one = Mutex(())
  /// Held around `one`: whoever waits for another process to have written keeps no reader waiting.
  private let writing = Mutex(())
  private let lock: Descriptor
  private let lockFile: FilePath

  static func exists(in folder: FilePath) -> Bool { (folder / fileName).withCString { access($0, F_OK) } == 0 }

  /// A damaged database is a fault: what accounts there are is not forgotten by itself.
  init(in folder: FilePath) throws(Fault) {
    let lockFile = folder / "service.lock"
    let lock = try Descriptor.open(lockFile, O_RDWR | O_CREAT | O_NOFOLLOW, code: "D-140")
    try Self.take(lock, lockFile)
    let number = lock.number
    defer { flock(number, LOCK_UN) }
    let file = folder / Self.fileName
    // Before SQLite makes it for everybody to read. One that is there is not opened: closing it would end the locks that
    // another connection of this process has on it, and the next process would delete the log under that connection.
    if !Self.exists(in: folder) { _ = try Descriptor.open(file, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, code: "D-141") }
    let connection = try Connection(open: file, as: .writer(durability: .full))
    let notices = try ServiceSchema.migrations.apply(to: connection)
    for notice in notices { Log("depot").warning(notice.message) }
    self.connection = connection
    self.lockFile = lockFile
    self.lock = lock
  }

  /// Reads what was committed; nothing changes in between.
  func read<Result: Sendable>(
    _ body: (Connection) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try one.withLock { _ throws(Fault) in try body(connection) }
  }

  /// All of `body` or nothing of it.
  func write<Result: Sendable>(
    _ body: (Connection) throws(Fault) -> Result
  ) throws(Fault) -> Result {
    try writing.withLock { _ throws(Fault) in
      try Self.take(lock, lockFile)
      defer { flock(lock.number, LOCK_UN) }
      return try one.withLock { _ throws(Fault) in
        try connection.transaction { () throws(Fault) in try body(connection) }
      }
    }
  }

  /// Others write for a moment only; who waits longer is told that it is busy.
  private static func take(_ lock: borrowing Descriptor, _ file: FilePath) throws(Fault) {
    for _ in 0..<100 {
      if flock(lock.number, LOCK_EX | LOCK_NB) == 0 { return }
      guard errno == EWOULDBLOCK || errno == EINTR else { throw Fault.system("D-142", doing: "lock \(file)") }
      usleep(10_000)
    }
    throw Fault(.busy, "D-143", "somebody else is writing into the depot's database")
  }
}

enum ServiceSchema {
  static let migrations = Migrations(
    // "LBdp" in ASCII.
    applicationID: 0x4C42_6470,
    [
      Migration(name: "V0001_service", version: 1, sql: PackageResources.V0001_service_sql),
      Migration(name: "V0002_shares", version: 2, sql: PackageResources.V0002_shares_sql),
      Migration(name: "V0003_qualities", version: 3, sql: PackageResources.V0003_qualities_sql),
    ])
}
