import Glibc
import Runtime

/// Opens a database so that the start always goes on: a damaged one is set aside under a name with the date and a
/// fresh one takes its place, a schema that cannot be brought up to date is used as it was. What happened is told.
package enum Database {
  /// `today` is written into the name of what is set aside: "2026-11-21". The check reads the whole file, so it is
  /// made only when the last stop was unclean.
  package static func open(
    in folder: FilePath, name: String, migrations: Migrations, durability: Connection.Durability,
    afterUncleanStop: Bool, today: String
  ) throws(Fault) -> (connection: Connection, notices: [Notice]) {
    let file = folder / name
    let damage: Fault
    do throws(Fault) {
      return try open(file, migrations, durability, checked: afterUncleanStop)
    } catch {
      guard error.kind == .damaged else { throw error }
      damage = error
    }
    // The connection is closed here, by having gone out of scope.
    let aside = try setAside(file, today: today)
    forgetOldest(of: file, but: aside)
    let fresh = try open(file, migrations, durability, checked: false)
    let notice = Notice(damage, instead: "it is kept as \(aside.name), and a new one was begun")
    return (fresh.connection, [notice] + fresh.notices)
  }

  private static func open(
    _ file: FilePath, _ migrations: Migrations, _ durability: Connection.Durability, checked: Bool
  ) throws(Fault) -> (connection: Connection, notices: [Notice]) {
    closeToOthers(file)
    let connection = try Connection(open: file, as: .writer(durability: durability))
    if checked { try check(connection) }
    return (connection, try migrations.apply(to: connection))
  }

  /// Nobody else may read a database and what lies beside it.
  private static func closeToOthers(_ file: FilePath) {
    for path in Connection.endings.map({ FilePath("\(file)\($0)") }) {
      var status = stat()
      guard path.withCString({ stat($0, &status) }) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if status.st_mode & 0o077 != 0 { _ = path.withCString { chmod($0, 0o600) } }
    }
    let made = file.withCString { Glibc.open($0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
    if made >= 0 { Glibc.close(made) }
  }

  package static func check(_ connection: Connection) throws(Fault) {
    let verdict = try connection.first("PRAGMA quick_check(1)") { $0.text(0) }
    guard verdict == "ok" else {
      throw Fault(.damaged, "S-120", "\(connection.file) is damaged: \(verdict ?? "its check says nothing")")
    }
    let orphan = try connection.first("PRAGMA foreign_key_check") { $0.text(0) }
    if let orphan {
      throw Fault(.damaged, "S-121", "\(connection.file) is damaged: a row of \(orphan) refers to one that is gone")
    }
  }

  /// The log goes with its database, under the name that SQLite looks for; together they can still be examined. The
  /// database goes first: should the power go in between, SQLite throws a log without its database away, while it
  /// would believe a database without its log.
  private static func setAside(_ file: FilePath, today: String) throws(Fault) -> FilePath {
    let aside = try freeName(file, today: today)
    for ending in Connection.endings {
      let (from, to) = (FilePath("\(file)\(ending)"), FilePath("\(aside)\(ending)"))
      let renamed = from.withCString { from in to.withCString { to in rename(from, to) } }
      Steps.reach("aside.renamed")
      guard renamed == 0 || errno == ENOENT else {
        throw Fault.system("S-122", doing: "set \(from) aside")
      }
    }
    try AtomicFile.syncFolder(file.folder)
    return aside
  }

  /// So many that were set aside are kept; a card that damages a database each week must not fill up with them.
  static let keptAside = 3

  /// By the time at which they were set aside; the one at hand stays also when the clock runs behind. What cannot be
  /// removed stays too: it is in nobody's way but that of the space.
  private static func forgetOldest(of file: FilePath, but aside: FilePath) {
    let names = (try? Folder.names(in: file.folder)) ?? []  // none are removed then
    let others = names.filter { name in
      name.description.hasPrefix("\(file.name).damaged-") && name.description != "\(aside.name)"
        && !Connection.endings.contains { !$0.isEmpty && name.description.hasSuffix($0) }
    }
    let byTime = others.map { name -> (path: FilePath, time: Int) in
      var status = stat()
      let path = file.folder / name.description
      return (
        path,
        path.withCString { lstat($0, &status) } == 0
          ? status.st_ctim.tv_sec * 1_000_000_000 + status.st_ctim.tv_nsec : 0
      )
    }.sorted { $0.time < $1.time }
    for old in byTime.dropLast(keptAside - 1) {
      for ending in Connection.endings { _ = FilePath("\(old.path)\(ending)").withCString { unlink($0) } }
    }
  }

  private static func freeName(_ file: FilePath, today: String) throws(Fault) -> FilePath {
    for number in 1...1000 {
      let name = FilePath("\(file).damaged-\(today)" + (number == 1 ? "" : "-\(number)"))
      let isFree = Connection.endings.allSatisfy { ending in
        FilePath("\(name)\(ending)").withCString { access($0, F_OK) } != 0 && errno == ENOENT
      }
      if isFree { return name }
    }
    throw Fault(.full, "S-123", "a thousand damaged copies of \(file) are there already")
  }
}
