import Glibc
import Runtime

/// All that keeping music asks of the disk, call by call: what copying asks, and a little more. Tests put one in its
/// place in which any call fails, or after which the power is gone.
package protocol MediaDisk: CopyDisk {
  /// A file to read and write, never a link. Nil when it is not there and is not to be made.
  func open(_ path: FilePath, making: Bool) throws(Fault) -> Int32?
  func close(_ file: Int32)
  func length(of file: Int32, _ path: FilePath) throws(Fault) -> Int64
  /// Room for so many bytes from the beginning, without making the file longer. Disks that cannot do it do without.
  func allocate(_ file: Int32, _ length: Int64, _ path: FilePath) throws(Fault)
  /// Sorted; none in a folder that is not there.
  func names(in folder: FilePath, most: Int) throws(Fault) -> [FilePath]
}

extension MediaDisk {
  /// So many at most; fewer only at the end.
  package func bytes(
    of file: Int32, at offset: Int64, most count: Int, code: String, _ path: FilePath
  ) throws(Fault) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: max(count, 1), alignment: 4_096)
    defer { buffer.deallocate() }
    let wanted = UnsafeMutableRawBufferPointer(rebasing: buffer[..<max(count, 0)])
    let got = try read(file, at: offset, into: wanted, code: code, path)
    return Array(wanted.prefix(got))
  }

  /// Room that was set aside behind its bytes is everybody's again.
  package func giveBack(_ file: Int32, behind length: Int64, _ path: FilePath) {
    do throws(Fault) { try cut(file, to: length, path) } catch {
      Log("offline").info("room that was set aside is not given back", ["reason": error.message])
    }
  }
}

extension KernelDisk: MediaDisk {
  package static let keeping = "O-301"

  package func open(_ path: FilePath, making: Bool) throws(Fault) -> Int32? {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | (making ? O_CREAT : 0)
    do throws(Fault) {
      return try Descriptor.open(path, flags, mode: 0o644, code: Self.keeping).release()
    } catch {
      guard error.kind == .missing, !making else { throw error }
      return nil
    }
  }

  package func close(_ file: Int32) { Glibc.close(file) }

  package func length(of file: Int32, _ path: FilePath) throws(Fault) -> Int64 {
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw Fault.system(Self.keeping, doing: "look at \(path)") }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw Fault(.damaged, Self.keeping, "\(path) is no file; somebody else put it there")
    }
    return Int64(facts.st_size)
  }

  package func allocate(_ file: Int32, _ length: Int64, _ path: FilePath) throws(Fault) {
    try AtomicFile.allocate(file, length, code: Self.keeping, path)
  }

  package func names(in folder: FilePath, most: Int) throws(Fault) -> [FilePath] {
    if folder.withCString({ access($0, F_OK) }) != 0, errno == ENOENT { return [] }
    return try Folder.names(in: folder, limit: most)
  }
}
