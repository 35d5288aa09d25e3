internal import CSQLite
import Glibc
import Runtime

extension Fault {
  /// What SQLite said of `doing` ("open /state/state.db"). Its messages name tables, columns and words of the SQL,
  /// never a value that was bound.
  static func sqlite(_ code: String, doing: String, result: Int32, handle: OpaquePointer?) -> Fault {
    let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(result)
    let reason = text.map { String(cString: $0) } ?? "error \(result)"
    let number = handle.map { sqlite3_system_errno($0) } ?? 0
    let more = number != 0 && result & 0xFF != SQLITE_FULL ? " (\(Fault.describe(number)))" : ""
    return Fault(kind(of: result, errno: number), code, "cannot \(doing): \(reason)\(more)")
  }

  /// The low byte is the kind of error, the rest its origin.
  private static func kind(of result: Int32, errno number: Int32) -> Kind {
    switch result & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: .busy
    case SQLITE_FULL: .full
    case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
    case SQLITE_PERM, SQLITE_READONLY, SQLITE_AUTH: .denied
    case SQLITE_CANTOPEN:
      switch number {
      case EACCES, EPERM, EROFS: .denied
      case EISDIR, ENAMETOOLONG, ELOOP: .malformed
      case EMFILE, ENFILE, ENOMEM: .passing
      default: .missing
      }
    // A quota or a limit of the file's size arrives as an error of writing.
    case SQLITE_IOERR: number == ENOSPC || number == EDQUOT || number == EFBIG ? .full : .passing
    case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_TOOBIG, SQLITE_MISUSE: .malformed
    case SQLITE_NOLFS: .unsupported
    default: .passing
    }
  }
}
