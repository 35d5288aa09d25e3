import Glibc
import Runtime

/// An open file of a copy, handed on from step to step.
package final class CopyFile {
  private let descriptor: Descriptor

  package init(_ path: FilePath, _ flags: Int32, mode: UInt32 = 0o644, code: String) throws(Fault) {
    descriptor = try Descriptor.open(path, flags, mode: mode, code: code)
  }

  package var number: Int32 { descriptor.number }
}

/// All that a copy asks of the disks, call by call: tests put one in its place in which any call fails.
package protocol CopyDisk: Sendable {
  /// Fewer than asked for only at the end of the file.
  func read(
    _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, code: String, _ path: FilePath
  ) throws(Fault) -> Int
  func write(_ file: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer, _ path: FilePath) throws(Fault)
  func cut(_ file: Int32, to length: Int64, _ path: FilePath) throws(Fault)
  /// What was written is on the disk.
  func sync(_ file: Int32, _ path: FilePath) throws(Fault)
  /// What is in memory of a file is forgotten, so that reading it asks the disk.
  func drop(_ file: Int32, _ range: Range<Int64>)
  func makeFolder(_ folder: FilePath) throws(Fault)
  /// Durably, in one step, and never in the place of another: false when there is one by that name.
  func place(_ part: FilePath, as path: FilePath) throws(Fault) -> Bool
  /// A small file, durably and in one step.
  func replace(_ path: FilePath, with bytes: [UInt8]) throws(Fault)
  /// Whether it was there or not.
  func remove(_ path: FilePath)
  func space(at folder: FilePath) throws(Fault) -> DiskSpace
  func rule(at folder: FilePath) -> TargetNames.Rule
}

/// The kernel's.
package struct KernelDisk: CopyDisk {
  /// Of what is written to.
  package static let code = "L-422"
  /// The disk has room, and takes no file of that length.
  package static let tooLong = "L-433"

  package init() {}

  package func read(
    _ file: Int32, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer, code: String, _ path: FilePath
  ) throws(Fault) -> Int {
    var got = 0
    while got < buffer.count {
      let more = pread(file, buffer.baseAddress.map { $0 + got }, buffer.count - got, off_t(offset) + off_t(got))
      if more < 0 && errno == EINTR { continue }
      guard more >= 0 else { throw Fault.system(code, doing: "read \(path)") }
      if more == 0 { break }
      got += more
    }
    return got
  }

  package func write(
    _ file: Int32, at offset: Int64, _ bytes: UnsafeRawBufferPointer, _ path: FilePath
  ) throws(Fault) {
    var done = 0
    while done < bytes.count {
      let more = pwrite(file, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset) + off_t(done))
      if more < 0 && errno == EINTR { continue }
      if more < 0 && errno == EFBIG {
        throw Fault(
          .unsupported, Self.tooLong, "\(path) grew longer than the disk's file system takes; FAT takes 4 GB")
      }
      guard more > 0 else {
        throw Fault.system(Self.code, doing: "write \(path)", errno: more == 0 ? ENOSPC : errno)
      }
      done += more
    }
  }

  package func cut(_ file: Int32, to length: Int64, _ path: FilePath) throws(Fault) {
    guard ftruncate(file, off_t(length)) == 0 else { throw Fault.system(Self.code, doing: "write \(path)") }
  }

  package func sync(_ file: Int32, _ path: FilePath) throws(Fault) {
    guard fsync(file) == 0 else { throw Fault.system(Self.code, doing: "make \(path) durable") }
  }

  package func drop(_ file: Int32, _ range: Range<Int64>) {
    posix_fadvise(file, off_t(range.lowerBound), off_t(range.count), POSIX_FADV_DONTNEED)
  }

  package func makeFolder(_ folder: FilePath) throws(Fault) {
    try Folder.make(folder, mode: 0o755)
    try AtomicFile.syncFolder(folder.folder)
  }

  package func place(_ part: FilePath, as path: FilePath) throws(Fault) -> Bool {
    try AtomicFile.name(part, as: path, code: Self.code)
  }

  package func replace(_ path: FilePath, with bytes: [UInt8]) throws(Fault) {
    try AtomicFile.replace(path, with: bytes)
  }

  package func remove(_ path: FilePath) { _ = path.withCString { unlink($0) } }

  package func space(at folder: FilePath) throws(Fault) -> DiskSpace {
    var folder = folder
    var facts = statvfs()
    // What is not made yet will lie where the folder above it does.
    while folder.withCString({ statvfs($0, &facts) }) != 0 {
      guard errno == ENOENT, folder.folder != folder else {
        throw Fault.system(Self.code, doing: "see how full the disk of \(folder) is")
      }
      folder = folder.folder
    }
    func bytes(_ blocks: UInt) -> Int64 {
      let (bytes, isBeyond) = UInt64(blocks).multipliedReportingOverflow(by: UInt64(facts.f_frsize))
      return isBeyond ? .max : Int64(clamping: bytes)
    }
    return DiskSpace(free: bytes(facts.f_bavail), total: bytes(facts.f_blocks))
  }

  package func rule(at folder: FilePath) -> TargetNames.Rule {
    // FAT, exFAT, NTFS by each of its drivers, and what is behind a program of its own.
    let careful: Set<UInt64> = [0x4D44, 0x2011_BAB0, 0x5346_544E, 0x7366_746E, 0x6573_5546]
    var folder = folder
    // What is not made yet will lie where the folder above it does.
    while folder.withCString({ access($0, F_OK) }) != 0, folder.folder != folder { folder = folder.folder }
    return careful.contains(Folder.fileSystem(of: folder)) ? .careful : .any
  }
}
