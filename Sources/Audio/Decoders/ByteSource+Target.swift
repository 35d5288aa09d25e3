import Formats
import Glibc

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
}
