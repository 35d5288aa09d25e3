import Formats
import Glibc
import Runtime

extension ByteSource {
  /// The place that a C library asks for in the words of `lseek`: `whence` is SEEK_SET, SEEK_CUR or SEEK_END. Nil when
  /// there is no such place, or the end is not known.
  func target(of offset: Int64, _ whence: Int32) -> Int64? {
    let base: Int64? =
      switch whence {
      case SEEK_SET: 0
      case SEEK_CUR: position
      case SEEK_END: length
      default: nil
      }
    guard let base else { return nil }
    let (target, overflow) = base.addingReportingOverflow(offset)
    return overflow || target < 0 ? nil : target
  }

  /// `position`, unless it lies before the beginning.
  func place(at position: Int64) throws(Fault) -> Int64 {
    guard position >= 0 else { throw Fault(.malformed, "A-106", "cannot go to byte \(position) of \(name)") }
    return position
  }
}
