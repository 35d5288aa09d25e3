import Glibc
import Runtime

/// The partition with the counters. While one program has it open, others wait. A class, since Swift 6.0.3 takes no throwing
/// initialiser of a struct that owns a descriptor.
package final class SlotCounters {
  private let path: FilePath
  private let file: Descriptor

  package init(_ path: FilePath, isWritten: Bool) throws(Fault) {
    self.path = path
    file = try Descriptor.open(path, isWritten ? O_RDWR : O_RDONLY, code: "H-180")
    guard flock(file.number, isWritten ? LOCK_EX : LOCK_SH) == 0 else {
      throw Fault.system("H-180", doing: "lock \(path)")
    }
  }

  package func read() throws(Fault) -> BootSlots { try state().slots }

  /// Writes what `change` makes of the counters into the sector that does not count, durably: a power cut leaves those
  /// before or these. Writes nothing when nothing changes.
  package func change(_ change: (BootSlots) throws(Fault) -> BootSlots) throws(Fault) -> BootSlots {
    let (old, second) = try state()
    let wanted = try change(old)
    guard wanted != old else { return old }
    let (new, sector) = wanted.next()
    let place = second == false ? BootSlots.secondPlace : 0
    let written = sector.withUnsafeBytes { pwrite(file.number, $0.baseAddress, $0.count, off_t(place)) }
    guard written == sector.count else { throw Fault.system("H-181", doing: "write \(path)") }
    guard fdatasync(file.number) == 0 else { throw Fault.system("H-181", doing: "write \(path)") }
    return new
  }

  private func state() throws(Fault) -> (slots: BootSlots, second: Bool?) {
    BootSlots.read(try sector(at: 0), try sector(at: BootSlots.secondPlace))
  }

  private func sector(at place: Int) throws(Fault) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: BootSlots.sectorSize)
    let count = bytes.withUnsafeMutableBytes { pread(file.number, $0.baseAddress, $0.count, off_t(place)) }
    guard count >= 0 else { throw Fault.system("H-182", doing: "read \(path)") }
    return Array(bytes[..<count])
  }
}

extension SlotCounters {
  /// The partition by its name, on the disk that the first program found the root on (`/dev/layby-disk`): a stick may
  /// carry the same name.
  package static func partition() throws(Fault) -> FilePath {
    let link = FilePath("/dev/layby-disk")
    var bytes = [CChar](repeating: 0, count: 256)
    let count = link.withCString { readlink($0, &bytes, 255) }
    let disk = String(decoding: bytes.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard count > 0, !disk.contains("/") else { throw missing }
    let folder = FilePath("/sys/class/block/\(disk)")
    for name in try Folder.names(in: folder) {
      guard let facts = try PlainFile.read(folder / "\(name)/uevent", limit: 4_096, code: "H-183") else { continue }
      let lines = String(decoding: facts, as: UTF8.self).split(separator: "\n")
      if lines.contains("PARTNAME=layby-slots") { return FilePath("/dev/\(name)") }
    }
    throw missing
  }

  private static var missing: Fault {
    Fault(.missing, "H-183", "this machine has no slots: no partition layby-slots is on the disk that it started from")
  }
}
