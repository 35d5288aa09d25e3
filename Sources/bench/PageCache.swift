import Glibc
import Runtime

/// What the kernel keeps of files in memory.
enum PageCache {
  /// Reads all of it.
  static func warm(_ path: FilePath) throws(Fault) { _ = try AtomicFile.read(path, limit: 1 << 28) }

  /// Lets the kernel forget it, and looks whether it has, from `part` of the file on: what plays goes on being read.
  static func drop(_ path: FilePath, checkedFrom part: Double = 0) throws(Fault) {
    let file = try Descriptor.open(path, O_RDONLY, code: "B-220")
    guard fsync(file.number) == 0 else { throw Fault.system("B-221", doing: "write \(path) to the disk") }
    // Pages that are in use this very moment stay.
    for _ in 0..<100 {
      posix_fadvise(file.number, 0, 0, POSIX_FADV_DONTNEED)
      if try resident(file, path, from: part) == 0 { return }
      try Patience.wait(until: .now + .milliseconds(1))
    }
    throw Fault(.unsupported, "B-222", "\(path) stays in memory; TMPDIR must be a folder on a disk")
  }

  private static func resident(_ file: borrowing Descriptor, _ path: FilePath, from part: Double) throws(Fault) -> Int {
    var status = stat()
    guard fstat(file.number, &status) == 0, status.st_size > 0 else {
      throw Fault.system("B-223", doing: "read \(path)")
    }
    let length = Int(status.st_size)
    let page = max(sysconf(Int32(_SC_PAGESIZE)), 1)
    guard let start = mmap(nil, length, PROT_READ, MAP_SHARED, file.number, 0), start != MAP_FAILED else {
      throw Fault.system("B-223", doing: "look at \(path)")
    }
    defer { munmap(start, length) }
    var pages = [UInt8](repeating: 0, count: (length + page - 1) / page)
    guard mincore(start, length, &pages) == 0 else { throw Fault.system("B-223", doing: "look at \(path)") }
    return pages[Int(Double(pages.count) * part)...].count { $0 & 1 != 0 }
  }
}
